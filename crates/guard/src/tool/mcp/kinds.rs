//! The meaning of the words in the names of MCP servers and their tools, by `data/tools.toml`.

use crate::{
    Action, Domain,
    data::{
        TOOL_ACTIONS, TOOL_ANY_LANGUAGE, TOOL_CLIENTS, TOOL_ELSEWHERE, TOOL_LANGUAGES, TOOL_PROSE,
        TOOL_SANDBOX, TOOL_SERVERS,
    },
    tool::reading::Language,
};

pub(super) use crate::data::{
    TOOL_CONSOLES as CONSOLES, TOOL_ENTERS as ENTERS, TOOL_FILES as FILES, TOOL_FILLING as FILLING,
    TOOL_FILLS as FILLS, TOOL_FOREIGN as FOREIGN, TOOL_LARGE as LARGE, TOOL_OPENS as OPENS,
    TOOL_PAGES as PAGES, TOOL_PROGRAMS as PROGRAMS, TOOL_RUNNERS as RUNNERS, TOOL_SEARCHING as SEARCHING,
    TOOL_SHELLS as SHELLS, TOOL_SMALL as SMALL, TOOL_TAKING as TAKING, TOOL_TELLING as TELLING,
};

/// Returns true if the arguments of a host's tool are for people and models to read: nothing in them is run or
/// opened.
pub(super) fn is_prose(name: &str) -> bool {
    TOOL_PROSE.contains(&name)
}

/// Returns the language that a word in the name of a tool or a server says.
pub(super) fn language(word: &str) -> Option<Language> {
    if TOOL_ANY_LANGUAGE.contains(&word) {
        return None;
    }
    match TOOL_LANGUAGES.iter().find(|(known, _)| *known == word) {
        Some((_, language)) => Language::named(language),
        None => Language::named(word).filter(|language| *language != Language::Shell),
    }
}

/// The place where a command runs, if it is not this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// On another machine, or in a container that lives on.
    Elsewhere,
    /// In something that is thrown away.
    Sandbox,
}

impl Place {
    /// Returns the place that words say.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        if has_any(words, TOOL_ELSEWHERE) {
            Some(Self::Elsewhere)
        } else {
            has_any(words, TOOL_SANDBOX).then_some(Self::Sandbox)
        }
    }

    /// Returns the command that runs another one there.
    pub(super) fn words(self) -> &'static [&'static str] {
        match self {
            Self::Elsewhere => &["docker", "exec", "box"],
            Self::Sandbox => &["docker", "run", "--rm", "image"],
        }
    }
}

/// Returns the kind of data that a server keeps for others, by its words.
pub(super) fn kept(words: &[String]) -> Option<Domain> {
    TOOL_SERVERS.iter().find(|(_, known)| has_any(words, known)).map(|(domain, _)| *domain)
}

/// A client on the command line that takes the same statements as a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client(&'static [&'static str]);

impl Client {
    /// Returns the client of a server for databases, by its words.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        TOOL_CLIENTS.iter().find(|(known, _)| has_any(words, known)).map(|(_, command)| Self(command))
    }

    /// Returns the client with a statement for a database.
    pub(super) fn arguments(self, database: Option<&str>, statement: &str) -> Vec<String> {
        let word = |word: &&str| match *word {
            "{database}" => database.unwrap_or("database").to_owned(),
            "{statement}" => statement.to_owned(),
            word => word.to_owned(),
        };
        self.0.iter().map(word).collect()
    }
}

/// Returns the action of a tool on files, by its words. [`Action::Run`] is for those that only list names.
pub(super) fn action(words: &[String]) -> Option<Action> {
    TOOL_ACTIONS.iter().find(|(_, known)| has_any(words, known)).map(|(action, _)| *action)
}

fn has_any(words: &[String], known: &[&str]) -> bool {
    known.iter().any(|known| words.iter().any(|word| word == known))
}
