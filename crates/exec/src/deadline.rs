//! One deadline over everything that a hook does: start, write, read, exit.

use checkrein_core::{Deadline, Failure};
use rustix::event::Timespec;
use std::time::{Duration, Instant};

/// The interval at which to check if the caller still waits.
const LOOK: Duration = Duration::from_millis(10);

/// A running deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock<'a> {
    end: Instant,
    /// The time at the start, for the message.
    had: Duration,
    deadline: Deadline<'a>,
}

impl<'a> Clock<'a> {
    pub(crate) fn start(deadline: Deadline<'a>) -> Self {
        let now = Instant::now();
        let end = deadline.start();
        Self { end, had: end.saturating_duration_since(now).min(deadline.limit()), deadline }
    }

    /// Returns how long to wait before checking again, or the failure that no time is left.
    pub(crate) fn nap(self) -> Result<Duration, Failure> {
        let left = self.left()?;
        Ok(if self.deadline.abandonment().is_some() { left.min(LOOK) } else { left })
    }

    /// Returns the remaining time, or the failure that there is none.
    pub(crate) fn left(self) -> Result<Duration, Failure> {
        if self.deadline.is_abandoned() {
            return Err(Failure::Abandoned);
        }
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(Failure::TimedOut { after: self.had }) } else { Ok(left) }
    }
}

/// Converts a duration for a system call.
pub(crate) fn timespec(time: Duration) -> Timespec {
    // A cap on a single wait; the caller checks the deadline and waits again.
    const MOST: Timespec = Timespec { tv_sec: 3600, tv_nsec: 0 };
    Timespec::try_from(time).map_or(MOST, |time| if time.tv_sec < MOST.tv_sec { time } else { MOST })
}
