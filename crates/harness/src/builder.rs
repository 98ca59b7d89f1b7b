//! Builds a pipeline.

use crate::{
    Approver, Invocation, LayerError, Layered, Pipeline, Registration, Report, ToolOverride, ToolService,
    Tools,
    approve::AnyApprover,
    config::setup,
    hook::{Blocking, HookError},
    hooks::Hooks,
    observers::Remarks,
    pipeline::{Recorder, Shared},
};
use checkrein::{Asking, ConfigError, Edge, Entry, Host, Output, Part, Policy};
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
    entries: Vec<(Entry, Blocking)>,
    /// The combined configurations; set together with the guard.
    pub(crate) policy: Option<Policy>,
    overrides: Vec<ToolOverride>,
    broken: Vec<HookError>,
    approver: Option<Arc<dyn AnyApprover>>,
    limit: usize,
    timeout: Duration,
    retries: Option<u32>,
    host: Host,
    recorder: Option<Recorder>,
    remarks: Option<Remarks>,
}

/// The reason why a pipeline cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A hook has a pattern that cannot match what its author meant.
    #[error(transparent)]
    Pattern(HookError),
    /// A configuration is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl<T: Tools> Builder<T> {
    /// Creates a builder over `tools`, without hooks.
    pub fn new(tools: T) -> Self {
        Self {
            tools: Arc::new(tools),
            entries: Vec::new(),
            policy: None,
            overrides: Vec::new(),
            broken: Vec::new(),
            approver: None,
            limit: LIMIT,
            timeout: TOOL_TIMEOUT,
            retries: None,
            host: Host::default(),
            recorder: None,
            remarks: None,
        }
    }

    /// Adds a hook after those already added.
    pub fn hook(mut self, hook: impl Into<Registration>) -> Self {
        let Registration { entry, blocking } = hook.into();
        match entry {
            Ok(entry) => self.entries.push((entry, blocking)),
            Err(misfit) => self.broken.push(misfit),
        }
        self
    }

    /// Adds the built-in guard, which judges the effects of a call. It is called after all other hooks. It reads the
    /// disk, so it may block.
    pub fn guard(mut self) -> Self {
        self.policy.get_or_insert_default();
        self
    }

    /// Adds an override of a tool, tried after those already added.
    pub fn answer(mut self, tool_override: ToolOverride) -> Self {
        self.overrides.push(tool_override);
        self
    }

    /// Sets the approver. Without one, everything that needs approval is denied.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Sets how many tools of one message run concurrently; 8 by default.
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Sets the timeout of tools without one of their own; two minutes by default.
    pub const fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how often a failed call may be retried at the request of a failure hook: once by default, at most three
    /// times.
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
    pub fn record(mut self, record: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        self.recorder = Some(Arc::new(record));
        self
    }

    /// Sets a function that receives texts for the user that belong to no call: failures of observers, skipped
    /// hooks.
    pub fn remarks(mut self, remarks: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.remarks = Some(Arc::new(remarks));
        self
    }

    /// Wraps the tools in a tower layer, outside of the layers already added.
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
            entries: self.entries,
            policy: self.policy,
            overrides: self.overrides,
            broken: self.broken,
            approver: self.approver,
            limit: self.limit,
            timeout: self.timeout,
            retries: self.retries,
            host: self.host,
            recorder: self.recorder,
            remarks: self.remarks,
        }
    }

    pub(crate) fn say(&self, remark: &str) {
        if let Some(remarks) = &self.remarks {
            remarks(remark);
        }
    }

    /// Builds the pipeline.
    pub fn build(self) -> Result<Pipeline<T>, BuildError> {
        if let Some(misfit) = self.broken.into_iter().next() {
            return Err(BuildError::Pattern(misfit));
        }
        let mut overrides = Vec::new();
        for ToolOverride { name, scope, answer } in self.overrides {
            match scope {
                Ok(scope) => overrides.push((name, scope, answer)),
                Err(misfit) => return Err(BuildError::Pattern(misfit)),
            }
        }
        let mut entries = self.entries;
        if let Some(policy) = &self.policy {
            let asking = if self.approver.is_some() { Asking::Asks } else { Asking::Cannot };
            let edge = Edge::new(&setup).remembering(asking);
            let built_in = |part: Part| {
                let active = policy.part(part, &edge);
                active.dispatcher.entries().iter().map(|entry| (entry.clone(), Blocking::Possible)).collect()
            };
            let first: Vec<(Entry, Blocking)> = built_in(Part::First);
            let last: Vec<(Entry, Blocking)> = built_in(Part::Last);
            entries.splice(..0, first);
            entries.extend(last);
        }
        let hooks = Hooks::new(entries, &self.tools, self.retries, self.remarks);
        Ok(Pipeline::of(Shared {
            tools: self.tools,
            hooks,
            overrides,
            approver: self.approver,
            limit: self.limit.max(1),
            timeout: self.timeout,
            host: self.host,
            recorder: self.recorder,
        }))
    }
}

impl<T> fmt::Debug for Builder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("hooks", &self.entries).finish_non_exhaustive()
    }
}
