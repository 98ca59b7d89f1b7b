//! The pipeline, and the handle through which an agent's loop uses it.

use crate::{
    Batch, Builder, Call, Cancel, HookError, Registration, Report, Running, Tools, approve::AnyApprover,
    call::CallRun, hooks::Hooks, tool_override::OverrideFn,
};
use checkrein_core::{Agent, Dispatcher, Event, Host, Map, Outcome, Payload, Scope, Session};
use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

/// The function that receives reports.
pub(crate) type Recorder = Arc<dyn Fn(&Report) + Send + Sync>;

/// The life cycle of a tool call: validate, edit, validate again, judge, approve, run, after-hooks, retry, report.
///
/// Create it once and share it: clones are the same pipeline. An agent's loop uses it through a [`Handle`], which
/// knows the session and the agent.
pub struct Pipeline<T> {
    shared: Arc<Shared<T>>,
}

/// The data that all handles of a pipeline share.
pub(crate) struct Shared<T> {
    pub(crate) tools: Arc<T>,
    pub(crate) hooks: Hooks,
    pub(crate) overrides: Vec<(String, Scope, OverrideFn)>,
    pub(crate) approver: Option<Arc<dyn AnyApprover>>,
    pub(crate) limit: usize,
    pub(crate) serial: bool,
    pub(crate) timed: bool,
    /// True if the built-in guard judges calls.
    pub(crate) guarded: bool,
    pub(crate) assumed: Assumed,
    pub(crate) timeout: Duration,
    pub(crate) host: Host,
    pub(crate) recorder: Option<Recorder>,
}

/// The tools whose kind is assumed, and about which the user was told.
#[derive(Default)]
pub(crate) struct Assumed(Mutex<BTreeSet<String>>);

impl Assumed {
    /// The number of names that are kept. A host that makes up names for its tools must not fill the memory.
    const MOST: usize = 1000;

    /// Returns true if the name is new.
    pub(crate) fn insert(&self, name: &str) -> bool {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.len() < Self::MOST && names.insert(name.to_owned())
    }
}

impl<T: Tools> Pipeline<T> {
    /// Creates a builder for a pipeline over `tools`.
    pub fn builder(tools: T) -> Builder<T> {
        Builder::new(tools)
    }

    pub(crate) fn of(shared: Shared<T>) -> Self {
        Self { shared: Arc::new(shared) }
    }

    /// Creates the handle for the main agent of a session.
    pub fn handle(&self, session: Session) -> Handle<T> {
        Handle {
            shared: Arc::clone(&self.shared),
            session: Arc::new(session),
            agent: Arc::default(),
            cancel: Cancel::new(),
        }
    }

    /// Returns the handle of the agent whose call is running, for a tool that starts an agent: the child is created
    /// from it.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # use std::sync::OnceLock;
    /// # let _ = ping;
    /// // A tool that starts an agent: its calls go through the same hooks, with the lineage of the one that called it.
    /// static PIPELINE: OnceLock<WeakPipeline<Toolbox>> = OnceLock::new();
    /// async fn delegate(_: Value, running: Running) -> Result<String, ToolError> {
    ///     let pipeline = PIPELINE.get().and_then(WeakPipeline::upgrade).ok_or("the agent is shutting down")?;
    ///     let child = pipeline.handle_of(&running).child("helper");
    ///     Ok(child.call(call("rm", json!({}))).await.for_model())
    /// }
    /// async fn rm(_: Value, _: Running) -> Result<String, ToolError> { Ok("removed".into()) }
    /// let tools = Toolbox::new()
    ///     .with(tool_fn(ToolSpec::unchecked("delegate"), delegate))
    ///     .with(tool_fn(ToolSpec::unchecked("rm"), rm));
    /// let no_rm = on(EventName::PreToolUse, "no-rm", |_: &Payload| Verdict::deny("nothing is removed")).only(&["rm"]);
    /// let pipeline = Pipeline::builder(tools).hook(no_rm).build()?;
    /// let _ = PIPELINE.set(pipeline.downgrade());
    /// let report = pipeline.handle(Session::default()).call(call("delegate", json!({}))).await;
    /// assert_eq!(report.output.text(), "blocked by no-rm: nothing is removed");
    /// # Ok(())
    /// # }
    /// ```
    pub fn handle_of(&self, running: &Running) -> Handle<T> {
        Handle {
            shared: Arc::clone(&self.shared),
            session: Arc::clone(&running.session),
            agent: Arc::clone(&running.agent),
            cancel: running.cancel.clone(),
        }
    }

    /// Returns a weak reference, for a tool that must not keep its own pipeline alive.
    pub fn downgrade(&self) -> WeakPipeline<T> {
        WeakPipeline(Arc::downgrade(&self.shared))
    }

    /// Returns the tools.
    pub fn tools(&self) -> &T {
        &self.shared.tools
    }

    /// Returns the hooks as they are now, in the order in which they are called.
    pub fn dispatcher(&self) -> Dispatcher {
        self.shared.hooks.list().dispatcher().clone()
    }

    /// Adds a hook while the pipeline runs: after those that were added before it, and before the built-in guard. A
    /// call that has begun does not see it.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let pipeline = Pipeline::builder(tools).build()?;
    /// let agent = pipeline.handle(Session::default());
    /// pipeline.add_hook(on(EventName::PreToolUse, "lunch", |_: &Payload| Verdict::deny("back at two")))?;
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Denied);
    /// assert_eq!(pipeline.remove_hook("lunch"), 1);
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_hook(&self, hook: impl Into<Registration>) -> Result<(), HookError> {
        self.shared.hooks.add(hook.into())
    }

    /// Removes the hooks of this name that were added to the builder or to the pipeline, and returns how many there
    /// were. Built-in hooks, such as the guard, stay.
    pub fn remove_hook(&self, name: &str) -> usize {
        self.shared.hooks.remove(name)
    }

    /// Waits until the observers have seen everything decided so far, for example at the end of a program.
    pub async fn settle(&self) {
        self.shared.hooks.observers().settle().await;
    }
}

/// A weak reference to a pipeline, made by [`Pipeline::downgrade`].
pub struct WeakPipeline<T>(Weak<Shared<T>>);

impl<T> WeakPipeline<T> {
    /// Returns the pipeline, if it still exists.
    pub fn upgrade(&self) -> Option<Pipeline<T>> {
        self.0.upgrade().map(|shared| Pipeline { shared })
    }
}

impl<T> fmt::Debug for WeakPipeline<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WeakPipeline")
    }
}

impl<T> Clone for Pipeline<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

impl<T> fmt::Debug for Pipeline<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipeline")
            .field("hooks", self.shared.hooks.list().dispatcher())
            .finish_non_exhaustive()
    }
}

/// The access of one agent to a pipeline.
///
/// Cheap to clone. Whatever the agent starts must use the same pipeline: [`child`](Self::child) creates the handle
/// of an agent that this one starts, with the same hooks and with its lineage, so that delegating a call does not
/// bypass a hook.
pub struct Handle<T> {
    pub(crate) shared: Arc<Shared<T>>,
    pub(crate) session: Arc<Session>,
    pub(crate) agent: Arc<Agent>,
    pub(crate) cancel: Cancel,
}

impl<T: Tools> Handle<T> {
    /// Runs one call.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// # let agent = Pipeline::builder(tools).build()?.handle(Session::default());
    /// let report = agent.call(call("ping", json!({})).id("toolu_1")).await;
    /// // What the model is told, whatever happened:
    /// let result = json!({
    ///     "type": "tool_result",
    ///     "tool_use_id": report.call.id,
    ///     "content": report.for_model(),
    ///     "is_error": report.is_error(),
    /// });
    /// # assert_eq!(result, json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": "pong", "is_error": false}));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn call(&self, call: impl Into<Call>) -> Report {
        CallRun::new(self, call.into()).whole().await
    }

    /// Runs the calls of one message and returns one report for each, in order: hooks in the order of the message,
    /// tools concurrently, up to the [limit](Builder::limit), unless the pipeline is [serial](Builder::serial).
    ///
    /// A judge that looks at something other than the call, as the guard looks at files, must see what is there when
    /// the call starts. So a call with such a judge does not run next to one that may change it, and is judged again
    /// if one has run since. Tools that [only read](crate::ToolSpec::read_only) run next to each other.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let once = on(EventName::PreToolUse, "once", |payload: &Payload| {
    ///     match payload.event.call().and_then(|call| call.id.as_deref()) {
    ///         Some("2") => Verdict::deny("once is enough"),
    ///         _ => Verdict::abstain(),
    ///     }
    /// });
    /// let agent = Pipeline::builder(tools).hook(once).build()?.handle(Session::default());
    /// let batch = agent.batch([call("ping", json!({})).id("1"), call("ping", json!({})).id("2")]).await;
    /// // One report for each call, in order, whatever happened to it.
    /// assert_eq!(batch.reports[0].ending, Ending::Ran);
    /// assert_eq!(batch.reports[1].ending, Ending::Denied);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn batch(&self, calls: impl IntoIterator<Item = impl Into<Call>>) -> Batch {
        crate::batch::run(self, calls.into_iter().map(Into::into).collect()).await
    }

    /// Creates the handle of an agent that this one starts.
    #[must_use]
    pub fn child(&self, id: impl Into<String>) -> Self {
        Self { agent: Arc::new(self.agent.child(id)), ..self.clone() }
    }

    /// Returns a handle whose calls are cancelled by `cancel`.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// Returns a handle with another state of the session, for example another working directory.
    #[must_use]
    pub fn with_session(&self, session: Session) -> Self {
        Self { session: Arc::new(session), ..self.clone() }
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Returns the pipeline.
    pub fn pipeline(&self) -> Pipeline<T> {
        Pipeline { shared: Arc::clone(&self.shared) }
    }

    /// Calls the hooks about any event and returns their merged answer, for hosts with events of their own;
    /// [`call`](Self::call), [`batch`](Self::batch) and the events of [sessions](Self::prompt) call the hooks by
    /// themselves.
    ///
    /// Returns `None` if it was cancelled.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), BuildError> {
    /// let freeze = on(EventName::ConfigChange, "freeze", |_: &Payload| Verdict::deny("not today"));
    /// let agent = Pipeline::builder(Toolbox::new()).hook(freeze).build()?.handle(Session::default());
    /// let outcome = agent.ask(agent.payload(Event::Other(EventName::ConfigChange))).await;
    /// // Nothing was decided if it was cancelled, so that is not a permission either.
    /// let may = outcome.is_some_and(|outcome| matches!(outcome.decision, Decision::Abstain | Decision::Allow));
    /// assert!(!may);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn ask(&self, payload: Payload) -> Option<Outcome> {
        self.shared.hooks.list().ask(payload, &self.cancel).await.ok()
    }

    /// Creates a payload of this session and agent.
    pub fn payload(&self, event: Event) -> Payload {
        Payload {
            session: Arc::clone(&self.session).into(),
            agent: (*self.agent).clone(),
            host: self.shared.host.clone(),
            event,
            attempt: 1,
            extra: Map::new(),
            raw: Vec::new(),
            id: None,
        }
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            session: Arc::clone(&self.session),
            agent: Arc::clone(&self.agent),
            cancel: self.cancel.clone(),
        }
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handle")
            .field("session", &self.session)
            .field("agent", &self.agent)
            .finish_non_exhaustive()
    }
}
