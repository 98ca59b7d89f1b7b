//! Copilot CLI's two spellings of a payload.
//!
//! The spelling of the key in its file decides: under `preToolUse` the fields are camelCase, tools have their own
//! names and the payload does not name its event; under `PreToolUse`, which it also reads from a project's Claude Code
//! settings, they are almost Claude Code's. Both are read here, because a repository that is set up for both agents
//! sends both.

use crate::names::{self, Names};
use checkrein_core::Map;
use serde_json::Value;

/// Its fields that have another name in the flat form.
const FIELDS: Names = &[
    ("sessionId", "session_id"),
    ("transcriptPath", "transcript_path"),
    ("toolName", "tool_name"),
    ("toolArgs", "tool_input"),
    // On `permissionRequest`.
    ("toolInput", "tool_input"),
    ("toolResult", "tool_response"),
    ("tool_result", "tool_response"),
    ("agentId", "agent_id"),
    ("agentType", "agent_type"),
];

/// Its names of tools that take the arguments of ours.
pub(super) const TOOLS: Names = &[
    ("bash", "Bash"),
    ("powershell", "PowerShell"),
    ("glob", "Glob"),
    ("grep", "Grep"),
    ("rg", "Grep"),
    ("web_fetch", "WebFetch"),
    ("web_search", "WebSearch"),
    ("ask_user", "AskUserQuestion"),
    ("update_todo", "TodoWrite"),
    ("task", "Agent"),
];

/// The kinds of its tools whose name says nothing to others, and whose arguments are its own.
const KINDS: Names = &[("create", "write"), ("str_replace_editor", "edit")];

/// Turns the fields into those of the flat form.
pub(super) fn flatten(fields: &mut Map) {
    let theirs = std::mem::take(fields);
    for (key, value) in theirs {
        let ours = FIELDS.iter().find(|(host, _)| *host == key).map(|(_, ours)| (*ours).to_owned());
        let key = ours.unwrap_or(key);
        let value = if key == "tool_input" { arguments(value) } else { value };
        fields.insert(key, value);
    }
    let kind = fields
        .get("tool_name")
        .and_then(Value::as_str)
        .and_then(|name| KINDS.iter().find(|(host, _)| *host == name).map(|(_, kind)| *kind));
    if let Some(kind) = kind {
        fields.insert("tool_kind".to_owned(), kind.into());
    }
    names::rename_tool(fields, TOOLS);
}

/// Arguments may arrive as JSON in a string. Any other string stays one, which the reader rejects.
fn arguments(value: Value) -> Value {
    match value {
        Value::String(text) => match serde_json::from_str::<Value>(&text) {
            Ok(object @ Value::Object(_)) => object,
            _ => Value::String(text),
        },
        Value::Null => Map::new().into(),
        value => value,
    }
}
