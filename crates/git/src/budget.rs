//! Limits the work for one question.

use crate::Objection;
use std::{
    cell::Cell,
    time::{Duration, Instant},
};

/// The maximum number of entries of the index, of directories and of trees.
const ENTRIES: usize = 20_000;
/// The maximum time.
const TIME: Duration = Duration::from_millis(30);
/// The clock is read once for so many steps.
const STEPS: usize = 64;

/// The remaining entries and time.
pub(crate) struct Budget {
    entries: Cell<usize>,
    short: Cell<usize>,
    started: Instant,
    most: usize,
    time: Duration,
}

impl Budget {
    pub(crate) fn new() -> Self {
        Self::of(ENTRIES, TIME)
    }

    /// A budget for a caller that waits longer than a judge may.
    pub(crate) fn of(most: usize, time: Duration) -> Self {
        Self { entries: Cell::new(0), short: Cell::new(0), started: Instant::now(), most, time }
    }

    /// Counts one entry.
    pub(crate) fn step(&self) -> Result<(), Objection> {
        let taken = self.entries.get() + 1;
        self.entries.set(taken);
        if taken > self.most {
            return Err(Objection::unknown("there are too many files"));
        }
        if taken.is_multiple_of(STEPS) && self.started.elapsed() > self.time {
            return Err(Objection::unknown("it takes too long"));
        }
        Ok(())
    }

    /// Counts a step that is much shorter than an entry: only the clock is looked at.
    pub(crate) fn step_some(&self) -> Result<(), Objection> {
        let taken = self.short.get() + 1;
        self.short.set(taken);
        if taken.is_multiple_of(STEPS * 16) && self.started.elapsed() > self.time {
            return Err(Objection::unknown("it takes too long"));
        }
        Ok(())
    }

    /// Refuses a list that is too long before it is read.
    pub(crate) fn allows(&self, entries: usize) -> Result<(), Objection> {
        if entries > self.most { Err(Objection::unknown("there are too many files")) } else { Ok(()) }
    }
}
