//! A host as a whole: everything that we know of one agent, in one place.

use crate::{Dialect, doctor::Doctor, import::Format, install::Recipe};

/// Everything about one host. Each has a directory beside this file, and one row in [`ALL`](crate::ALL).
pub struct Host {
    /// How it speaks, and what it can do on each event.
    pub dialect: &'static dyn Dialect,
    /// How it is told to ask us; nothing, if nobody can be told by us.
    pub recipe: Option<&'static Recipe>,
    /// What decides whether it runs hooks at all.
    pub doctor: &'static dyn Doctor,
    /// How its processes, and those that it starts, are recognised.
    pub markers: Markers,
    /// What its files of hooks mean; nothing, if they cannot be imported.
    pub import: Option<&'static Format>,
    /// The variable in which it names the project to what it starts.
    pub project_variable: Option<&'static str>,
}

impl Host {
    /// Its name on our command line.
    pub fn name(&self) -> &'static str {
        self.dialect.name()
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Host").field(&self.name()).finish()
    }
}

/// How the processes of an agent are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markers {
    /// Names of its programs.
    pub programs: &'static [&'static str],
    /// Packages that are named otherwise than the program in them.
    pub packages: &'static [(&'static str, &'static str)],
    /// Variables that it sets for what it starts.
    pub variables: &'static [&'static str],
}

impl Markers {
    /// Nothing is known.
    pub const NONE: Self = Self { programs: &[], packages: &[], variables: &[] };
}

/// Agents that we recognise, and do not speak with.
pub const OTHERS: &[Markers] = &[
    Markers { variables: &["AI_AGENT"], ..Markers::NONE },
    Markers { programs: &["gemini"], packages: &[("gemini-cli", "gemini")], variables: &["GEMINI_CLI"] },
    Markers { programs: &["qwen"], packages: &[("qwen-code", "qwen")], variables: &["QWEN_CODE"] },
    Markers { programs: &["copilot"], variables: &["COPILOT_CLI", "COPILOT_AGENT"], ..Markers::NONE },
    Markers { programs: &["cursor-agent"], variables: &["CURSOR_AGENT"], ..Markers::NONE },
    Markers { programs: &["opencode"], variables: &["OPENCODE"], ..Markers::NONE },
    Markers { programs: &["cline"], variables: &["CLINE_ACTIVE"], ..Markers::NONE },
    Markers { programs: &["pi"], packages: &[("pi-coding-agent", "pi")], ..Markers::NONE },
    Markers { programs: &["aider"], packages: &[("aider-chat", "aider")], ..Markers::NONE },
    Markers { programs: &["goose", "amp", "droid", "auggie", "agy", "mini-agent"], ..Markers::NONE },
];

/// How every agent that we know is recognised.
pub fn markers() -> impl Iterator<Item = &'static Markers> {
    crate::ALL.iter().map(|host| &host.markers).chain(OTHERS)
}
