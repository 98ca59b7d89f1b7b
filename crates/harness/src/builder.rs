//! Putting a pipeline together.

use crate::{
    Answerer, Approver, Invocation, LayerError, Layered, Pipeline, Registration, Report, ToolService, Tools,
    approve::AnyApprover,
    config::setup,
    hook::{HookError, Manner},
    hooks::Hooks,
    observers::Remarks,
    pipeline::{Recorder, Shared},
};
use checkrein::{Asking, ConfigError, Edge, Entry, Host, Output, Part, Policy};
use std::{fmt, sync::Arc, time::Duration};
use tower_layer::Layer;
use tower_service::Service;

/// How many tools of one message run at once, unless it is said.
const LIMIT: usize = 8;

/// How long a tool may run, unless it is said.
const TOOL_TIMEOUT: Duration = Duration::from_secs(120);

/// A pipeline to be. Hooks are asked in the order in which they are given.
#[must_use]
pub struct Builder<T> {
    tools: Arc<T>,
    entries: Vec<(Entry, Manner)>,
    /// The configurations together; with one there is a guard.
    pub(crate) policy: Option<Policy>,
    answerers: Vec<Answerer>,
    broken: Vec<HookError>,
    approver: Option<Arc<dyn AnyApprover>>,
    limit: usize,
    timeout: Duration,
    retries: Option<u32>,
    host: Host,
    recorder: Option<Recorder>,
    remarks: Option<Remarks>,
}

/// Why there is no pipeline.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A hook has a pattern that cannot match as its author meant.
    #[error(transparent)]
    Pattern(HookError),
    /// A configuration is broken.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl<T: Tools> Builder<T> {
    /// A pipeline over `tools`, without hooks.
    pub fn new(tools: T) -> Self {
        Self {
            tools: Arc::new(tools),
            entries: Vec::new(),
            policy: None,
            answerers: Vec::new(),
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

    /// With one more hook, asked after those before it.
    pub fn hook(mut self, hook: impl Into<Registration>) -> Self {
        let Registration { entry, manner } = hook.into();
        match entry {
            Ok(entry) => self.entries.push((entry, manner)),
            Err(misfit) => self.broken.push(misfit),
        }
        self
    }

    /// With the judge that is built in, which looks at what a call would do. It is asked after all other hooks, and reads
    /// the disk, so it waits.
    pub fn guard(mut self) -> Self {
        self.policy.get_or_insert_default();
        self
    }

    /// With somebody who may answer in a tool's place, asked after those before it.
    pub fn answer(mut self, answerer: Answerer) -> Self {
        self.answerers.push(answerer);
        self
    }

    /// With somebody to ask. Without, whatever needs approval is refused.
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// So many tools of one message run at once; 8 unless it is said.
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// A tool without a time limit of its own has this one; two minutes unless it is said.
    pub const fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// A failed call may be tried again so often, if a failure hook wishes it: once unless it is said, three times at most.
    pub const fn retries(mut self, retries: u32) -> Self {
        self.retries = Some(retries);
        self
    }

    /// The name by which hooks know this host.
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.host.name = Some(name.into());
        self
    }

    /// Every report goes here too, once and whole, also that of a call whose caller has gone away.
    pub fn record(mut self, record: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        self.recorder = Some(Arc::new(record));
        self
    }

    /// Texts for the user that belong to no call go here: failures of observers, hooks that are skipped.
    pub fn remarks(mut self, remarks: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.remarks = Some(Arc::new(remarks));
        self
    }

    /// With a tower layer around the tools, outside of those before it.
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
            answerers: self.answerers,
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

    /// The pipeline.
    pub fn build(self) -> Result<Pipeline<T>, BuildError> {
        if let Some(misfit) = self.broken.into_iter().next() {
            return Err(BuildError::Pattern(misfit));
        }
        let mut answerers = Vec::new();
        for Answerer { name, scope, answer } in self.answerers {
            match scope {
                Ok(scope) => answerers.push((name, scope, answer)),
                Err(misfit) => return Err(BuildError::Pattern(misfit)),
            }
        }
        let mut entries = self.entries;
        if let Some(policy) = &self.policy {
            let asking = if self.approver.is_some() { Asking::Asks } else { Asking::Cannot };
            let edge = Edge::new(&setup).remembering(asking);
            let built_in = |part: Part| {
                let active = policy.part(part, &edge);
                active.dispatcher.entries().iter().map(|entry| (entry.clone(), Manner::Waits)).collect()
            };
            let first: Vec<(Entry, Manner)> = built_in(Part::First);
            let last: Vec<(Entry, Manner)> = built_in(Part::Last);
            entries.splice(..0, first);
            entries.extend(last);
        }
        let hooks = Hooks::new(entries, &self.tools, self.retries, self.remarks);
        Ok(Pipeline::of(Shared {
            tools: self.tools,
            hooks,
            answerers,
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
