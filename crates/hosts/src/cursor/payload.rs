//! Cursor's events as ours.
//!
//! It has an event for any tool call, and further ones for commands, MCP tools, files that are read and edited. All of them are
//! `PreToolUse` or `PostToolUse` here. Some values are JSON in a string.

use super::RECIPE;
use crate::names::{self, Names, Tool};
use checkrein_core::{EventName, Map};
use serde_json::{Value, json};

/// Its events that we do not register, because another one covers them, and ours for them.
pub(super) const COVERED: &[(&str, EventName)] = &[
    ("beforeReadFile", EventName::PreToolUse),
    ("afterShellExecution", EventName::PostToolUse),
    ("afterMCPExecution", EventName::PostToolUse),
    ("afterFileEdit", EventName::PostToolUse),
    ("afterTabFileEdit", EventName::PostToolUse),
    ("workspaceOpen", EventName::Setup),
];

/// Its fields that have another name in the flat form.
const FIELDS: Names = &[
    ("conversation_id", "session_id"),
    ("error_message", "error"),
    ("tool_call_id", "tool_use_id"),
    ("subagent_id", "agent_id"),
    ("subagent_type", "agent_type"),
];

/// Its tools. It writes and edits with one, whose arguments are not documented further.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("Shell", "Bash"),
    Tool::same("Task", "Agent"),
    Tool::alike("Write", "Write", &[]),
    Tool::alike("Write", "Edit", &[]),
];

/// The start of its name of an MCP server's tool.
pub(super) const MCP: &str = "MCP:";

/// Turns the fields into those of the flat form.
pub(super) fn flatten(fields: &mut Map) {
    let event = fields.get("hook_event_name").and_then(Value::as_str).unwrap_or_default().to_owned();
    name_event(fields, &event);
    for (theirs, ours) in FIELDS {
        if let Some(value) = fields.get(*theirs).filter(|value| !value.is_null()).cloned() {
            fields.entry(*ours).or_insert(value);
        }
    }
    call_of(&event, fields);
    for key in ["tool_input", "tool_output"] {
        unpack(fields, key);
    }
    if let Some(output) = fields.shift_remove("tool_output") {
        fields.entry("tool_response").or_insert(output);
    }
    directory(fields);
    mcp(fields);
    names::rename_tool(fields, TOOLS);
    if fields.get("loop_count").and_then(Value::as_u64).is_some_and(|count| count > 0) {
        fields.entry("stop_hook_active").or_insert(true.into());
    }
}

/// Replaces its name of the event with ours, and keeps it.
fn name_event(fields: &mut Map, theirs: &str) {
    names::rename_event(fields, &RECIPE);
    if let Some((_, ours)) = COVERED.iter().find(|(event, _)| *event == theirs) {
        fields.insert("hook_event_name".to_owned(), ours.as_str().into());
        fields.insert("host_event_name".to_owned(), theirs.into());
    }
}

/// Adds the tool and the input of an event that is about one kind of tool, and the output.
fn call_of(event: &str, fields: &mut Map) {
    let pick = |fields: &Map, keys: &[&str]| -> Map {
        let one = |key: &&str| Some(((*key).to_owned(), fields.get(*key)?.clone()));
        keys.iter().filter_map(one).collect()
    };
    let (tool, input, output) = match event {
        "beforeShellExecution" | "afterShellExecution" => {
            let mut input = pick(fields, &["command"]);
            // The place of the command, where the event about any tool has it.
            if let Some(cwd) = fields.get("cwd").filter(|cwd| cwd.as_str().is_some_and(|cwd| !cwd.is_empty()))
            {
                input.insert("working_directory".to_owned(), cwd.clone());
            }
            ("Shell", input, Some("output"))
        }
        "beforeReadFile" | "beforeTabFileRead" => ("Read", pick(fields, &["file_path"]), None),
        "afterFileEdit" | "afterTabFileEdit" => ("Edit", pick(fields, &["file_path", "edits"]), None),
        "beforeMCPExecution" | "afterMCPExecution" => {
            let name = fields.get("tool_name").and_then(Value::as_str).unwrap_or_default().to_owned();
            if !name.starts_with(MCP) {
                fields.insert("tool_name".to_owned(), format!("{MCP}{name}").into());
                fields.insert("host_tool_name".to_owned(), name.into());
            }
            if let Some(result) = fields.get("result_json").cloned() {
                fields.insert("tool_output".to_owned(), result);
            }
            return;
        }
        _ => return,
    };
    fields.insert("tool_name".to_owned(), tool.into());
    fields.insert("tool_input".to_owned(), input.into());
    if let Some(output) = output.and_then(|key| fields.get(key)).cloned() {
        fields.insert("tool_response".to_owned(), output);
    }
}

/// Reads a value that may be JSON in a string. Any other string stays one, which the reader rejects as an input.
fn unpack(fields: &mut Map, key: &str) {
    let Some(Value::String(text)) = fields.get(key) else { return };
    if let Ok(value @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str::<Value>(text) {
        fields.insert(key.to_owned(), value);
    }
}

/// Adds the working directory, which may be an argument of the call or only a workspace.
fn directory(fields: &mut Map) {
    let text = |value: Option<&Value>| {
        value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let of_call = || text(fields.get("tool_input").and_then(|input| input.get("working_directory")));
    let of_workspace = || text(fields.get("workspace_roots").and_then(|roots| roots.get(0)));
    if let Some(directory) = text(fields.get("cwd")).or_else(of_call).or_else(of_workspace) {
        fields.insert("cwd".to_owned(), directory.into());
    }
}

/// Names a tool of an MCP server as such. Its payload does not name the server.
fn mcp(fields: &mut Map) {
    let is_mcp = fields.get("tool_name").and_then(Value::as_str).is_some_and(|name| name.starts_with(MCP));
    if is_mcp {
        fields.insert("tool_kind".to_owned(), json!("mcp"));
    }
}
