//! How strict an answer is. The order of the variants is the policy: the greatest wins.

use std::fmt;

/// What a hook, or all hooks together, decide.
///
/// `Abstain` is silence. `Allow` is a permission: it lets a host skip its own question to the user, so it counts only
/// from a hook that was given the right to allow ([`Entry::with_may_allow`](crate::Entry::with_may_allow)); from any other hook it
/// means "no objection", which is silence too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    /// No opinion: the host goes on as if there were no hook.
    #[default]
    Abstain,
    /// The host need not ask the user.
    Allow,
    /// The host must ask the user.
    Ask,
    /// The host must not do it (before the fact), or must keep the result from the model (after it).
    Deny,
}

impl Decision {
    /// All decisions, from silence to the strictest.
    pub const ALL: [Self; 4] = [Self::Abstain, Self::Allow, Self::Ask, Self::Deny];

    /// The word for it on the wire.
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
