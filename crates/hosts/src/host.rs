//! A host: everything that is known about one agent, in one place.

use crate::{Dialect, doctor::Doctor, import::Format, install::Recipe, transcript::Transcripts};
use crate::{
    foreign::{HookForm, Split},
    names::Tool,
};

/// One host. Each has a directory next to this file, and one row in [`ALL`](crate::ALL).
pub struct Host {
    /// The protocol of the host, and its abilities on each event.
    pub dialect: &'static dyn Dialect,
    /// The recipe to install checkrein; `None` if it cannot be installed.
    pub recipe: Option<&'static Recipe>,
    /// The checks that decide if the host runs hooks at all.
    pub doctor: &'static dyn Doctor,
    /// The markers of its processes and of those that it starts.
    pub markers: Markers,
    /// The format of its hook files; `None` if they cannot be imported.
    pub import: Option<&'static Format>,
    /// The variable in which it names the project to the processes that it starts.
    pub project_variable: Option<&'static str>,
    /// Its tools, where they differ from ours.
    pub tools: &'static [Tool],
    /// Converts calls whose arguments have another shape than those of our tools.
    pub(crate) apart: Option<Split>,
    /// The form of its own hooks; `None` if they cannot run under other hosts.
    pub hooks: Option<&'static HookForm>,
    /// The records that it keeps of its sessions; `None` if they cannot be read.
    pub transcripts: Option<&'static Transcripts>,
}

impl Host {
    /// Returns the name on our command line.
    pub fn name(&self) -> &'static str {
        self.dialect.name()
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Host").field(&self.name()).finish()
    }
}

/// The markers by which the processes of an agent are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Markers {
    /// The names of its programs.
    pub programs: &'static [&'static str],
    /// Packages whose name differs from the program in them.
    pub packages: &'static [(&'static str, &'static str)],
    /// Variables that it sets for the processes that it starts.
    pub variables: &'static [&'static str],
}

impl Markers {
    /// No markers.
    pub const NONE: Self = Self { programs: &[], packages: &[], variables: &[] };
}

/// Agents that are recognised but not supported as hosts.
pub const OTHERS: &[Markers] = &[
    Markers { variables: &["AI_AGENT"], ..Markers::NONE },
    Markers { programs: &["aider"], packages: &[("aider-chat", "aider")], ..Markers::NONE },
    Markers { programs: &["goose", "amp", "droid", "auggie", "agy", "mini-agent"], ..Markers::NONE },
];

/// Returns the markers of every known agent.
pub fn markers() -> impl Iterator<Item = &'static Markers> {
    crate::ALL.iter().map(|host| &host.markers).chain(OTHERS)
}
