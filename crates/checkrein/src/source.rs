//! Reads a configuration file, whatever it turns out to be.
//!
//! The path may name anything: a pipe that nobody writes to, a device, a directory, a gigabyte. Each is an error with
//! a text of its own, and none may block or fill the memory, because an agent waits for the answer.

use rustix::{
    fs::{FileType, Mode, OFlags},
    io::Errno,
};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// The most that a configuration may hold. A thousand hooks need a tenth of it.
pub(crate) const LIMIT: u64 = 4 * 1024 * 1024;

/// Why a file gave no text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("the configuration file does not exist")]
    Missing,
    #[error("expected a configuration file, found {0}")]
    NotAFile(&'static str),
    #[error("expected a configuration file, found symbolic links that lead in a circle")]
    Circle,
    #[error("the configuration file may not be read: permission denied")]
    Forbidden,
    #[error("the configuration file is larger than {} MiB", LIMIT / (1024 * 1024))]
    TooLarge,
    #[error("the configuration file cannot be read: {0}")]
    Other(io::Error),
}

/// The bytes of the regular file at `path`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    // Non-blocking, because to open a pipe waits for its other end; without a terminal, because to open one may
    // make it ours.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).map_err(unopened)?);
    // What was opened is asked, not what the path named a moment ago.
    let stat = rustix::fs::fstat(&file).map_err(unopened)?;
    if let Some(other) = other_kind(FileType::from_raw_mode(stat.st_mode)) {
        return Err(Unreadable::NotAFile(other));
    }
    // The size is a hint, no more: a file can grow while it is read, and some state none at all.
    let hint = u64::try_from(stat.st_size).unwrap_or(0).min(LIMIT);
    let mut bytes = Vec::with_capacity(usize::try_from(hint).unwrap_or(0) + 1);
    file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(Unreadable::Other)?;
    if bytes.len() as u64 > LIMIT { Err(Unreadable::TooLarge) } else { Ok(bytes) }
}

fn unopened(error: Errno) -> Unreadable {
    match error {
        Errno::NOENT | Errno::NOTDIR => Unreadable::Missing,
        Errno::ACCESS | Errno::PERM => Unreadable::Forbidden,
        Errno::LOOP => Unreadable::Circle,
        // What `open` says to a socket.
        Errno::NXIO => Unreadable::NotAFile("a socket or a device without a driver"),
        error => Unreadable::Other(error.into()),
    }
}

/// What it is instead of a regular file.
const fn other_kind(kind: FileType) -> Option<&'static str> {
    match kind {
        FileType::RegularFile => None,
        FileType::Directory => Some("a directory"),
        FileType::Fifo => Some("a FIFO"),
        FileType::Socket => Some("a socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Some("a device"),
        FileType::Symlink | FileType::Unknown => Some("something else"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_others_meet_has_a_text_too() {
        // A test that runs as root may read everything, so the mapping is tested by itself.
        for (error, text) in [
            (Errno::ACCESS, "the configuration file may not be read: permission denied"),
            (Errno::NOTDIR, "the configuration file does not exist"),
            (Errno::MFILE, "the configuration file cannot be read: Too many open files (os error 24)"),
        ] {
            assert_eq!(unopened(error).to_string(), text);
        }
    }
}
