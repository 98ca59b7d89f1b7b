//! Follows the shell itself: redirections, directories, functions and aliases, and the search for the program that a
//! name means.

use super::{
    Evaluator, Frame,
    flow::Flow,
    losses,
    secret_exposure::{is_unseen, shows_no_value},
    session::Content,
    variables::environment_of,
};
use crate::{
    effect::Target,
    path::{LinkPolicy, PathPattern, Reach, ResolvedPath},
    program::{self, Handler},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier, Tag, Tags, Taint, Zone},
    world::FileKind,
};
use checkrein_shell::{Input, Nesting, Output, Redirect, RedirectKind, Script, Shell, SimpleCommand, Word};
use std::sync::Arc;

/// The number of commands after a redirection that are searched for one that has inherited it: the first in the group
/// has.
const WITHIN: usize = 64;
/// The maximum number of directories that a shell may be in.
const DIRECTORIES: usize = 6;

impl Evaluator<'_> {
    /// Follows one simple command, and answers what it prints.
    pub(super) fn follow_simple(
        &mut self,
        place: usize,
        simple: &SimpleCommand,
        script: &Script,
        outer: &Frame,
    ) -> Flow {
        // What a function does is followed where it is called.
        if simple.within.iter().any(|place| matches!(place, Nesting::Function(_))) {
            return Flow::default();
        }
        self.session.repeats |=
            simple.within.iter().any(|place| matches!(place, Nesting::Loop | Nesting::Background));
        self.enter_shell(simple.shell, script, outer);
        let mut frame = self.command_frame(simple, outer);
        frame.stdin = self.input(simple, outer);
        frame.opened = match &simple.stdin {
            Input::File(redirect) => Some(redirect.target.clone()),
            Input::Inherited => outer.opened.clone(),
            Input::Pipe(_) | Input::Text(_) | Input::Descriptor(_) => None,
        };
        frame.wired |= self.is_wired(simple);
        if is_unseen(place, simple, script) {
            frame.qualities = frame.qualities.with(Modifier::Unseen);
        }
        let redirects: Vec<&Redirect> = simple.redirects.iter().map(AsRef::as_ref).collect();
        if simple.words.is_empty() && !redirects.is_empty() {
            // A redirection alone is a command, too.
            self.record_invocation(
                &redirects.iter().map(|redirect| redirect.target.clone()).collect::<Vec<_>>(),
                None,
                &frame,
            );
        } else {
            self.sink.upcoming = true;
        }
        for redirect in &redirects {
            self.open_redirect(redirect, &frame);
        }
        self.sink.upcoming = false;
        for (name, value) in &simple.assignments {
            self.variable(name, value, &frame);
            frame.environment = frame.environment.and(environment_of(name, value));
            frame.set_var(name, &self.settled_value(value));
            frame.finds = frame.finds.max(self.settings_after(name, Some(value)));
        }
        // Without a command they hold for what follows.
        if simple.words.is_empty() {
            self.session.finds = self.session.finds.max(frame.finds);
        }
        self.track_agent_settings(simple);
        self.await_input_file(simple, &frame);
        if let Input::File(redirect) = &simple.stdin
            && redirect.target.lead().starts_with("/dev/")
        {
            let lead = redirect.target.lead().to_owned();
            self.emit_screen_read_at(&lead, &frame);
        }
        let mut flow = if simple.words.is_empty() {
            // `> file` alone writes nothing into it; `$(< file)` is what is in it.
            if matches!(simple.stdin, Input::File(_)) { frame.stdin.clone() } else { Flow::text("") }
        } else {
            self.follow_words(simple, &mut frame)
        };
        if frame.stdin.qualities.has(Taint::Environment) && shows_no_value(simple, true) {
            // Of the environment only the names are left.
            flow.qualities =
                flow.qualities.without(Taint::Environment).without(Taint::Secret).without(Taint::Revealed);
        }
        for redirect in &simple.redirects {
            if simple.words.is_empty() && is_shared(redirect, script.commands.get(place + 1..)) {
                self.start_shared_output(redirect, &frame);
            } else {
                self.write_redirect(redirect, &flow, redirect.kind.appends(), &frame);
            }
        }
        if let (Output::Descriptor(redirect), false) = (&simple.stdout, flow.qualities.is_empty())
            && let Some(host) = self.socket(redirect)
        {
            self.send(&host, flow.qualities.with(Taint::Stdin), &frame);
        }
        // What goes to a descriptor arrives in the file that it was opened for.
        if let Output::Descriptor(redirect) = &simple.stdout
            && let Some(target) = redirect
                .target
                .constant()
                .and_then(|number| number.parse().ok())
                .and_then(|number: u32| self.session.outputs.get(&number).cloned())
        {
            self.write_file(&target, &flow, true, &frame);
        }
        self.emit_revealed(simple, &flow, &frame);
        if let Output::File(redirect) = &simple.stdout
            && !simple.redirects.contains(redirect)
        {
            // The group opened it once, and each command in it adds to it.
            self.write_redirect(redirect, &flow, true, &frame);
        }
        flow
    }

    /// A program that prints secrets shows them, unless its output goes elsewhere.
    fn emit_revealed(&mut self, simple: &SimpleCommand, flow: &Flow, frame: &Frame) {
        // Most programs print neither, so this check, which every command needs, comes first.
        let shown = |taint: Taint| flow.qualities.has(taint) && !frame.stdin.qualities.has(taint);
        let own = [Taint::Environment, Taint::Revealed].into_iter().filter(|taint| shown(*taint));
        let mut own = own.fold(Qualities::NONE, Qualities::with);
        // Through a pipe it is still all of it.
        if flow.qualities.has(Taint::Environment) && flow.qualities.has(Modifier::All) {
            own = own.with(Taint::Environment);
        }
        if !own.is_empty() && super::flow::reaches_the_end(simple) {
            self.emit(Action::Reveal, Target::Nothing, own, frame);
        }
    }

    fn follow_words(&mut self, simple: &SimpleCommand, frame: &mut Frame) -> Flow {
        let before = frame.directories.clone();
        let flow = match self.command_of_cmd(simple) {
            Some(text) => self.follow_text(&text, frame),
            None => self.follow_argv_in(&simple.words, frame),
        };
        let changes = simple.words.first().is_some_and(|word| word.constant().as_deref() == Some("cd"));
        if frame.directories != before || losses::returns(simple) {
            self.note_directory(simple, frame);
        }
        if (changes || frame.directories != before)
            && let Some(scope) = self.scopes.last_mut()
        {
            let may_not_happen =
                simple.within.iter().any(|place| matches!(place, Nesting::Branch | Nesting::Loop))
                    && !follows_and(simple, &scope.text);
            if !changes {
                scope.left.remove(&simple.shell);
            } else if may_not_happen {
                scope.left.entry(simple.shell).or_default().extend(before.iter().cloned());
            } else {
                scope.left.insert(simple.shell, before.clone());
            }
            // A change of directory that may not happen leaves both.
            if may_not_happen {
                for directory in before {
                    if !frame.directories.contains(&directory) {
                        frame.directories.push(directory);
                    }
                }
            }
            limit(&mut frame.directories);
            scope.directories.insert(simple.shell, frame.directories.clone());
        }
        flow
    }

    /// A shell starts where its parent is.
    fn enter_shell(&mut self, shell: Shell, script: &Script, outer: &Frame) {
        let Some(scope) = self.scopes.last_mut() else { return };
        if scope.directories.contains_key(&shell) {
            return;
        }
        let mut ancestor = script.parent(shell);
        while let Some(parent) = ancestor {
            if let Some(directories) = scope.directories.get(&parent).cloned() {
                scope.directories.insert(shell, directories);
                return;
            }
            ancestor = script.parent(parent);
        }
        scope.directories.insert(shell, outer.directories.clone());
    }

    /// Returns the frame of a command, without its input.
    pub(super) fn command_frame(&self, simple: &SimpleCommand, outer: &Frame) -> Frame {
        let directories =
            self.scope().and_then(|scope| scope.directories.get(&simple.shell)).unwrap_or(&outer.directories);
        let left = self.scope().and_then(|scope| scope.left.get(&simple.shell)).cloned();
        Frame {
            directories: directories.clone(),
            left: left.unwrap_or_default(),
            qualities: outer.qualities,
            environment: outer.environment,
            finds: outer.finds,
            view: Arc::clone(&outer.view),
            exported: simple.exported.clone(),
            stdin: Flow::default(),
            opened: None,
            wired: outer.wired,
            in_function: outer.in_function,
            contained: outer.contained,
            mounts: outer.mounts.clone(),
        }
    }

    /// Returns true if a command talks to another machine through its redirections.
    fn is_wired(&self, simple: &SimpleCommand) -> bool {
        let network = |redirect: &&Redirect| network_address(&redirect.target).is_some();
        let all = simple.redirects.iter().chain(&simple.inherited).map(AsRef::as_ref);
        let reads = all.clone().filter(network).count() > 0;
        let descriptor =
            matches!(simple.stdin, Input::Descriptor(_)) || matches!(simple.stdout, Output::Descriptor(_));
        reads || (descriptor && self.sink.effects.iter().any(|effect| effect.action == Action::Connect))
    }

    /// The machine at the other end of a descriptor that was opened before.
    pub(super) fn socket(&self, redirect: &Redirect) -> Option<Word> {
        let number = redirect.target.constant()?.parse().ok()?;
        self.session.sockets.get(&number).cloned()
    }

    /// Follows the opening of a redirection.
    fn open_redirect(&mut self, redirect: &Redirect, frame: &Frame) {
        if let Some(host) = network_address(&redirect.target) {
            self.connect(&host, frame);
            if let Some(descriptor) = redirect.descriptor {
                self.session.sockets.insert(descriptor, host);
            }
            return;
        }
        if let Some(descriptor) = redirect.descriptor.filter(|descriptor| *descriptor > 2) {
            let flow = match redirect.kind {
                RedirectKind::Text | RedirectKind::Document => self.value_of(&redirect.target),
                RedirectKind::Read | RedirectKind::ReadWrite => self.content_of(&redirect.target, frame),
                RedirectKind::DuplicateInput | RedirectKind::DuplicateOutput => redirect
                    .target
                    .constant()
                    .and_then(|number| self.duplicated_descriptor(&number, frame))
                    .filter(|flow| flow.typed)
                    .unwrap_or_default(),
                RedirectKind::Write
                | RedirectKind::WriteBoth
                | RedirectKind::Append
                | RedirectKind::AppendBoth => Flow::default(),
            };
            self.session.descriptors.insert(descriptor, flow);
            if redirect.kind.writes() || redirect.kind == RedirectKind::ReadWrite {
                self.session.outputs.insert(descriptor, redirect.target.clone());
            } else {
                self.session.outputs.remove(&descriptor);
            }
        }
        let action = match redirect.kind {
            RedirectKind::Read => Action::Read,
            RedirectKind::Write | RedirectKind::WriteBoth => Action::Write,
            RedirectKind::Append | RedirectKind::AppendBoth | RedirectKind::ReadWrite => Action::Append,
            RedirectKind::DuplicateInput
            | RedirectKind::DuplicateOutput
            | RedirectKind::Document
            | RedirectKind::Text => return,
        };
        self.note_words(std::slice::from_ref(&redirect.target));
        self.emit_path(action, &redirect.target, Qualities::NONE, frame);
    }

    /// A file that a group or a loop writes: it holds nothing before the first command in it prints.
    fn start_shared_output(&mut self, redirect: &Redirect, frame: &Frame) {
        if redirect.kind.writes() && !redirect.kind.appends() {
            for (spot, _) in self.places(&redirect.target, LinkPolicy::Follow, frame) {
                self.session.files.insert(spot.path, Content { program: None, flow: Flow::text("") });
            }
        }
    }

    /// Follows the data through a redirection.
    fn write_redirect(&mut self, redirect: &Redirect, flow: &Flow, appends: bool, frame: &Frame) {
        if !redirect.kind.writes() {
            return;
        }
        if let Some(host) = network_address(&redirect.target) {
            self.send(&host, flow.qualities.with(Taint::Stdin), frame);
            return;
        }
        self.write_file(&redirect.target, flow, appends, frame);
    }

    /// Remembers what a file holds from here on.
    pub(super) fn write_file(&mut self, target: &Word, flow: &Flow, appends: bool, frame: &Frame) {
        self.consume_typed(flow, frame);
        for (spot, _) in self.places(target, LinkPolicy::Follow, frame) {
            self.follow_written_settings(&spot, flow, frame);
            self.follow_autorun(&spot, flow, frame);
            self.type_into(&spot.path, flow, frame);
            if self.session.awaited.contains(&spot.path) {
                let inner = frame.without_stdin();
                self.run_content(flow, &inner);
            }
            if !appends && flow.text.as_deref() == Some("") {
                self.emit_emptied(&spot, frame);
            }
            if flow.qualities.has(Taint::Endless) && !matches!(spot.zone, Zone::Nowhere | Zone::Device) {
                self.emit(Action::Exhaust, Target::Path(spot.clone()), qualities![Taint::Endless], frame);
            }
            let content = self.session.files.entry(spot.path).or_default();
            // A pipe that has not been written to yet.
            let fresh = content.flow.is_fresh_pipe();
            if appends && !fresh {
                content.flow.add(flow);
            } else {
                *content = Content { program: None, flow: flow.clone() };
            }
        }
    }

    /// Writing an empty text empties the file: this counts if the file exists, or if users write such files.
    pub(super) fn emit_emptied(&mut self, spot: &ResolvedPath, frame: &Frame) {
        let qualities = if is_pattern(spot) { qualities![Modifier::Sweeping] } else { Qualities::NONE };
        let is_there = self.world.entry(&spot.path) == Some(FileKind::File);
        let precious = spot.tags.has_any(Tags::of(&[Tag::Source, Tag::Secret, Tag::Administered]));
        let kept = matches!(spot.zone, Zone::Project | Zone::Home | Zone::Outside);
        // Outside of the project it is not one of the files that are made again all day: it counts unless the disk says that there is none.
        let outside = matches!(spot.zone, Zone::Home | Zone::Outside | Zone::Personal)
            && !self.session.files.contains_key(&spot.path)
            && !self.is_absent(spot);
        if spot.reach == Reach::Contents || kept && is_there || outside || precious {
            self.emit(Action::Truncate, Target::Path(spot.clone()), qualities, frame);
        }
    }

    /// Returns true if the disk says that there is no such file: it knows the directory, and nothing of the name in it.
    fn is_absent(&self, spot: &ResolvedPath) -> bool {
        let directory = spot.path.rsplit_once('/').map_or("", |(directory, _)| directory);
        self.world.entry(&spot.path).is_none() && self.world.entry(directory) == Some(FileKind::Directory)
    }

    /// A program makes a file empty.
    pub(super) fn truncate_file(&mut self, word: &Word, frame: &Frame) {
        self.emit_path(Action::Truncate, word, Qualities::NONE, frame);
    }

    /// A shell that reads a file in the background runs what is written to it later.
    fn await_input_file(&mut self, simple: &SimpleCommand, frame: &Frame) {
        if let Input::File(redirect) = &simple.stdin
            && simple.within.contains(&Nesting::Background)
            && simple.words.first().and_then(Word::constant).is_some_and(|name| is_shell(&name))
        {
            let places = self.places(&redirect.target, LinkPolicy::Follow, frame);
            self.session.awaited.extend(places.into_iter().map(|(spot, _)| spot.path).take(4));
        }
    }

    /// Follows text that is written where something runs it by itself, as if it ran.
    fn follow_autorun(&mut self, spot: &ResolvedPath, flow: &Flow, frame: &Frame) {
        let by_itself = Tags::of(&[Tag::Profile, Tag::Autostart, Tag::GitHooks, Tag::AgentHooks]);
        if let (true, Some(text)) = (spot.tags.has_any(by_itself), flow.source())
            && !spot.path.ends_with(".json")
            && !spot.path.ends_with(".toml")
        {
            let inner = Frame {
                qualities: frame.qualities.with(Modifier::Later),
                stdin: Flow::default(),
                ..frame.clone()
            };
            self.follow_text(&text, &inner);
            // An alias runs when its name is typed; so do the commands of ssh.
            for command in flow.text.iter().flat_map(|text| text.lines()).take(64).filter_map(kept_command) {
                self.follow_text(&command, &inner);
            }
        }
    }

    /// Changes the directory.
    pub(super) fn change_directory(&mut self, word: Option<&Word>, frame: &mut Frame) {
        let home = PathPattern::of(&self.home);
        let directories = match word {
            None => vec![home],
            Some(word) if word.constant().as_deref() == Some("-") => std::mem::take(&mut frame.left),
            Some(word) => {
                let mut directories: Vec<PathPattern> = self.directories_of(word, frame);
                if !word.lead().starts_with(['/', '.']) {
                    let searched = Frame { directories: self.search_directories(), ..frame.clone() };
                    directories.extend(self.directories_of(word, &searched));
                }
                // `cd $UNSET` goes home.
                if word.could_be_empty() && word.unknowns().any(|unknown| unknown.splits) {
                    directories.push(home);
                }
                directories
            }
        };
        frame.directories = if directories.is_empty() { vec![PathPattern::unknown()] } else { directories };
    }
}

/// The command that a line of a profile keeps for later.
pub(super) fn kept_command(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some((_, value)) = line.strip_prefix("alias ").and_then(|rest| rest.split_once('=')) {
        return Some(value.trim_matches(['"', '\'']).to_owned());
    }
    let command = ["ProxyCommand ", "LocalCommand ", "KnownHostsCommand "];
    command.iter().find_map(|name| line.strip_prefix(name)).map(str::to_owned)
}

/// Returns true if a place is a pattern of names, so that there may be many.
pub(super) fn is_pattern(spot: &ResolvedPath) -> bool {
    spot.reach == Reach::Contents
        || spot.path.rsplit('/').next().is_some_and(|name| name.contains(['*', '?']))
}

/// Returns true if a redirection is that of a group or a loop: commands after it have inherited it.
fn is_shared(redirect: &Arc<Redirect>, after: Option<&[SimpleCommand]>) -> bool {
    let inherits = |simple: &SimpleCommand| simple.inherited.iter().any(|known| Arc::ptr_eq(known, redirect));
    after.is_some_and(|after| after.iter().take(WITHIN).any(inherits))
}

fn is_shell(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    program::find(base).and_then(|program| program.handler).is_some_and(Handler::is_shell)
}

/// A few possible directories are tracked; with more of them it may be any.
fn limit(directories: &mut Vec<PathPattern>) {
    let mut kept: Vec<PathPattern> = Vec::new();
    for directory in directories.drain(..) {
        if !kept.contains(&directory) {
            kept.push(directory);
        }
    }
    if kept.len() > DIRECTORIES {
        kept.truncate(DIRECTORIES);
        kept.push(PathPattern::unknown());
    }
    *directories = kept;
}

/// `/dev/tcp/host/port` as bash knows it.
pub(super) fn network_address(word: &Word) -> Option<Word> {
    let lead = word.lead();
    let rest = ["/dev/tcp/", "/dev/udp/"].into_iter().find_map(|prefix| lead.strip_prefix(prefix))?;
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() { Some(word.skip(lead.len())) } else { Some(Word::text(host, word.span.clone())) }
}

/// Returns true if a command follows `&&`, so that what was before it succeeded.
fn follows_and(simple: &SimpleCommand, text: &str) -> bool {
    let only_branch = simple.within.iter().all(|place| matches!(place, Nesting::Branch));
    let before = text.get(..simple.span.start).unwrap_or_default().trim_end();
    only_branch && before.ends_with("&&")
}
