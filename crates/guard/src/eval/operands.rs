//! What the operands and options of a program say by what they are.

use super::{
    Evaluator, Frame,
    agent_settings::Finds,
    flow::Flow,
    network::{Traffic, is_credential, remote},
    size,
    words::show,
};
use crate::{
    effect::Target,
    path::{LinkPolicy, PathPattern, ResolvedPath},
    program::ParseFlag,
    program::{Parsed, Prints, Role, Wraps, environment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Tag, Taint, Zone},
    world::FileKind,
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Notes the effects of the operands, and answers what was read.
    pub(super) fn follow_operands(&mut self, parsed: &Parsed, frame: &Frame) -> Flow {
        let mut held = Flow::default();
        let mut traffic = Traffic::default();
        let frame = &self.in_directory(parsed, frame);
        let qualities = self.operand_marks(parsed, frame);
        // A copy inside of the project shows nothing.
        let kept = self.stays_in_project(parsed, frame);
        let unseen = Frame { qualities: frame.qualities.with(Modifier::Unseen), ..frame.clone() };
        for (role, word) in &parsed.roles {
            match role {
                Role::Text
                | Role::Name
                | Role::Command
                | Role::Started
                | Role::Script
                | Role::Directory
                | Role::Permission
                | Role::Volume
                | Role::Pair
                | Role::Endpoint
                | Role::Amount
                | Role::Statement => {}
                Role::Read => held.add(&self.read_file(word, if kept { &unseen } else { frame })),
                Role::Write => {
                    for (target, more) in self.written_files(parsed, word, frame) {
                        if target.constant().as_deref() != Some("-") {
                            self.emit_arrival_at(&target, qualities.and(more), frame);
                        }
                    }
                    if parsed.qualities.has(ParseFlag::Hard) {
                        for (_, source) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
                            self.emit_if_ours(Action::Link, source, Qualities::NONE, frame);
                        }
                    }
                }
                Role::Size | Role::Extent => {
                    let most = if *role == Role::Size { size::HUGE } else { size::HUGE_WITH_HOLES };
                    if size::bytes(word).is_some_and(|bytes| bytes >= most) {
                        self.emit(Action::Exhaust, Target::Nothing, qualities![Taint::File], frame);
                    }
                }
                Role::Outlet if word.lead().starts_with(['|', '!']) => self.run_text(&word.skip(1), frame),
                Role::Outlet => self.write_operand(Action::Write, word, qualities, frame),
                Role::View if word.lead().starts_with('+') => self.follow_escape(&word.skip(1), frame),
                Role::View => held.add(&self.read_file(word, frame)),
                Role::Library => self.load_library(word, frame),
                Role::Settings => {
                    let text = self.content_of(word, frame).text.unwrap_or_default();
                    for command in text.lines().take(64).filter_map(super::shell::kept_command) {
                        self.follow_text(&command, frame);
                    }
                }
                Role::Commas => {
                    let words: Vec<Word> =
                        self.names_of(word).iter().flat_map(|text| text.split(',')).map(plain).collect();
                    self.follow_argv(&words, frame);
                }
                Role::Binding => {
                    for text in self.names_of(word) {
                        let command = text.get(keys(&text)..).unwrap_or_default().trim();
                        let inside = command.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                        self.follow_text(inside.unwrap_or(command), frame);
                    }
                }
                Role::ShellThere => {
                    let there = Frame {
                        qualities: frame.qualities.with(Environment::Elsewhere),
                        directories: vec![PathPattern::unknown()],
                        ..frame.clone()
                    };
                    self.run_text(word, &there);
                }
                Role::Append => self.write_operand(Action::Append, word, qualities, frame),
                Role::Truncate => self.write_operand(Action::Truncate, word, qualities, frame),
                Role::Create => self.write_operand(Action::Create, word, qualities, frame),
                // `bin` beside `obj` is what .NET builds; alone it may be anything.
                Role::Delete if is_built(&show(word), parsed.operands.iter().map(show)) => {}
                // `del 'dist/**' '!dist/.keep'`: what is kept. `!(a)` is everything but `a`.
                Role::Delete if is_kept(word) => {}
                Role::Delete => self.write_operand(Action::Delete, word, qualities, frame),
                Role::Source => {
                    held.add(&self.content_quietly(word, if kept { &unseen } else { frame }));
                    self.write_operand(Action::Move, word, qualities, frame);
                }
                Role::Mode => self.write_operand(Action::Mode, word, qualities, frame),
                Role::Owner => {
                    // To give something to oneself is the usual repair.
                    let owner = parsed.operands.first();
                    let own = owner.is_some_and(|owner| self.flow_of(owner).has(Taint::Identity));
                    let qualities = if own { qualities.with(Taint::Identity) } else { qualities };
                    let kept = owner.is_some_and(|owner| self.is_own_name(owner));
                    let qualities = if kept { qualities.with(ParseFlag::Gives) } else { qualities };
                    self.write_operand(Action::Owner, word, qualities, frame);
                }
                Role::Link => {
                    self.write_operand(Action::Link, word, qualities, frame);
                    for (_, source) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
                        self.emit_if_ours(Action::Link, source, Qualities::NONE, frame);
                    }
                }
                Role::Mount => {
                    if self.texts(word).is_empty() {
                        // Whatever lies there is not seen any more.
                        self.session.finds = self.session.finds.max(Finds::Unknown);
                    }
                    self.emit_if_ours(Action::Mount, word, qualities, frame);
                }
                Role::Exec => {
                    let later = parsed.program.wraps == Wraps::Later;
                    let qualities =
                        if later { frame.qualities.with(Modifier::Later) } else { frame.qualities };
                    self.run_file(word, &Frame { qualities, ..frame.clone() });
                }
                Role::Escape => self.follow_escape(word, frame),
                Role::Shell => {
                    let inner = self.inner_frame(parsed, frame);
                    self.run_text(word, &inner);
                }
                Role::Url | Role::Host => {
                    // Who logs in elsewhere says who they are; others hide it in a name.
                    // A name that is looked up as it is says nothing more than itself.
                    let plain = *role == Role::Host && word.parts.len() == 1;
                    let carried = if plain || parsed.program.wraps == Wraps::Elsewhere {
                        Qualities::NONE
                    } else {
                        self.flow_of(word)
                    };
                    traffic.sent = traffic.sent.and(carried);
                    traffic.sends |= !carried.is_empty();
                    if *role == Role::Host && !carried.is_empty() {
                        traffic.sent = traffic.sent.with(Modifier::Lookup);
                    }
                    // Packages by a way on which everybody can change them.
                    if parsed.qualities.has(Modifier::Start)
                        && word.lead().starts_with("http://")
                        && !self.host(word).local
                    {
                        let host = self.host(word);
                        self.emit(Action::Unprotect, Target::Host(host), Qualities::NONE, frame);
                    }
                    traffic.hosts.push(word.clone());
                }
                Role::Data | Role::Form => {
                    traffic.sends = true;
                    traffic.sent = traffic.sent.and(self.data_carried(*role, word, frame));
                }
                Role::Upload => {
                    traffic.sends = true;
                    traffic.sent =
                        traffic.sent.with(Modifier::Uploads).and(self.file_or_input(word, frame).qualities);
                }
                Role::Header | Role::Login => {
                    let flow = self.flow_of(word);
                    let credential = *role == Role::Login || is_credential(word.lead());
                    traffic.sends |= !flow.is_empty();
                    traffic.sent = traffic.sent.and(if credential && !flow.is_empty() {
                        qualities![Taint::Credential]
                    } else {
                        flow
                    });
                }
                Role::Assignment => self.setting(word, frame),
                Role::RemoteRead => match remote(word) {
                    Some(host) => {
                        held.qualities = held.qualities.with(Taint::Downloaded);
                        traffic.hosts.push(host);
                    }
                    None => held.add(&self.content_quietly(word, frame)),
                },
                Role::RemoteWrite => match remote(word) {
                    Some(host) => {
                        traffic.hosts.push(host);
                        traffic.sends = true;
                    }
                    None => {
                        for (target, more) in self.received_files(parsed, word, frame) {
                            self.emit_arrival_at(&target, qualities.and(more), frame);
                        }
                    }
                },
                Role::Into => self.emit_arrives_in(word, qualities, frame),
                Role::Made => {
                    self.write_operand(Action::Create, word, qualities, frame);
                    self.emit_arrives_in(word, qualities, frame);
                }
                Role::Prefix => self.arrives_by_name(word, qualities, frame),
                Role::Pid => {
                    for name in self.names_of(word) {
                        self.emit(Action::Process, Target::Name(name), qualities, frame);
                    }
                }
                Role::Environment => {
                    let unknown =
                        if word.is_unknown() { qualities.with(Certainty::Unknown) } else { qualities };
                    for name in self.names_of(word).into_iter().filter(|name| !environment::is_file(name)) {
                        self.emit(
                            Action::Connect,
                            Target::Name(name),
                            unknown.with(Environment::Remote),
                            frame,
                        );
                    }
                }
                Role::Hidden
                | Role::From
                | Role::At
                | Role::Bound
                | Role::Only
                | Role::Root
                | Role::Property
                | Role::Variables
                | Role::Unset => {}
                Role::Package => self.package(word, qualities, frame),
                Role::AgentSettings => self.agent_settings(word, frame),
                Role::AgentSources => self.agent_sources(word, frame),
                Role::AgentServers => self.agent_servers(word, frame),
                Role::AgentDefinitions => self.agent_definitions(word, frame),
                Role::AgentFeature => self.agent_feature(word, frame),
                Role::AgentOverride => self.agent_override(word, frame),
            }
        }
        self.emit_unpacked(parsed, frame);
        if parsed.roles.iter().any(|(role, _)| matches!(role, Role::RemoteWrite)) {
            traffic.sent = traffic.sent.and(held.qualities);
        }
        if parsed.program.wraps == Wraps::Elsewhere && !frame.stdin.qualities.is_empty() {
            // What a command elsewhere reads comes from here.
            traffic.sends = true;
            traffic.sent = traffic.sent.and(frame.stdin.qualities).with(Taint::Stdin);
        }
        self.add_carried(&traffic, frame);
        if parsed.program.prints == Prints::Download {
            self.record_downloads(parsed, &traffic, frame);
        } else {
            // What is written holds what was read: a copy of a program is that program.
            self.record_copy(parsed, &held, frame);
        }
        held
    }

    /// `NAME=value`; some write the settings of ssh with a blank in the place of `=`.
    pub(super) fn setting(&mut self, word: &Word, frame: &Frame) {
        if let Some((name, _)) = word.lead().split_once(['=', ' ']) {
            let name = name.to_owned();
            // The names of ssh are the same in capitals.
            let known = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];
            let same = known.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()));
            self.variable(same.unwrap_or(name.trim()), &word.skip(name.len() + 1), frame);
        }
    }

    /// How everything is done, also by what the operands say together.
    fn operand_marks(&mut self, parsed: &Parsed, frame: &Frame) -> Qualities {
        let mut qualities = parsed.qualities;
        if qualities.has(Modifier::Recursive) {
            qualities = qualities.without(Modifier::Empty);
        }
        for (role, word) in &parsed.roles {
            match role {
                Role::Permission => {
                    qualities =
                        qualities.and(super::handlers::permissions(&word.constant().unwrap_or_default()));
                }
                // What is moved to nowhere is gone.
                Role::Write if parsed.roles.iter().any(|(role, _)| *role == Role::Source) => {
                    let gone = self
                        .places(word, LinkPolicy::Follow, frame)
                        .iter()
                        .any(|(spot, _)| spot.zone == Zone::Nowhere);
                    qualities = if gone { qualities.with(Modifier::Remove) } else { qualities };
                    let lost = self
                        .places(word, LinkPolicy::Follow, frame)
                        .iter()
                        .all(|(spot, _)| matches!(spot.zone, Zone::Temporary | Zone::TemporaryRoot));
                    qualities = if lost { qualities.with(Modifier::Lost) } else { qualities };
                }
                _ => {}
            }
        }
        qualities
    }

    /// The files that a copy writes, and how. A directory that is plainly one is not overwritten: it gets another file.
    fn written_files(&self, parsed: &Parsed, target: &Word, frame: &Frame) -> Vec<(Word, Qualities)> {
        let itself = || vec![(target.clone(), Qualities::NONE)];
        let sources: Vec<&Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| matches!(role, Role::Read | Role::Source))
            .map(|(_, word)| word)
            .collect();
        let places = self.places(target, LinkPolicy::Follow, frame);
        let takes = parsed.program.name == ["mv"];
        if !sources.is_empty() && places.iter().any(|(spot, _)| self.is_holder(spot)) {
            // What is moved onto a directory takes its place.
            if takes && parsed.qualities.has(ParseFlag::Exact) {
                return itself();
            }
            return self.emit_arrival(&sources, target, parsed.qualities, frame);
        }
        let is_directory = |(spot, _): &(ResolvedPath, Qualities)| {
            matches!(spot.zone, Zone::HomeRoot | Zone::ProjectRoot | Zone::TemporaryRoot)
                || self.world.entry(&spot.path) == Some(FileKind::Directory)
        };
        if places.is_empty() || !places.iter().all(is_directory) {
            return itself();
        }
        let mut files = Vec::new();
        let mut unknown = false;
        for source in sources {
            if source.is_unknown() && self.texts(source).is_empty() {
                unknown = true;
                continue;
            }
            let name = self.texts(source).first().and_then(|path| {
                let path = path.trim_end_matches('/');
                path.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | "..")).map(str::to_owned)
            });
            let Some(name) = name else { return itself() };
            let mut file = target.clone();
            file.push_text(&format!("/{name}"));
            files.push((file, Qualities::NONE));
        }
        if files.is_empty() && !unknown { itself() } else { files }
    }

    /// The files that a copy from another machine, or by `rsync`, writes here.
    fn received_files(&self, parsed: &Parsed, target: &Word, frame: &Frame) -> Vec<(Word, Qualities)> {
        let holds = |(spot, _): &(ResolvedPath, Qualities)| self.is_holder(spot);
        if !self.places(target, LinkPolicy::Follow, frame).iter().any(holds) {
            return vec![(target.clone(), Qualities::NONE)];
        }
        let sources: Vec<&Word> =
            parsed.roles.iter().filter(|(role, _)| *role == Role::RemoteRead).map(|(_, word)| word).collect();
        // `dir/` means what is in it, for `rsync`.
        let qualities =
            if parsed.program.name == ["rsync"] { qualities![Modifier::Mirror] } else { Qualities::NONE };
        // These copy what is below a name.
        let below =
            matches!(parsed.program.name, ["aws" | "s3cmd", ..]) && parsed.qualities.has(Modifier::Recursive);
        let qualities = if parsed.qualities.has(Modifier::Extracts) || below {
            qualities.with(Modifier::Extracts)
        } else {
            qualities
        };
        self.emit_arrival(&sources, target, qualities, frame)
    }

    /// Whether an owner is the user, or only a group is given.
    fn is_own_name(&self, owner: &Word) -> bool {
        let Some(text) = owner.constant() else { return false };
        let name = text.split([':', '.']).next().unwrap_or_default();
        let user = self.home.rsplit('/').next().unwrap_or_default();
        name.is_empty() && text.len() > 1 || !name.is_empty() && name == user
    }

    /// Whether a copy goes from the project to the project.
    fn stays_in_project(&self, parsed: &Parsed, frame: &Frame) -> bool {
        let ours = |word: &Word| {
            self.places(word, LinkPolicy::Follow, frame)
                .iter()
                .all(|(spot, _)| matches!(spot.zone, Zone::Project | Zone::ProjectRoot | Zone::Generated))
        };
        let mut files =
            parsed.roles.iter().filter(|(role, _)| matches!(role, Role::Read | Role::Source | Role::Write));
        matches!(parsed.program.name, ["cp" | "install" | "copy" | "mv"]) && files.all(|(_, word)| ours(word))
    }

    /// The directory that an option names.
    pub(super) fn in_directory(&mut self, parsed: &Parsed, frame: &Frame) -> Frame {
        let mut inner = frame.clone();
        for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Directory) {
            let next = self.directories_of(word, &inner);
            if !next.is_empty() {
                inner.directories = next;
            }
        }
        inner
    }

    fn write_operand(&mut self, action: Action, word: &Word, qualities: Qualities, frame: &Frame) {
        if word.constant().as_deref() == Some("-") {
            return;
        }
        let spots = self.emit_path(action, word, qualities.without(Taint::Secret), frame);
        if matches!(action, Action::Write | Action::Append) {
            for spot in spots {
                self.type_into(&spot.path, &frame.stdin.clone(), frame);
            }
        }
    }

    /// Reads a file, and answers what is in it.
    pub(super) fn read_file(&mut self, word: &Word, frame: &Frame) -> Flow {
        if word.constant().as_deref() == Some("-") {
            return frame.stdin.clone();
        }
        for mut spot in self.emit_path(Action::Read, word, Qualities::NONE, frame) {
            self.emit_screen_read_at(&spot.path, frame);
            // A copy of a secret is one, whatever it is called.
            let copied = self
                .session
                .files
                .get(&spot.path)
                .is_some_and(|content| content.flow.qualities.has(Taint::Secret));
            if copied && !spot.tags.has(Tag::Secret) {
                spot.tags = spot.tags.with(Tag::Secret);
                self.emit(Action::Read, Target::Path(spot), Qualities::NONE, frame);
            }
        }
        self.content_of(word, frame)
    }

    /// What is in a file that is copied or sent, which is judged by where it goes.
    fn content_quietly(&mut self, word: &Word, frame: &Frame) -> Flow {
        let flow = self.content_of(word, frame);
        self.emit_path(Action::Read, word, Qualities::NONE, frame);
        flow
    }

    pub(super) fn file_or_input(&mut self, word: &Word, frame: &Frame) -> Flow {
        if matches!(word.constant().as_deref(), Some("-" | ".")) {
            let mut flow = frame.stdin.clone();
            flow.qualities = flow.qualities.with(Taint::Stdin);
            return flow;
        }
        self.read_file(word, frame)
    }

    /// Remembers what a copy holds.
    fn record_copy(&mut self, parsed: &Parsed, held: &Flow, frame: &Frame) {
        let of = |wanted: &[Role]| -> Vec<Word> {
            parsed
                .roles
                .iter()
                .filter(|(role, _)| wanted.contains(role))
                .map(|(_, word)| word.clone())
                .collect()
        };
        // `tee` writes what it reads.
        if parsed.program.prints == Prints::Input && of(&[Role::Read]).is_empty() {
            for target in of(&[Role::Write]) {
                self.write_file(&target, &frame.stdin.clone(), false, frame);
            }
            for target in of(&[Role::Append]) {
                self.write_file(&target, &frame.stdin.clone(), true, frame);
            }
            return;
        }
        let (targets, sources) = (
            of(&[Role::Write, Role::Link, Role::RemoteWrite]),
            of(&[Role::Read, Role::Source, Role::RemoteRead]),
        );
        let [target] = targets.as_slice() else { return };
        let program = match sources.as_slice() {
            [source] => {
                let found = self.texts(source).into_iter().next();
                // `$(which tool)` is where that lies.
                found
                    .and_then(|path| program_at(&path).or_else(|| Some(path).filter(|_| source.is_unknown())))
            }
            _ => None,
        };
        // Into a directory it goes by its own name.
        let own = match sources.as_slice() {
            [source] => {
                self.texts(source).first().and_then(|path| path.rsplit(['/', ':']).next().map(str::to_owned))
            }
            _ => None,
        };
        for (spot, _) in self.places(target, LinkPolicy::Follow, frame) {
            if held.text.as_deref() == Some("") && program.is_none() {
                self.emit_emptied(&spot, frame);
            }
            if program.is_some() || !held.is_unknown() {
                let content = super::session::Content { program: program.clone(), flow: held.clone() };
                if let Some(own) = own.as_ref().filter(|own| !own.is_empty()) {
                    self.session
                        .files
                        .insert(format!("{}/{own}", spot.path.trim_end_matches('/')), content.clone());
                }
                self.session.files.insert(spot.path, content);
            }
        }
    }
}

fn plain(text: &str) -> Word {
    Word::text(text, 0..0)
}

/// How long the keys are before the command that is bound to them.
fn keys(binding: &str) -> usize {
    let quoted = binding.trim_start().strip_prefix('"').and_then(|rest| {
        let end = rest.find("\":")?;
        Some(binding.len() - rest.len() + end + "\":".len())
    });
    quoted.or_else(|| Some(binding.find(':')? + 1)).unwrap_or(0)
}

/// Whether a pattern says what is not meant.
fn is_kept(word: &Word) -> bool {
    word.constant().is_some_and(|text| text.starts_with('!') && !text.starts_with("!("))
}

/// Whether this is `bin` and goes with the `obj` beside it: together they are what .NET builds; alone it may be anything.
pub(super) fn is_built(path: &str, mut deleted: impl Iterator<Item = String>) -> bool {
    const SLASHES: [char; 2] = ['/', '\\'];
    let plain = |text: &str| text.trim_start_matches("./").trim_end_matches(SLASHES).to_owned();
    plain(path).strip_suffix("bin").is_some_and(|parent| {
        let twin = format!("{parent}obj");
        (parent.is_empty() || parent.ends_with(SLASHES)) && deleted.any(|other| plain(&other) == twin)
    })
}

/// The program that lies at a path of programs.
fn program_at(path: &str) -> Option<String> {
    let (directory, name) = path.rsplit_once('/')?;
    (directory.ends_with("bin")).then(|| name.to_owned())
}
