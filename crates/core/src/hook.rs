//! The interface of a hook, in whatever language it is written.

use crate::{Failure, Outcome, Payload, Verdict};
use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// A handler of events.
///
/// # Why the trait looks like this
///
/// The simplest judge of a tool call would be `fn(&Payload) -> bool`. But a refusal needs a reason, and a hook may
/// want to change the call instead of refusing it, or to tell the model something. So the answer is a [`Verdict`],
/// one type for all events, whose default is no opinion.
///
/// A hook can also *fail*, and a failure must not be confused with an answer: otherwise every crash would have to
/// either let the call through or invent a refusal. So the answer is a `Result`, and the
/// [`OnFailure`](crate::OnFailure) of the hook's entry is the one place that decides what a [`Failure`] means.
///
/// Hooks in other processes hang. A [`Deadline`] lets an executor give up in time without threads, timers or a
/// runtime. Hooks run one after another by definition, so the trait is synchronous, and a hook that takes no time
/// pays nothing for the deadline that it ignores.
///
/// The hook borrows the payload and changes it only through [`Verdict::edit`](Verdict), so the dispatcher knows
/// which hook changed what, and can guarantee that every judge saw exactly what runs.
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
/// // An auditor is a type of its own, because it needs the outcome and not just the event.
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
    /// Returns the hook's name in reasons, listings and the trail.
    fn name(&self) -> &str;

    /// Answers an event. It is called for each event, from any thread.
    ///
    /// A hook that waits must give up at the deadline with [`Failure::TimedOut`].
    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure>;

    /// Watches an event in the role [`Observe`](crate::Role::Observe), after the decision is made. It cannot change
    /// anything. The default calls the hook as in any other role.
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

/// Creates a hook from a closure that returns a [`Verdict`], or a `Result` of one.
pub fn hook_fn<F, A>(name: impl Into<String>, answer: F) -> HookFn<F>
where
    F: Fn(&Payload) -> A + Send + Sync,
    A: Answer,
{
    HookFn { name: name.into(), answer }
}

/// A hook made by [`hook_fn`].
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

/// A type that the closure of [`hook_fn`] may return.
pub trait Answer {
    /// Converts the value into a hook's answer.
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

/// The time limit of a hook.
///
/// The time counts from the call of [`start`](Self::start), so that a hook which needs no time does not pay for
/// reading the clock.
#[derive(Clone, Copy, Debug)]
pub struct Deadline<'a> {
    limit: Duration,
    end: Option<Instant>,
    event: Option<&'a EventClock>,
    abandoned: Option<&'a AtomicBool>,
}

impl<'a> Deadline<'a> {
    /// Creates a deadline of `limit` from the start.
    pub const fn after(limit: Duration) -> Self {
        Self { limit, end: None, event: None, abandoned: None }
    }

    /// Cancels the remaining time once `abandoned` is set because the caller stopped waiting.
    #[must_use]
    pub const fn unless(mut self, abandoned: Option<&'a AtomicBool>) -> Self {
        self.abandoned = abandoned;
        self
    }

    /// Returns the flag that is set when the caller stops waiting, if there is one. A hook that waits for long
    /// should check it from time to time and then fail with [`Failure::Abandoned`].
    pub const fn abandonment(self) -> Option<&'a AtomicBool> {
        self.abandoned
    }

    /// Returns true if the caller stopped waiting for the answer.
    pub fn is_abandoned(self) -> bool {
        self.abandoned.is_some_and(|abandoned| abandoned.load(Ordering::Acquire))
    }

    /// Limits the deadline to `end`.
    #[must_use]
    pub const fn until(mut self, end: Instant) -> Self {
        self.end = Some(end);
        self
    }

    /// Returns the maximum time.
    pub const fn limit(self) -> Duration {
        self.limit
    }

    /// Starts the clock and returns the instant at which the hook must give up. Call it once, first.
    pub fn start(self) -> Instant {
        let now = Instant::now();
        let own = now.checked_add(self.limit);
        let event = self.event.and_then(|event| event.end(now));
        [own, event, self.end].into_iter().flatten().min().unwrap_or(now)
    }
}

/// The time that all hooks of one event share, counted from the first that takes any.
#[derive(Clone, Debug)]
pub(crate) struct EventClock {
    budget: Duration,
    end: Cell<Option<Instant>>,
}

impl EventClock {
    pub(crate) const fn new(budget: Duration) -> Self {
        Self { budget, end: Cell::new(None) }
    }

    /// Returns the deadline of one hook of the event that may take `limit`.
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
