//! Reads the event: once, bounded, and not for ever.

use rustix::{
    buffer::spare_capacity,
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, read},
};
use std::{
    io::stdin,
    os::fd::AsFd,
    time::{Duration, Instant},
};

/// The largest event that is read.
pub(crate) const LIMIT: usize = 64 * 1024 * 1024;

/// How much is read at first.
const FIRST: usize = 16 * 1024;

/// How long a host may take to write it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Why there is no event.
#[derive(Debug)]
pub(crate) enum Unread {
    /// More than [`LIMIT`].
    TooLarge,
    /// Not finished within [`PATIENCE`].
    TooSlow,
    /// The system says no.
    Failed(Errno),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the event on stdin is larger than {} MiB", LIMIT / 1024 / 1024),
            Self::TooSlow => write!(f, "the event on stdin did not end within {} s", PATIENCE.as_secs()),
            Self::Failed(error) => write!(f, "the event on stdin cannot be read: {error}"),
        }
    }
}

/// All of stdin.
pub(crate) fn read_all() -> Result<Vec<u8>, Unread> {
    let stdin = stdin();
    let end = Instant::now() + PATIENCE;
    // Most events fit, and a page that is not touched costs nothing.
    let mut event = Vec::with_capacity(FIRST);
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).unwrap_or_default();
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return Err(Unread::TooSlow),
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(error) => return Err(Unread::Failed(error)),
        }
        if event.len() == event.capacity() {
            event.reserve(event.len());
        }
        match read(stdin.as_fd(), spare_capacity(&mut event)) {
            Ok(0) => return Ok(event),
            Ok(_) => {}
            Err(Errno::INTR | Errno::AGAIN) => continue,
            Err(error) => return Err(Unread::Failed(error)),
        }
        if event.len() > LIMIT {
            return Err(Unread::TooLarge);
        }
    }
}
