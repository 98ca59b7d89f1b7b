//! The two file formats, TOML and JSON, and how they differ.

use crate::config::tree::Value;
use checkrein_core::EventName;

/// How a configuration is spelled, and how much of the language that spelling has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notation {
    /// Ours: `[[hook]]` tables.
    Toml,
    /// mini-coding-agent's list of objects, which has fewer keys and knows five events.
    Json,
}

impl Notation {
    /// The keys of a hook.
    pub(crate) const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Toml => &[
                "event",
                "name",
                "match",
                "command",
                "callable",
                "role",
                "timeout",
                "on_failure",
                "may_allow",
                "cwd",
                "env",
                "files",
                "required",
                "overridable",
            ],
            Self::Json => &["event", "match", "command", "callable", "timeout", "name"],
        }
    }

    /// The keys of the file itself.
    pub(crate) const fn root_keys(self) -> &'static [&'static str] {
        match self {
            Self::Toml => {
                &["hook", "rule", "exception", "allow", "exceptions", "disable", "untrusted", "python"]
            }
            Self::Json => &[],
        }
    }

    /// The keys of its `match`.
    pub(crate) const fn match_keys(self) -> &'static [&'static str] {
        match self {
            Self::Toml => &["tool", "except"],
            Self::Json => &["tool"],
        }
    }

    /// The events that a hook can be for.
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

    /// Returns whether a key of this name is known anywhere.
    pub(crate) fn has(self, key: &str) -> bool {
        self.keys().contains(&key) || self.match_keys().contains(&key)
    }

    /// Returns what keys with values are called.
    pub(crate) const fn table(self) -> &'static str {
        match self {
            Self::Toml => "a table",
            Self::Json => "an object",
        }
    }

    /// Returns what a value is, in words.
    pub(crate) const fn type_of(self, value: &Value<'_>) -> &'static str {
        match value {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => self.table(),
        }
    }
}
