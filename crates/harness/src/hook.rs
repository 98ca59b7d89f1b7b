//! Hooks as functions: plain, `async`, or typed by the input of one tool.
//!
//! The dispatcher is synchronous, and its rules are tested there, so an `async` hook is not a second kind of hook
//! but one that blocks. Hooks that may block are called on a blocking thread, where the runtime drives an `async`
//! hook until its deadline. All other hooks are called in the task of the call, at the price of a function call.

use crate::typed::{ToolCall, ToolInput, output_of};
use checkrein::{
    Answer, Deadline, Entry, EventName, Failure, Hook, OnFailure, Output, Pattern, PatternError, Payload,
    Role, Scope, Verdict, hook_fn,
};
use std::time::Duration;
use tokio::{runtime::Handle, time};

/// A hook with its settings, to be passed to a [`Builder`](crate::Builder).
///
/// It wraps an [`Entry`] and knows if the hook may block. A bare `Entry` is accepted as well and may block.
#[derive(Debug)]
#[must_use]
pub struct Registration {
    pub(crate) entry: Result<Entry, HookError>,
    pub(crate) blocking: Blocking,
}

/// Tells if a hook may block its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    /// The hook only computes.
    Never,
    /// The hook may wait for a process, a file or a user.
    Possible,
}

impl Registration {
    fn new(entry: Entry, blocking: Blocking) -> Self {
        Self { entry: Ok(entry), blocking }
    }

    fn map(mut self, change: impl FnOnce(Entry) -> Entry) -> Self {
        self.entry = self.entry.map(change);
        self
    }

    /// Makes the hook an editor: it may rewrite, and is called before all judges.
    pub fn edit(self) -> Self {
        self.map(|entry| entry.with_role(Role::Edit))
    }

    /// Makes the hook a judge: it sees exactly what will run, and cannot rewrite.
    pub fn judge(self) -> Self {
        self.map(|entry| entry.with_role(Role::Judge))
    }

    /// Makes the hook an observer: it sees what was decided, and delays nothing.
    pub fn observe(self) -> Self {
        self.map(|entry| entry.with_role(Role::Observe))
    }

    /// Restricts the hook to tools that one of these patterns matches, see [`Pattern`].
    pub fn only(mut self, patterns: &[&str]) -> Self {
        self.entry = self.entry.and_then(|entry| {
            let scope = only(patterns, entry.name())?;
            Ok(entry.with_scope(scope))
        });
        self
    }

    /// Sets the timeout.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.map(|entry| entry.with_timeout(timeout))
    }

    /// Sets the decision that replaces a failure.
    pub fn on_failure(self, rule: OnFailure) -> Self {
        self.map(|entry| entry.with_on_failure(rule))
    }

    /// Lets the hook allow: its `allow` makes an approval unnecessary.
    pub fn may_allow(self) -> Self {
        self.map(|entry| entry.with_may_allow(true))
    }

    /// Calls the hook in the task of the call, for a value of the engine's own trait that only computes.
    pub const fn computes(mut self) -> Self {
        self.blocking = Blocking::Never;
        self
    }

    /// Calls the hook on a blocking thread, for a function that reads files or does other slow work without `async`.
    pub const fn waits(mut self) -> Self {
        self.blocking = Blocking::Possible;
        self
    }
}

/// The error for a hook with an invalid pattern.
#[derive(Clone, Debug, thiserror::Error)]
#[error("invalid tool pattern in hook `{hook}`: {why}")]
pub struct HookError {
    hook: String,
    why: PatternError,
}

/// Parses these patterns into a scope, for the hook `name`.
pub(crate) fn only(patterns: &[&str], name: &str) -> Result<Scope, HookError> {
    let parsed: Result<Vec<Pattern>, PatternError> = patterns.iter().map(|pattern| pattern.parse()).collect();
    parsed.map(Scope::only).map_err(|why| HookError { hook: name.to_owned(), why })
}

impl From<Entry> for Registration {
    fn from(entry: Entry) -> Self {
        Self::new(entry, Blocking::Possible)
    }
}

/// Creates a hook on any event from a synchronous function.
///
/// ```
/// use checkrein_harness::{EventName, Payload, Verdict, on};
/// let hook = on(EventName::UserPromptSubmit, "polite", |payload: &Payload| match payload.event.prompt() {
///     Some(prompt) if prompt.contains("please") => Verdict::abstain(),
///     _ => Verdict::deny("say please"),
/// });
/// ```
pub fn on<F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    F: Fn(&Payload) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    Registration::new(Entry::new(event, hook_fn(name, answer)), Blocking::Never)
}

/// Creates a hook on any event from an `async` function or closure.
///
/// ```
/// use checkrein_harness::{EventName, Payload, Verdict, on_async};
/// async fn office_hours(_: &Payload) -> Verdict {
///     tokio::time::sleep(std::time::Duration::from_millis(1)).await; // a calendar would be asked here
///     Verdict::abstain()
/// }
/// let hook = on_async(EventName::PreToolUse, "office-hours", office_hours).judge();
/// ```
pub fn on_async<F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    F: AsyncFn(&Payload) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    Registration::new(Entry::new(event, AsyncHook { name: name.to_owned(), answer }), Blocking::Possible)
}

/// Creates a hook on the calls of one tool, before they run.
pub fn before<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(EventName::PreToolUse, name, move |payload: &Payload| answer(&ToolCall::of(payload)?).into_result())
        .only(&[T::TOOL])
}

/// Creates a hook on the calls of one tool, before they run, from an `async` function or closure.
pub fn before_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on_async(EventName::PreToolUse, name, async move |payload: &Payload| {
        answer(&ToolCall::of(payload)?).await.into_result()
    })
    .only(&[T::TOOL])
}

/// Creates a hook on the results of one tool.
pub fn after<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output(EventName::PostToolUse, name, answer)
}

/// Creates a hook on the results of one tool from an `async` function or closure.
pub fn after_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output_async(EventName::PostToolUse, name, answer)
}

/// Creates a hook on the failures of one tool, with the error text of each.
pub fn failed<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output(EventName::PostToolUseFailure, name, answer)
}

/// Creates a hook on the failures of one tool from an `async` function or closure.
pub fn failed_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output_async(EventName::PostToolUseFailure, name, answer)
}

fn with_output<T, F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(event, name, move |payload: &Payload| {
        answer(&ToolCall::of(payload)?, output_of(payload)?).into_result()
    })
    .only(&[T::TOOL])
}

fn with_output_async<T, F, A>(event: EventName, name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on_async(event, name, async move |payload: &Payload| {
        answer(&ToolCall::of(payload)?, output_of(payload)?).await.into_result()
    })
    .only(&[T::TOOL])
}

/// The interval at which an `async` hook checks [`Deadline::abandonment`].
const LOOK: Duration = Duration::from_millis(10);

struct AsyncHook<F> {
    name: String,
    answer: F,
}

impl<F, A> Hook for AsyncHook<F>
where
    F: AsyncFn(&Payload) -> A + Send + Sync,
    A: Answer,
{
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let runtime =
            Handle::try_current().map_err(|_| Failure::NotStarted("there is no tokio runtime".into()))?;
        let begun = std::time::Instant::now();
        let end = deadline.start();
        // On a blocking thread, so that the future need not be `Send`.
        runtime.block_on(async {
            tokio::select! {
                biased;
                answer = (self.answer)(payload) => answer.into_result(),
                () = time::sleep_until(end.into()) => {
                    Err(Failure::TimedOut { after: end.saturating_duration_since(begun).min(deadline.limit()) })
                }
                () = abandoned(deadline) => Err(Failure::Abandoned),
            }
        })
    }
}

async fn abandoned(deadline: Deadline<'_>) {
    if deadline.abandonment().is_none() {
        std::future::pending::<()>().await;
    }
    while !deadline.is_abandoned() {
        time::sleep(LOOK).await;
    }
}
