//! The effects that a call would have.

use crate::{
    path::ResolvedPath,
    vocabulary::{Action, Certainties, Domains, Environments, Modifiers, Taints},
};
use std::fmt;

/// One thing that a call would do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effect {
    /// The action.
    pub action: Action,
    /// The target of the action.
    pub target: Target,
    /// The way in which it is done.
    pub how: Modifiers,
    /// The origin and the contents of its data.
    pub data: Taints,
    /// The kind of system that it is in.
    pub domain: Domains,
    /// The environment that it happens in.
    pub environment: Environments,
    /// The facts about it that are not certain.
    pub certainty: Certainties,
    /// The command that does it: an index into [`crate::Judgement::ran`].
    pub by: usize,
}

impl Effect {
    /// Returns an effect of the first command, about which no more is known.
    pub const fn new(action: Action, target: Target) -> Self {
        Self {
            action,
            target,
            how: Modifiers::NONE,
            data: Taints::NONE,
            domain: Domains::NONE,
            environment: Environments::NONE,
            certainty: Certainties::NONE,
            by: 0,
        }
    }

    /// Returns every word that qualifies the effect, with its kind, as rules spell both, and its explanation.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        let how = self.how.iter().map(|word| ("with", word.as_str(), word.about()));
        let data = self.data.iter().map(|word| ("data", word.as_str(), word.about()));
        let domain = self.domain.iter().map(|word| ("domain", word.as_str(), word.about()));
        let environment = self.environment.iter().map(|word| ("environment", word.as_str(), word.about()));
        let certainty = self.certainty.iter().map(|word| ("certainty", word.as_str(), word.about()));
        how.chain(data).chain(domain).chain(environment).chain(certainty)
    }
}

/// The target of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing in particular.
    Nothing,
    /// A path on disk.
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
    /// True for this machine.
    pub local: bool,
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.action)?;
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
        self.words().try_for_each(|(_, word, _)| write!(formatter, " +{word}"))
    }
}

/// A command that would run, as the shell would see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// Its words; `…` for what is not known.
    pub words: Vec<String>,
    /// The entry of the table of programs that describes it.
    pub known_as: Option<String>,
    /// Its nesting depth in texts and commands that others run.
    pub depth: usize,
    /// The directory that it runs in, if that is certain.
    pub directory: Option<String>,
}
