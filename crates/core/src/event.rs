//! Hook events and their canonical names.
//!
//! Names follow Claude Code wherever it has the event, since a dozen hosts already use those. The table below lists
//! every name with its [`Class`], which is all that the rest of the engine needs to know about an event.

use crate::{Map, Output, ToolCall};
use std::{fmt, str::FromStr, time::Duration};

/// The class of an event: what a denial can still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Before the fact: a denial prevents it. The first denial ends the dispatch.
    Gate,
    /// After a tool ran or a model answered: a denial withholds the text. Every hook is called.
    Result,
    /// The agent is about to finish: a denial makes it continue. Every hook is called.
    Finish,
    /// Nothing to decide: the event only reports something.
    Report,
}

macro_rules! events {
    ($($(#[doc = $doc:literal])+ $name:ident: $class:ident),+ $(,)?) => {
        /// The canonical name of an event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum EventName {
            $($(#[doc = $doc])+ $name),+
        }

        impl EventName {
            /// All known events, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Returns the name on the wire and in configurations.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),+ }
            }

            /// Returns the class of the event.
            pub const fn class(self) -> Class {
                match self { $(Self::$name => Class::$class),+ }
            }
        }
    };
}

events! {
    /// A session starts, or is resumed, cleared, compacted or forked.
    SessionStart: Report,
    /// A session ends.
    SessionEnd: Report,
    /// An initialisation or maintenance run.
    Setup: Report,
    /// A workspace was opened.
    WorkspaceOpen: Report,
    /// The user, or a program on their behalf, submitted a prompt.
    UserPromptSubmit: Gate,
    /// A slash command or an MCP prompt is about to be expanded.
    UserPromptExpansion: Gate,
    /// The text of a prompt as the model will see it.
    UserPromptTransformed: Report,
    /// A request is about to go to the model.
    PreModelRequest: Gate,
    /// The set of tools is about to be offered to the model.
    PreToolSelection: Report,
    /// The model answered, wholly or in part.
    PostModelResponse: Result,
    /// A text is about to be shown to the user.
    MessageDisplay: Report,
    /// A tool is about to run.
    PreToolUse: Gate,
    /// The host is about to ask the user for permission.
    PermissionRequest: Gate,
    /// The host denied a call by itself.
    PermissionDenied: Report,
    /// A tool ran.
    PostToolUse: Result,
    /// A tool failed.
    PostToolUseFailure: Result,
    /// All calls of one message have finished.
    PostToolBatch: Report,
    /// The agent is about to end its turn.
    Stop: Finish,
    /// The agent has ended its turn. Some hosts only report this, so it is not another spelling of `Stop`.
    AfterAgent: Report,
    /// A turn ended with an error of the model's API.
    StopFailure: Report,
    /// The user interrupted the turn.
    Interrupt: Report,
    /// The host reported an error.
    ErrorOccurred: Report,
    /// A subagent is about to start.
    SubagentStart: Gate,
    /// A subagent is about to end.
    SubagentStop: Finish,
    /// The conversation is about to be compacted.
    PreCompact: Gate,
    /// The conversation was compacted.
    PostCompact: Report,
    /// The model is about to be switched.
    PreModelSwitch: Gate,
    /// The model was switched.
    PostModelSwitch: Report,
    /// The host tells the user something.
    Notification: Report,
    /// An MCP server asks the user to fill in a form.
    Elicitation: Gate,
    /// The answer to such a form is about to be sent.
    ElicitationResult: Gate,
    /// A task is about to be created.
    TaskCreated: Gate,
    /// A task is about to be marked as done.
    TaskCompleted: Finish,
    /// A teammate is about to go idle.
    TeammateIdle: Finish,
    /// A task of a specification is about to run.
    TaskExec: Gate,
    /// The host's configuration is about to change.
    ConfigChange: Gate,
    /// An instructions file was loaded.
    InstructionsLoaded: Report,
    /// The working directory changed.
    CwdChanged: Report,
    /// A watched file changed.
    FileChanged: Report,
    /// A directory was added to the session.
    DirectoryAdded: Report,
    /// A worktree is to be created; the host takes its path from the answer.
    WorktreeCreate: Report,
    /// A worktree was removed.
    WorktreeRemove: Report,
    /// A session was deleted.
    SessionDelete: Report,
    /// The user started the hook manually.
    Manual: Report,
}

impl EventName {
    /// Returns true if a denial can still prevent the event.
    pub const fn is_preventable(self) -> bool {
        matches!(self.class(), Class::Gate)
    }

    /// Returns true if the event is about one tool call.
    pub const fn has_tool(self) -> bool {
        matches!(
            self,
            Self::PreToolUse
                | Self::PermissionRequest
                | Self::PermissionDenied
                | Self::PostToolUse
                | Self::PostToolUseFailure
        )
    }

    /// Returns the time that all hooks of one event may take together. On a gate a call waits for the answer, so the
    /// time is short. Elsewhere a delay holds up no call, and tests at the end of a turn take minutes. Hosts allow
    /// little more than a second at the end of a session.
    pub const fn budget(self) -> Duration {
        match (self, self.class()) {
            (Self::SessionEnd, _) => Duration::from_secs(1),
            (_, Class::Gate) => Duration::from_secs(20),
            (_, Class::Result | Class::Finish | Class::Report) => Duration::from_secs(600),
        }
    }

    /// Returns the latest moment for an answer, counted from the start of the program that gives it: the time for
    /// the host to write the event plus the time for all hooks.
    pub const fn alarm(self) -> Duration {
        self.budget().saturating_add(Duration::from_secs(8))
    }

    /// Returns how long a host should wait: a little longer than [`alarm`](Self::alarm), so that we answer before it
    /// gives up and continues.
    pub const fn patience(self) -> Duration {
        match self {
            // No host waits longer at the end of a session.
            Self::SessionEnd => Duration::from_secs(3),
            _ => self.alarm().saturating_add(Duration::from_secs(2)),
        }
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The error for a name that is not an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown event `{name}`{}", crate::nearest::hint(nearest.as_deref()))]
pub struct UnknownEventError {
    name: String,
    nearest: Option<String>,
}

impl UnknownEventError {
    /// Returns the most similar known name, if there is one.
    pub fn nearest(&self) -> Option<&str> {
        self.nearest.as_deref()
    }
}

impl FromStr for EventName {
    type Err = UnknownEventError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.iter().copied().find(|event| event.as_str() == text);
        known.ok_or_else(|| UnknownEventError {
            name: text.to_owned(),
            nearest: crate::nearest::nearest(text, Self::ALL.iter().map(|event| event.as_str())),
        })
    }
}

/// An event. Events about a tool or a prompt are typed, because hooks edit them; every other event is only a name,
/// and its fields are in [`Payload::extra`](crate::Payload::extra).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A tool is about to run.
    PreToolUse {
        /// The call as it would run.
        call: ToolCall,
    },
    /// The host is about to ask the user about a call.
    PermissionRequest {
        /// The call as it would run.
        call: ToolCall,
    },
    /// The host denied a call by itself.
    PermissionDenied {
        /// The denied call.
        call: ToolCall,
    },
    /// A tool ran.
    PostToolUse {
        /// The call as it ran.
        call: ToolCall,
        /// The result of the tool.
        output: Output,
    },
    /// A tool failed.
    PostToolUseFailure {
        /// The call as it ran.
        call: ToolCall,
        /// The error text.
        error: Output,
    },
    /// A prompt was submitted.
    UserPromptSubmit {
        /// The text of the prompt.
        prompt: String,
    },
    /// A request is about to go to the model.
    ModelRequest {
        /// The request, in the host's own form.
        request: Map,
    },
    /// The model answered.
    ModelResponse {
        /// The answer.
        response: Output,
    },
    /// Any other event of the table.
    Other(
        /// The name of the event.
        EventName,
    ),
}

impl Event {
    /// Returns the canonical name.
    pub const fn name(&self) -> EventName {
        match self {
            Self::PreToolUse { .. } => EventName::PreToolUse,
            Self::PermissionRequest { .. } => EventName::PermissionRequest,
            Self::PermissionDenied { .. } => EventName::PermissionDenied,
            Self::PostToolUse { .. } => EventName::PostToolUse,
            Self::PostToolUseFailure { .. } => EventName::PostToolUseFailure,
            Self::UserPromptSubmit { .. } => EventName::UserPromptSubmit,
            Self::ModelRequest { .. } => EventName::PreModelRequest,
            Self::ModelResponse { .. } => EventName::PostModelResponse,
            Self::Other(name) => *name,
        }
    }

    /// Returns the tool call that the event is about.
    pub const fn call(&self) -> Option<&ToolCall> {
        match self {
            Self::PreToolUse { call }
            | Self::PermissionRequest { call }
            | Self::PermissionDenied { call }
            | Self::PostToolUse { call, .. }
            | Self::PostToolUseFailure { call, .. } => Some(call),
            Self::UserPromptSubmit { .. }
            | Self::ModelRequest { .. }
            | Self::ModelResponse { .. }
            | Self::Other(_) => None,
        }
    }

    /// Returns the result of the tool, its error text, or the answer of the model.
    pub const fn output(&self) -> Option<&Output> {
        match self {
            Self::PostToolUse { output, .. } => Some(output),
            Self::PostToolUseFailure { error, .. } => Some(error),
            Self::ModelResponse { response } => Some(response),
            Self::PreToolUse { .. }
            | Self::PermissionRequest { .. }
            | Self::PermissionDenied { .. }
            | Self::UserPromptSubmit { .. }
            | Self::ModelRequest { .. }
            | Self::Other(_) => None,
        }
    }

    /// Returns the text of the prompt.
    pub fn prompt(&self) -> Option<&str> {
        match self {
            Self::UserPromptSubmit { prompt } => Some(prompt),
            Self::PreToolUse { .. }
            | Self::PermissionRequest { .. }
            | Self::PermissionDenied { .. }
            | Self::PostToolUse { .. }
            | Self::PostToolUseFailure { .. }
            | Self::ModelRequest { .. }
            | Self::ModelResponse { .. }
            | Self::Other(_) => None,
        }
    }

    /// Returns the request that is about to go to the model.
    pub const fn request(&self) -> Option<&Map> {
        if let Self::ModelRequest { request } = self { Some(request) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back() {
        for event in EventName::ALL {
            assert_eq!(event.as_str().parse(), Ok(*event));
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_that_names_it_and_the_nearest() {
        let error = "PreToolUSe".parse::<EventName>().unwrap_err();
        assert_eq!(error.to_string(), "unknown event `PreToolUSe`, did you mean `PreToolUse`?");
        let error = "xyz".parse::<EventName>().unwrap_err();
        assert_eq!(error.to_string(), "unknown event `xyz`");
    }

    #[test]
    fn after_agent_is_not_stop() {
        assert_ne!(EventName::AfterAgent.class(), EventName::Stop.class());
    }
}
