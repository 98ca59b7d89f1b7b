//! What a call would do.

use crate::{
    path::ResolvedPath,
    vocabulary::{Marks, Verb},
};
use std::fmt;

/// One thing that a call would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What is done.
    pub verb: Verb,
    /// To what.
    pub target: Target,
    /// How.
    pub marks: Marks,
    /// By which of the commands that would run: an index into [`crate::Judgement::ran`].
    pub by: usize,
}

/// What something is done to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing in particular.
    Nothing,
    /// A place on disk.
    Path(ResolvedPath),
    /// A machine.
    Host(Host),
    /// Something that has a name: a service, a branch, a table.
    Name(String),
}

/// A machine on the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name or address; empty if that is not known.
    pub name: String,
    /// Whether it is this machine.
    pub local: bool,
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.verb)?;
        match &self.target {
            Target::Nothing => {}
            Target::Path(spot) => {
                write!(formatter, " {} ({}", spot.path, spot.zone)?;
                spot.tags.iter().try_for_each(|tag| write!(formatter, ", {tag}"))?;
                formatter.write_str(")")?;
            }
            Target::Host(host) if host.name.is_empty() => formatter.write_str(" a machine")?,
            Target::Host(host) => write!(formatter, " {}", host.name)?,
            Target::Name(name) => write!(formatter, " {name}")?,
        }
        self.marks.iter().try_for_each(|mark| write!(formatter, " +{mark}"))
    }
}

/// A command that would run, as the shell would see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Its words; `…` for what is not known.
    pub words: Vec<String>,
    /// The entry of the table of programs that describes it.
    pub known_as: Option<String>,
    /// How deep it is in texts and commands that others run.
    pub depth: usize,
    /// The directory that it runs in, if that is certain.
    pub directory: Option<String>,
}
