//! The ordered list of hooks, and the dispatch of one event through it.
//!
//! The section "The pass" of `ARCHITECTURE.md` specifies how answers are merged. Property tests compare this module
//! with a second, naive implementation.

mod late;
mod stepwise;

pub use stepwise::Stepwise;

use crate::{
    Change, Deadline, Decision, Entry, EventName, Failure, Outcome, Payload, Role, Verdict,
    event::Class,
    hook::EventClock,
    outcome::{Step, Stop},
    sanitize::prose_of,
};
use late::Moment;
use std::{
    any::Any,
    iter, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

/// An ordered list of hooks. It is cheap to clone and to share between threads.
///
/// [`dispatch`](Self::dispatch) never fails: a failing hook becomes part of the outcome.
#[derive(Clone, Debug, Default)]
pub struct Dispatcher {
    entries: Arc<Vec<Entry>>,
    timed: bool,
    retries: Retries,
}

/// The number of times a failed call may be retried.
#[derive(Clone, Copy, Debug)]
struct Retries(u32);

impl Default for Retries {
    fn default() -> Self {
        Self(1)
    }
}

impl Dispatcher {
    /// The maximum for [`with_retries`](Self::with_retries).
    pub const MOST_RETRIES: u32 = 3;

    /// Creates a dispatcher without hooks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Records how long each step of the trail took.
    #[must_use]
    pub const fn timed(mut self, timed: bool) -> Self {
        self.timed = timed;
        self
    }

    /// Returns true if the trail has the time of each step.
    pub const fn is_timed(&self) -> bool {
        self.timed
    }

    /// Sets how often a failed call may be retried: once by default, at most three times.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = Retries(retries.min(Self::MOST_RETRIES));
        self
    }

    /// Appends a hook. Existing clones keep their list.
    pub fn add(&mut self, entry: Entry) {
        Arc::make_mut(&mut self.entries).push(entry);
    }

    /// Removes every hook with this name and returns how many there were.
    pub fn remove(&mut self, name: &str) -> usize {
        let before = self.entries.len();
        Arc::make_mut(&mut self.entries).retain(|entry| entry.hook.name() != name);
        before - self.entries.len()
    }

    /// Returns the hooks, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Calls every hook that the event concerns and merges their answers.
    pub fn dispatch(&self, payload: Payload) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, None, Trail::Full);
        self.observe(&mut outcome);
        outcome
    }

    /// Calls all hooks except the observers: the first part of [`dispatch`](Self::dispatch), for a caller that
    /// answers the host before the observers start.
    pub fn decide(&self, payload: Payload) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, None, Trail::Full);
        outcome
    }

    /// Works like [`decide`](Self::decide), and leaves judges without an opinion out of the trail, for a caller that does
    /// not show it: recording a step takes longer than calling such a hook.
    pub fn decide_briefly(&self, payload: Payload) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, None, Trail::Brief);
        outcome
    }

    /// Works like [`decide`](Self::decide) for a caller that may give up: once `abandoned` is set, hooks that wait
    /// for something fail at once and leave no process behind.
    pub fn decide_unless(&self, payload: Payload, abandoned: &AtomicBool) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, Some(abandoned), Trail::Full);
        outcome
    }

    /// Calls judges and plain hooks once more on an input that they judged before, because the world that they look at
    /// may have changed since. `which` selects them by their index. Nothing is edited: a plain hook that would change
    /// the input now asks the user.
    pub fn judge_again(
        &self,
        payload: Payload,
        abandoned: &AtomicBool,
        which: impl Fn(usize, &Entry) -> bool,
    ) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        let mut pass = Pass::new(self, &mut outcome, Some(abandoned));
        for (index, entry) in self.entries.iter().enumerate() {
            let judges = matches!(entry.role, Role::Plain | Role::Judge);
            if judges && which(index, entry) && pass.concerns(entry) {
                pass.hear(index, entry, Turn::Again);
            }
        }
        pass.finish();
        outcome
    }

    /// Shows the outcome to the observers: the second part of [`dispatch`](Self::dispatch).
    pub fn observe(&self, outcome: &mut Outcome) {
        let name = outcome.payload.name();
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.role != Role::Observe || !entry.matches(name, outcome.payload.event.call()) {
                continue;
            }
            let deadline = Deadline::after(entry.timeout);
            let watched = guarded(|| entry.hook.observe(outcome, deadline));
            let mut step = Step::new(index, entry);
            step.failure = watched.err();
            outcome.push(step);
        }
    }
}

/// Calls a hook and turns a panic into a failure of that hook.
fn guarded<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // The hook only borrows the payload, so a panic can leave broken state only in the hook itself.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(Failure::Panicked(panic_text(&*panic))))
}

/// Returns an answer that is not silence. Moving and dropping a verdict takes longer than calling a hook without an
/// opinion, so a silent one is neither moved nor dropped: it owns nothing.
fn unless_silent(answer: Result<Verdict, Failure>) -> Result<Option<Box<Verdict>>, Failure> {
    if answer.as_ref().is_ok_and(is_silence) {
        mem::forget(answer);
        return Ok(None);
    }
    answer.map(|verdict| Some(Box::new(verdict)))
}

/// Returns true for a verdict that says nothing and owns no memory.
const fn is_silence(verdict: &Verdict) -> bool {
    let Verdict { decision, reason, edit, context, notice, stop, retry, result } = verdict;
    matches!(decision, Decision::Abstain)
        && reason.is_none()
        && edit.is_none()
        && context.capacity() == 0
        && notice.is_none()
        && stop.is_none()
        && retry.is_none()
        && result.is_none()
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// The dispatch of one event.
struct Pass<'a> {
    dispatcher: &'a Dispatcher,
    outcome: &'a mut Outcome,
    /// The name of the event, which no edit changes.
    name: EventName,
    clock: EventClock,
    /// The time of the hooks of the highest rank; no other hook can use it up.
    first_clock: EventClock,
    /// Counts the changes to what would run.
    revision: u32,
    /// The revision that was last allowed.
    allowed: Option<u32>,
    /// The number of steps in the trail before the one that last changed what would run.
    before_change: usize,
    /// Set when the caller stops waiting for the outcome.
    abandoned: Option<&'a AtomicBool>,
    /// The time at which the previous hook answered, if that was read.
    now: Option<Moment>,
    trail: Trail,
}

/// The steps that a pass records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trail {
    /// All.
    Full,
    /// All but those of judges without an opinion. Nothing else in a pass depends on these.
    Brief,
}

/// The two rounds of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Editors and plain hooks.
    Edit,
    /// Judges, and plain hooks that have not seen the final input.
    Judge,
}

/// Tells a first call of a hook from a repeated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    First,
    Again,
}

impl<'a> Pass<'a> {
    /// Fills in the outcome in place: it is large, and moving it costs as much as calling a hook.
    fn run(
        dispatcher: &'a Dispatcher,
        outcome: &'a mut Outcome,
        abandoned: Option<&'a AtomicBool>,
        trail: Trail,
    ) {
        let mut pass = Self::new(dispatcher, outcome, abandoned);
        pass.trail = trail;
        pass.call_all(Phase::Edit);
        pass.call_all(Phase::Judge);
        pass.finish();
    }

    fn new(dispatcher: &'a Dispatcher, outcome: &'a mut Outcome, abandoned: Option<&'a AtomicBool>) -> Self {
        let name = outcome.payload.name();
        let budget = name.budget();
        let (clock, first_clock) = (EventClock::new(budget), EventClock::new(budget));
        Self {
            dispatcher,
            outcome,
            name,
            clock,
            first_clock,
            revision: 0,
            allowed: None,
            before_change: 0,
            abandoned,
            now: None,
            trail: Trail::Full,
        }
    }

    /// Calls the hooks of a round, in order.
    fn call_all(&mut self, phase: Phase) {
        for (index, entry) in self.dispatcher.entries.iter().enumerate() {
            if entry.event == self.name
                && let Some(turn) = self.turn(phase, index, entry)
            {
                self.hear(index, entry, turn);
            }
        }
    }

    /// Returns if a hook is called in a round, and if that is its first call.
    fn turn(&self, phase: Phase, index: usize, entry: &Entry) -> Option<Turn> {
        // Judges change nothing: a hook that saw the input before them saw the final one, unless an editor changed
        // it.
        let changed = || self.revision > 0 && !self.is_settled();
        match (phase, entry.role) {
            (Phase::Edit, Role::Plain | Role::Edit) | (Phase::Judge, Role::Judge) => {
                self.concerns(entry).then_some(Turn::First)
            }
            // A plain hook that rewrote the input is an editor.
            (Phase::Judge, Role::Plain) => {
                let outdated = changed()
                    && (self.saw_something_else(index) || self.was_overruled_from_below(index, entry));
                outdated.then_some(Turn::Again)
            }
            (Phase::Judge, Role::Edit) => {
                (changed() && self.was_overruled_from_below(index, entry)).then_some(Turn::Again)
            }
            (Phase::Edit, Role::Judge) | (_, Role::Observe) => None,
        }
    }

    fn concerns(&self, entry: &Entry) -> bool {
        !self.is_settled() && entry.matches(self.name, self.outcome.payload.event.call())
    }

    /// Returns true if the event is denied and no further answer could make it stricter.
    fn is_settled(&self) -> bool {
        self.outcome.decision == Decision::Deny && self.name.is_preventable()
    }

    /// Returns true if the plain hook at `index` did not rewrite (or failed) and a later hook changed what would
    /// run.
    fn saw_something_else(&self, index: usize) -> bool {
        let mut earlier = self.outcome.trail.iter().take(self.before_change);
        earlier.any(|step| step.index == index && !step.again && step.change.is_none())
    }

    /// Returns true if a hook of lower authority changed what would run after the editor at `index` had seen it.
    fn was_overruled_from_below(&self, index: usize, entry: &Entry) -> bool {
        let rank = |step: &Step| self.dispatcher.entries.get(step.index).map_or(u8::MAX, |entry| entry.rank);
        let mut steps = self.outcome.trail.iter().skip_while(|step| step.index != index).skip(1);
        steps.any(|step| {
            matches!(step.change, Some(Change::Input(_) | Change::Prompt)) && rank(step) > entry.rank
        })
    }

    const fn clock_of(&self, entry: &Entry) -> &EventClock {
        if entry.rank == 0 { &self.first_clock } else { &self.clock }
    }

    /// Calls one hook and merges its answer.
    ///
    /// Most hooks have no opinion on most events, so silence is detected without moving the verdict: moving a
    /// verdict or a step takes longer than calling such a hook.
    fn hear(&mut self, index: usize, entry: &Entry, turn: Turn) {
        let started = self.dispatcher.timed.then(Instant::now);
        let begun = entry.in_process.then(|| Moment::or_now(self.now.take(), entry.timeout));
        let answer = guarded(|| {
            let deadline = self.clock_of(entry).deadline(entry.timeout).unless(self.abandoned);
            unless_silent(entry.hook.call(&self.outcome.payload, deadline))
        });
        let answer = if self.is_late(entry, begun) && answer.is_ok() {
            // Whatever it says, it says it too late.
            Err(Failure::TimedOut { after: entry.timeout })
        } else {
            answer
        };
        let elapsed = started.map(|started| started.elapsed());
        let step = || {
            let mut step = Step::new(index, entry);
            step.elapsed = elapsed;
            step.again = turn == Turn::Again;
            step
        };
        let is_left_out = self.trail == Trail::Brief && entry.role == Role::Judge;
        if is_left_out && matches!(answer, Ok(None)) {
            return;
        }
        if self.outcome.trail.is_empty() {
            // Cheaper than `reserve`, which has to expect that there is something to move.
            self.outcome.trail = Vec::with_capacity(self.dispatcher.entries.len());
        }
        match answer {
            // Written in place, which `push` does not guarantee.
            Ok(None) => self.outcome.trail.extend(iter::once_with(step)),
            Ok(Some(verdict)) => self.heard(Ok(*verdict), entry, turn, step()),
            Err(failure) => self.heard(Err(failure), entry, turn, step()),
        }
    }

    /// Returns true if a function of the application took longer than it may. Such a function cannot be interrupted;
    /// every other hook gives up at its deadline by itself, and reading the clock takes longer than most hooks.
    fn is_late(&mut self, entry: &Entry, begun: Option<Moment>) -> bool {
        self.now = begun.map(|_| Moment::now(entry.timeout));
        begun.zip(self.now).is_some_and(|(begun, now)| now.is_later_than(begun, entry.timeout))
    }

    /// Merges an answer that is not silent.
    #[cold]
    fn heard(&mut self, answer: Result<Verdict, Failure>, entry: &Entry, turn: Turn, mut step: Step) {
        // A denial with an edit that is not allowed is still a denial.
        let objection = match &answer {
            Ok(Verdict { decision: decision @ (Decision::Ask | Decision::Deny), .. }) => *decision,
            Ok(_) | Err(_) => Decision::Abstain,
        };
        match answer.and_then(|verdict| self.admissible(verdict, entry, turn)) {
            Ok(verdict) => self.merge(verdict, entry, &mut step),
            Err(failure) => {
                step.decision = entry.failure_rule().decision().max(objection);
                if step.decision != Decision::Abstain {
                    step.reason = Some(failure.reason(self.name));
                }
                step.failure = Some(failure);
            }
        }
        self.outcome.decision = self.outcome.decision.max(step.decision);
        self.outcome.push(step);
    }

    /// Turns an edit that is not allowed into a failure, or into a question where two hooks disagree.
    fn admissible(&self, mut verdict: Verdict, entry: &Entry, turn: Turn) -> Result<Verdict, Failure> {
        if verdict.edit.is_none() && verdict.result.is_none() {
            return Ok(verdict);
        }
        if entry.role == Role::Judge {
            return Err(Failure::EditNotAllowed("a judge cannot rewrite; its role must be `edit`".into()));
        }
        if verdict.result.is_some() && self.name.class() != Class::Result {
            let name = self.name;
            return Err(Failure::EditNotAllowed(format!("`{name}` has no tool result")));
        }
        let Some(edit) = &verdict.edit else { return Ok(verdict) };
        if !edit.fits(&self.outcome.payload.event) {
            let name = self.name;
            return Err(Failure::EditNotAllowed(format!("`{name}` has nothing that this edit could change")));
        }
        if turn == Turn::Again {
            let mut event = self.outcome.payload.event.clone();
            if verdict.edit.take().and_then(|edit| edit.apply(&mut event)).is_some() {
                verdict.decision = verdict.decision.max(Decision::Ask);
                verdict.reason = Some(match verdict.reason {
                    Some(reason) => format!("would overwrite the edit of a later hook: {reason}"),
                    None => "would overwrite the edit of a later hook".to_owned(),
                });
            }
        }
        Ok(verdict)
    }

    fn merge(&mut self, verdict: Verdict, entry: &Entry, step: &mut Step) {
        let Verdict { decision, reason, edit, context, notice, stop, retry, result } = verdict;
        // A call that will not run needs no edit.
        let prevented = decision == Decision::Deny && self.name.is_preventable();
        if !prevented {
            step.change = edit.and_then(|edit| edit.apply(&mut self.outcome.payload.event));
        }
        match step.change {
            Some(Change::Input(_) | Change::Prompt) => {
                self.revision += 1;
                self.before_change = self.outcome.trail.len();
            }
            Some(Change::Output) | None => {}
        }
        step.decision = match decision {
            Decision::Allow if entry.may_allow => {
                self.allowed = Some(self.revision);
                // Counted at the end, if nothing changed after it.
                Decision::Allow
            }
            // "No objection" is not a permission.
            Decision::Allow => Decision::Abstain,
            other => other,
        };
        step.reason = reason.filter(|reason| !reason.trim().is_empty());
        step.context = context;
        step.notice = notice;
        if let Some(reason) = stop {
            let stop = || Stop { hook: entry.name.clone(), reason: prose_of(reason) };
            self.outcome.stop.get_or_insert_with(stop);
        }
        if matches!(self.name, EventName::PostToolUseFailure | EventName::PermissionDenied) {
            self.outcome.retry = self.outcome.retry.take().or(retry);
        }
        self.outcome.result = result.or(self.outcome.result);
    }

    fn finish(self) {
        let outcome = self.outcome;
        if outcome.decision == Decision::Allow && self.allowed != Some(self.revision) {
            outcome.decision = Decision::Abstain;
        }
        if outcome.decision == Decision::Deny || outcome.payload.attempt > self.dispatcher.retries.0 {
            outcome.retry = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Event, Hook};
    use std::{sync::Mutex, time::Duration};

    /// A hook that uses up the time of the event, or reports how much time it was given.
    struct Timed {
        sleeps: bool,
        given: Arc<Mutex<Vec<Duration>>>,
    }

    impl Hook for Timed {
        fn name(&self) -> &str {
            "timed"
        }

        fn call(&self, _: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
            let end = deadline.start();
            let left = end.saturating_duration_since(Instant::now());
            if self.sleeps {
                std::thread::sleep(left);
            }
            self.given.lock().unwrap().push(left);
            Ok(Verdict::abstain())
        }
    }

    #[test]
    fn a_timed_trail_has_the_duration_of_each_step() {
        let slow = crate::hook_fn("slow", |_: &Payload| {
            std::thread::sleep(Duration::from_millis(20));
            Verdict::abstain()
        });
        let mut hooks = Dispatcher::new();
        hooks.add(Entry::new(EventName::SessionStart, slow));
        let elapsed = |hooks: &Dispatcher| {
            hooks.decide(Payload::new(Event::Other(EventName::SessionStart))).trail[0].elapsed
        };
        assert_eq!(elapsed(&hooks), None);
        assert!(elapsed(&hooks.timed(true)) >= Some(Duration::from_millis(20)));
    }

    #[test]
    fn the_highest_rank_has_its_own_time() {
        let given = Arc::new(Mutex::new(Vec::new()));
        let mut hooks = Dispatcher::new();
        for (rank, sleeps) in [(1, true), (1, false), (0, false)] {
            let hook = Timed { sleeps, given: given.clone() };
            // The event with the shortest budget.
            hooks.add(Entry::new(EventName::SessionEnd, hook).with_rank(rank));
        }
        hooks.decide(Payload::new(Event::Other(EventName::SessionEnd)));
        let given = given.lock().unwrap();
        assert!(given[1] < Duration::from_millis(500), "{given:?}");
        assert!(given[2] > Duration::from_millis(500), "{given:?}");
    }
}
