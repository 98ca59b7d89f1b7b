//! A dispatch that stops before each hook, for a caller that must not wait inside one: an event loop calls its own
//! asynchronous hooks and hands in their answers.
//!
//! The rules are those of [`Dispatcher::dispatch`]; only the caller decides where and when a hook is called.

use super::{Dispatcher, Pass, Phase, Trail, Turn, guarded};
use crate::{Entry, Failure, Outcome, Payload, Role, Verdict, hook::EventClock, outcome::Step};
use std::{
    mem,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// A dispatch that stops before each hook. [`Dispatcher::stepwise`] starts one.
#[derive(Clone, Debug)]
pub struct Stepwise {
    dispatcher: Dispatcher,
    outcome: Outcome,
    clock: EventClock,
    first_clock: EventClock,
    revision: u32,
    allowed: Option<u32>,
    before_change: usize,
    abandoned: Arc<AtomicBool>,
    phase: Phase,
    /// The next entry to look at.
    next: usize,
    pending: Option<(usize, Turn)>,
}

impl Dispatcher {
    /// Starts a dispatch that stops before each hook. Once `abandoned` is set, hooks that wait for something fail at
    /// once.
    pub fn stepwise(&self, payload: Payload, abandoned: Arc<AtomicBool>) -> Stepwise {
        let budget = payload.name().budget();
        Stepwise {
            dispatcher: self.clone(),
            outcome: Outcome::new(payload, self.entries.clone()),
            clock: EventClock::new(budget),
            first_clock: EventClock::new(budget),
            revision: 0,
            allowed: None,
            before_change: 0,
            abandoned,
            phase: Phase::Edit,
            next: 0,
            pending: None,
        }
    }
}

impl Stepwise {
    /// Returns the hook whose turn it is and its index, or `None` after the last one. It stays the same until
    /// [`answer`](Self::answer).
    pub fn pending(&mut self) -> Option<(usize, &Entry)> {
        while self.pending.is_none() {
            let entries = self.dispatcher.entries.clone();
            let (phase, from) = (self.phase, self.next);
            let found = self.with_pass(|pass| {
                let mut rest = entries.iter().enumerate().skip(from);
                rest.find_map(|(index, entry)| Some((index, pass.turn(phase, index, entry)?)))
            });
            match (found, self.phase) {
                (Some((index, turn)), _) => {
                    self.next = index + 1;
                    self.pending = Some((index, turn));
                }
                (None, Phase::Edit) => (self.phase, self.next) = (Phase::Judge, 0),
                (None, Phase::Judge) => return None,
            }
        }
        let (index, _) = self.pending?;
        Some((index, self.dispatcher.entries.get(index)?))
    }

    /// Returns the judges after the pending one that will see the same input, unless one before them denies. They may
    /// be called at the same time; their answers are still handed in one after another.
    pub fn judges_to_come(&self) -> Vec<usize> {
        if self.phase == Phase::Edit {
            return Vec::new();
        }
        let (name, call) = (self.outcome.payload.name(), self.outcome.payload.event.call());
        let rest = self.dispatcher.entries.iter().enumerate().skip(self.next);
        rest.filter(|(_, entry)| entry.role == Role::Judge && entry.matches(name, call))
            .map(|(index, _)| index)
            .collect()
    }

    /// Returns the event as the pending hook sees it.
    pub const fn payload(&self) -> &Payload {
        &self.outcome.payload
    }

    /// Returns when a hook that starts now must give up, and its own limit.
    pub fn deadline(&mut self, index: usize) -> Option<(Instant, Duration)> {
        let entry = self.dispatcher.entries.get(index)?.clone();
        let end = self.with_pass(|pass| pass.clock_of(&entry).deadline(entry.timeout).start());
        Some((end, entry.timeout))
    }

    /// Calls the pending hook, or one of [`judges_to_come`](Self::judges_to_come), on this thread, and returns its
    /// answer and the time that it took. Nothing is merged before [`answer`](Self::answer).
    pub fn ask(&mut self, index: usize) -> (Result<Verdict, Failure>, Duration) {
        let entries = self.dispatcher.entries.clone();
        let Some(entry) = entries.get(index) else { return (Ok(Verdict::abstain()), Duration::ZERO) };
        let begun = Instant::now();
        let answer = self.with_pass(|pass| {
            let deadline = pass.clock_of(entry).deadline(entry.timeout).unless(pass.abandoned);
            guarded(|| entry.hook.call(&pass.outcome.payload, deadline))
        });
        let took = begun.elapsed();
        let late = entry.in_process && took > entry.timeout && answer.is_ok();
        (if late { Err(Failure::TimedOut { after: entry.timeout }) } else { answer }, took)
    }

    /// Hands in the answer of the pending hook.
    pub fn answer(&mut self, answer: Result<Verdict, Failure>, elapsed: Duration) {
        let Some((index, turn)) = self.pending.take() else { return };
        let entries = self.dispatcher.entries.clone();
        let Some(entry) = entries.get(index) else { return };
        let mut step = Step::new(index, entry);
        step.elapsed = self.dispatcher.timed.then_some(elapsed);
        step.again = turn == Turn::Again;
        self.with_pass(|pass| pass.heard(answer, entry, turn, step));
    }

    /// Returns the merged answer. Hooks that have not been called are not part of it.
    pub fn finish(mut self) -> Outcome {
        let (revision, allowed) = (self.revision, self.allowed);
        let dispatcher = mem::take(&mut self.dispatcher);
        let mut pass = Pass::new(&dispatcher, &mut self.outcome, None);
        (pass.revision, pass.allowed) = (revision, allowed);
        pass.finish();
        self.outcome
    }

    /// Continues the pass where it stopped.
    fn with_pass<T>(&mut self, work: impl FnOnce(&mut Pass<'_>) -> T) -> T {
        let mut pass = Pass {
            dispatcher: &self.dispatcher,
            name: self.outcome.payload.name(),
            outcome: &mut self.outcome,
            clock: self.clock.clone(),
            first_clock: self.first_clock.clone(),
            revision: self.revision,
            allowed: self.allowed,
            before_change: self.before_change,
            abandoned: Some(&self.abandoned),
            now: None,
            trail: Trail::Full,
        };
        let done = work(&mut pass);
        let Pass { clock, first_clock, revision, allowed, before_change, .. } = pass;
        (self.clock, self.first_clock) = (clock, first_clock);
        (self.revision, self.allowed, self.before_change) = (revision, allowed, before_change);
        done
    }
}
