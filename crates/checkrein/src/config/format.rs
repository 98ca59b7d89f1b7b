//! The two file formats, TOML and JSON, and how they differ.

use crate::config::tree::NodeValue;
use checkrein_core::EventName;

/// The format of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// Our own format: `[[hook]]` tables.
    Toml,
    /// mini-coding-agent's list of objects, which has fewer keys and five events.
    Json,
}

impl Notation {
    /// Returns the events that a hook can handle.
    pub(crate) const fn events(self) -> &'static [EventName] {
        match self {
            Self::Toml => EventName::ALL,
            Self::Json => &[
                EventName::PreToolUse,
                EventName::PostToolUse,
                EventName::PostToolUseFailure,
                EventName::SessionStart,
                EventName::UserPromptSubmit,
            ],
        }
    }

    /// Returns the format's name for a set of keys and values.
    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Toml => "a table",
            Self::Json => "an object",
        }
    }

    /// Returns the name of a value's type.
    pub(crate) const fn type_of(self, value: &NodeValue<'_>) -> &'static str {
        match value {
            NodeValue::Null => "null",
            NodeValue::Bool(_) => "a boolean",
            NodeValue::Number(_) => "a number",
            NodeValue::Text(_) => "a string",
            NodeValue::Date(_) => "a date",
            NodeValue::List(_) => "a list",
            NodeValue::Table(_) => self.table(),
        }
    }
}
