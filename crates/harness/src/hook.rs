//! Hooks as functions: plain, `async`, or about one tool's own type.
//!
//! The dispatcher is synchronous, and all its rules are proved there; so an `async` hook is not a second kind of hook but
//! one that waits. Hooks that wait are asked on a thread that may wait, where an `async` one is driven by the runtime
//! until its deadline. Hooks that do not are asked where the call is, for the price of a function call.

use crate::typed::{ToolCall, ToolInput, output_of};
use checkrein::{
    Answer, Deadline, Entry, EventName, Failure, Hook, OnFailure, Output, Pattern, PatternError, Payload,
    Role, Scope, Verdict, hook_fn,
};
use std::time::Duration;
use tokio::{runtime::Handle, time};

/// A hook in its place, to be given to a [`Builder`](crate::Builder).
///
/// What [`Entry`] is for the dispatcher, with one thing more: whether the hook may wait for something. A bare `Entry`
/// can be given as well, and is taken for one that may.
#[derive(Debug)]
#[must_use]
pub struct Registration {
    pub(crate) entry: Result<Entry, HookError>,
    pub(crate) manner: Manner,
}

/// How a hook spends its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It computes, and is done.
    Computes,
    /// It may wait: for a process, a file, a user.
    Waits,
}

impl Registration {
    fn new(entry: Entry, manner: Manner) -> Self {
        Self { entry: Ok(entry), manner }
    }

    fn map(mut self, change: impl FnOnce(Entry) -> Entry) -> Self {
        self.entry = self.entry.map(change);
        self
    }

    /// As an editor: it may rewrite, and is asked before all judges.
    pub fn edit(self) -> Self {
        self.map(|entry| entry.with_role(Role::Edit))
    }

    /// As a judge: it sees exactly what will run, and cannot rewrite.
    pub fn judge(self) -> Self {
        self.map(|entry| entry.with_role(Role::Judge))
    }

    /// As an observer: it is shown what was decided, and delays nothing.
    pub fn observe(self) -> Self {
        self.map(|entry| entry.with_role(Role::Observe))
    }

    /// Only on tools that one of these patterns matches, see [`Pattern`].
    pub fn only(mut self, patterns: &[&str]) -> Self {
        self.entry = self.entry.and_then(|entry| {
            let scope = only(patterns, entry.name())?;
            Ok(entry.with_scope(scope))
        });
        self
    }

    /// With this much time.
    pub fn timeout(self, timeout: Duration) -> Self {
        self.map(|entry| entry.with_timeout(timeout))
    }

    /// With this answer in place of a failure.
    pub fn on_failure(self, rule: OnFailure) -> Self {
        self.map(|entry| entry.with_on_failure(rule))
    }

    /// With the right to allow: its `allow` means that nobody need be asked.
    pub fn may_allow(self) -> Self {
        self.map(|entry| entry.with_may_allow(true))
    }

    /// Where the call is, for a value of the engine's own trait that computes and waits for nothing.
    pub const fn computes(mut self) -> Self {
        self.manner = Manner::Computes;
        self
    }

    /// On a thread that may wait, for a function that reads files or does other slow work without `async`.
    pub const fn waits(mut self) -> Self {
        self.manner = Manner::Waits;
        self
    }
}

/// A pattern that was refused, and whose it is.
#[derive(Clone, Debug, thiserror::Error)]
#[error("a tool pattern of the hook `{hook}` cannot be used: {why}")]
pub struct HookError {
    hook: String,
    why: PatternError,
}

/// The scope of these patterns, for the hook `name`.
pub(crate) fn only(patterns: &[&str], name: &str) -> Result<Scope, HookError> {
    let parsed: Result<Vec<Pattern>, PatternError> = patterns.iter().map(|pattern| pattern.parse()).collect();
    parsed.map(Scope::only).map_err(|why| HookError { hook: name.to_owned(), why })
}

impl From<Entry> for Registration {
    fn from(entry: Entry) -> Self {
        Self::new(entry, Manner::Waits)
    }
}

/// A hook on any event, from a function that computes.
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
    Registration::new(Entry::new(event, hook_fn(name, answer)), Manner::Computes)
}

/// The same from an `async` function or closure.
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
    Registration::new(Entry::new(event, AsyncHook { name: name.to_owned(), answer }), Manner::Waits)
}

/// A hook on the calls of one tool, before they run.
pub fn before<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    on(EventName::PreToolUse, name, move |payload: &Payload| answer(&ToolCall::of(payload)?).into_result())
        .only(&[T::TOOL])
}

/// The same from an `async` function or closure.
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

/// A hook on the results of one tool.
pub fn after<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output(EventName::PostToolUse, name, answer)
}

/// The same from an `async` function or closure.
pub fn after_async<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: AsyncFn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output_async(EventName::PostToolUse, name, answer)
}

/// A hook on the failures of one tool, with the text of each.
pub fn failed<T, F, A>(name: &str, answer: F) -> Registration
where
    T: ToolInput + 'static,
    F: Fn(&ToolCall<'_, T>, &Output) -> A + Send + Sync + 'static,
    A: Answer + 'static,
{
    with_output(EventName::PostToolUseFailure, name, answer)
}

/// The same from an `async` function or closure.
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

/// How often an `async` hook's caller is looked after, see [`Deadline::abandonment`].
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
            Handle::try_current().map_err(|_| Failure::NotStarted("there is no runtime to run it".into()))?;
        let begun = std::time::Instant::now();
        let end = deadline.start();
        // On a thread that may wait, so that the future need not be able to move between threads.
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
