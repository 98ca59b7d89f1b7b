//! What the shell itself does: redirections, directories, functions and aliases, and finding the program that a name means.

use super::{
    Content, Context, Evaluator,
    agent_settings::Finds,
    flow::Flow,
    secret_exposure::{is_unseen, shows_no_value},
    variables::environment_of,
};
use crate::{
    effect::Target,
    path::{LinkPolicy, PathPattern, Reach, ResolvedPath},
    program::{self, Handler},
    vocabulary::{Mark, Marks, Tag, Tags, Verb, Zone},
    world::FileKind,
};
use checkrein_shell::{Input, Nesting, Output, Redirect, RedirectKind, Script, Shell, SimpleCommand, Word};
use std::sync::Arc;

/// How many commands after a redirection are looked at for one that has inherited it: the first in the group has.
const WITHIN: usize = 64;
/// How many directories a shell may be in.
const DIRECTORIES: usize = 6;

impl Evaluator<'_> {
    /// Follows one simple command, and answers what it prints.
    pub(super) fn simple(
        &mut self,
        place: usize,
        simple: &SimpleCommand,
        script: &Script,
        outer: &Context,
    ) -> Flow {
        // What a function does is followed where it is called.
        if simple.within.iter().any(|place| matches!(place, Nesting::Function(_))) {
            return Flow::default();
        }
        self.enter(simple.shell, script, outer);
        let mut context = self.context_directories(simple, outer);
        context.stdin = self.input(simple, outer);
        context.opened = match &simple.stdin {
            Input::File(redirect) => Some(redirect.target.clone()),
            Input::Inherited => outer.opened.clone(),
            Input::Pipe(_) | Input::Text(_) | Input::Descriptor(_) => None,
        };
        context.wired |= self.is_wired(simple);
        if is_unseen(place, simple, script) {
            context.marks = context.marks.with(Mark::Unseen);
        }
        let redirects: Vec<&Redirect> = simple.redirects.iter().map(AsRef::as_ref).collect();
        if simple.words.is_empty() && !redirects.is_empty() {
            // A redirection alone is a command, too.
            self.runs(
                &redirects.iter().map(|redirect| redirect.target.clone()).collect::<Vec<_>>(),
                None,
                &context,
            );
        } else {
            self.upcoming = true;
        }
        for redirect in &redirects {
            self.opens(redirect, &context);
        }
        self.upcoming = false;
        for (name, value) in &simple.assignments {
            self.variable(name, value, &context);
            context.environment = context.environment.and(environment_of(name, value));
            context.gives(name, &self.settled(value));
            if self.moves(name, Some(value)) {
                context.finds = Finds::Others;
            }
        }
        // Without a command they hold for what follows.
        if simple.words.is_empty() {
            self.finds = self.finds.max(context.finds);
        }
        self.led(simple);
        self.awaits(simple, &context);
        let mut flow = if simple.words.is_empty() {
            // `> file` alone writes nothing into it; `$(< file)` is what is in it.
            if matches!(simple.stdin, Input::File(_)) { context.stdin.clone() } else { Flow::text("") }
        } else {
            self.argv_of(simple, &mut context)
        };
        if context.stdin.marks.has(Mark::Environment) && shows_no_value(simple, true) {
            // Of the environment only the names are left.
            flow.marks = flow.marks.without(Mark::Environment).without(Mark::Secret).without(Mark::Revealed);
        }
        for redirect in &simple.redirects {
            if simple.words.is_empty() && is_shared(redirect, script.commands.get(place + 1..)) {
                self.begins(redirect, &context);
            } else {
                self.fills(redirect, &flow, redirect.kind.appends(), &context);
            }
        }
        if let (Output::Descriptor(redirect), false) = (&simple.stdout, flow.marks.is_empty())
            && let Some(host) = self.socket(redirect)
        {
            self.send(&host, flow.marks.with(Mark::Stdin), &context);
        }
        // What goes to a descriptor arrives in the file that it was opened for.
        if let Output::Descriptor(redirect) = &simple.stdout
            && let Some(target) = redirect
                .target
                .constant()
                .and_then(|number| number.parse().ok())
                .and_then(|number: u32| self.outputs.get(&number).cloned())
        {
            self.fill(&target, &flow, true, &context);
        }
        self.shows(simple, &flow, &context);
        if let Output::File(redirect) = &simple.stdout
            && !simple.redirects.contains(redirect)
        {
            // The group opened it once, and each command in it adds to it.
            self.fills(redirect, &flow, true, &context);
        }
        flow
    }

    /// A program that prints secrets shows them, unless its output goes elsewhere.
    fn shows(&mut self, simple: &SimpleCommand, flow: &Flow, context: &Context) {
        // Most programs print neither, and this is asked of every command.
        let shown = |mark: Mark| flow.marks.has(mark) && !context.stdin.marks.has(mark);
        let own = [Mark::Environment, Mark::Revealed].into_iter().filter(|mark| shown(*mark));
        let own = own.fold(Marks::NONE, Marks::with);
        if !own.is_empty() && super::flow::reaches_the_end(simple) {
            self.say(Verb::Reveal, Target::Nothing, own, context);
        }
    }

    fn argv_of(&mut self, simple: &SimpleCommand, context: &mut Context) -> Flow {
        let before = context.directories.clone();
        let flow = match self.command_of_cmd(simple) {
            Some(text) => self.text(&text, context),
            None => self.argv_in(&simple.words, context),
        };
        if context.directories != before
            && let Some(scope) = self.scopes.last_mut()
        {
            // A change of directory that may not happen leaves both.
            if simple.within.iter().any(|place| matches!(place, Nesting::Branch | Nesting::Loop))
                && !follows_and(simple, &scope.text)
            {
                for directory in before {
                    if !context.directories.contains(&directory) {
                        context.directories.push(directory);
                    }
                }
            }
            limit(&mut context.directories);
            scope.directories.insert(simple.shell, context.directories.clone());
        }
        flow
    }

    /// A shell starts where its parent is.
    fn enter(&mut self, shell: Shell, script: &Script, outer: &Context) {
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

    /// The surroundings of a command, without its input.
    pub(super) fn context_directories(&self, simple: &SimpleCommand, outer: &Context) -> Context {
        let directories =
            self.scope().and_then(|scope| scope.directories.get(&simple.shell)).unwrap_or(&outer.directories);
        Context {
            directories: directories.clone(),
            marks: outer.marks,
            environment: outer.environment,
            finds: outer.finds,
            view: Arc::clone(&outer.view),
            exported: simple.exported.clone(),
            stdin: Flow::default(),
            opened: None,
            wired: outer.wired,
            in_function: outer.in_function,
            mounts: outer.mounts.clone(),
        }
    }

    /// Whether a command talks to another machine through its redirections.
    fn is_wired(&self, simple: &SimpleCommand) -> bool {
        let network = |redirect: &&Redirect| network_address(&redirect.target).is_some();
        let all = simple.redirects.iter().chain(&simple.inherited).map(AsRef::as_ref);
        let reads = all.clone().filter(network).count() > 0;
        let descriptor =
            matches!(simple.stdin, Input::Descriptor(_)) || matches!(simple.stdout, Output::Descriptor(_));
        reads || (descriptor && self.effects.iter().any(|effect| effect.verb == Verb::Connect))
    }

    /// The machine at the other end of a descriptor that was opened before.
    pub(super) fn socket(&self, redirect: &Redirect) -> Option<Word> {
        let number = redirect.target.constant()?.parse().ok()?;
        self.sockets.get(&number).cloned()
    }

    /// What a redirection does when it is opened.
    fn opens(&mut self, redirect: &Redirect, context: &Context) {
        if let Some(host) = network_address(&redirect.target) {
            self.connect(&host, context);
            if let Some(descriptor) = redirect.descriptor {
                self.sockets.insert(descriptor, host);
            }
            return;
        }
        if let Some(descriptor) = redirect.descriptor.filter(|descriptor| *descriptor > 2) {
            let flow = match redirect.kind {
                RedirectKind::Text | RedirectKind::Document => self.value_of(&redirect.target),
                RedirectKind::Read | RedirectKind::ReadWrite => self.content_of(&redirect.target, context),
                RedirectKind::DuplicateInput | RedirectKind::DuplicateOutput => redirect
                    .target
                    .constant()
                    .and_then(|number| self.duplicated(&number, context))
                    .filter(|flow| flow.typed)
                    .unwrap_or_default(),
                RedirectKind::Write
                | RedirectKind::WriteBoth
                | RedirectKind::Append
                | RedirectKind::AppendBoth => Flow::default(),
            };
            self.descriptors.insert(descriptor, flow);
            if redirect.kind.writes() || redirect.kind == RedirectKind::ReadWrite {
                self.outputs.insert(descriptor, redirect.target.clone());
            } else {
                self.outputs.remove(&descriptor);
            }
        }
        let verb = match redirect.kind {
            RedirectKind::Read => Verb::Read,
            RedirectKind::Write | RedirectKind::WriteBoth => Verb::Write,
            RedirectKind::Append | RedirectKind::AppendBoth | RedirectKind::ReadWrite => Verb::Append,
            RedirectKind::DuplicateInput
            | RedirectKind::DuplicateOutput
            | RedirectKind::Document
            | RedirectKind::Text => return,
        };
        self.path(verb, &redirect.target, Marks::NONE, context);
    }

    /// A file that a group or a loop writes: it holds nothing before the first command in it prints.
    fn begins(&mut self, redirect: &Redirect, context: &Context) {
        if redirect.kind.writes() && !redirect.kind.appends() {
            for (spot, _) in self.places(&redirect.target, LinkPolicy::Follow, context) {
                self.files.insert(spot.path, Content { program: None, flow: Flow::text("") });
            }
        }
    }

    /// What flows through a redirection.
    fn fills(&mut self, redirect: &Redirect, flow: &Flow, appends: bool, context: &Context) {
        if !redirect.kind.writes() {
            return;
        }
        if let Some(host) = network_address(&redirect.target) {
            self.send(&host, flow.marks.with(Mark::Stdin), context);
            return;
        }
        self.fill(&redirect.target, flow, appends, context);
    }

    /// Remembers what a file holds from here on.
    pub(super) fn fill(&mut self, target: &Word, flow: &Flow, appends: bool, context: &Context) {
        self.hears(flow, context);
        for (spot, _) in self.places(target, LinkPolicy::Follow, context) {
            self.settings_filled(&spot, flow, context);
            self.runs_later(&spot, flow, context);
            self.types_into(&spot.path, flow, context);
            if self.awaited.contains(&spot.path) {
                let inner = Context { stdin: Flow::default(), ..context.clone() };
                self.run_content(flow, &inner);
            }
            if !appends && flow.text.as_deref() == Some("") {
                self.emptied(&spot, context);
            }
            if flow.marks.has(Mark::Endless) && !matches!(spot.zone, Zone::Nowhere | Zone::Device) {
                self.say(Verb::Exhaust, Target::Path(spot.clone()), Marks::of(&[Mark::Endless]), context);
            }
            let content = self.files.entry(spot.path).or_default();
            // A pipe that nobody has written to yet.
            let fresh = content.flow.is_fresh_pipe();
            if appends && !fresh {
                content.flow.add(flow);
            } else {
                *content = Content { program: None, flow: flow.clone() };
            }
        }
    }

    /// An empty text over a file is the loss of all that was in it: of one that is there, or that people write.
    pub(super) fn emptied(&mut self, spot: &ResolvedPath, context: &Context) {
        let marks = if is_pattern(spot) { Marks::of(&[Mark::Sweeping]) } else { Marks::NONE };
        let is_there = self.world.entry(&spot.path) == Some(FileKind::File);
        let precious = spot.tags.has_any(Tags::of(&[Tag::Source, Tag::Secret, Tag::Administered]));
        if spot.reach == Reach::Contents || spot.zone == Zone::Project && is_there || precious {
            self.say(Verb::Truncate, Target::Path(spot.clone()), marks, context);
        }
    }

    /// A program makes a file empty.
    pub(super) fn empties(&mut self, word: &Word, context: &Context) {
        self.path(Verb::Truncate, word, Marks::NONE, context);
    }

    /// A shell that reads a file in the background runs what is written to it later.
    fn awaits(&mut self, simple: &SimpleCommand, context: &Context) {
        if let Input::File(redirect) = &simple.stdin
            && simple.within.contains(&Nesting::Background)
            && simple.words.first().and_then(Word::constant).is_some_and(|name| is_shell(&name))
        {
            let places = self.places(&redirect.target, LinkPolicy::Follow, context);
            self.awaited.extend(places.into_iter().map(|(spot, _)| spot.path).take(4));
        }
    }

    /// What is written where something runs it by itself is judged as if it ran.
    fn runs_later(&mut self, spot: &ResolvedPath, flow: &Flow, context: &Context) {
        let by_itself = Tags::of(&[Tag::Profile, Tag::Autostart, Tag::GitHooks, Tag::AgentHooks]);
        if let (true, Some(text)) = (spot.tags.has_any(by_itself), &flow.text)
            && !spot.path.ends_with(".json")
            && !spot.path.ends_with(".toml")
        {
            let inner =
                Context { marks: context.marks.with(Mark::Later), stdin: Flow::default(), ..context.clone() };
            self.text(&text.clone(), &inner);
            // An alias runs when somebody types its name; so do the commands of ssh.
            for command in text.lines().take(64).filter_map(kept_command) {
                self.text(&command, &inner);
            }
        }
    }

    /// Changes the directory.
    pub(super) fn change_directory(&mut self, word: Option<&Word>, context: &mut Context) {
        let home = PathPattern::of(&self.home);
        let directories = match word {
            None => vec![home],
            Some(word) if word.constant().as_deref() == Some("-") => vec![PathPattern::unknown()],
            Some(word) => {
                let mut directories: Vec<PathPattern> = self.directories_of(word, context);
                if !word.lead().starts_with(['/', '.']) {
                    let searched = Context { directories: self.search_directories(), ..context.clone() };
                    directories.extend(self.directories_of(word, &searched));
                }
                // `cd $UNSET` goes home.
                if word.could_be_empty() && word.unknowns().any(|unknown| unknown.splits) {
                    directories.push(home);
                }
                directories
            }
        };
        context.directories = if directories.is_empty() { vec![PathPattern::unknown()] } else { directories };
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

/// Whether a place is a pattern of names, so that there may be many of it.
pub(super) fn is_pattern(spot: &ResolvedPath) -> bool {
    spot.reach == Reach::Contents
        || spot.path.rsplit('/').next().is_some_and(|name| name.contains(['*', '?']))
}

/// Whether a redirection is that of a group or a loop: commands after it have inherited it.
fn is_shared(redirect: &Arc<Redirect>, after: Option<&[SimpleCommand]>) -> bool {
    let inherits = |simple: &SimpleCommand| simple.inherited.iter().any(|known| Arc::ptr_eq(known, redirect));
    after.is_some_and(|after| after.iter().take(WITHIN).any(inherits))
}

fn is_shell(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    program::find(base).is_some_and(|program| program.special == Some(Handler::Shell))
}

/// Several directories are enough to be careful; more say that it may be any.
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

/// Whether a command comes after `&&`, so that what was before it worked.
fn follows_and(simple: &SimpleCommand, text: &str) -> bool {
    let only_branch = simple.within.iter().all(|place| matches!(place, Nesting::Branch));
    let before = text.get(..simple.span.start).unwrap_or_default().trim_end();
    only_branch && before.ends_with("&&")
}
