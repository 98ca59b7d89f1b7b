//! Functions that replace a tool's run: a cache, a dry run, a recording.
//!
//! They are called where the tool would run, so their answer belongs to a call that was validated, judged and
//! approved, and the after-hooks see it. The report names the override that answered.

use crate::{
    ToolError,
    hook::{HookError, parsed},
};
use checkrein_core::{Output, Scope, ToolCall};
use std::{future::Future, pin::Pin};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// A function that may answer a call instead of the tool.
#[must_use]
pub struct ToolOverride {
    pub(crate) name: String,
    pub(crate) scope: Result<Scope, HookError>,
    pub(crate) answer: OverrideFn,
}

/// The boxed function of a [`ToolOverride`].
pub(crate) type OverrideFn = Box<dyn Fn(&ToolCall) -> Boxed<Result<Option<Output>, ToolError>> + Send + Sync>;

/// Creates an override from a synchronous function. `None` passes the call to the next override, or to the tool.
///
/// ```
/// use checkrein_harness::{Output, answer, checkrein::ToolCall};
/// let dry_run = answer("dry-run", |call: &ToolCall| Some(Output::from(format!("would call {}", call.name))));
/// ```
pub fn answer<F>(name: &str, answer: F) -> ToolOverride
where
    F: Fn(&ToolCall) -> Option<Output> + Send + Sync + 'static,
{
    ToolOverride {
        name: name.to_owned(),
        scope: Ok(Scope::all()),
        answer: Box::new(move |call| {
            let answer = answer(call);
            Box::pin(async move { Ok(answer) })
        }),
    }
}

/// Creates an override from an `async` function. An error fails the call, and the tool does not run: a failed dry
/// run must not become a real one.
///
/// ```
/// use checkrein_harness::{Output, ToolError, answer_async, checkrein_core::ToolCall};
/// # async fn staging(call: &ToolCall) -> Result<String, ToolError> { Ok(format!("{} would deploy", call.name)) }
/// let dry_run = answer_async("dry-run", |call: ToolCall| async move {
///     Ok(Some(Output::from(staging(&call).await?)))
/// })
/// .only(&["deploy*"]);
/// ```
pub fn answer_async<F, R>(name: &str, answer: F) -> ToolOverride
where
    F: Fn(ToolCall) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Option<Output>, ToolError>> + Send + 'static,
{
    ToolOverride {
        name: name.to_owned(),
        scope: Ok(Scope::all()),
        answer: Box::new(move |call| Box::pin(answer(call.clone()))),
    }
}

impl ToolOverride {
    /// Restricts the override to tools that one of these patterns matches.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let dry_run = answer("dry-run", |_: &checkrein_core::ToolCall| Some("not today".into())).only(&["deploy*"]);
    /// let agent = Pipeline::builder(tools).answer(dry_run).build()?.handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub fn only(mut self, patterns: &[&str]) -> Self {
        self.scope = parsed(patterns, &self.name).map(Scope::only);
        self
    }
}

impl std::fmt::Debug for ToolOverride {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolOverride").field("name", &self.name).finish_non_exhaustive()
    }
}
