//! What the operands and options of a program say by what they are.

use super::{
    Context, Evaluator,
    agent_settings::Finds,
    flow::Flow,
    network::{Traffic, is_credential, remote},
    size,
    words::show,
};
use crate::{
    effect::Target,
    path::{LinkPolicy, PathPattern, ResolvedPath},
    program::{Parsed, Prints, Role, Wraps, environment},
    vocabulary::{Mark, Marks, Tag, Verb, Zone},
    world::FileKind,
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Notes the effects of the operands, and answers what was read.
    pub(super) fn roles(&mut self, parsed: &Parsed, context: &Context) -> Flow {
        let mut held = Flow::default();
        let mut traffic = Traffic::default();
        let context = &self.in_directory(parsed, context);
        let marks = self.all_marks(parsed, context);
        // A copy inside of the project shows nothing.
        let kept = self.stays(parsed, context);
        let unseen = Context { marks: context.marks.with(Mark::Unseen), ..context.clone() };
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
                Role::Read => held.add(&self.reads(word, if kept { &unseen } else { context })),
                Role::Write => {
                    for (target, more) in self.written_files(parsed, word, context) {
                        if target.constant().as_deref() != Some("-") {
                            self.lands_at(&target, marks.and(more), context);
                        }
                    }
                    if parsed.marks.has(Mark::Hard) {
                        for (_, source) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
                            self.touches_ours(Verb::Link, source, Marks::NONE, context);
                        }
                    }
                }
                Role::Size | Role::Extent => {
                    let most = if *role == Role::Size { size::HUGE } else { size::HUGE_WITH_HOLES };
                    if size::bytes(word).is_some_and(|bytes| bytes >= most) {
                        self.say(Verb::Exhaust, Target::Nothing, Marks::of(&[Mark::File]), context);
                    }
                }
                Role::Outlet if word.lead().starts_with(['|', '!']) => self.run_text(&word.skip(1), context),
                Role::Outlet => self.writes(Verb::Write, word, marks, context),
                Role::View if word.lead().starts_with('+') => self.escape(&word.skip(1), context),
                Role::View => held.add(&self.reads(word, context)),
                Role::Library => self.loads(word, context),
                Role::Settings => {
                    let text = self.content_of(word, context).text.unwrap_or_default();
                    for command in text.lines().take(64).filter_map(super::shell::kept_command) {
                        self.text(&command, context);
                    }
                }
                Role::Commas => {
                    let words: Vec<Word> =
                        self.names_of(word).iter().flat_map(|text| text.split(',')).map(plain).collect();
                    self.argv(&words, context);
                }
                Role::Binding => {
                    for text in self.names_of(word) {
                        let command = text.get(keys(&text)..).unwrap_or_default().trim();
                        let inside = command.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                        self.text(inside.unwrap_or(command), context);
                    }
                }
                Role::ShellThere => {
                    let there = Context {
                        marks: context.marks.with(Mark::Elsewhere),
                        directories: vec![PathPattern::unknown()],
                        ..context.clone()
                    };
                    self.run_text(word, &there);
                }
                Role::Append => self.writes(Verb::Append, word, marks, context),
                Role::Truncate => self.writes(Verb::Truncate, word, marks, context),
                Role::Create => self.writes(Verb::Create, word, marks, context),
                // `bin` beside `obj` is what .NET builds; alone it may be anything.
                Role::Delete if is_built(&show(word), parsed.operands.iter().map(show)) => {}
                // `del 'dist/**' '!dist/.keep'`: what is kept. `!(a)` is everything but `a`.
                Role::Delete if is_kept(word) => {}
                Role::Delete => self.writes(Verb::Delete, word, marks, context),
                Role::Source => {
                    held.add(&self.reads_quietly(word, if kept { &unseen } else { context }));
                    self.writes(Verb::Move, word, marks, context);
                }
                Role::Mode => self.writes(Verb::Mode, word, marks, context),
                Role::Owner => {
                    // To give something to oneself is the usual repair.
                    let owner = parsed.operands.first();
                    let own = owner.is_some_and(|owner| self.flow_of(owner).has(Mark::Identity));
                    let marks = if own { marks.with(Mark::Identity) } else { marks };
                    let kept = owner.is_some_and(|owner| self.is_own_name(owner));
                    let marks = if kept { marks.with(Mark::Gives) } else { marks };
                    self.writes(Verb::Owner, word, marks, context);
                }
                Role::Link => {
                    self.writes(Verb::Link, word, marks, context);
                    for (_, source) in parsed.roles.iter().filter(|(role, _)| *role == Role::Read) {
                        self.touches_ours(Verb::Link, source, Marks::NONE, context);
                    }
                }
                Role::Mount => {
                    if self.texts(word).is_empty() {
                        // Whatever lies there is not seen any more.
                        self.finds = self.finds.max(Finds::Unknown);
                    }
                    self.touches_ours(Verb::Mount, word, marks, context);
                }
                Role::Exec => {
                    let later = parsed.program.wraps == Wraps::Later;
                    let marks = if later { context.marks.with(Mark::Later) } else { context.marks };
                    self.run_file(word, &Context { marks, ..context.clone() });
                }
                Role::Escape => self.escape(word, context),
                Role::Shell => {
                    let inner = self.inner(parsed, context);
                    self.run_text(word, &inner);
                }
                Role::Url | Role::Host => {
                    // Who logs in elsewhere says who they are; others hide it in a name.
                    // A name that is looked up as it is says nothing more than itself.
                    let plain = *role == Role::Host && word.parts.len() == 1;
                    let carried = if plain || parsed.program.wraps == Wraps::Elsewhere {
                        Marks::NONE
                    } else {
                        self.flow_of(word)
                    };
                    traffic.sent = traffic.sent.and(carried);
                    traffic.sends |= !carried.is_empty();
                    if *role == Role::Host && !carried.is_empty() {
                        traffic.sent = traffic.sent.with(Mark::Lookup);
                    }
                    // Packages by a way on which everybody can change them.
                    if parsed.marks.has(Mark::Start)
                        && word.lead().starts_with("http://")
                        && !self.host(word).local
                    {
                        let host = self.host(word);
                        self.say(Verb::Unprotect, Target::Host(host), Marks::NONE, context);
                    }
                    traffic.hosts.push(word.clone());
                }
                Role::Data | Role::Form => {
                    traffic.sends = true;
                    traffic.sent = traffic.sent.and(self.cargo(*role, word, context));
                }
                Role::Upload => {
                    traffic.sends = true;
                    traffic.sent =
                        traffic.sent.with(Mark::Uploads).and(self.file_or_input(word, context).marks);
                }
                Role::Header | Role::Login => {
                    let flow = self.flow_of(word);
                    let credential = *role == Role::Login || is_credential(word.lead());
                    traffic.sends |= !flow.is_empty();
                    traffic.sent = traffic.sent.and(if credential && !flow.is_empty() {
                        Marks::of(&[Mark::Credential])
                    } else {
                        flow
                    });
                }
                Role::Assignment => self.setting(word, context),
                Role::RemoteRead => match remote(word) {
                    Some(host) => {
                        held.marks = held.marks.with(Mark::Downloaded);
                        traffic.hosts.push(host);
                    }
                    None => held.add(&self.reads_quietly(word, context)),
                },
                Role::RemoteWrite => match remote(word) {
                    Some(host) => {
                        traffic.hosts.push(host);
                        traffic.sends = true;
                    }
                    None => {
                        for (target, more) in self.received_files(parsed, word, context) {
                            self.lands_at(&target, marks.and(more), context);
                        }
                    }
                },
                Role::Into => self.arrives_in(word, marks, context),
                Role::Made => {
                    self.writes(Verb::Create, word, marks, context);
                    self.arrives_in(word, marks, context);
                }
                Role::Prefix => self.arrives_by_name(word, marks, context),
                Role::Pid => {
                    for name in self.names_of(word) {
                        self.say(Verb::Process, Target::Name(name), marks, context);
                    }
                }
                Role::Environment => {
                    let unknown = if word.is_unknown() { marks.with(Mark::Unknown) } else { marks };
                    for name in self.names_of(word).into_iter().filter(|name| !environment::is_file(name)) {
                        self.say(Verb::Connect, Target::Name(name), unknown.with(Mark::Remote), context);
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
                Role::Package => self.package(word, marks, context),
                Role::AgentSettings => self.agent_settings(word, context),
                Role::AgentSources => self.agent_sources(word, context),
                Role::AgentServers => self.agent_servers(word, context),
                Role::AgentDefinitions => self.agent_definitions(word, context),
                Role::AgentFeature => self.agent_feature(word, context),
                Role::AgentOverride => self.agent_override(word, context),
            }
        }
        self.unpacks(parsed, context);
        if parsed.roles.iter().any(|(role, _)| matches!(role, Role::RemoteWrite)) {
            traffic.sent = traffic.sent.and(held.marks);
        }
        if parsed.program.wraps == Wraps::Elsewhere && !context.stdin.marks.is_empty() {
            // What a command elsewhere reads comes from here.
            traffic.sends = true;
            traffic.sent = traffic.sent.and(context.stdin.marks).with(Mark::Stdin);
        }
        self.carry(&traffic, context);
        if parsed.program.prints == Prints::Download {
            self.downloads(parsed, &traffic, context);
        } else {
            // What is written holds what was read: a copy of a program is that program.
            self.copies(parsed, &held, context);
        }
        held
    }

    /// `NAME=value`; some write the settings of ssh with a blank in the place of `=`.
    pub(super) fn setting(&mut self, word: &Word, context: &Context) {
        if let Some((name, _)) = word.lead().split_once(['=', ' ']) {
            let name = name.to_owned();
            // The names of ssh are the same in capitals.
            let known = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];
            let same = known.into_iter().find(|known| known.eq_ignore_ascii_case(name.trim()));
            self.variable(same.unwrap_or(name.trim()), &word.skip(name.len() + 1), context);
        }
    }

    /// How everything is done, also by what the operands say together.
    fn all_marks(&mut self, parsed: &Parsed, context: &Context) -> Marks {
        let mut marks = parsed.marks;
        if marks.has(Mark::Recursive) {
            marks = marks.without(Mark::Empty);
        }
        for (role, word) in &parsed.roles {
            match role {
                Role::Permission => {
                    marks = marks.and(super::handlers::permissions(&word.constant().unwrap_or_default()));
                }
                // What is moved to nowhere is gone.
                Role::Write if parsed.roles.iter().any(|(role, _)| *role == Role::Source) => {
                    let gone = self
                        .places(word, LinkPolicy::Follow, context)
                        .iter()
                        .any(|(spot, _)| spot.zone == Zone::Nowhere);
                    marks = if gone { marks.with(Mark::Remove) } else { marks };
                    let lost = self
                        .places(word, LinkPolicy::Follow, context)
                        .iter()
                        .all(|(spot, _)| matches!(spot.zone, Zone::Temporary | Zone::TemporaryRoot));
                    marks = if lost { marks.with(Mark::Lost) } else { marks };
                }
                _ => {}
            }
        }
        marks
    }

    /// The files that a copy writes, and how. A directory that is plainly one is not overwritten: it gets another file.
    fn written_files(&self, parsed: &Parsed, target: &Word, context: &Context) -> Vec<(Word, Marks)> {
        let itself = || vec![(target.clone(), Marks::NONE)];
        let sources: Vec<&Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| matches!(role, Role::Read | Role::Source))
            .map(|(_, word)| word)
            .collect();
        let places = self.places(target, LinkPolicy::Follow, context);
        let takes = parsed.program.name == ["mv"];
        if !sources.is_empty() && places.iter().any(|(spot, _)| self.is_holder(spot)) {
            // What is moved onto a directory takes its place.
            if takes && parsed.marks.has(Mark::Exact) {
                return itself();
            }
            return self.lands(&sources, target, parsed.marks, context);
        }
        let is_directory = |(spot, _): &(ResolvedPath, Marks)| {
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
            files.push((file, Marks::NONE));
        }
        if files.is_empty() && !unknown { itself() } else { files }
    }

    /// The files that a copy from another machine, or by `rsync`, writes here.
    fn received_files(&self, parsed: &Parsed, target: &Word, context: &Context) -> Vec<(Word, Marks)> {
        let holds = |(spot, _): &(ResolvedPath, Marks)| self.is_holder(spot);
        if !self.places(target, LinkPolicy::Follow, context).iter().any(holds) {
            return vec![(target.clone(), Marks::NONE)];
        }
        let sources: Vec<&Word> =
            parsed.roles.iter().filter(|(role, _)| *role == Role::RemoteRead).map(|(_, word)| word).collect();
        // `dir/` means what is in it, for `rsync`.
        let marks = if parsed.program.name == ["rsync"] { Marks::of(&[Mark::Mirror]) } else { Marks::NONE };
        // These copy what is below a name.
        let below = matches!(parsed.program.name, ["aws" | "s3cmd", ..]) && parsed.marks.has(Mark::Recursive);
        let marks =
            if parsed.marks.has(Mark::Extracts) || below { marks.with(Mark::Extracts) } else { marks };
        self.lands(&sources, target, marks, context)
    }

    /// Whether an owner is the user, or only a group is given.
    fn is_own_name(&self, owner: &Word) -> bool {
        let Some(text) = owner.constant() else { return false };
        let name = text.split([':', '.']).next().unwrap_or_default();
        let user = self.home.rsplit('/').next().unwrap_or_default();
        name.is_empty() && text.len() > 1 || !name.is_empty() && name == user
    }

    /// Whether a copy goes from the project to the project.
    fn stays(&self, parsed: &Parsed, context: &Context) -> bool {
        let ours = |word: &Word| {
            self.places(word, LinkPolicy::Follow, context)
                .iter()
                .all(|(spot, _)| matches!(spot.zone, Zone::Project | Zone::ProjectRoot | Zone::Generated))
        };
        let mut files =
            parsed.roles.iter().filter(|(role, _)| matches!(role, Role::Read | Role::Source | Role::Write));
        matches!(parsed.program.name, ["cp" | "install" | "copy" | "mv"]) && files.all(|(_, word)| ours(word))
    }

    /// The directory that an option names.
    pub(super) fn in_directory(&mut self, parsed: &Parsed, context: &Context) -> Context {
        let mut inner = context.clone();
        for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Directory) {
            let next = self.directories_of(word, &inner);
            if !next.is_empty() {
                inner.directories = next;
            }
        }
        inner
    }

    fn writes(&mut self, verb: Verb, word: &Word, marks: Marks, context: &Context) {
        if word.constant().as_deref() == Some("-") {
            return;
        }
        let spots = self.path(verb, word, marks.without(Mark::Secret), context);
        if matches!(verb, Verb::Write | Verb::Append) {
            for spot in spots {
                self.types_into(&spot.path, &context.stdin.clone(), context);
            }
        }
    }

    /// Reads a file, and answers what is in it.
    pub(super) fn reads(&mut self, word: &Word, context: &Context) -> Flow {
        if word.constant().as_deref() == Some("-") {
            return context.stdin.clone();
        }
        for mut spot in self.path(Verb::Read, word, Marks::NONE, context) {
            self.watches_at(&spot.path, context);
            // A copy of a secret is one, whatever it is called.
            let copied =
                self.files.get(&spot.path).is_some_and(|content| content.flow.marks.has(Mark::Secret));
            if copied && !spot.tags.has(Tag::Secret) {
                spot.tags = spot.tags.with(Tag::Secret);
                self.say(Verb::Read, Target::Path(spot), Marks::NONE, context);
            }
        }
        self.content_of(word, context)
    }

    /// What is in a file that is copied or sent, which is judged by where it goes.
    fn reads_quietly(&mut self, word: &Word, context: &Context) -> Flow {
        let flow = self.content_of(word, context);
        self.path(Verb::Read, word, Marks::NONE, context);
        flow
    }

    pub(super) fn file_or_input(&mut self, word: &Word, context: &Context) -> Flow {
        if matches!(word.constant().as_deref(), Some("-" | ".")) {
            let mut flow = context.stdin.clone();
            flow.marks = flow.marks.with(Mark::Stdin);
            return flow;
        }
        self.reads(word, context)
    }

    /// Remembers what a copy holds.
    fn copies(&mut self, parsed: &Parsed, held: &Flow, context: &Context) {
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
                self.fill(&target, &context.stdin.clone(), false, context);
            }
            for target in of(&[Role::Append]) {
                self.fill(&target, &context.stdin.clone(), true, context);
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
        for (spot, _) in self.places(target, LinkPolicy::Follow, context) {
            if held.text.as_deref() == Some("") && program.is_none() {
                self.emptied(&spot, context);
            }
            if program.is_some() || !held.is_unknown() {
                let content = super::Content { program: program.clone(), flow: held.clone() };
                if let Some(own) = own.as_ref().filter(|own| !own.is_empty()) {
                    self.files.insert(format!("{}/{own}", spot.path.trim_end_matches('/')), content.clone());
                }
                self.files.insert(spot.path, content);
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
