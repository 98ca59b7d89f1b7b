//! Trust in a project's hooks, by their exact content.
//!
//! Opening a cloned repository must not run its code. A project's hook runs only if a user was shown what it
//! runs and said yes, and only while not a byte of it changes: its definition, and every file of the project that it
//! names.
//!
//! What was trusted is *copied*, and the copy is what runs. If the project's own file ran, it could be exchanged
//! between our look at it and the start; and nobody would notice that a relative word meant another file because the
//! agent had changed its directory.
//!
//! What names no bytes that could be shown (a variable, a directory, a pipe into an interpreter) is not covered by that. A
//! hook with such a word is trusted only by somebody who says that they know it, and listings show it from then on.
//!
//! The store is a directory per hook and in it a directory per content, each put in place by one rename. So there is nothing
//! to lock, to tear or to lose: a process sees a whole entry or none, whoever else writes, and whenever it is killed.

mod content;
mod coverage;
mod imported;
mod programs;
mod scripts;
mod shebang;
mod store;
mod uncovered;

pub use content::{Content, File};
pub(crate) use content::{Hashed, identity};
pub(crate) use coverage::found_in;
pub(crate) use scripts::{is_of_the_project, real};
pub use store::{Store, TrustState};
pub use uncovered::{Uncovered, WhyNot};
