//! Leave for one call: a denial shows a code, and a user can allow exactly that call, once, with `checkrein allow`.
//!
//! A denial leaves a note below the directory of our state, so that the user is shown what the code stands for. Their yes is
//! a *permit*: a file whose name is the digest of everything that it is bound to. The guard looks for it only where it
//! objects, and takes it by one rename, so that of many processes exactly one has it. Nothing of this is touched by a call
//! that nobody objects to.
//!
//! The same notes tell a second attempt from a first, so that a model which tries again is told so. A note that cannot be
//! written changes no decision: it costs the code, and nothing else.

mod denials;
mod fingerprint;
mod permits;
mod redact;

pub use denials::{AskSupport, DenialLog};
pub(crate) use denials::{Attempt, PriorAttempt};
pub use fingerprint::{CallFingerprint, Code};
pub use permits::{PendingApproval, Permit, Permits};
