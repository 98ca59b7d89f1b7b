//! The layers of configuration. [`keys`](crate::config::keys) says which keys each of them may set.
//!
//! Layers are read from the one with the most authority to the one with the least, and their hooks are asked in that
//! order. A lower layer adds hooks, so it can make answers stricter. It takes away only what a higher one has marked
//! as `overridable`; nothing of the managed layer can be taken away at all.

use std::fmt;

/// The layers of the configuration, the one with the most authority first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The administrator's configuration.
    Managed,
    /// The user's own configuration.
    User,
    /// The project's configuration: foreign, until the user trusts it.
    Project,
    /// The file that the user named on the command line.
    Flag,
}

impl Layer {
    /// Every layer, in the order of authority.
    pub const ALL: [Self; 4] = [Self::Managed, Self::User, Self::Project, Self::Flag];

    /// The word for it in listings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Project => "project",
            Self::Flag => "--config",
        }
    }

    /// Its rank among hooks.
    pub(crate) const fn rank(self) -> u8 {
        match self {
            Self::Managed => 0,
            Self::User => 1,
            Self::Project => 2,
            // The user's own, whom they named themselves.
            Self::Flag => 1,
        }
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Tells if exceptions and allow rules of the layers below count, and permissions that a user gives at a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExceptionPolicy {
    /// They do.
    #[default]
    Accept,
    /// They do not.
    Refuse,
}

impl ExceptionPolicy {
    /// The word for it in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Refuse => "refuse",
        }
    }
}

/// The handling of a question when no user is there to answer it. The stricter of two layers counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unattended {
    /// The user is asked all the same, and the session waits.
    Ask,
    /// Calls that a complete copy covers are let through, and everything else is denied. Nothing is copied yet, so
    /// that it is the same as `Deny`.
    Undoable,
    /// It is a denial with a suggestion, so that the session goes on.
    Deny,
}

impl Unattended {
    /// The word for it in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Undoable => "undoable",
            Self::Deny => "deny",
        }
    }
}

/// The handling of a project's hooks that are not trusted. The stricter of two layers counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Untrusted {
    /// They are skipped, with a remark.
    #[default]
    Skip,
    /// The calls that they would have judged are denied.
    Deny,
}

impl Untrusted {
    /// The word for it in configurations.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Deny => "deny",
        }
    }
}
