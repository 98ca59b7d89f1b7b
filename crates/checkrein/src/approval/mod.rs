//! Permissions: a denial or a question shows a code, and with `checkrein allow` a user can allow exactly that call once, or what
//! the rules object to in it for the rest of the session.
//!
//! A denial writes a note below the state directory, so that the user can see what the code means. Their approval is
//! a *permit*: a file whose name is the digest of everything that it is bound to. The guard looks for it only if it has a
//! finding, and takes it by one rename, so that of many processes exactly one gets it. A call without a finding touches
//! none of this.
//!
//! The same notes tell a second attempt from a first, so that a model which tries again is told so. A note that cannot be
//! written changes no decision: the denial then shows no code.

mod denials;
mod fingerprint;
mod permits;
mod scope;

pub use denials::{Absence, AskSupport, DenialLog};
pub(crate) use denials::{Attempt, PriorAttempt};
pub use fingerprint::{CallFingerprint, Code};
pub use permits::{PendingApproval, Permit, Permits, SessionGrant};
pub use scope::Scope;
