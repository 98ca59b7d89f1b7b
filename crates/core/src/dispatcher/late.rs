//! Tells if a function of the application answered too late.
//!
//! Such a function cannot be interrupted, so the clock is read after each. The precise clock takes longer than most of these
//! functions; a limit that is long enough is checked with the coarse clock of the system, which advances every few
//! milliseconds.

use std::time::{Duration, Instant};

/// The shortest limit that the coarse clock is good enough for.
const COARSE_FROM: Duration = Duration::from_millis(250);

/// A point in time, on the clock that a limit is checked with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moment {
    Precise(Instant),
    Coarse(Duration),
}

impl Moment {
    /// Returns the current moment on the clock for `limit`.
    pub(super) fn now(limit: Duration) -> Self {
        let coarse = if limit < COARSE_FROM { None } else { coarse() };
        coarse.map_or_else(|| Self::Precise(Instant::now()), Self::Coarse)
    }

    /// Returns this moment if it is on the clock for `limit`, or else the current one.
    pub(super) fn or_now(earlier: Option<Self>, limit: Duration) -> Self {
        match earlier {
            Some(Self::Coarse(moment)) if limit >= COARSE_FROM => Self::Coarse(moment),
            Some(Self::Precise(moment)) if limit < COARSE_FROM => Self::Precise(moment),
            Some(_) | None => Self::now(limit),
        }
    }

    /// Returns true if more than `limit` has passed since the earlier moment.
    pub(super) fn is_later_than(self, earlier: Self, limit: Duration) -> bool {
        match (self, earlier) {
            (Self::Precise(now), Self::Precise(begun)) => now.saturating_duration_since(begun) > limit,
            (Self::Coarse(now), Self::Coarse(begun)) => now.saturating_sub(begun) > limit,
            // The clock of a limit does not change.
            (Self::Precise(_), Self::Coarse(_)) | (Self::Coarse(_), Self::Precise(_)) => false,
        }
    }
}

#[cfg(target_os = "linux")]
fn coarse() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::MonotonicCoarse);
    Some(Duration::new(now.tv_sec.try_into().ok()?, now.tv_nsec.try_into().ok()?))
}

#[cfg(not(target_os = "linux"))]
const fn coarse() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_clocks_see_an_answer_that_is_late() {
        for limit in [Duration::from_millis(5), COARSE_FROM] {
            let begun = Moment::now(limit);
            assert!(!Moment::or_now(Some(begun), limit).is_later_than(begun, limit), "{limit:?}");
            std::thread::sleep(limit + Duration::from_millis(20));
            let now = Moment::now(limit);
            assert!(now.is_later_than(begun, limit), "{limit:?}: {begun:?} {now:?}");
        }
    }

    #[test]
    fn a_moment_of_the_other_clock_is_read_again() {
        let long = Moment::now(COARSE_FROM);
        assert!(matches!(Moment::or_now(Some(long), Duration::from_millis(1)), Moment::Precise(_)));
    }
}
