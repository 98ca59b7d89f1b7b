//! Hooks as functions: plain, `async`, or typed by the input of one tool.
//!
//! The dispatcher is synchronous, and its rules are tested there, so an `async` hook is not a second kind of hook
//! but one that blocks. Hooks that may block are called on a blocking thread, where the runtime drives an `async`
//! hook until its deadline. All other hooks are called in the task of the call, at the price of a function call.

mod functions;

pub use functions::{
    after, after_async, after_model, after_model_async, after_typed, before, before_async, before_model,
    before_model_async, failed, failed_async, on, on_async,
};

use crate::abandon::{Abandonable, GRACE};
use checkrein_core::{Entry, OnFailure, Pattern, PatternError, Role, Scope};
use std::time::Duration;

/// A hook with its settings, to be passed to a [`Builder`](crate::Builder).
///
/// It wraps an [`Entry`] and knows if the hook may block. A bare `Entry` is accepted as well and may block.
///
/// ```
/// use checkrein_harness::{EventName, Payload, Verdict, on};
/// use std::time::Duration;
///
/// let no_deploys = on(EventName::PreToolUse, "no-deploys", |_: &Payload| Verdict::ask("deploy now?"))
///     .judge()
///     .only(&["deploy*"])
///     .except(&["deploy_preview"])
///     .timeout(Duration::from_millis(50));
/// ```
#[derive(Debug)]
#[must_use]
pub struct Registration {
    entry: Result<Entry, HookError>,
    blocking: Blocking,
    sees_world: bool,
}

/// A hook of a pipeline.
#[derive(Clone, Debug)]
pub(crate) struct Hooked {
    pub(crate) entry: Entry,
    pub(crate) blocking: Blocking,
    /// True if the hook judges by something other than the event, such as files.
    pub(crate) sees_world: bool,
}

/// Tells if a hook may block its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocking {
    /// The hook only computes.
    Never,
    /// The hook waits, and gives up at its deadline by itself.
    Bounded,
    /// The hook waits for as long as it likes, and is abandoned at its deadline.
    Unbounded {
        /// The time that it gets to stop by itself.
        grace: Duration,
    },
}

impl Registration {
    /// A function of the application.
    fn function(entry: Entry, blocking: Blocking) -> Self {
        Self { entry: Ok(entry.with_in_process(true)), blocking, sees_world: blocking != Blocking::Never }
    }

    /// A hook that keeps its deadline: one from a configuration.
    #[cfg(feature = "guard")]
    pub(crate) fn configured(entry: Entry) -> Self {
        Self { entry: Ok(entry), blocking: Blocking::Bounded, sees_world: true }
    }

    pub(crate) fn into_hooked(self) -> Result<Hooked, HookError> {
        let Self { entry, blocking, sees_world } = self;
        let entry = match blocking {
            Blocking::Unbounded { grace } => entry?.wrap(|hook| Abandonable { hook, grace }),
            Blocking::Never | Blocking::Bounded => entry?,
        };
        Ok(Hooked { entry: crate::spans::hook(entry), blocking, sees_world })
    }

    fn map(mut self, change: impl FnOnce(Entry) -> Entry) -> Self {
        self.entry = self.entry.map(change);
        self
    }

    /// Makes the hook an editor: it may rewrite, and is called before all judges.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn run(input: Value, _: Running) -> Result<String, ToolError> { Ok(input["command"].to_string()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("run"), run));
    /// let dry = on(EventName::PreToolUse, "dry", |_: &Payload| {
    ///     Verdict::edit(Edit::MergeInput(json!({"command": "make -n"}).as_object().cloned().unwrap_or_default()))
    /// });
    /// let agent = Pipeline::builder(tools).hook(dry.edit()).build()?.handle(Session::default());
    /// let report = agent.call(call("run", json!({"command": "make"}))).await;
    /// assert_eq!(report.output.text(), "\"make -n\"");
    /// # Ok(())
    /// # }
    /// ```
    pub fn edit(self) -> Self {
        self.map(|entry| entry.with_role(Role::Edit))
    }

    /// Makes the hook a judge: it sees exactly what will run, and cannot rewrite.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn run(input: Value, _: Running) -> Result<String, ToolError> { Ok(input["command"].to_string()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("run"), run));
    /// let seen = |payload: &Payload| payload.event.call().and_then(|call| call.text("command")).map(str::to_owned);
    /// let editor = on(EventName::PreToolUse, "editor", |_: &Payload| {
    ///     Verdict::edit(Edit::MergeInput(json!({"command": "make all"}).as_object().cloned().unwrap_or_default()))
    /// });
    /// let judge = on(EventName::PreToolUse, "judge", move |payload: &Payload| match seen(payload).as_deref() {
    ///     Some("make all") => Verdict::deny("not everything"),
    ///     _ => Verdict::abstain(),
    /// });
    /// // The judge was added first, and sees what the editor made of the call.
    /// let agent = Pipeline::builder(tools).hook(judge.judge()).hook(editor.edit()).build()?.handle(Session::default());
    /// let report = agent.call(call("run", json!({"command": "make"}))).await;
    /// assert_eq!(report.ending, Ending::Denied);
    /// # Ok(())
    /// # }
    /// ```
    pub fn judge(self) -> Self {
        self.map(|entry| entry.with_role(Role::Judge))
    }

    /// Makes the hook an observer: it sees what was decided, delays nothing, and its failure changes nothing.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// # use std::sync::{Arc, Mutex};
    /// let count = Arc::new(Mutex::new(0));
    /// let counter = Arc::clone(&count);
    /// let hook = on(EventName::PreToolUse, "count", move |_: &Payload| {
    ///     *counter.lock().unwrap() += 1;
    ///     Verdict::deny("this changes nothing")
    /// });
    /// let pipeline = Pipeline::builder(tools).hook(hook.observe()).build()?;
    /// let report = pipeline.handle(Session::default()).call(call("ping", json!({}))).await;
    /// pipeline.settle().await;
    /// assert_eq!((report.ending, *count.lock().unwrap()), (Ending::Ran, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn observe(self) -> Self {
        self.map(|entry| entry.with_role(Role::Observe))
    }

    /// Restricts the hook to tools that one of these patterns matches, see [`Pattern`].
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let closed = on(EventName::PreToolUse, "closed", |_: &Payload| Verdict::deny("closed")).only(&["deploy*"]);
    /// let agent = Pipeline::builder(tools).hook(closed).build()?.handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub fn only(mut self, patterns: &[&str]) -> Self {
        self.entry = self.entry.and_then(|entry| {
            let except = entry.scope().exceptions().to_vec();
            let scope = Scope::only(parsed(patterns, entry.name())?).except(except);
            Ok(entry.with_scope(scope))
        });
        self
    }

    /// Excludes the tools that one of these patterns matches, see [`Pattern`].
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let closed = on(EventName::PreToolUse, "closed", |_: &Payload| Verdict::deny("closed")).except(&["ping"]);
    /// let agent = Pipeline::builder(tools).hook(closed).build()?.handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub fn except(mut self, patterns: &[&str]) -> Self {
        self.entry = self.entry.and_then(|entry| {
            let scope = entry.scope().clone().except(parsed(patterns, entry.name())?);
            Ok(entry.with_scope(scope))
        });
        self
    }

    /// Sets the timeout. An answer that comes later counts as a failure, whatever it says.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// use std::{thread::sleep, time::Duration};
    ///
    /// let slow = on(EventName::PreToolUse, "slow", |_: &Payload| {
    ///     sleep(Duration::from_secs(2));
    ///     Verdict::abstain()
    /// });
    /// let hook = slow.waits().timeout(Duration::from_millis(20));
    /// let agent = Pipeline::builder(tools).hook(hook).build()?.handle(Session::default());
    /// // Nobody knows what the hook would have said, so the call is denied.
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Denied);
    /// # Ok(())
    /// # }
    /// ```
    pub fn timeout(self, timeout: Duration) -> Self {
        self.map(|entry| entry.with_timeout(timeout))
    }

    /// Sets the decision that replaces a failure. By default a failure denies, also after the tool ran, where it
    /// withholds the result; an [observer](Self::observe) that fails changes nothing.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let broken = |rule: Option<OnFailure>| {
    ///     let hook = on(EventName::PreToolUse, "broken", |_: &Payload| Err::<Verdict, _>(Failure::Other("no network".into())));
    ///     rule.into_iter().fold(hook, Registration::on_failure)
    /// };
    /// for (rule, ending) in [(None, Ending::Denied), (Some(OnFailure::Ignore), Ending::Ran)] {
    ///     # let tools = tools.clone();
    ///     let agent = Pipeline::builder(tools).hook(broken(rule)).build()?.handle(Session::default());
    ///     assert_eq!(agent.call(call("ping", json!({}))).await.ending, ending);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_failure(self, rule: OnFailure) -> Self {
        self.map(|entry| entry.with_on_failure(rule))
    }

    /// Lets the hook allow: its `allow` makes an approval unnecessary.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// let known = || on(EventName::PreToolUse, "known", |_: &Payload| Verdict::allow());
    /// for (hook, ending) in [(known(), Ending::NotApproved), (known().may_allow(), Ending::Ran)] {
    ///     let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping").needs_approval(), ping));
    ///     let agent = Pipeline::builder(tools).hook(hook).build()?.handle(Session::default());
    ///     assert_eq!(agent.call(call("ping", json!({}))).await.ending, ending);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn may_allow(self) -> Self {
        self.map(|entry| entry.with_may_allow(true))
    }

    /// Calls the hook in the task of the call, for a value of the engine's own trait that only computes.
    pub const fn computes(mut self) -> Self {
        self.blocking = Blocking::Never;
        self.sees_world = false;
        self
    }

    /// Calls the hook on a blocking thread, for a function that reads files or does other slow work without `async`.
    /// At its deadline, or when the call is cancelled, the function is abandoned: the pipeline goes on without it.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let freeze = on(EventName::PreToolUse, "freeze", |_: &Payload| match std::fs::exists("/etc/deploy-freeze") {
    ///     Ok(false) => Verdict::abstain(),
    ///     Ok(true) | Err(_) => Verdict::deny("deployments are frozen"),
    /// });
    /// let agent = Pipeline::builder(tools).hook(freeze.waits().judge()).build()?.handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn waits(mut self) -> Self {
        self.blocking = Blocking::Unbounded { grace: Duration::ZERO };
        self.sees_world = true;
        self
    }

    /// Says that the answer depends on nothing but the event, also if the hook [waits](Self::waits). Such a judge is
    /// not called again when another call of the message has run since it judged.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// // It asks a service about the words of the call, and looks at no file that another call could change.
    /// let classify = on(EventName::PreToolUse, "classify", |_: &Payload| Verdict::abstain());
    /// let hook = classify.waits().ignores_world().judge();
    /// let agent = Pipeline::builder(tools).hook(hook).build()?.handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn ignores_world(mut self) -> Self {
        self.sees_world = false;
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

/// Parses patterns for the hook `name`.
pub(crate) fn parsed(patterns: &[&str], name: &str) -> Result<Vec<Pattern>, HookError> {
    let parsed: Result<Vec<Pattern>, PatternError> = patterns.iter().map(|pattern| pattern.parse()).collect();
    parsed.map_err(|why| HookError { hook: name.to_owned(), why })
}

impl From<Entry> for Registration {
    fn from(entry: Entry) -> Self {
        Self { entry: Ok(entry), blocking: Blocking::Unbounded { grace: GRACE }, sees_world: true }
    }
}
