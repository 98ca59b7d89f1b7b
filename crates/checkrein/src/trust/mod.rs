//! Trust in a project's hooks, by their exact content.
//!
//! Opening a cloned repository must not run its code. A project's hook runs only if a user was shown what it
//! runs and said yes, and only while not a byte of it changes: its definition, and every file of the project that it
//! names.
//!
//! What was trusted is *copied*, and the copy is what runs. The project's own file could be exchanged between our
//! check and the start, and a relative word would mean another file after the agent had changed its directory.
//!
//! Words that name no bytes which could be shown (a variable, a directory, a pipe into an interpreter) are not
//! covered by that. A hook with such a word is trusted only by a user who says that they know it, and listings show
//! it from then on.
//!
//! The store is a directory per hook and in it a directory per content, each put in place by one rename. So no
//! locking is needed and no partial state is visible: a process sees a whole entry or none, whatever others write,
//! and whenever it is killed.

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
