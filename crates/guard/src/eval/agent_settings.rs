//! Decides if an agent that is started finds its own settings, by its variables and by its view of the file system.
//!
//! A program that shows another file system to the command that it runs (a sandbox, another root, another namespace) says in
//! the table which of its options do so. What is seen is kept as a list, in the order in which it takes effect, and goes down to
//! the command. Only an agent asks for it.

use super::{
    Evaluator, Frame, installed, limits,
    variables::{is_off, leads_agents},
};
use crate::{
    own::Kind,
    path::{LinkPolicy, PathPattern, Segment},
    program::ParseFlag,
    program::{Parsed, Role, Wraps},
    vocabulary::Tag,
};
use checkrein_shell::{ANY, Nesting, ShellEnv, SimpleCommand, Watched, Word};
use std::sync::Arc;

/// The maximum number of places of another view that are kept. With more of them the view is unknown.
const PLACES: usize = 64;

/// The settings that an agent would find, the least dangerous first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finds {
    /// Those that are in use.
    #[default]
    Own,
    /// Not known.
    Unknown,
    /// Others, or none.
    Others,
}

/// A place of the file system at which something else may be seen.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The place; `None` if it is not known.
    at: Option<PathPattern>,
    /// The settings that are there instead.
    finds: Finds,
    /// The place itself decides what an agent does.
    decides: bool,
}

impl Shown {
    /// Something else may be visible at an unknown place.
    fn unknown() -> Self {
        Self { at: None, finds: Finds::Unknown, decides: false }
    }

    /// The whole file system.
    fn root(finds: Finds) -> Self {
        Self { at: Some(PathPattern::of("/")), finds, decides: false }
    }

    fn covers(&self, path: &[std::rc::Rc<str>]) -> bool {
        self.at.as_ref().is_some_and(|at| {
            at.steps.len() <= path.len()
                && at
                    .steps
                    .iter()
                    .zip(path)
                    .all(|(step, name)| matches!(step, Segment::Name(own) if own == name))
        })
    }
}

/// Properties of a unit that change what its command sees or is given.
#[derive(Clone, Copy)]
enum Property {
    /// Paths that are empty or closed, perhaps with options behind a colon.
    Hides,
    /// `from:at`.
    Binds,
    /// Another root.
    Root,
    /// True if the home directories are visible.
    Homes,
    /// `NAME=value`, several of them.
    Variables,
    /// A file of such.
    File,
    /// Names of variables that are taken away.
    Unset,
    /// Not known here.
    Unknown,
}

const PROPERTIES: [(&str, Property); 21] = [
    ("TemporaryFileSystem", Property::Hides),
    ("InaccessiblePaths", Property::Hides),
    ("InaccessibleDirectories", Property::Hides),
    ("BindPaths", Property::Binds),
    ("BindReadOnlyPaths", Property::Binds),
    ("RootDirectory", Property::Root),
    ("RootImage", Property::Root),
    ("ProtectHome", Property::Homes),
    ("Environment", Property::Variables),
    ("EnvironmentFile", Property::File),
    ("UnsetEnvironment", Property::Unset),
    ("MountImages", Property::Unknown),
    ("ExtensionImages", Property::Unknown),
    ("ExtensionDirectories", Property::Unknown),
    ("MountAPIVFS", Property::Unknown),
    ("JoinsNamespaceOf", Property::Unknown),
    ("NetworkNamespacePath", Property::Unknown),
    ("DynamicUser", Property::Unknown),
    ("User", Property::Unknown),
    ("ExecStartPre", Property::Unknown),
    ("AppArmorProfile", Property::Unknown),
];

impl Evaluator<'_> {
    /// Returns the settings that an agent would find if it were started here.
    pub(super) fn settings_found(&self, agent: &str, frame: &Frame) -> Finds {
        self.session.finds.max(frame.finds).max(self.settings_in_view(agent, &frame.view))
    }

    /// Tracks what the text did to variables before a command, in any way.
    pub(super) fn track_agent_settings(&mut self, simple: &SimpleCommand) {
        for (name, watched) in simple.watched.iter().flat_map(|watched| watched.iter()) {
            let finds = match watched {
                // A variable with an unknown name may be any, and is mostly not this one.
                _ if name == ANY => Finds::Unknown,
                Watched::Lost if leads_agents(name) => Finds::Others,
                Watched::Lost => Finds::Unknown,
                Watched::To(value) => self.settings_after(name, Some(value)),
                Watched::Unset => self.settings_after(name, None),
            };
            self.session.finds = self.session.finds.max(finds);
        }
        if let Some((name, value)) = exported_by(&simple.words)
            && value.map_or_else(|| leads_agents(&name), |value| self.moves_settings(&name, Some(value)))
        {
            self.session.finds = Finds::Others;
        }
    }

    /// Returns what a text in a language that is not parsed here does to the environment.
    pub(super) fn set_in(&self, text: &str) -> Finds {
        let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let mut start = 0;
        let names = text.split(|char: char| !is_name(char)).filter_map(|name| {
            let place = start;
            start += name.len() + 1;
            leads_agents(name).then_some((place, name))
        });
        let assigned = names.take(64).any(|(place, name)| {
            let before = text.get(..place).unwrap_or_default();
            let after = text.get(place + name.len()..).unwrap_or_default();
            // A statement of its own says what is done.
            let statement = before.rsplit([';', '\n', '|', '&']).next().unwrap_or_default();
            let sets = statement.split(|char: char| !is_name(char) && char != '-').any(|word| {
                let word = word.to_ascii_lowercase();
                ["set", "put", "with-env", "load-env", "store", "export", "new-item"]
                    .iter()
                    .any(|action| word.starts_with(action))
                    || word.ends_with("setenv")
                    || word.ends_with("putenv")
            });
            let after = after.trim_start_matches(['"', '\'', ')', ']', '}', ' ', '\t', ':', '?', '+']);
            let given = after.starts_with('=') && !after.starts_with("==");
            let plain = before.to_ascii_lowercase();
            let plain = plain.trim_end_matches(['"', '\'']);
            let reads = ["$", "${", "$env:", "$env(", "$env.", "getenv(", "get_env(", "get-env "];
            // `env: [{"NAME", "value"}]`
            let named = after.starts_with(',')
                && statement.split(|char: char| !is_name(char)).any(|word| word == "env");
            given || named || sets && !reads.iter().any(|reads| plain.ends_with(reads))
        });
        if assigned { Finds::Others } else { Finds::Own }
    }

    /// Returns which settings of an agent, and of ours, are left in a view.
    fn settings_in_view(&self, agent: &str, view: &[Shown]) -> Finds {
        if view.is_empty() {
            return Finds::Own;
        }
        let decides = view.iter().filter(|shown| shown.decides).map(|shown| shown.finds).max();
        let of_agent = |path: &[std::rc::Rc<str>]| {
            let first = agent.split('-').next().unwrap_or(agent);
            path.iter().any(|step| {
                step.trim_start_matches('.').split(['.', '-']).next().is_some_and(|name| name == first)
            })
        };
        let ours: Vec<_> = self.ours().paths().collect();
        let named = ours.iter().any(|(kind, path)| *kind == Kind::Agent && of_agent(path));
        let home = PathPattern::of(&self.home);
        let counts = |kind: Kind, path: &[std::rc::Rc<str>]| {
            let is_there = || {
                let path: String = path.iter().flat_map(|name| ["/", name]).collect();
                self.world.entry(&path).is_some()
            };
            let in_home = Shown { at: Some(home.clone()), ..Shown::unknown() }.covers(path);
            match kind {
                Kind::Agent if named => of_agent(path) && (in_home || is_there()),
                Kind::Agent => in_home || is_there(),
                Kind::Ours | Kind::State | Kind::Project => is_there(),
                Kind::Before | Kind::AgentProgram => false,
            }
        };
        let each = ours.iter().filter(|(kind, path)| counts(*kind, path)).map(|(_, path)| {
            view.iter().fold(Finds::Own, |finds, shown| match &shown.at {
                None => finds.max(shown.finds),
                Some(_) if shown.covers(path) => shown.finds,
                Some(_) => finds,
            })
        });
        each.chain(decides).max().unwrap_or_default()
    }

    /// Adds what the command sees that a program runs.
    pub(super) fn add_views(&mut self, parsed: &Parsed, inner: &mut Frame) {
        if matches!(parsed.program.wraps, Wraps::Elsewhere | Wraps::Throwaway) {
            // What is seen here is not seen there.
            inner.view = Arc::default();
        }
        let (mut first, mut then) = (Vec::new(), Vec::new());
        if parsed.qualities.has(ParseFlag::Caged) {
            first.push(Shown::root(Finds::Others));
        }
        let mut from: Option<&Word> = None;
        for (role, word) in &parsed.roles {
            match role {
                Role::From => from = Some(word),
                Role::At => {
                    let finds = from.take().map_or(Finds::Others, |from| self.same(from, word, inner));
                    self.shown(word, finds, inner, &mut then);
                }
                Role::Hidden => self.shown(word, Finds::Others, inner, &mut then),
                Role::Bound => self.bound(word, inner, &mut then),
                // Nothing else in its directory is visible.
                Role::Only => {
                    let at = Some(PathPattern::of(&self.home));
                    first.push(Shown { at, finds: Finds::Others, decides: false });
                    self.shown(word, Finds::Own, inner, &mut then);
                }
                Role::Root => first.push(Shown::root(self.of_root(word))),
                Role::Property => self.property(word, inner, &mut first, &mut then),
                Role::Unset => inner.finds = inner.finds.max(self.settings_after(word.lead(), None)),
                Role::Variables => inner.finds = inner.finds.max(self.variables_of(word, inner)),
                _ => {}
            }
        }
        if parsed.qualities.has(ParseFlag::Veiled) {
            then.push(Shown::unknown());
        }
        if first.is_empty() && then.is_empty() {
            return;
        }
        let view = Arc::make_mut(&mut inner.view);
        view.extend(first.into_iter().chain(then));
        if view.len() > PLACES {
            view.truncate(PLACES);
            view.push(Shown::unknown());
        }
    }

    fn of_root(&self, word: &Word) -> Finds {
        match self.texts(word).as_slice() {
            [text] if PathPattern::of(text).steps.is_empty() && text.starts_with('/') => Finds::Own,
            [] => Finds::Unknown,
            _ => Finds::Others,
        }
    }

    /// Tells if a place shows what is there anyway.
    fn same(&self, from: &Word, at: &Word, frame: &Frame) -> Finds {
        if from.parts == at.parts {
            return Finds::Own;
        }
        match (self.place(from, frame), self.place(at, frame)) {
            (Some(from), Some(at)) if from.steps == at.steps => Finds::Own,
            (Some(_), Some(_)) => Finds::Others,
            _ => Finds::Unknown,
        }
    }

    /// The one place that a word means.
    fn place(&self, word: &Word, frame: &Frame) -> Option<PathPattern> {
        let texts = self.texts(word);
        let [text] = texts.as_slice() else { return None };
        let rest = ["~", "$HOME", "${HOME}"].iter().find_map(|home| text.strip_prefix(home));
        let text = match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => format!("{}{rest}", self.home),
            None => text.clone(),
        };
        let places = self.places(&Word::owned(text, word.span.clone()), LinkPolicy::Follow, frame);
        let [(spot, _)] = places.as_slice() else { return None };
        Some(PathPattern::of(&spot.path)).filter(|_| !spot.path.contains('…'))
    }

    fn shown(&self, word: &Word, finds: Finds, frame: &Frame, view: &mut Vec<Shown>) {
        match self.place(word, frame) {
            Some(at) => {
                let word = Word::owned(at.to_string(), word.span.clone());
                let decides = finds != Finds::Own
                    && self
                        .places(&word, LinkPolicy::Follow, frame)
                        .iter()
                        .any(|(spot, _)| spot.tags.has(Tag::AgentHooks) || spot.tags.has(Tag::Checkrein));
                view.push(Shown { at: Some(at), finds, decides });
            }
            None if finds == Finds::Own => {}
            None => view.push(Shown::unknown()),
        }
    }

    /// `from:at` or `from,at`; one path alone is seen as it is.
    fn bound(&self, word: &Word, frame: &Frame, view: &mut Vec<Shown>) {
        let texts = self.texts(word);
        let [text] = texts.as_slice() else { return view.push(Shown::unknown()) };
        let mut parts = text.split([':', ',']).map(|part| Word::text(part, word.span.clone()));
        let (Some(from), at) = (parts.next(), parts.next()) else { return };
        let at = at.filter(|at| at.lead().starts_with(['/', '~', '$', '.']));
        let finds = at.as_ref().map_or(Finds::Own, |at| self.same(&from, at, frame));
        self.shown(at.as_ref().unwrap_or(&from), finds, frame, view);
    }

    /// `Name=value` of a unit.
    fn property(&self, word: &Word, inner: &mut Frame, first: &mut Vec<Shown>, then: &mut Vec<Shown>) {
        let (name, _) = word.lead().split_once('=').unwrap_or((word.lead(), ""));
        let known = PROPERTIES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let value = word.skip((name.len() + 1).min(word.lead().len()));
        let property = match known {
            Some((_, property)) => *property,
            // The name itself is not known.
            None if word.lead().len() <= name.len() && word.is_unknown() => Property::Unknown,
            None if is_harmless_property(name) => return,
            None => Property::Unknown,
        };
        let texts = self.texts(&value);
        let [text] = texts.as_slice() else {
            return then.push(Shown::unknown());
        };
        if known.is_none() && limits::unit_limit_leaves_room(name, text) == Some(true) {
            return;
        }
        // The manager of units puts the home directory there.
        let text = &text.replace("%h", &self.home);
        let words = || text.split_ascii_whitespace().map(|part| part.trim_start_matches(['-', '+']));
        let plain = |text: &str| Word::text(text, word.span.clone());
        match property {
            Property::Hides => words().for_each(|part| {
                let path = part.split(':').next().unwrap_or(part);
                self.shown(&plain(path), Finds::Others, inner, then);
            }),
            Property::Binds => words().for_each(|part| self.bound(&plain(part), inner, then)),
            Property::Root => first.push(Shown::root(self.of_root(&plain(text)))),
            Property::Homes => match text.to_ascii_lowercase().as_str() {
                "no" | "false" | "off" | "0" | "read-only" | "" => {}
                _ => {
                    let at = Some(PathPattern::of(&self.home));
                    first.push(Shown { at, finds: Finds::Others, decides: false });
                }
            },
            Property::Variables => text.split_ascii_whitespace().for_each(|part| {
                self.set_var_word(&plain(part.trim_matches(['"', '\''])), inner);
            }),
            Property::File => {
                inner.finds = inner.finds.max(self.variables_of(&plain(text), inner));
            }
            Property::Unset => {
                for name in words() {
                    inner.finds = inner.finds.max(self.settings_after(name, None));
                }
            }
            Property::Unknown if is_off(text) => {}
            Property::Unknown => then.push(Shown::unknown()),
        }
    }

    /// Handles unknown words that a program which runs others gets before an agent: they may be options, or
    /// variables.
    pub(super) fn may_wrap_agent(&mut self, command: &[Word], inner: &Frame) {
        let is_open = |word: &Word| word.starts_with_unknown().is_some() && self.texts(word).is_empty();
        if !command.first().is_some_and(|first| is_open(first) || self.may_be_several(first)) {
            return;
        }
        let named = |word: &&Word| word.constant().is_some_and(|text| !text.starts_with('-'));
        let Some(place) = command.iter().position(|word| named(&word)) else { return };
        let agent = command.get(place).and_then(|word| installed::agent_of(word.lead()));
        if agent.is_some() {
            let inner = Frame { finds: inner.finds.max(Finds::Unknown), ..inner.clone() };
            self.follow_argv(command.get(place..).unwrap_or_default(), &inner);
        }
    }

    /// Returns the content of a file that the text did not write.
    pub(super) fn on_disk(&self, file: &Word, frame: &Frame) -> Option<String> {
        let places = self.places(file, LinkPolicy::Follow, frame);
        let [(spot, _)] = places.as_slice() else { return None };
        self.world.text(&spot.path)
    }

    /// Tracks what the running shell sets when it sources a file that the text did not write.
    pub(super) fn track_sourced_settings(&mut self, file: &Word, frame: &Frame) {
        let Some(text) = self.on_disk(file, frame) else {
            // Its exports reach the commands that follow. Without a disk to ask, the file is assumed to be harmless.
            let is_there =
                |(spot, _): &(crate::path::ResolvedPath, _)| self.world.entry(&spot.path).is_some();
            let places = self.places(file, LinkPolicy::Follow, frame);
            if self.session.exports_all || places.iter().any(is_there) {
                self.session.finds = self.session.finds.max(Finds::Unknown);
            }
            return;
        };
        let setting = ShellEnv { home: Some(self.home.clone()), ..ShellEnv::default() };
        if !self.sink.burn(text.len()) {
            return;
        }
        let script = crate::read(&text, &setting);
        let direct = |simple: &&SimpleCommand| {
            !simple.within.iter().any(|place| matches!(place, Nesting::Function(_)))
        };
        script.commands.iter().filter(direct).for_each(|simple| self.track_agent_settings(simple));
    }

    /// Returns which settings a file of `NAME=value` makes agents find.
    pub(super) fn variables_of(&self, file: &Word, frame: &Frame) -> Finds {
        let known = self.content_of(file, frame).text.or_else(|| self.on_disk(file, frame));
        let Some(text) = known else { return Finds::Unknown };
        let lines = text.lines().filter_map(|line| {
            let line = line.trim();
            let line = line.strip_prefix("export ").unwrap_or(line);
            line.split_once('=')
        });
        let after = |(name, value): (&str, &str)| {
            let value = value.trim().trim_matches(['"', '\'']).replace("$HOME", &self.home);
            self.settings_after(name.trim(), Some(&Word::text(&value, 0..0)))
        };
        lines.take(256).map(after).max().unwrap_or_default()
    }
}

/// Returns whether a property of a unit has no say in which settings its command finds, nor in whether a hook can answer.
fn is_harmless_property(name: &str) -> bool {
    const STARTS: [&str; 22] = [
        "description",
        "documentation",
        "nice",
        "cpuweight",
        "ioweight",
        "startup",
        "cpuscheduling",
        "ioscheduling",
        "workingdirectory",
        "standard",
        "tty",
        "syslog",
        "log",
        "type",
        "restart",
        "remainafterexit",
        "kill",
        "timeout",
        "collectmode",
        "slice",
        "delegate",
        "sendsig",
    ];
    const NAMES: [&str; 20] = [
        "after",
        "before",
        "wants",
        "requires",
        "bindsto",
        "partof",
        "conflicts",
        "umask",
        "privatetmp",
        "privatenetwork",
        "protectsystem",
        "nonewprivileges",
        "protectclock",
        "protecthostname",
        "protectkernellogs",
        "protectkernelmodules",
        "protectkerneltunables",
        "protectcontrolgroups",
        "ipaddressdeny",
        "ipaddressallow",
    ];
    let name = name.to_ascii_lowercase();
    STARTS.iter().any(|start| name.starts_with(start)) || NAMES.contains(&name.as_str())
}

/// The variable that a command of csh or fish exports, with its value.
fn exported_by(words: &[Word]) -> Option<(String, Option<&Word>)> {
    let (first, rest) = words.split_first()?;
    let is_option = |word: &&Word| word.lead().starts_with('-');
    let exports = |word: &&Word| {
        word.lead() == "--export" || !word.lead().starts_with("--") && word.lead().contains('x')
    };
    let options = rest.iter().take_while(is_option);
    match first.lead() {
        "setenv" | "set-env" => {}
        "set" if options.clone().any(|word| exports(&word)) => {}
        // As `cmd` has it; other shells take it for an argument.
        "set" => {
            let (name, _) = rest.first()?.lead().split_once('=')?;
            return leads_agents(name).then(|| (name.to_owned(), None));
        }
        _ => return None,
    }
    let mut words = rest.iter().skip(options.count());
    Some((words.next()?.constant()?.into_owned(), words.next()))
}
