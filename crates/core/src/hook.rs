//! The contract with a hook, in whatever language it is written.

use crate::{Failure, Outcome, Payload, Verdict};
use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Anything that answers an event.
///
/// # Why it looks like this
///
/// Start from the simplest thing that could judge a tool call: `fn(&Payload) -> bool`. A refusal without a reason
/// helps nobody, a hook may want to change the call instead of refusing it, or just add something that the model
/// should know; so the answer is a [`Verdict`], one type for all events, whose default is silence.
///
/// A hook can also *fail*, and a failure must not be confused with an answer: if it were, every crash would have to
/// choose between opening the gate and inventing a refusal. So the answer is a `Result`, and what a [`Failure`] means
/// is decided in one place, by the [`OnFailure`](crate::OnFailure) of the hook's entry.
///
/// Hooks in other processes hang. Handing each one a [`Deadline`] lets an executor give up in time without threads,
/// timers or a runtime: the chain is serial by meaning, so the trait is synchronous, and a hook that takes no time
/// pays nothing for the deadline that it ignores.
///
/// The hook sees the payload by reference and changes it only through [`Verdict::edit`](Verdict), so the dispatcher
/// knows who changed what, and can promise that every judge saw exactly what runs.
///
/// # A guard, a redactor, an auditor
///
/// ```
/// use checkrein_core::{
///     Decision, Deadline, Dispatcher, Edit, Entry, Event, EventName, Failure, Hook, Map, Outcome, Payload, Role,
///     ToolCall, Verdict, hook_fn,
/// };
/// use std::sync::{Arc, Mutex};
///
/// // A guard is a closure that decides.
/// let guard = hook_fn("no-force-push", |payload: &Payload| match payload.event.call().and_then(|c| c.text("command")) {
///     Some(command) if command.contains("push --force") => Verdict::deny("push with --force-with-lease instead"),
///     _ => Verdict::abstain(),
/// });
///
/// // A redactor edits what the model will see.
/// let redactor = hook_fn("redact", |payload: &Payload| match payload.event.output() {
///     Some(output) if output.text().contains("s3cret") => {
///         Verdict::edit(Edit::Output(output.text().replace("s3cret", "[redacted]").into()))
///     }
///     _ => Verdict::abstain(),
/// });
///
/// // An auditor is a type of its own, because it wants to see the outcome and not just the event.
/// struct Auditor(Arc<Mutex<Vec<Decision>>>);
///
/// impl Hook for Auditor {
///     fn name(&self) -> &str {
///         "audit"
///     }
///     fn call(&self, _: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
///         Ok(Verdict::abstain())
///     }
///     fn observe(&self, outcome: &Outcome, _: Deadline<'_>) -> Result<(), Failure> {
///         self.0.lock().map_err(|_| Failure::Other("the log is broken".into()))?.push(outcome.decision);
///         Ok(())
///     }
/// }
///
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let mut hooks = Dispatcher::new();
/// hooks.add(Entry::new(EventName::PreToolUse, guard).with_role(Role::Judge));
/// hooks.add(Entry::new(EventName::PostToolUse, redactor).with_role(Role::Edit));
/// hooks.add(Entry::new(EventName::PreToolUse, Auditor(log.clone())).with_role(Role::Observe));
///
/// let mut input = Map::new();
/// input.insert("command".into(), "git push --force".into());
/// let call = ToolCall::new("Bash", input);
/// let outcome = hooks.dispatch(Payload::new(Event::PreToolUse { call: call.clone() }));
/// assert_eq!(outcome.decision, Decision::Deny);
/// assert_eq!(log.lock().unwrap().as_slice(), [Decision::Deny]);
///
/// let outcome = hooks.dispatch(Payload::new(Event::PostToolUse { call, output: "key: s3cret".into() }));
/// assert_eq!(outcome.payload.event.output().unwrap().text(), "key: [redacted]");
/// ```
pub trait Hook: Send + Sync {
    /// What it is called in reasons, listings and the trail.
    fn name(&self) -> &str;

    /// Answers an event. Called again for each event, from any thread.
    ///
    /// A hook that waits for anything must give up at the deadline with [`Failure::TimedOut`].
    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure>;

    /// Watches an event in the role [`Observe`](crate::Role::Observe), when everything is decided. It can change
    /// nothing. Unless a hook wants to know the outcome, it is called as for any other role.
    fn observe(&self, outcome: &Outcome, deadline: Deadline<'_>) -> Result<(), Failure> {
        self.call(&outcome.payload, deadline).map(drop)
    }
}

impl<H: Hook + ?Sized> Hook for Arc<H> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        (**self).call(payload, deadline)
    }

    fn observe(&self, outcome: &Outcome, deadline: Deadline<'_>) -> Result<(), Failure> {
        (**self).observe(outcome, deadline)
    }
}

/// A hook from a closure that returns a [`Verdict`], or a `Result` of one.
pub fn hook_fn<F, A>(name: impl Into<String>, answer: F) -> HookFn<F>
where
    F: Fn(&Payload) -> A + Send + Sync,
    A: Answer,
{
    HookFn { name: name.into(), answer }
}

/// What [`hook_fn`] makes.
#[derive(Clone, Debug)]
pub struct HookFn<F> {
    name: String,
    answer: F,
}

impl<F, A> Hook for HookFn<F>
where
    F: Fn(&Payload) -> A + Send + Sync,
    A: Answer,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        (self.answer)(payload).into_result()
    }
}

/// What a closure may return.
pub trait Answer {
    /// The same as a hook's answer.
    fn into_result(self) -> Result<Verdict, Failure>;
}

impl Answer for Verdict {
    fn into_result(self) -> Result<Verdict, Failure> {
        Ok(self)
    }
}

impl Answer for Result<Verdict, Failure> {
    fn into_result(self) -> Self {
        self
    }
}

/// The time that a hook has.
///
/// It is counted from the moment that the hook calls [`start`](Self::start), so that a hook which needs no time does
/// not pay for a look at the clock.
#[derive(Clone, Copy, Debug)]
pub struct Deadline<'a> {
    limit: Duration,
    end: Option<Instant>,
    event: Option<&'a EventClock>,
    abandoned: Option<&'a AtomicBool>,
}

impl<'a> Deadline<'a> {
    /// `limit` from the start.
    pub const fn after(limit: Duration) -> Self {
        Self { limit, end: None, event: None, abandoned: None }
    }

    /// The same, and no time at all once `abandoned` is set: whoever asked does not wait for an answer any more.
    #[must_use]
    pub const fn unless(mut self, abandoned: Option<&'a AtomicBool>) -> Self {
        self.abandoned = abandoned;
        self
    }

    /// What is set when nobody waits any more, if that can happen. A hook that waits for long should look at it from
    /// time to time, and then fail with [`Failure::Abandoned`].
    pub const fn abandonment(self) -> Option<&'a AtomicBool> {
        self.abandoned
    }

    /// Whether nobody waits for the answer any more.
    pub fn is_abandoned(self) -> bool {
        self.abandoned.is_some_and(|abandoned| abandoned.load(Ordering::Acquire))
    }

    /// The same, and no later than `end`.
    #[must_use]
    pub const fn until(mut self, end: Instant) -> Self {
        self.end = Some(end);
        self
    }

    /// The time that it allows at most.
    pub const fn limit(self) -> Duration {
        self.limit
    }

    /// Starts the clock: the instant at which the hook must have given up. To be asked once, first.
    pub fn start(self) -> Instant {
        let now = Instant::now();
        let own = now.checked_add(self.limit);
        let event = self.event.and_then(|event| event.end(now));
        [own, event, self.end].into_iter().flatten().min().unwrap_or(now)
    }
}

/// The time that all hooks of one event have together, counted from the first that takes any.
#[derive(Debug)]
pub(crate) struct EventClock {
    budget: Duration,
    end: Cell<Option<Instant>>,
}

impl EventClock {
    pub(crate) const fn new(budget: Duration) -> Self {
        Self { budget, end: Cell::new(None) }
    }

    /// The time that one hook of the event has, if it may take `limit`.
    pub(crate) const fn deadline(&self, limit: Duration) -> Deadline<'_> {
        Deadline { limit, end: None, event: Some(self), abandoned: None }
    }

    fn end(&self, now: Instant) -> Option<Instant> {
        if self.end.get().is_none() {
            self.end.set(now.checked_add(self.budget));
        }
        self.end.get()
    }
}
