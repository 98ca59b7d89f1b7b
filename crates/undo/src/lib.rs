//! Keeps files before a call destroys them, and restores them.
//!
//! A *record* is what was kept for one call: a directory of the store with a manifest and the bytes. It appears under its
//! name by one rename, so a record is whole or does not exist. Nothing is linked to the user's files, no link is followed, and
//! no program is started.
//!
//! The crate knows neither agents nor rules. Its caller says which paths to keep, and which files below them to leave out.

mod after;
mod attributes;
mod copy;
mod entry;
mod keep;
mod limits;
mod names;
mod not_kept;
mod record;
mod restore;
mod status;
mod store;

pub use after::State;
pub use entry::{Entry, Kind, Place, Role, Time};
pub use keep::{Keeping, Selection, Take};
pub use limits::Limits;
pub use not_kept::NotKept;
pub use record::{Head, Record};
pub use restore::{Choice, Conflict, Restored};
pub use status::{Plan, Status};
pub use store::{Store, Summary};
