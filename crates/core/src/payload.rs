//! What a hook is shown.

use crate::{Event, EventName, Map};
use serde_json::Value;

/// One event of one host, in our own words.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// What happened.
    pub event: Event,
    /// In which session.
    pub session: Session,
    /// In which agent of the session.
    pub agent: Agent,
    /// Which host told us, and how it calls the event.
    pub host: Host,
    /// How often this call was tried, this time included. 1 unless a failure hook asked for a retry.
    pub attempt: u32,
    /// Every field of the event that has no typed place here, as the host sent it.
    pub extra: Map,
    /// The bytes as the host sent them; empty when the payload was made in process.
    pub raw: Vec<u8>,
}

impl Payload {
    /// A payload with nothing but an event, to be filled in.
    pub fn new(event: Event) -> Self {
        Self {
            event,
            session: Session::default(),
            agent: Agent::default(),
            host: Host::default(),
            attempt: 1,
            extra: Map::new(),
            raw: Vec::new(),
        }
    }

    /// The canonical name of the event.
    pub const fn name(&self) -> EventName {
        self.event.name()
    }

    /// A field that has no typed place, for example `source` of `SessionStart` or `stop_hook_active` of `Stop`.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.extra.get(name)
    }
}

/// The session that an event belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The host's id of it.
    pub id: Option<String>,
    /// The working directory at this moment.
    pub cwd: Option<String>,
    /// The directory that the session was started for.
    pub project_dir: Option<String>,
    /// Where the host keeps the conversation.
    pub transcript_path: Option<String>,
    /// The host's permission mode, in the host's words.
    pub permission_mode: Option<String>,
}

/// The agent of a session: the main one has no id, a subagent has one and knows its ancestors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// The host's id of a subagent.
    pub id: Option<String>,
    /// What kind of agent it is.
    pub kind: Option<String>,
    /// The ids of the agents that started it, the outermost first.
    pub lineage: Vec<String>,
}

impl Agent {
    /// An agent that `self` starts: it carries the lineage, so that delegation is no way round a hook.
    #[must_use]
    pub fn child(&self, id: impl Into<String>) -> Self {
        let mut lineage = self.lineage.clone();
        lineage.extend(self.id.clone());
        Self { id: Some(id.into()), kind: None, lineage }
    }
}

/// The host that told us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// The name of its dialect: `claude`, `codex`, ..., `checkrein` for our own.
    pub name: Option<String>,
    /// Its own name for the event, where it differs from ours.
    pub event: Option<String>,
    /// It lets an agent type into what an earlier call of a shell started, and fires no event for that.
    pub types_unseen: bool,
}
