//! Hooks that answer in a tool's place: a cache, a dry run, a recording.
//!
//! They are asked where the tool would run, so what they answer was validated, judged and approved like everything else,
//! and the after-hooks look at it. The report says who answered.

use crate::{
    ToolError,
    hook::{HookError, only},
};
use checkrein::{Output, Scope, ToolCall};
use std::{future::Future, pin::Pin};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Somebody who may answer a call in the tool's place.
#[must_use]
pub struct Answerer {
    pub(crate) name: String,
    pub(crate) scope: Result<Scope, HookError>,
    pub(crate) answer: Answering,
}

/// How an answerer answers.
pub(crate) type Answering = Box<dyn Fn(&ToolCall) -> Boxed<Result<Option<Output>, ToolError>> + Send + Sync>;

/// An answerer from a function that computes. Nothing is silence: the next one is asked, or the tool runs.
///
/// ```
/// use checkrein_harness::{Output, answer, checkrein::ToolCall};
/// let dry_run = answer("dry-run", |call: &ToolCall| Some(Output::from(format!("would call {}", call.name))));
/// ```
pub fn answer<F>(name: &str, answer: F) -> Answerer
where
    F: Fn(&ToolCall) -> Option<Output> + Send + Sync + 'static,
{
    Answerer {
        name: name.to_owned(),
        scope: Ok(Scope::all()),
        answer: Box::new(move |call| {
            let answer = answer(call);
            Box::pin(async move { Ok(answer) })
        }),
    }
}

/// The same from a function that waits. A failure is one of the call: the tool does not run in its place, since whoever
/// wanted a dry run does not want the real one.
pub fn answer_async<F, R>(name: &str, answer: F) -> Answerer
where
    F: Fn(ToolCall) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Option<Output>, ToolError>> + Send + 'static,
{
    Answerer {
        name: name.to_owned(),
        scope: Ok(Scope::all()),
        answer: Box::new(move |call| Box::pin(answer(call.clone()))),
    }
}

impl Answerer {
    /// Only for tools that one of these patterns matches.
    pub fn only(mut self, patterns: &[&str]) -> Self {
        self.scope = only(patterns, &self.name);
        self
    }
}

impl std::fmt::Debug for Answerer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answerer").field("name", &self.name).finish_non_exhaustive()
    }
}
