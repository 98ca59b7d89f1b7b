//! Reads the event from stdin, with a size limit and a timeout.
//!
//! Most events are ready immediately. The clock is read only if one is not: the first read maps the
//! kernel's page for it, which takes longer than reading an event.

use rustix::{
    buffer::spare_capacity,
    event::{PollFd, PollFlags, Timespec, poll},
    io::{Errno, read},
    stdio::stdin,
    termios::isatty,
};
use std::time::{Duration, Instant};

/// The largest event. As a tree it takes many times that, so a larger one is refused by its size.
pub(crate) const LIMIT: usize = 16 * 1024 * 1024;

/// The size of the first read.
const FIRST: usize = 4 * 1024;

/// The time that a host may take to write it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// An event that could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// More than [`LIMIT`].
    TooLarge,
    /// Not finished within [`PATIENCE`].
    TooSlow,
    /// The system reported an error.
    Failed(Errno),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the event on stdin is larger than {} MiB", LIMIT / 1024 / 1024),
            Self::TooSlow => write!(f, "the event on stdin did not end within {} s", PATIENCE.as_secs()),
            Self::Failed(error) => write!(f, "cannot read the event from stdin: {error}"),
        }
    }
}

/// Reads all of stdin.
pub(crate) fn read_all() -> Result<Vec<u8>, ReadError> {
    let stdin = stdin();
    // Most events fit, and later allocations are next to it in memory.
    let mut event = Vec::with_capacity(FIRST);
    let mut end = None;
    loop {
        match is_ready(&mut end) {
            Ok(true) => {}
            Ok(false) => return Err(ReadError::TooSlow),
            Err(Errno::INTR) => continue,
            Err(error) => return Err(ReadError::Failed(error)),
        }
        if event.len() == event.capacity() {
            event.reserve(3 * event.len());
        }
        match read(stdin, spare_capacity(&mut event)) {
            Ok(0) => return Ok(event),
            Ok(_) => {}
            Err(Errno::INTR | Errno::AGAIN) => continue,
            Err(error) => return Err(ReadError::Failed(error)),
        }
        if event.len() > LIMIT {
            return Err(ReadError::TooLarge);
        }
    }
}

/// Waits until there is something to read, or `end` is reached. The time counts from the first wait.
fn is_ready(end: &mut Option<Instant>) -> Result<bool, Errno> {
    let stdin = stdin();
    let mut wanted = [PollFd::new(&stdin, PollFlags::IN)];
    if poll(&mut wanted, Some(&Timespec::default()))? > 0 {
        return Ok(true);
    }
    let end = *end.get_or_insert_with(|| {
        if isatty(stdin) {
            // A user tries the command.
            crate::term::err!(
                "checkrein: waiting {} s for an event as JSON on stdin. Agents run this command; to try a command line, use \
                 `checkrein check`.",
                PATIENCE.as_secs()
            );
        }
        Instant::now() + PATIENCE
    });
    let left = Timespec::try_from(end.saturating_duration_since(Instant::now())).unwrap_or_default();
    Ok(poll(&mut wanted, Some(&left))? > 0)
}
