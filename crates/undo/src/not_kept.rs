//! The reasons why something is not kept.

use rustix::io::Errno;
use std::{fmt, io, path::PathBuf};

/// The reason why something was not kept.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotKept {
    /// There are more files than a record may have.
    TooMany,
    /// There are more bytes than a record may have.
    TooMuch,
    /// It takes longer than a record may take.
    TooSlow,
    /// A file changed while it was copied.
    Changed,
    /// The store is full, and nothing in it may be removed yet.
    Full,
    /// The caller refused one of the files.
    Refused(PathBuf, &'static str),
    /// A file is of a kind that cannot be copied.
    Unsupported(PathBuf),
    /// A file could not be read or written.
    Io(io::Error),
}

impl fmt::Display for NotKept {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany => formatter.write_str("there are too many files"),
            Self::TooMuch => formatter.write_str("there are too many bytes"),
            Self::TooSlow => formatter.write_str("it takes too long"),
            Self::Changed => formatter.write_str("a file changed while it was copied"),
            Self::Full => formatter.write_str("the store is full"),
            Self::Refused(path, why) => write!(formatter, "`{}` {why}", path.display()),
            Self::Unsupported(path) => write!(formatter, "`{}` cannot be copied", path.display()),
            Self::Io(error) => write!(formatter, "{error}"),
        }
    }
}

impl std::error::Error for NotKept {}

impl From<io::Error> for NotKept {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Errno> for NotKept {
    fn from(error: Errno) -> Self {
        Self::Io(error.into())
    }
}
