//! One deadline over everything that a hook does: start, write, read, exit.

use checkrein_core::{Deadline, Failure};
use rustix::event::Timespec;
use std::time::{Duration, Instant};

/// How often we look whether anybody still waits for the answer, if that can change.
const LOOK: Duration = Duration::from_millis(10);

/// A deadline whose time is running.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock<'a> {
    end: Instant,
    /// The time that there was at the start, for the message.
    had: Duration,
    deadline: Deadline<'a>,
}

impl<'a> Clock<'a> {
    pub(crate) fn start(deadline: Deadline<'a>) -> Self {
        let now = Instant::now();
        let end = deadline.start();
        Self { end, had: end.saturating_duration_since(now).min(deadline.limit()), deadline }
    }

    /// How long to wait before the clock is looked at again, or the failure that there is no time left.
    pub(crate) fn nap(self) -> Result<Duration, Failure> {
        let left = self.left()?;
        Ok(if self.deadline.abandonment().is_some() { left.min(LOOK) } else { left })
    }

    /// The time that is left, or the failure that there is none.
    pub(crate) fn left(self) -> Result<Duration, Failure> {
        if self.deadline.is_abandoned() {
            return Err(Failure::Abandoned);
        }
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
