//! A clock that is cheap enough to be read after every hook.
//!
//! A hook in our own process cannot be interrupted, so the dispatcher checks afterwards if it kept its timeout. Reading
//! the precise clock takes longer than most hooks; the kernel's coarse clock takes a few nanoseconds and advances every
//! few milliseconds, which is enough to tell a hook that hung from one that did not.

use std::time::Duration;
#[cfg(not(target_os = "linux"))]
use std::time::Instant;

/// A moment, with an error of at most [`ERROR`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tick(Moment);

/// The longest interval between two advances of the coarse clock (a kernel with 100 ticks per second).
const ERROR: Duration = Duration::from_millis(10);

#[cfg(target_os = "linux")]
type Moment = Duration;

#[cfg(not(target_os = "linux"))]
type Moment = Instant;

impl Tick {
    #[cfg(target_os = "linux")]
    pub(crate) fn now() -> Self {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
        Self(Duration::try_from(time).unwrap_or_default())
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn now() -> Self {
        Self(Instant::now())
    }

    /// Returns the timeout if more than that has certainly passed since `before`.
    #[cfg(target_os = "linux")]
    pub(crate) fn certainly_after(self, before: Self, timeout: Duration) -> Option<Duration> {
        late(self.0.saturating_sub(before.0), timeout)
    }

    /// Returns the timeout if more than that has certainly passed since `before`.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn certainly_after(self, before: Self, timeout: Duration) -> Option<Duration> {
        late(self.0.saturating_duration_since(before.0), timeout)
    }
}

fn late(passed: Duration, timeout: Duration) -> Option<Duration> {
    (passed > timeout.saturating_add(ERROR)).then_some(timeout)
}
