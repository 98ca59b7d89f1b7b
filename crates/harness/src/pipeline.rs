//! The pipeline, and the handle by which an agent's loop uses it.

use crate::{
    Batch, Builder, Cancel, Report, Running, Tools,
    answerer::Answering,
    approve::AnyApprover,
    hooks::Hooks,
    life::{Life, Step},
};
use checkrein::{Agent, Dispatcher, Event, Host, Outcome, Payload, Scope, Session, ToolCall};
use std::{
    fmt,
    sync::{Arc, Weak},
    time::Duration,
};

/// Where reports go.
pub(crate) type Recorder = Arc<dyn Fn(&Report) + Send + Sync>;

/// The whole life of a tool call: validate, edit, validate again, judge, approve, run, look after, retry, report.
///
/// It is made once and shared: clones are the same pipeline. An agent's loop uses it through a [`Handle`], which knows
/// the session and the agent.
pub struct Pipeline<T> {
    shared: Arc<Shared<T>>,
}

/// What all handles of a pipeline share.
pub(crate) struct Shared<T> {
    pub(crate) tools: Arc<T>,
    pub(crate) hooks: Hooks,
    pub(crate) answerers: Vec<(String, Scope, Answering)>,
    pub(crate) approver: Option<Arc<dyn AnyApprover>>,
    pub(crate) limit: usize,
    pub(crate) timeout: Duration,
    pub(crate) host: Host,
    pub(crate) recorder: Option<Recorder>,
}

impl<T: Tools> Pipeline<T> {
    /// A pipeline over `tools`, to be given its hooks.
    pub fn builder(tools: T) -> Builder<T> {
        Builder::new(tools)
    }

    pub(crate) fn of(shared: Shared<T>) -> Self {
        Self { shared: Arc::new(shared) }
    }

    /// The handle for the main agent of a session.
    pub fn handle(&self, session: Session) -> Handle<T> {
        Handle {
            shared: Arc::clone(&self.shared),
            session: Arc::new(session),
            agent: Arc::default(),
            cancel: Cancel::new(),
        }
    }

    /// The handle of the agent whose call is running, for a tool that starts an agent: its child is to be made from it.
    pub fn handle_of(&self, running: &Running) -> Handle<T> {
        Handle {
            shared: Arc::clone(&self.shared),
            session: Arc::clone(&running.session),
            agent: Arc::clone(&running.agent),
            cancel: running.cancel.clone(),
        }
    }

    /// The pipeline as a tool of its own may hold it: without keeping it alive.
    pub fn downgrade(&self) -> WeakPipeline<T> {
        WeakPipeline(Arc::downgrade(&self.shared))
    }

    /// The tools.
    pub fn tools(&self) -> &T {
        &self.shared.tools
    }

    /// The hooks, in the order in which they are asked.
    pub fn dispatcher(&self) -> &Dispatcher {
        self.shared.hooks.dispatcher()
    }

    /// Waits until the observers were shown everything that was decided so far: for the end of a program.
    pub async fn settle(&self) {
        self.shared.hooks.observers().settle().await;
    }
}

/// What [`Pipeline::downgrade`] makes.
pub struct WeakPipeline<T>(Weak<Shared<T>>);

impl<T> WeakPipeline<T> {
    /// The pipeline, if it is still there.
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
        f.debug_struct("Pipeline").field("hooks", self.shared.hooks.dispatcher()).finish_non_exhaustive()
    }
}

/// A pipeline in the hands of one agent.
///
/// Cheap to clone. Whatever the agent starts must use the same pipeline: [`child`](Self::child) makes the handle of an
/// agent that this one starts, with the same hooks and with its lineage, so that delegation is no way round a hook.
pub struct Handle<T> {
    pub(crate) shared: Arc<Shared<T>>,
    pub(crate) session: Arc<Session>,
    pub(crate) agent: Arc<Agent>,
    pub(crate) cancel: Cancel,
}

impl<T: Tools> Handle<T> {
    /// Runs one call.
    pub async fn call(&self, call: ToolCall) -> Report {
        let mut life = Life::new(self, call);
        match life.prepare().await {
            Step::Settled(ending) => life.end(ending),
            Step::GoOn => {
                let ran = life.run().await;
                life.complete(ran, None).await
            }
        }
    }

    /// Runs the calls of one message, see [`Batch`]: hooks in the order of the message, tools at the same time.
    pub async fn batch(&self, calls: Vec<ToolCall>) -> Batch {
        crate::batch::run(self, calls).await
    }

    /// The handle of an agent that this one starts.
    #[must_use]
    pub fn child(&self, id: impl Into<String>) -> Self {
        Self { agent: Arc::new(self.agent.child(id)), ..self.clone() }
    }

    /// The same, and what is started with it ends when `cancel` says so.
    #[must_use]
    pub fn with_cancel(&self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self.clone() }
    }

    /// The same in another state of the session, for example in another working directory.
    #[must_use]
    pub fn with_session(&self, session: Session) -> Self {
        Self { session: Arc::new(session), ..self.clone() }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The agent.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// The pipeline.
    pub fn pipeline(&self) -> Pipeline<T> {
        Pipeline { shared: Arc::clone(&self.shared) }
    }

    /// Asks the hooks about any event and returns all that they said. For hosts that do something of their own;
    /// [`call`](Self::call), [`batch`](Self::batch) and the events of [sessions](Self::prompt) ask by themselves.
    ///
    /// `None`: it was cancelled.
    pub async fn ask(&self, payload: Payload) -> Option<Outcome> {
        self.shared.hooks.ask(payload, &self.cancel).await.ok()
    }

    /// A payload of this session and agent.
    pub fn payload(&self, event: Event) -> Payload {
        Payload {
            session: (*self.session).clone(),
            agent: (*self.agent).clone(),
            host: self.shared.host.clone(),
            ..Payload::new(event)
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
