//! Variables of the environment that make programs run something.

use super::{Evaluator, Frame, agent_settings::Finds};
use crate::{
    data::VARIABLES,
    effect::Target,
    path::LinkPolicy,
    program::{self, VariableKind as Kind},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Domain, Modifier, Zone},
};
use checkrein_shell::{Candidates, Part, Unknown, UnknownSource, Word};
use std::collections::BTreeMap;

/// Returns the environment that a variable selects.
pub(super) fn environment_of(name: &str, value: &Word) -> Qualities {
    match kind_of(name) {
        Some(Kind::Environment) => program::environment::qualities(&value.constant().unwrap_or_default()),
        Some(_) | None => Qualities::NONE,
    }
}

/// Variables whose words precede the arguments of a program whenever it starts.
const STARTS: [(&str, &[&str]); 9] = [
    ("GOFLAGS", &["go", "build"]),
    ("MAKEFLAGS", &["make"]),
    ("TAR_OPTIONS", &["tar"]),
    ("JAVA_TOOL_OPTIONS", &["java"]),
    ("JDK_JAVA_OPTIONS", &["java"]),
    ("_JAVA_OPTIONS", &["java"]),
    ("PERL5OPT", &["perl"]),
    ("ZIPOPT", &["zip"]),
    ("ANSIBLE_SSH_ARGS", &["ssh"]),
];

/// Variables by which a loader, a shell or an interpreter runs something before what an agent starts: a hook, too.
const RUNS_BEFORE_HOOKS: [&str; 12] = [
    "BASH_ENV",
    "BUN_OPTIONS",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "ENV",
    "GCONV_PATH",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "NODE_OPTIONS",
    "SHELL",
    "ZDOTDIR",
];

/// The path in an option that is joined to it: `-r./x`.
fn path_in(word: &str) -> Option<&str> {
    let slash = word.find('/')?;
    let before = word.get(..slash)?;
    word.get(before.trim_end_matches(['.', '~']).len()..)
}

/// Returns true if the value of a switch means off.
pub(super) fn is_off(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "" | "0" | "false" | "no" | "off")
}

/// Returns true if a variable decides which settings agents find.
pub(crate) fn leads_agents(name: &str) -> bool {
    matches!(kind_of(name), Some(Kind::Home | Kind::Guard | Kind::Switch))
}

/// Returns whether what a text does to a variable matters to agents that it starts.
pub(crate) fn matters_to_agents(name: &str) -> bool {
    leads_agents(name) || RUNS_BEFORE_HOOKS.contains(&name)
}

fn kind_of(name: &str) -> Option<Kind> {
    let place = VARIABLES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    VARIABLES.get(place).map(|(_, kind)| *kind)
}

impl Evaluator<'_> {
    /// Returns true if a variable with this value, or without any, makes an agent find other settings than those in
    /// use.
    pub(super) fn moves_settings(&self, name: &str, value: Option<&Word>) -> bool {
        let Some(kind @ (Kind::Home | Kind::Guard | Kind::Switch)) = kind_of(name) else { return false };
        if kind == Kind::Switch {
            let texts = value.map(|value| self.texts(value));
            return texts.is_some_and(|texts| texts.is_empty() || !texts.iter().all(|text| is_off(text)));
        }
        let current = self.world.variable(name).or_else(|| (name == "HOME").then(|| self.home.clone()));
        match value {
            Some(value) => match (self.texts(value).as_slice(), &current) {
                ([value], Some(current)) => value.trim_end_matches('/') != current.trim_end_matches('/'),
                ([value], None) => !value.is_empty() && !self.is_default(name, value),
                _ => true,
            },
            // Without `HOME` programs ask the system where it is.
            None if name == "HOME" => match (self.world.account_home(), &current) {
                (Some(home), Some(current)) => home.trim_end_matches('/') != current.trim_end_matches('/'),
                (None, Some(_)) => self.world.own().is_some(),
                (_, None) => false,
            },
            None => current.is_some(),
        }
    }

    /// Returns which settings an agent finds that is started with this variable, or without it.
    pub(super) fn settings_after(&self, name: &str, value: Option<&Word>) -> Finds {
        if self.moves_settings(name, value) {
            return Finds::Others;
        }
        let loads = RUNS_BEFORE_HOOKS.contains(&name)
            && value.is_some_and(|value| {
                let texts = self.texts(value);
                let usual = |text: &str| {
                    text.is_empty()
                        || name == "SHELL"
                            && ["/bin/", "/usr/bin/"].iter().any(|start| text.starts_with(start))
                };
                let current = self.world.variable(name);
                texts.is_empty() || texts.iter().any(|text| !usual(text) && Some(text) != current.as_ref())
            });
        if loads { Finds::Unknown } else { Finds::Own }
    }

    /// Returns true if programs look at this place anyway.
    fn is_default(&self, name: &str, value: &str) -> bool {
        name == "XDG_CONFIG_HOME" && value.trim_end_matches('/') == format!("{}/.config", self.home)
    }

    /// Returns the variables without which agents find other settings.
    pub(super) fn settings_variables(&self) -> Vec<&'static str> {
        let leads = |kind: &Kind| matches!(kind, Kind::Guard | Kind::Home);
        let each = VARIABLES.iter().filter(|(name, kind)| leads(kind) && self.moves_settings(name, None));
        each.map(|(name, _)| *name).collect()
    }

    /// The variables of this process that say where settings are.
    pub(super) fn settings_in_environment(&self) -> BTreeMap<String, String> {
        let leads = |kind: &Kind| matches!(kind, Kind::Guard | Kind::Home);
        let names: Vec<&str> = VARIABLES
            .iter()
            .filter(|(name, kind)| leads(kind) && *name != "HOME")
            .map(|(name, _)| *name)
            .collect();
        let values = self.world.variables(&names);
        names.iter().zip(values).filter_map(|(name, value)| Some(((*name).to_owned(), value?))).collect()
    }

    /// A value as its text, if that is known: `~` and `$HOME` are.
    pub(super) fn settled_value(&self, value: &Word) -> Word {
        match (value.constant(), self.value_of(value).text) {
            (None, Some(text)) => Word::text(&text, value.span.clone()),
            _ => value.clone(),
        }
    }

    /// `NAME=value` for a command that another program starts.
    pub(super) fn set_var_word(&self, word: &Word, frame: &mut Frame) {
        if let Some((name, _)) = word.lead().split_once('=') {
            let value = word.skip(name.len() + 1);
            frame.finds = frame.finds.max(self.settings_after(name, Some(&value)));
            frame.set_var(name, &self.settled_value(&value));
        }
    }

    /// A program that is started with the words of a variable before its own.
    fn run_with_prefix(&mut self, program: &[&str], value: &Word, frame: &Frame) {
        for text in self.texts(value).into_iter().take(4) {
            // They are words with quotes, and nothing else that a shell knows.
            let plain: String = text
                .chars()
                .flat_map(|char| {
                    let special = "|;&<>()$`*?[]{}~#!".contains(char);
                    special.then_some('\\').into_iter().chain([char])
                })
                .collect();
            let script = crate::read(&plain, &checkrein_shell::ShellEnv::default());
            let given = script.commands.into_iter().next().map(|command| command.words).unwrap_or_default();
            let words: Vec<Word> = program.iter().map(|name| Word::text(name, 0..0)).chain(given).collect();
            self.follow_argv(&words, &frame.without_stdin());
        }
    }

    /// Follows what setting a variable does.
    pub(super) fn variable(&mut self, name: &str, value: &Word, frame: &Frame) {
        // `GIT_CONFIG_COUNT` and the like configure git as `-c` does.
        if let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") {
            let number = number.to_owned();
            self.git_setting(&number, value, frame);
            return;
        }
        if let Some(number) = name.strip_prefix("GIT_CONFIG_VALUE_") {
            let number = number.to_owned();
            self.git_setting_value(&number, value, frame);
            return;
        }
        // The same in one: `'key=value' 'key'='value'`.
        if name == "GIT_CONFIG_PARAMETERS" {
            self.git_parameters(value, frame);
        }
        // The keywords of ssh are the same in any case.
        const OF_SSH: [&str; 3] = ["ProxyCommand", "LocalCommand", "KnownHostsCommand"];
        if let Some(keyword) = OF_SSH.into_iter().find(|keyword| keyword.eq_ignore_ascii_case(name)) {
            self.note_variable(keyword, Kind::Shell, value, frame);
            return;
        }
        // A function that bash takes from its environment.
        if name.starts_with("BASH_FUNC_") && value.lead().starts_with("()") {
            self.run_text(&value.skip("()".len()), frame);
            return;
        }
        if let Some((_, program)) = STARTS.iter().find(|(known, _)| *known == name) {
            self.run_with_prefix(program, value, frame);
        }
        // A setting of a tool has a path of names, and its value is quoted as in a file.
        let unquoted;
        let (name, value) = match (name.rsplit_once('.'), value.constant()) {
            (Some((_, last)), Some(text)) => {
                unquoted = Word::text(text.trim().trim_matches(['"', '\'']), value.span.clone());
                (last, &unquoted)
            }
            _ => (name, value),
        };
        let Some(kind) = kind_of(name) else { return };
        self.note_variable(name, kind, value, frame);
    }

    fn note_variable(&mut self, name: &str, kind: Kind, value: &Word, frame: &Frame) {
        let named = || Target::Name(name.to_owned());
        match kind {
            Kind::Tool => {
                if value.constant().is_some() {
                    self.run_text(value, frame);
                }
            }
            Kind::Shell
                if matches!(
                    value.parts.as_slice(),
                    [Part::Unknown(Unknown { why: UnknownSource::Array, .. })]
                ) =>
            {
                if let [Part::Unknown(Unknown { among: Candidates::TheseOrAnything(words), .. })] =
                    value.parts.as_slice()
                {
                    words.iter().for_each(|word| self.run_text(word, frame));
                }
            }
            Kind::Shell => {
                // `less` is told by a sign how it reads from the command.
                let signs = value.lead().len() - value.lead().trim_start_matches(['|', '-', ' ']).len();
                let value = &value.skip(signs);
                let text = value.constant().unwrap_or_default();
                // An empty value, `cat`, `true`: that nothing is run.
                if !text.is_empty() {
                    self.run_text(value, frame);
                }
                if text.contains('/') && !text.contains(char::is_whitespace) {
                    self.entries(Kind::Path, value, frame);
                }
            }
            Kind::Prompt => {
                for text in self.texts(value) {
                    self.follow_expanded(&text, frame);
                }
            }
            // The name of a pipe means the output of another command.
            Kind::File
                if matches!(
                    value.parts.as_slice(),
                    [Part::Unknown(Unknown { why: UnknownSource::Process(_), .. })]
                ) =>
            {
                self.run_file(value, frame);
            }
            Kind::File | Kind::Path => {
                // Shells expand the name of a file that they read first.
                for text in self.texts(value) {
                    self.follow_expanded(&text, frame);
                }
                self.entries(kind, value, frame);
            }
            Kind::Options => {
                let text = self.texts(value).into_iter().next().unwrap_or_default();
                let loads = [
                    "-r ",
                    "--require",
                    "--import",
                    "--preload",
                    "-M",
                    "-javaagent",
                    "-e",
                    "core.",
                    "alias.",
                ];
                if text.starts_with("-r") || loads.iter().any(|option| text.contains(option)) {
                    self.emit(Action::Configure, named(), Qualities::NONE, frame);
                    // The paths of what is loaded.
                    let paths = text.split([' ', '=']).filter_map(path_in);
                    for path in paths.map(|path| Word::text(path, 0..0)).take(8) {
                        self.entries(Kind::Path, &path, frame);
                    }
                }
            }
            Kind::Unprotect => self.emit(Action::Unprotect, named(), Qualities::NONE, frame),
            Kind::Bypass => {
                if value.constant().is_none_or(|value| !value.is_empty() && value != "1" || name == "SKIP") {
                    self.emit(Action::Bypass, named(), Qualities::NONE, frame);
                }
            }
            Kind::Tamper => {
                let off = value
                    .constant()
                    .is_some_and(|value| value.is_empty() || value == "0" || value == "/dev/null");
                if off {
                    self.emit(Action::Tamper, named(), Qualities::NONE, frame);
                }
            }
            Kind::Guard => {
                // As it is already, it leads nowhere else.
                let same = value
                    .constant()
                    .is_some_and(|value| self.world.variable(name).as_deref() == Some(&*value));
                if !same {
                    self.emit(Action::Unprotect, named(), qualities![Modifier::Unguarded], frame);
                }
            }
            Kind::Switch => {
                let off = value.constant().is_some_and(|value| is_off(&value));
                if !off {
                    self.emit(Action::Unprotect, named(), qualities![Modifier::Unguarded], frame);
                }
            }
            Kind::Home => {}
            Kind::Consent => {
                self.emit(Action::Destroy, named(), qualities![Modifier::Force, Domain::Database], frame);
            }
            Kind::Environment => {}
        }
    }

    /// A library that a program is told to load.
    pub(super) fn load_library(&mut self, word: &Word, frame: &Frame) {
        self.entries(Kind::File, word, frame);
    }

    /// The directories or files in a list with colons.
    fn entries(&mut self, kind: Kind, value: &Word, frame: &Frame) {
        let mut entries = vec![Word { parts: Vec::new(), span: value.span.clone() }];
        for part in &value.parts {
            if let Part::Text(text) = part {
                for (place, piece) in text.split(':').enumerate() {
                    if place > 0 {
                        entries.push(Word { parts: Vec::new(), span: value.span.clone() });
                    }
                    if let Some(last) = entries.last_mut() {
                        last.push_text(piece);
                    }
                }
            } else if let Some(last) = entries.last_mut() {
                last.parts.push(part.clone());
            }
        }
        for entry in entries.iter().filter(|entry| !entry.lead().is_empty()) {
            for (spot, qualities) in self.places(entry, LinkPolicy::Follow, frame) {
                let usual = match kind {
                    Kind::Path => matches!(
                        spot.zone,
                        Zone::System
                            | Zone::Project
                            | Zone::ProjectRoot
                            | Zone::Generated
                            | Zone::Home
                            | Zone::Personal
                    ),
                    _ => false,
                };
                if !usual {
                    self.emit(Action::Configure, Target::Path(spot), qualities, frame);
                }
            }
        }
    }
}
