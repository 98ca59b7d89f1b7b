//! Builds a pipeline.

use crate::{
    Approver, Invocation, LayerError, Layered, Pipeline, Registration, Report, ToolOverride, ToolService,
    Tools,
    approve::AnyApprover,
    edge::Kept,
    hook::{HookError, Hooked},
    hooks::{Hooks, Parts},
    observers::{Observers, Remarks},
    pipeline::{Assumed, Recorder, Shared},
    schema_judge::SchemaJudge,
};
use checkrein_core::{Dispatcher, Entry, EventName, Host, Output, Pattern, Role};
use std::{fmt, sync::Arc, time::Duration};
use tower_layer::Layer;
use tower_service::Service;

/// The default number of tools of one message that run concurrently.
const LIMIT: usize = 8;

/// The default timeout of a tool.
const TOOL_TIMEOUT: Duration = Duration::from_secs(120);

/// A builder for a [`Pipeline`]. Hooks are called in the order in which they are added.
#[must_use]
pub struct Builder<T> {
    tools: Arc<T>,
    hooks: Vec<Hooked>,
    /// The combined configurations; set together with the guard.
    #[cfg(feature = "guard")]
    pub(crate) policy: Option<checkrein::Policy>,
    #[cfg(feature = "guard")]
    pub(crate) undo: bool,
    overrides: Vec<ToolOverride>,
    broken: Vec<HookError>,
    approver: Option<Arc<dyn AnyApprover>>,
    limit: usize,
    serial: bool,
    timed: bool,
    timeout: Duration,
    retries: Option<u32>,
    host: Host,
    recorder: Option<Recorder>,
    remarks: Option<Remarks>,
    kept: Kept,
}

/// The reason why a pipeline cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A hook has a pattern that cannot match what its author meant.
    #[error(transparent)]
    Pattern(HookError),
    /// A configuration is invalid.
    #[cfg(feature = "config")]
    #[error(transparent)]
    Config(#[from] checkrein::ConfigError),
}

impl<T: Tools> Builder<T> {
    /// Creates a builder over `tools`, without hooks.
    pub fn new(tools: T) -> Self {
        Self {
            tools: Arc::new(tools),
            hooks: Vec::new(),
            #[cfg(feature = "guard")]
            policy: None,
            #[cfg(feature = "guard")]
            undo: false,
            overrides: Vec::new(),
            broken: Vec::new(),
            approver: None,
            limit: LIMIT,
            serial: false,
            timed: false,
            timeout: TOOL_TIMEOUT,
            retries: None,
            host: Host::default(),
            recorder: None,
            remarks: None,
            kept: Kept::default(),
        }
    }

    /// Adds a hook after those already added.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let closed = on(EventName::PreToolUse, "closed", |_: &Payload| Verdict::deny("back at two"));
    /// let agent = Pipeline::builder(tools).hook(closed).build()?.handle(Session::default());
    /// let report = agent.call(call("ping", json!({}))).await;
    /// assert_eq!(report.ending, Ending::Denied);
    /// assert!(report.output.text().contains("back at two"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn hook(mut self, hook: impl Into<Registration>) -> Self {
        match hook.into().into_hooked() {
            Ok(hooked) => self.hooks.push(hooked),
            Err(misfit) => self.broken.push(misfit),
        }
        self
    }

    /// Adds the built-in guard, which judges the effects of a call. It is called after all other hooks. It reads the
    /// disk, so it may block, and calls that it judges do not run next to calls that may change files, see
    /// [`Handle::batch`](crate::Handle::batch). Needs the feature `guard`.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn run(_: Value, _: Running) -> Result<String, ToolError> { Ok("done".into()) }
    /// let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("execute_command"), run));
    /// let agent = Pipeline::builder(tools).guard().build()?.handle(Session::default());
    /// let report = agent.call(call("execute_command", json!({"command": "rm -rf /"}))).await;
    /// assert_eq!(report.ending, Ending::Denied);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "guard")]
    pub fn guard(mut self) -> Self {
        self.policy.get_or_insert_default();
        self
    }

    /// Keeps what a call would destroy before it runs, so that `checkrein undo` can restore it, and leaves out the questions that
    /// this makes unnecessary. `[undo]` in the configuration has the bounds. It needs a state directory: add the configuration
    /// with `layers` or `stack`.
    #[cfg(feature = "guard")]
    pub const fn undo(mut self) -> Self {
        self.undo = true;
        self
    }

    /// Adds an override of a tool, tried after those already added.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let recorded = answer("recording", |_: &checkrein_core::ToolCall| Some(Output::from("pong, as last time")));
    /// let agent = Pipeline::builder(tools).answer(recorded).build()?.handle(Session::default());
    /// let report = agent.call(call("ping", json!({}))).await;
    /// assert_eq!(report.ending, Ending::AnsweredBy("recording".into()));
    /// assert_eq!(report.output.text(), "pong, as last time");
    /// # Ok(())
    /// # }
    /// ```
    pub fn answer(mut self, tool_override: ToolOverride) -> Self {
        self.overrides.push(tool_override);
        self
    }

    /// Sets the approver. Without one, everything that needs approval is denied.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let careful = on(EventName::PreToolUse, "careful", |_: &Payload| Verdict::ask("is this meant?"));
    /// let agent = Pipeline::builder(tools)
    ///     .hook(careful)
    ///     .approver(policy(|request: &Request<'_>| match request.reasons.first() {
    ///         Some(why) if why.text == "is this meant?" => Approval::Yes,
    ///         _ => Approval::No(Some("nobody is there".into())),
    ///     }))
    ///     .build()?
    ///     .handle(Session::default());
    /// assert_eq!(agent.call(call("ping", json!({}))).await.ending, Ending::Ran);
    /// # Ok(())
    /// # }
    /// ```
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Sets how many tools of one message run concurrently; 8 by default.
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Judges, runs and reports each call of a message before the next one is judged, for tools that depend on each
    /// other.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// // The second call needs what the first one made, so it must not be judged before that is there.
    /// let agent = Pipeline::builder(tools).serial().build()?.handle(Session::default());
    /// let batch = agent.batch([call("ping", json!({})), call("ping", json!({}))]).await;
    /// assert!(batch.reports.iter().all(Report::has_run));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn serial(mut self) -> Self {
        self.serial = true;
        self
    }

    /// Measures how long each part of a call takes and keeps the answers of all hooks:
    /// [`Report::times`](crate::Report::times) and [`Report::trail`](crate::Report::trail).
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// let watch = on(EventName::PreToolUse, "watch", |_: &Payload| Verdict::abstain());
    /// let agent = Pipeline::builder(tools).hook(watch).timed().build()?.handle(Session::default());
    /// let report = agent.call(call("ping", json!({}))).await;
    /// for dispatched in &report.trail {
    ///     for (hook, step) in dispatched.steps() {
    ///         println!("{} {hook}: {} in {:?}", dispatched.event, step.decision, step.elapsed);
    ///     }
    /// }
    /// # assert!(report.times.is_some_and(|times| !times.hooks.is_zero()));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn timed(mut self) -> Self {
        self.timed = true;
        self
    }

    /// Sets the timeout of tools without one of their own; two minutes by default.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # use std::time::Duration;
    /// async fn slow(_: Value, _: Running) -> Result<String, ToolError> {
    ///     tokio::time::sleep(Duration::from_secs(60)).await;
    ///     Ok("late".into())
    /// }
    /// let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("slow"), slow));
    /// let agent = Pipeline::builder(tools).tool_timeout(Duration::from_millis(20)).build()?.handle(Session::default());
    /// let report = agent.call(call("slow", json!({}))).await;
    /// assert_eq!(report.ending, Ending::Failed(Cause::TimedOut));
    /// # let _ = ping;
    /// # Ok(())
    /// # }
    /// ```
    pub const fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how often a failed call may be retried at the request of a failure hook: once by default, at most three
    /// times.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// async fn flaky(_: Value, running: Running) -> Result<String, ToolError> {
    ///     if running.attempt < 3 { Err("busy".into()) } else { Ok("done".into()) }
    /// }
    /// # let _ = ping;
    /// let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("flaky"), flaky));
    /// let again = on(EventName::PostToolUseFailure, "again", |_: &Payload| Verdict::retry());
    /// let agent = Pipeline::builder(tools).hook(again).retries(2).build()?.handle(Session::default());
    /// let report = agent.call(call("flaky", json!({}))).await;
    /// assert_eq!((report.output.text(), report.attempt), ("done", 3));
    /// # Ok(())
    /// # }
    /// ```
    pub const fn retries(mut self, retries: u32) -> Self {
        self.retries = Some(retries);
        self
    }

    /// Sets the name by which hooks know this host.
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.host.name = Some(name.into());
        self
    }

    /// Sets a function that receives every report once and complete, including that of a call whose caller is gone.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// # use std::sync::{Arc, Mutex};
    /// let seen = Arc::new(Mutex::new(Vec::new()));
    /// let log = Arc::clone(&seen);
    /// let pipeline = Pipeline::builder(tools)
    ///     .record(move |report| log.lock().unwrap().push((report.call.name.clone(), report.ending.clone())))
    ///     .build()?;
    /// pipeline.handle(Session::default()).call(call("ping", json!({}))).await;
    /// assert_eq!(*seen.lock().unwrap(), [("ping".to_owned(), Ending::Ran)]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn record(mut self, record: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        self.recorder = Some(Arc::new(record));
        self
    }

    /// Keeps a record of every event that hooks decide, as the program does: `checkrein log` shows them. Nothing is kept without this. The
    /// record is appended before the caller gets the answer, under a lock that is waited for at most 5 ms. It has neither
    /// effects nor rules, which only the program knows. Needs the feature `guard`.
    ///
    /// ```no_run
    /// # use checkrein_harness::*;
    /// # use checkrein::{Places, Policy, trail::Trail, variable};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let policy = Policy::load(&Places::of(variable))?;
    /// let agent = Pipeline::builder(Toolbox::new()).trail(Trail::of(&policy)).policy(policy).build()?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "guard")]
    pub fn trail(mut self, trail: impl Into<Option<checkrein::trail::Trail>>) -> Self {
        let trail: Option<checkrein::trail::Trail> = trail.into();
        self.kept = Kept(trail.map(|trail| Arc::new(trail) as Arc<dyn crate::edge::Keeper>));
        self
    }

    /// Sets a function that receives texts for the user that belong to no call: failures of observers, skipped
    /// hooks, hooks for tools that do not exist when the pipeline is built.
    ///
    /// ```
    /// # use checkrein_harness::*;
    /// # use serde_json::{Value, json};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # async fn ping(_: Value, _: Running) -> Result<String, ToolError> { Ok("pong".into()) }
    /// # let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("ping"), ping));
    /// # use std::sync::{Arc, Mutex};
    /// let told = Arc::new(Mutex::new(Vec::new()));
    /// let lines = Arc::clone(&told);
    /// let broken = on(EventName::PreToolUse, "audit", |_: &Payload| Err::<Verdict, _>(Failure::Other("disk full".into()))).observe();
    /// let pipeline =
    ///     Pipeline::builder(tools).hook(broken).remarks(move |line| lines.lock().unwrap().push(line.to_owned())).build()?;
    /// let report = pipeline.handle(Session::default()).call(call("ping", json!({}))).await;
    /// assert_eq!(report.ending, Ending::Ran); // an observer changes nothing
    /// pipeline.settle().await;
    /// assert!(told.lock().unwrap()[0].contains("`audit` failed: disk full"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn remarks(mut self, remarks: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.remarks = Some(Arc::new(remarks));
        self
    }

    /// Wraps the tools in a tower layer, outside the layers already added.
    pub fn layer<L>(self, layer: &L) -> Builder<Layered<T, L::Service>>
    where
        L: Layer<ToolService<T>>,
        L::Service: Service<Invocation, Response = Output> + Clone + Send + Sync + 'static,
        <L::Service as Service<Invocation>>::Error: Into<LayerError>,
        <L::Service as Service<Invocation>>::Future: Send,
    {
        let service = layer.layer(ToolService(Arc::clone(&self.tools)));
        let tools = Arc::new(Layered { tools: self.tools, service });
        Builder {
            tools,
            hooks: self.hooks,
            #[cfg(feature = "guard")]
            policy: self.policy,
            #[cfg(feature = "guard")]
            undo: self.undo,
            overrides: self.overrides,
            broken: self.broken,
            approver: self.approver,
            limit: self.limit,
            serial: self.serial,
            timed: self.timed,
            timeout: self.timeout,
            retries: self.retries,
            host: self.host,
            recorder: self.recorder,
            remarks: self.remarks,
            kept: self.kept,
        }
    }

    pub(crate) fn say(&self, remark: &str) {
        if let Some(remarks) = &self.remarks {
            remarks(remark);
        }
    }

    /// Returns the remark about a function that is only for tools that do not exist. They may come later, so that is no
    /// error; but a misspelled name is a hook that is never called.
    fn without_tool(&self, entry: &Entry) -> Option<String> {
        let names: Vec<&str> = entry
            .scope()
            .tools()
            .filter(|_| entry.is_in_process())?
            .iter()
            .map(Pattern::exactly)
            .collect::<Option<_>>()?;
        let missing = |name: &&str| !name.starts_with("kind:") && self.tools.tool(name).is_none();
        let hook = entry.name();
        names
            .iter()
            .all(missing)
            .then(|| format!("the hook `{hook}` is only for {}, and there is no such tool", entry.scope()))
    }

    /// Builds the pipeline.
    pub fn build(mut self) -> Result<Pipeline<T>, BuildError> {
        if let Some(misfit) = self.broken.first() {
            return Err(BuildError::Pattern(misfit.clone()));
        }
        let mut overrides = Vec::new();
        for ToolOverride { name, scope, answer } in std::mem::take(&mut self.overrides) {
            match scope {
                Ok(scope) => overrides.push((name, scope, answer)),
                Err(misfit) => return Err(BuildError::Pattern(misfit)),
            }
        }
        for remark in self.hooks.iter().filter_map(|hooked| self.without_tool(&hooked.entry)) {
            self.say(&remark);
        }
        #[cfg(feature = "guard")]
        let (guarded, [first, last]) = (self.policy.is_some(), self.built_in());
        #[cfg(not(feature = "guard"))]
        let (guarded, [first, last]) = (false, [Vec::new(), Vec::new()]);
        let judge = SchemaJudge { tools: Arc::clone(&self.tools) };
        let mut settings = Dispatcher::new().timed(self.timed);
        if let Some(retries) = self.retries {
            settings = settings.with_retries(retries);
        }
        let parts = Parts {
            schema: Entry::new(EventName::PreToolUse, judge).with_role(Role::Judge),
            first,
            own: self.hooks,
            last,
            settings,
        };
        let hooks = Hooks::new(parts, Observers::new(self.remarks, self.kept));
        Ok(Pipeline::of(Shared {
            tools: self.tools,
            hooks,
            overrides,
            approver: self.approver,
            limit: self.limit.max(1),
            serial: self.serial,
            timed: self.timed,
            guarded,
            assumed: Assumed::default(),
            timeout: self.timeout,
            host: self.host,
            recorder: self.recorder,
        }))
    }
}

#[cfg(feature = "guard")]
impl<T> Builder<T> {
    pub(crate) const fn has_approver(&self) -> bool {
        self.approver.is_some()
    }
}

impl<T> fmt::Debug for Builder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("hooks", &self.hooks).finish_non_exhaustive()
    }
}
