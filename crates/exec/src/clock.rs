//! One deadline over everything that a hook does: start, write, read, exit.

use checkrein_core::{Deadline, Failure};
use rustix::event::Timespec;
use std::time::{Duration, Instant};

/// A deadline whose time is running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    end: Instant,
    /// The time that there was at the start, for the message.
    had: Duration,
}

impl Clock {
    pub(crate) fn start(deadline: Deadline) -> Self {
        let now = Instant::now();
        let end = deadline.start();
        Self { end, had: end.saturating_duration_since(now).min(deadline.limit()) }
    }

    /// The time that is left, or the failure that there is none.
    pub(crate) fn left(self) -> Result<Duration, Failure> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(Failure::TimedOut { after: self.had }) } else { Ok(left) }
    }
}

/// A time to wait, in the form that the system takes.
pub(crate) fn timespec(time: Duration) -> Timespec {
    // Nobody waits for so long at a time; the caller looks at the clock and waits again.
    const MOST: Timespec = Timespec { tv_sec: 3600, tv_nsec: 0 };
    Timespec::try_from(time).map_or(MOST, |time| if time.tv_sec < MOST.tv_sec { time } else { MOST })
}
