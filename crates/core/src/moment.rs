//! Moments between which a function of the application runs.
//!
//! Such a function cannot be interrupted, so the clock is read around each of them; and reading the exact clock takes as long as
//! most of them. A timeout of a second needs no nanoseconds: the kernel's coarse clock takes a fraction of the time, and is at most
//! a tick behind (10 ms at worst).

use std::time::{Duration, Instant};

/// Timeouts from here on are measured by the coarse clock, where there is one.
const COARSE: Duration = Duration::from_millis(500);

/// A moment of one of two clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment {
    Exact(Instant),
    Coarse(Duration),
}

impl Moment {
    /// Returns the present moment by the clock that a timeout needs.
    pub(crate) fn now(timeout: Duration) -> Self {
        if is_coarse(timeout) { Self::Coarse(coarse()) } else { Self::Exact(Instant::now()) }
    }

    /// Returns whether it is a moment of the clock that a timeout needs.
    pub(crate) fn fits(self, timeout: Duration) -> bool {
        matches!(self, Self::Coarse(_)) == is_coarse(timeout)
    }

    /// Returns the time from an earlier moment of the same clock.
    pub(crate) fn since(self, earlier: Self) -> Duration {
        match (self, earlier) {
            (Self::Exact(now), Self::Exact(earlier)) => now.saturating_duration_since(earlier),
            (Self::Coarse(now), Self::Coarse(earlier)) => now.saturating_sub(earlier),
            // Two clocks cannot be compared. Nothing does; if something did, its hook would count as late.
            (Self::Exact(_), Self::Coarse(_)) | (Self::Coarse(_), Self::Exact(_)) => Duration::MAX,
        }
    }
}

fn is_coarse(timeout: Duration) -> bool {
    cfg!(target_os = "linux") && timeout >= COARSE
}

#[cfg(target_os = "linux")]
fn coarse() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
    let (seconds, nanoseconds) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanoseconds.unwrap_or_default())
}

#[cfg(not(target_os = "linux"))]
fn coarse() -> Duration {
    Duration::ZERO
}
