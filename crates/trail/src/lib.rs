//! The trail: what agents asked for, and what was answered. One JSON line for each decided event.
//!
//! A [`Draft`] has the facts of an event; [`Draft::line`] removes secrets and makes a [`Line`], the only thing that a
//! [`Store`] appends. Each line carries the hash of the line before, so that [`verify()`] finds what was changed, removed,
//! inserted or reordered. [`Reader`] and [`Newest`] stream the [`Record`]s in either direction without holding them in
//! memory.
//!
//! # On disk
//!
//! ```text
//! trail/current.jsonl            the lines of today; appended to under a lock
//! trail/segment-00000001.jsonl   closed segments; read-only
//! trail/heads.jsonl              the last hash of each closed segment, also of those that were removed for their age
//! trail/pending/ID.line          lines of processes that could not wait for the lock; the next writer appends them
//! trail/denied/…                 calls that were denied; a result for one of them is an alarm
//! ```

#![forbid(unsafe_code)]

mod clean;
mod denied;
mod draft;
mod files;
mod filter;
mod honored;
mod id;
mod json;
mod line;
mod network;
mod pending;
mod read;
mod record;
mod segment;
mod store;
#[cfg(test)]
mod tests;
mod time;
mod verify;

pub use clean::Cleaner;
pub use draft::{Draft, HookEntry, Level};
pub use filter::{Filter, SinceError, since};
pub use honored::{Backwards, Forwards, Honored};
pub use id::next_id;
pub use json::{Hash, digest, hash, hex, input_text};
pub use line::{Line, Seal};
pub use network::is_network;
pub use read::{Newest, Reader, Stored};
pub use record::{HookRecord, Record};
pub use store::{Held, Retention, Store, Sync, TrailError};
pub use time::{format_time, local_day};
pub use verify::{Break, BreakKind, Report, verify};
