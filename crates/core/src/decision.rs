//! Decisions, ordered by strictness: when hooks disagree, the greatest variant wins.

use std::fmt;

/// The decision of one hook, or of all hooks together.
///
/// `Abstain` means no opinion. `Allow` lets a host skip its own prompt, so it counts only from a hook that may allow
/// ([`Entry::with_may_allow`](crate::Entry::with_may_allow)); from any other hook it means "no objection", which is
/// the same as `Abstain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// No opinion: the host continues as if there were no hook.
    #[default]
    Abstain,
    /// The host need not ask the user.
    Allow,
    /// The host must ask the user.
    Ask,
    /// The host must not run the call, or, if the tool already ran, must keep the result from the model.
    Deny,
}

impl Decision {
    /// All decisions, from the most lenient to the strictest.
    pub const ALL: [Self; 4] = [Self::Abstain, Self::Allow, Self::Ask, Self::Deny];

    /// Returns the word for the decision on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Abstain => "abstain",
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
