//! What the operands and options of a program say by what they are.

use super::{Context, Lowering, flow::Flow};
use crate::{
    effect::{Host, Target},
    path::Last,
    program::{Parsed, Prints, Role, Wraps},
    vocabulary::{Mark, Marks, Verb, Zone},
    word::{Part, Word},
};

/// What goes to another machine, and to which.
#[derive(Default)]
struct Traffic {
    hosts: Vec<Word>,
    sent: Marks,
    sends: bool,
}

/// What may flow to another machine.
const CARGO: Marks = Marks::of(&[
    Mark::Secret,
    Mark::Environment,
    Mark::Identity,
    Mark::File,
    Mark::Credential,
    Mark::Stdin,
    Mark::Lookup,
    Mark::Uploads,
]);

impl Lowering<'_> {
    /// Notes the effects of the operands, and answers what was read.
    pub(super) fn roles(&mut self, parsed: &Parsed, context: &Context) -> Flow {
        let mut held = Flow::default();
        let mut traffic = Traffic::default();
        let context = &self.in_folder(parsed, context);
        let marks = self.all_marks(parsed, context);
        for (role, word) in &parsed.roles {
            match role {
                Role::Text
                | Role::Name
                | Role::Command
                | Role::Script
                | Role::Folder
                | Role::Permission
                | Role::Volume
                | Role::Pair
                | Role::Endpoint => {}
                Role::Read => held.add(&self.reads(word, context)),
                Role::Write => self.writes(Verb::Write, word, marks, context),
                Role::Append => self.writes(Verb::Append, word, marks, context),
                Role::Truncate => self.writes(Verb::Truncate, word, marks, context),
                Role::Create => self.writes(Verb::Create, word, marks, context),
                Role::Delete => self.writes(Verb::Delete, word, marks, context),
                Role::Source => {
                    held.add(&self.reads_quietly(word, context));
                    self.writes(Verb::Move, word, marks, context);
                }
                Role::Mode => self.writes(Verb::Mode, word, marks, context),
                Role::Owner => self.writes(Verb::Owner, word, marks, context),
                Role::Link => self.writes(Verb::Link, word, marks, context),
                Role::Exec => self.run_file(word, context),
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
                Role::Assignment => {
                    if let Some((name, _)) = word.lead().split_once('=') {
                        let name = name.to_owned();
                        self.variable(&name, &word.skip(name.len() + 1), context);
                    }
                }
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
                    None => self.writes(Verb::Write, word, marks, context),
                },
                Role::Pid => {
                    for name in self.names_of(word) {
                        self.say(Verb::Process, Target::Name(name), marks, context);
                    }
                }
                Role::Package => self.package(word, marks, context),
            }
        }
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

    /// How everything is done, also by what the operands say together.
    fn all_marks(&mut self, parsed: &Parsed, context: &Context) -> Marks {
        let mut marks = parsed.marks;
        if marks.has(Mark::Recursive) {
            marks = marks.without(Mark::Empty);
        }
        for (role, word) in &parsed.roles {
            match role {
                Role::Permission => {
                    marks = marks.and(super::special::permissions(&word.constant().unwrap_or_default()));
                }
                // What is moved to nowhere is gone.
                Role::Write if parsed.roles.iter().any(|(role, _)| *role == Role::Source) => {
                    let gone = self
                        .places(word, Last::Follow, context)
                        .iter()
                        .any(|(spot, _)| spot.zone == Zone::Nowhere);
                    marks = if gone { marks.with(Mark::Remove) } else { marks };
                }
                _ => {}
            }
        }
        marks
    }

    /// Remembers the files that a download makes: those that are named, or the last step of the address.
    fn downloads(&mut self, parsed: &Parsed, traffic: &Traffic, context: &Context) {
        if traffic.hosts.iter().all(|host| self.host(host).local) {
            return;
        }
        if parsed.marks.has(Mark::Remove) {
            for host in &traffic.hosts {
                let host = self.host(host);
                self.say(Verb::Destroy, Target::Host(host), Marks::of(&[Mark::Remote]), context);
            }
        }
        let flow = Flow::marked(&[Mark::Downloaded]);
        let named: Vec<Word> = parsed
            .roles
            .iter()
            .filter(|(role, _)| *role == Role::Write)
            .map(|(_, word)| word.clone())
            .collect();
        let of_address = traffic.hosts.iter().filter_map(|address| {
            let text = self.texts(address).into_iter().next()?;
            let path = text.split(['?', '#']).next()?.rsplit('/').next()?;
            (!path.is_empty()).then(|| Word::text(path, address.span.clone()))
        });
        let files: Vec<Word> = if named.is_empty() { of_address.collect() } else { named };
        for file in &files {
            self.fill(file, &flow, false, context);
        }
    }

    /// The folder that an option names.
    fn in_folder(&mut self, parsed: &Parsed, context: &Context) -> Context {
        let mut inner = context.clone();
        for (_, word) in parsed.roles.iter().filter(|(role, _)| *role == Role::Folder) {
            let next = self.folders_of(word, &inner);
            if !next.is_empty() {
                inner.folders = next;
            }
        }
        inner
    }

    fn writes(&mut self, verb: Verb, word: &Word, marks: Marks, context: &Context) {
        if word.constant().as_deref() == Some("-") {
            return;
        }
        self.path(verb, word, marks.without(Mark::Secret), context);
    }

    /// Reads a file, and answers what is in it.
    pub(super) fn reads(&mut self, word: &Word, context: &Context) -> Flow {
        if word.constant().as_deref() == Some("-") {
            return context.stdin.clone();
        }
        self.path(Verb::Read, word, Marks::NONE, context);
        self.content_of(word, context)
    }

    /// What is in a file that is copied or sent, which is judged by where it goes.
    fn reads_quietly(&mut self, word: &Word, context: &Context) -> Flow {
        let flow = self.content_of(word, context);
        self.path(Verb::Read, word, Marks::NONE, context);
        flow
    }

    fn file_or_input(&mut self, word: &Word, context: &Context) -> Flow {
        if matches!(word.constant().as_deref(), Some("-" | ".")) {
            let mut flow = context.stdin.clone();
            flow.marks = flow.marks.with(Mark::Stdin);
            return flow;
        }
        self.reads(word, context)
    }

    /// What a piece of data carries: itself, or the file that it names.
    fn cargo(&mut self, role: Role, word: &Word, context: &Context) -> Marks {
        let lead = word.lead().to_owned();
        let file = match role {
            Role::Form => lead.find("=@").or_else(|| lead.find("=<")).map(|place| place + 2),
            _ => lead
                .starts_with('@')
                .then_some(1)
                .or_else(|| lead.find("=@").filter(|_| lead.len() < 64).map(|place| place + 2)),
        };
        match file {
            Some(length) => self.file_or_input(&word.skip(length), context).marks,
            None => self.flow_of(word),
        }
    }

    fn carry(&mut self, traffic: &Traffic, context: &Context) {
        for host in &traffic.hosts {
            self.connect(host, context);
            if traffic.sends {
                self.send(host, traffic.sent, context);
            }
        }
    }

    /// The machine that an address names.
    pub(super) fn host(&self, word: &Word) -> Host {
        let text = self.texts(word).into_iter().next();
        // The end of a name says whose it is.
        let known = text.or_else(|| match word.parts.as_slice() {
            [Part::Text(text), ..] if text.contains("://") && text.matches('/').count() > 2 => {
                Some(text.clone())
            }
            [.., Part::Text(text)] if text.starts_with('.') => Some(format!("…{text}")),
            _ => None,
        });
        let name = host_name(known.as_deref().unwrap_or_default());
        let local = is_local(&name);
        Host { name, local }
    }

    /// Notes a connection.
    pub(super) fn connect(&mut self, word: &Word, context: &Context) {
        let host = self.host(word);
        let marks = if host.local { Marks::of(&[Mark::Local]) } else { Marks::NONE };
        self.say(Verb::Connect, Target::Host(host), marks, context);
    }

    /// Notes that something goes to another machine.
    pub(super) fn send(&mut self, word: &Word, what: Marks, context: &Context) {
        let host = self.host(word);
        let cargo: Vec<Mark> = what.iter().filter(|mark| CARGO.has(*mark)).collect();
        let marks = Marks::of(&cargo);
        let marks = if host.local { marks.with(Mark::Local) } else { marks };
        self.say(Verb::Send, Target::Host(host), marks, context);
    }

    /// A package that is fetched from an address is code of whoever owns that.
    fn package(&mut self, word: &Word, marks: Marks, context: &Context) {
        let lead = word.lead();
        let from_address = ["http://", "https://", "git+", "git://", "ssh://", "ftp://"]
            .iter()
            .any(|scheme| lead.contains(scheme));
        if from_address {
            let marks = marks.with(Mark::Downloaded).with(Mark::Url);
            self.say(Verb::Run, Target::Name(super::words::show(word)), marks, context);
        }
    }

    /// A file that is run.
    pub(super) fn run_file(&mut self, word: &Word, context: &Context) {
        if let [Part::Unknown(unknown)] = word.parts.as_slice() {
            let flow = self.origin(unknown);
            if !flow.is_unknown() && flow.paths.is_empty() {
                self.run_content(&flow, context);
                return;
            }
        }
        for (spot, _) in self.places(word, Last::Follow, context) {
            let marks = if spot.zone == Zone::Temporary { Marks::of(&[Mark::Path]) } else { Marks::NONE };
            if spot.zone == Zone::Nowhere {
                let flow = context.stdin.clone();
                self.run_content(&flow, context);
                continue;
            }
            let known = self.files.get(&spot.path).cloned();
            self.say(Verb::Run, Target::Path(spot), marks, context);
            if let Some(content) = known {
                self.run_content(&content.flow, context);
            }
        }
    }

    /// A word that a shell takes as its text.
    pub(super) fn run_text(&mut self, word: &Word, context: &Context) {
        let flow = self.value_of(word);
        if flow.text.is_some() || flow.marks.has_any(Marks::of(&[Mark::Downloaded, Mark::Decoded])) {
            self.run_content(&flow, context);
            return;
        }
        // The known parts are still read; what is unknown stays unknown.
        let text: String = word
            .parts
            .iter()
            .map(|part| match part {
                Part::Text(text) | Part::Glob(text) => text.clone(),
                Part::Unknown(unknown) => {
                    self.origin(unknown).text.unwrap_or_else(|| "${CHECKREIN_UNKNOWN}".to_owned())
                }
            })
            .collect();
        if word.starts_with_unknown().is_some() {
            self.run_content(&flow, context);
        }
        if word.parts.iter().any(|part| matches!(part, Part::Text(_))) {
            self.text(&text, context);
        }
    }

    /// A command of an editor or a debugger that goes on to a shell: `:!ls`, `shell ls`.
    fn escape(&mut self, word: &Word, context: &Context) {
        let lead = word.lead().trim_start_matches([':', ' ']);
        let skipped = word.lead().len() - lead.len();
        let length = ["!", "shell ", "system ", "silent !", "r !", "read !", "w !", "terminal "]
            .into_iter()
            .find(|start| lead.starts_with(start))
            .map(str::len);
        if let Some(length) = length {
            self.run_text(&word.skip(skipped + length), context);
        }
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
        let (targets, sources) = (of(&[Role::Write, Role::Link]), of(&[Role::Read, Role::Source]));
        let [target] = targets.as_slice() else { return };
        let program = match sources.as_slice() {
            [source] => self.texts(source).into_iter().next().and_then(|path| program_at(&path)),
            _ => None,
        };
        for (spot, _) in self.places(target, Last::Follow, context) {
            if program.is_some() || !held.is_unknown() {
                let content = super::Content { program: program.clone(), flow: held.clone() };
                self.files.insert(spot.path, content);
            }
        }
    }
}

/// The program that lies at a path of programs.
fn program_at(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/')?;
    (folder.ends_with("bin")).then(|| name.to_owned())
}

/// The machine in `host:path`, if that is what it is.
fn remote(word: &Word) -> Option<Word> {
    let lead = word.lead();
    if let Some((scheme, _)) = lead.split_once("://") {
        return (scheme != "file").then(|| word.clone());
    }
    let colon = lead.find(':')?;
    let (host, _) = lead.split_at(colon);
    // A path may hold a colon behind a slash; a drive of Windows is one letter.
    (!host.contains('/') && host.len() > 1).then(|| Word::text(host, word.span.clone()))
}

/// The name of the machine in an address.
pub(super) fn host_name(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    let host = match rest.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or_default(),
        None if rest.matches(':').count() > 1 => rest,
        None => rest.split(':').next().unwrap_or_default(),
    };
    host.trim_end_matches('.').to_ascii_lowercase()
}

/// Whether an address is this machine.
pub(super) fn is_local(host: &str) -> bool {
    host == "localhost"
        || host.ends_with(".localhost")
        || host == "::1"
        || host == "0.0.0.0"
        || host == "host.docker.internal"
        || (host.starts_with("127.") && host.chars().all(|char| char.is_ascii_digit() || char == '.'))
}

/// A header that is made to carry a credential.
fn is_credential(lead: &str) -> bool {
    let lead = lead.to_ascii_lowercase();
    let name = lead.split(':').next().unwrap_or_default().trim();
    matches!(
        name,
        "authorization"
            | "proxy-authorization"
            | "private-token"
            | "x-auth-token"
            | "x-api-key"
            | "api-key"
            | "apikey"
            | "x-access-token"
            | "x-vault-token"
    ) || (name.starts_with("x-") && name.ends_with("-token"))
        || name.ends_with("-api-key")
        || name == "cookie"
}
