//! The ordered list of hooks, and the pass of one event through it.
//!
//! The rules of merging are those of the page `ARCHITECTURE.md`, section "The pass". They are checked against a second,
//! naive implementation by property tests.

use crate::{
    Change, Deadline, Decision, Entry, EventName, Failure, Outcome, Payload, Role, Verdict,
    hook::EventClock,
    outcome::{Step, Stop},
    sanitize::prose_of,
};
use std::{
    any::Any,
    iter,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

/// Hooks in order. Cheap to clone and to share between threads.
///
/// [`dispatch`](Self::dispatch) is total: a hook can fail, a dispatch cannot.
#[derive(Clone, Debug, Default)]
pub struct Dispatcher {
    entries: Arc<Vec<Entry>>,
    timed: bool,
    retries: Retries,
}

/// How often a failed call may be tried again.
#[derive(Clone, Copy, Debug)]
struct Retries(u32);

impl Default for Retries {
    fn default() -> Self {
        Self(1)
    }
}

impl Dispatcher {
    /// The most retries that [`with_retries`](Self::with_retries) grants.
    pub const MOST_RETRIES: u32 = 3;

    /// No hooks.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, and every step of the trail is timed.
    #[must_use]
    pub const fn timed(mut self, timed: bool) -> Self {
        self.timed = timed;
        self
    }

    /// The same, and a failed call may be tried again this often: once by default, three times at most.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = Retries(retries.min(Self::MOST_RETRIES));
        self
    }

    /// Adds a hook at the end. Clones made before keep their list.
    pub fn add(&mut self, entry: Entry) {
        Arc::make_mut(&mut self.entries).push(entry);
    }

    /// Removes every hook of this name, and says how many there were.
    pub fn remove(&mut self, name: &str) -> usize {
        let before = self.entries.len();
        Arc::make_mut(&mut self.entries).retain(|entry| entry.hook.name() != name);
        before - self.entries.len()
    }

    /// The hooks, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Asks every hook that the event concerns, and merges what they say.
    pub fn dispatch(&self, payload: Payload) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, None);
        self.observe(&mut outcome);
        outcome
    }

    /// The first part of [`dispatch`](Self::dispatch): all but the observers. For a caller who wants to answer before
    /// they start.
    pub fn decide(&self, payload: Payload) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, None);
        outcome
    }

    /// The same for a caller who may give up: once `abandoned` is set, hooks that wait for something fail at once, and so
    /// leave no process behind.
    pub fn decide_unless(&self, payload: Payload, abandoned: &AtomicBool) -> Outcome {
        let mut outcome = Outcome::new(payload, self.entries.clone());
        Pass::run(self, &mut outcome, Some(abandoned));
        outcome
    }

    /// The second part of [`dispatch`](Self::dispatch): shows the outcome to the observers.
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

/// Calls into a hook; a panic in it is a failure of that hook and of nothing else.
fn guarded<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What the hook was shown is only borrowed, so a broken state can be in the hook alone.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|panic| Err(Failure::Panicked(panic_text(&*panic))))
}

fn is_silence(answer: &Result<Verdict, Failure>) -> bool {
    let Ok(Verdict { decision, reason, edit, context, notice, stop, retry }) = answer else { return false };
    *decision == Decision::Abstain
        && reason.is_none()
        && edit.is_none()
        && context.is_empty()
        && notice.is_none()
        && stop.is_none()
        && retry.is_none()
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// One event on its way through the hooks.
struct Pass<'a> {
    dispatcher: &'a Dispatcher,
    outcome: &'a mut Outcome,
    clock: EventClock,
    /// The time of the hooks of the highest rank, which no other hook can use up.
    first_clock: EventClock,
    /// Counts the changes of what would run.
    revision: u32,
    /// The revision that was last allowed.
    allowed: Option<u32>,
    /// How many steps were in the trail before the one that last changed what would run.
    before_change: usize,
    /// Set when nobody waits for the outcome any more.
    abandoned: Option<&'a AtomicBool>,
}

/// Whether a hook is asked for the first time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    First,
    Again,
}

impl<'a> Pass<'a> {
    /// Fills in a new outcome where it is: it is large, and to move it costs as much as to ask a hook.
    fn run(dispatcher: &'a Dispatcher, outcome: &'a mut Outcome, abandoned: Option<&'a AtomicBool>) {
        let budget = outcome.payload.name().budget();
        let (clock, first_clock) = (EventClock::new(budget), EventClock::new(budget));
        let mut pass = Self {
            dispatcher,
            outcome,
            clock,
            first_clock,
            revision: 0,
            allowed: None,
            before_change: 0,
            abandoned,
        };
        pass.edit();
        pass.judge();
        pass.finish();
    }

    /// Editors and plain hooks, in order.
    fn edit(&mut self) {
        for (index, entry) in self.dispatcher.entries.iter().enumerate() {
            if matches!(entry.role, Role::Plain | Role::Edit) && self.concerns(entry) {
                self.hear(index, entry, Turn::First);
            }
        }
    }

    /// Judges, and plain hooks that have not seen the final input, in order.
    fn judge(&mut self) {
        // Judges change nothing: who saw the input before them saw the final one, unless an editor changed it.
        let changed = self.revision > 0;
        for (index, entry) in self.dispatcher.entries.iter().enumerate() {
            match entry.role {
                Role::Judge if self.concerns(entry) => self.hear(index, entry, Turn::First),
                // A plain hook that rewrote is an editor.
                Role::Plain
                    if changed
                        && !self.is_settled()
                        && (self.saw_something_else(index)
                            || self.was_overruled_from_below(index, entry)) =>
                {
                    self.hear(index, entry, Turn::Again);
                }
                Role::Edit
                    if changed && !self.is_settled() && self.was_overruled_from_below(index, entry) =>
                {
                    self.hear(index, entry, Turn::Again);
                }
                _ => {}
            }
        }
    }

    fn concerns(&self, entry: &Entry) -> bool {
        !self.is_settled() && entry.matches(self.outcome.payload.name(), self.outcome.payload.event.call())
    }

    /// Denied, and nothing that is said now could make it stricter.
    fn is_settled(&self) -> bool {
        self.outcome.decision == Decision::Deny && self.outcome.payload.name().is_preventable()
    }

    /// Whether the plain hook at `index` did not rewrite, be it that it failed, and what would run was changed after it.
    fn saw_something_else(&self, index: usize) -> bool {
        let mut earlier = self.outcome.trail.iter().take(self.before_change);
        earlier.any(|step| step.index == index && !step.again && step.change.is_none())
    }

    /// Whether a hook of lower authority changed what would run after the editor at `index` had seen it.
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

    /// Asks one hook and merges its answer.
    ///
    /// Most hooks have nothing to say about most events, so silence is recognised where the hook wrote it: to move a
    /// verdict or a step takes longer than to ask such a hook.
    fn hear(&mut self, index: usize, entry: &Entry, turn: Turn) {
        let started = self.dispatcher.timed.then(Instant::now);
        let answer = guarded(|| {
            let deadline = self.clock_of(entry).deadline(entry.timeout).unless(self.abandoned);
            let answer = entry.hook.call(&self.outcome.payload, deadline);
            if is_silence(&answer) { Ok(None) } else { answer.map(|verdict| Some(Box::new(verdict))) }
        });
        let elapsed = started.map(|started| started.elapsed());
        let step = || {
            let mut step = Step::new(index, entry);
            step.elapsed = elapsed;
            step.again = turn == Turn::Again;
            step
        };
        if self.outcome.trail.is_empty() {
            self.outcome.trail.reserve(self.dispatcher.entries.len());
        }
        match answer {
            // Written in place, which `push` would not do.
            Ok(None) => self.outcome.trail.extend(iter::once_with(step)),
            Ok(Some(verdict)) => self.heard(Ok(*verdict), entry, turn, step()),
            Err(failure) => self.heard(Err(failure), entry, turn, step()),
        }
    }

    /// Merges an answer that is not silence.
    #[cold]
    fn heard(&mut self, answer: Result<Verdict, Failure>, entry: &Entry, turn: Turn, mut step: Step) {
        // A hook that objects and asks for the impossible still objects.
        let objection = match &answer {
            Ok(Verdict { decision: decision @ (Decision::Ask | Decision::Deny), .. }) => *decision,
            Ok(_) | Err(_) => Decision::Abstain,
        };
        match answer.and_then(|verdict| self.admissible(verdict, entry, turn)) {
            Ok(verdict) => self.merge(verdict, entry, &mut step),
            Err(failure) => {
                step.decision = entry.failure_rule().decision().max(objection);
                if step.decision != Decision::Abstain {
                    step.reason = Some(format!("the hook failed: {failure}"));
                }
                step.failure = Some(failure);
            }
        }
        self.outcome.decision = self.outcome.decision.max(step.decision);
        self.outcome.push(step);
    }

    /// Turns an edit that may not be into a failure, or into a question where two hooks do not agree.
    fn admissible(&self, mut verdict: Verdict, entry: &Entry, turn: Turn) -> Result<Verdict, Failure> {
        let Some(edit) = &verdict.edit else { return Ok(verdict) };
        if entry.role == Role::Judge {
            return Err(Failure::EditNotAllowed("a judge cannot rewrite; its role must be `edit`".into()));
        }
        if !edit.fits(&self.outcome.payload.event) {
            let name = self.outcome.payload.name();
            return Err(Failure::EditNotAllowed(format!("`{name}` has nothing that this could change")));
        }
        if turn == Turn::Again {
            let mut event = self.outcome.payload.event.clone();
            if verdict.edit.take().and_then(|edit| edit.apply(&mut event)).is_some() {
                verdict.decision = verdict.decision.max(Decision::Ask);
                verdict.reason = Some(match verdict.reason {
                    Some(reason) => format!("would rewrite what a later hook made of it: {reason}"),
                    None => "would rewrite what a later hook made of it".to_owned(),
                });
            }
        }
        Ok(verdict)
    }

    fn merge(&mut self, verdict: Verdict, entry: &Entry, step: &mut Step) {
        let Verdict { decision, reason, edit, context, notice, stop, retry } = verdict;
        // Nothing of a call that will not run needs to be changed.
        let prevented = decision == Decision::Deny && self.outcome.payload.name().is_preventable();
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
            // No objection is not a permission.
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
        if matches!(self.outcome.payload.name(), EventName::PostToolUseFailure | EventName::PermissionDenied)
        {
            self.outcome.retry = self.outcome.retry.take().or(retry);
        }
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

    /// Takes all the time of the event, or says how much it was given.
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
    fn a_timed_trail_says_how_long_each_step_took() {
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
    fn the_time_of_the_highest_rank_is_its_own() {
        let given = Arc::new(Mutex::new(Vec::new()));
        let mut hooks = Dispatcher::new();
        for (rank, sleeps) in [(1, true), (1, false), (0, false)] {
            let hook = Timed { sleeps, given: given.clone() };
            // The event with the least time.
            hooks.add(Entry::new(EventName::SessionEnd, hook).with_rank(rank));
        }
        hooks.decide(Payload::new(Event::Other(EventName::SessionEnd)));
        let given = given.lock().unwrap();
        assert!(given[1] < Duration::from_millis(500), "{given:?}");
        assert!(given[2] > Duration::from_millis(500), "{given:?}");
    }
}
