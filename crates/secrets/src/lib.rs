//! Finds secrets in text, and replaces them by tags.
//!
//! The cost follows the length of the text and not the number of kinds: one pass looks up four bytes at each position in a table
//! that the build has made, and only where they are part of a known prefix or name is the value compared exactly, by small
//! matchers and checksums. Nothing is compiled or loaded when a program starts.
//!
//! ```
//! use checkrein_secrets::{Key, redact};
//!
//! let key = Key::new([7; 32]);
//! let (text, findings) = redact("DB_PASSWORD=kR4vT9xQ2mWz7LpB port=5432", &key);
//! assert_eq!(findings.len(), 1);
//! assert!(text.starts_with("DB_PASSWORD=secret_value_") && text.ends_with(" port=5432"));
//! ```

#![forbid(unsafe_code)]

mod assign;
mod check;
#[cfg(feature = "sample")]
mod class;
mod conceal;
mod document;
mod encoded;
mod exact;
mod generic;
mod gram;
mod known;
mod names;
mod pattern;
mod placeholder;
mod prefilter;
pub mod rarity;
mod redact;
#[cfg(feature = "sample")]
pub mod sample;
mod scan;
mod shape;
mod stream;
mod tables;
mod tag;
mod terminal;
mod wrapped;

pub use conceal::{conceal, is_plain, is_plain_after};
pub use exact::Exact;
pub use known::{Known, SHORTEST};
pub use pattern::{PatternError, Patterns};
pub use redact::{Redactor, redact};
pub use scan::{Encoding, Finding, Scanner, count_candidates, scan};
pub use stream::Stream;
pub use tables::{Class, Kind};
pub use tag::{Key, is_tag, tags};
