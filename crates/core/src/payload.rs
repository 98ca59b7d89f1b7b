//! The payload that a hook receives.

use crate::{Event, EventId, EventName, Map};
use serde_json::Value;
use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

/// One event of one host, in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// The event.
    pub event: Event,
    /// The session. All events of a session share it.
    pub session: Shared<Session>,
    /// The agent of the session.
    pub agent: Agent,
    /// The host, and its own name for the event.
    pub host: Host,
    /// The number of this attempt at the call. It is 1 unless a failure hook asked for a retry.
    pub attempt: u32,
    /// All fields of the event that have no typed field here, as the host sent them.
    pub extra: Map,
    /// The bytes as the host sent them; empty if the payload was created in process.
    pub raw: Vec<u8>,
    /// The id under which the trail keeps the event; `None` if it keeps nothing.
    pub id: Option<EventId>,
}

impl Payload {
    /// Creates a payload with only an event.
    pub fn new(event: Event) -> Self {
        Self {
            event,
            session: Shared::default(),
            agent: Agent::default(),
            host: Host::default(),
            attempt: 1,
            extra: Map::new(),
            raw: Vec::new(),
            id: None,
        }
    }

    /// Returns the canonical name of the event.
    pub const fn name(&self) -> EventName {
        self.event.name()
    }

    /// Returns a field without a typed place, for example `source` of `SessionStart` or `stop_hook_active` of
    /// `Stop`.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.extra.get(name)
    }
}

/// A part that many payloads have in common. It is copied only when one of them changes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared<T>(Arc<T>);

impl<T: Clone> Shared<T> {
    /// Returns the part, copied if others have it as well.
    pub fn into_inner(self) -> T {
        Arc::unwrap_or_clone(self.0)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(part: T) -> Self {
        Self(Arc::new(part))
    }
}

impl<T> From<Arc<T>> for Shared<T> {
    fn from(part: Arc<T>) -> Self {
        Self(part)
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

/// The session that an event belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The host's session id.
    pub id: Option<String>,
    /// The current working directory.
    pub cwd: Option<String>,
    /// The directory that the session was started in.
    pub project_dir: Option<String>,
    /// The file in which the host keeps the conversation.
    pub transcript_path: Option<String>,
    /// The host's permission mode, in the host's words.
    pub permission_mode: Option<String>,
    /// Anything else that the host wants its hooks to know of the session, for example the names of its tools.
    pub extra: Map,
}

/// The agent of a session: the main agent has no id, a subagent has one and knows which agents started it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The host's id of a subagent.
    pub id: Option<String>,
    /// The kind of agent.
    pub kind: Option<String>,
    /// The ids of the agents that started it, the outermost first.
    pub lineage: Vec<String>,
}

impl Agent {
    /// Creates the agent that `self` starts. It carries the lineage, so that delegating a call does not bypass a
    /// hook.
    #[must_use]
    pub fn child(&self, id: impl Into<String>) -> Self {
        let mut lineage = self.lineage.clone();
        lineage.extend(self.id.clone());
        Self { id: Some(id.into()), kind: None, lineage }
    }
}

/// The host that sent the event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// The name of its dialect: `claude`, `codex`, ..., `checkrein` for our own.
    pub name: Option<String>,
    /// The host's own name for the event, where it differs from ours.
    pub event: Option<String>,
    /// The host lets an agent type into a process that an earlier shell call started, and fires no event for that.
    pub types_unseen: bool,
}
