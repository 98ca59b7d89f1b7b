//! Copilot CLI's two spellings of a payload.
//!
//! The spelling of the key in its file decides: under `preToolUse` the fields are camelCase, tools have their own
//! names and the payload does not name its event; under `PreToolUse`, which it also reads from a project's Claude Code
//! settings, they are almost Claude Code's. Both are read here, because a repository that is set up for both agents
//! sends both.

use crate::names::{self, Names, Tool};
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

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("bash", "Bash"),
    Tool::same("powershell", "PowerShell"),
    Tool::same("glob", "Glob"),
    Tool::same("grep", "Grep"),
    Tool::same("rg", "Grep"),
    Tool::same("web_fetch", "WebFetch"),
    Tool::same("web_search", "WebSearch"),
    Tool::same("ask_user", "AskUserQuestion"),
    Tool::same("update_todo", "TodoWrite"),
    Tool::same("task", "Agent"),
    Tool::alike("view", "Read", &[("path", "file_path")]),
    Tool::alike("create", "Write", &[("path", "file_path"), ("file_text", "content")]),
    Tool::alike("edit", "Edit", REPLACES),
    Tool::alike("str_replace_editor", "Edit", REPLACES),
];

/// The arguments of its tools that replace a text in a file.
const REPLACES: Names = &[("path", "file_path"), ("old_str", "old_string"), ("new_str", "new_string")];

/// Turns the fields into those of the flat form.
pub(super) fn flatten(fields: &mut Map) {
    let theirs = std::mem::take(fields);
    for (key, value) in theirs {
        let ours = FIELDS.iter().find(|(host, _)| *host == key).map(|(_, ours)| (*ours).to_owned());
        let key = ours.unwrap_or(key);
        let value = if key == "tool_input" { arguments(value) } else { value };
        fields.insert(key, value);
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
