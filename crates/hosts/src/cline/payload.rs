//! Cline's payload as flat fields, and an input in its own form.
//!
//! It has every tool call twice. The older copy (`preToolUse`, `postToolUse`) has its values as JSON in strings; the newer
//! one is read, and everything else is kept as it is.

use crate::names::{self, Tool};
use checkrein_core::{Map, ToolCall, ToolKind};
use serde_json::{Value, json};

/// Its shell tool, which takes several commands.
const SHELL: &str = "run_commands";

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::of_kind(SHELL, ToolKind::Shell),
    Tool::of_kind("editor", ToolKind::Edit),
    Tool::of_kind("read_files", ToolKind::Read),
    Tool::of_kind("search_codebase", ToolKind::Search),
];

/// Adds the fields of the flat form.
pub(super) fn flatten(fields: &mut Map) {
    let copy = |from: Option<&Value>| from.cloned().filter(|value| !value.is_null());
    let mut new: Vec<(&str, Option<Value>)> = vec![
        ("session_id", copy(fields.get("taskId"))),
        ("cwd", copy(fields.get("workspaceRoots").and_then(|roots| roots.get(0)))),
    ];
    if let Some(call) = fields.get("tool_call").or_else(|| fields.get("tool_result")) {
        let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
        let input = call.get("input").cloned().unwrap_or_else(|| json!({}));
        new.push(("tool_use_id", copy(call.get("id"))));
        new.push(("tool_response", copy(call.get("output"))));
        let (tool, input) = tool(name, input);
        if tool == name {
            new.push(("tool_name", copy(call.get("name"))));
        } else {
            new.push(("host_tool_name", Some(name.into())));
            new.push(("tool_name", Some(tool.into())));
        }
        new.push(("tool_kind", kind(tool).map(Value::from)));
        new.push(("tool_input", Some(input)));
    }
    if let Some(prompt) = fields.get("userPromptSubmit").and_then(|event| event.get("prompt")) {
        new.push(("prompt", copy(Some(prompt))));
    }
    for (key, value) in new {
        if let Some(value) = value {
            fields.insert(key.to_owned(), value);
        }
    }
}

/// Returns the name and the input of a call as hooks get them.
pub(super) fn tool(name: &str, input: Value) -> (&str, Value) {
    match single(name, &input) {
        Some(command) => ("Bash", json!({"command": command})),
        None => (name, input),
    }
}

/// Returns the kind of a tool whose name says nothing to others.
pub(super) fn kind(name: &str) -> Option<&'static str> {
    names::tool(TOOLS, name).map(|tool| tool.kind().as_str())
}

/// Returns the command of a shell call with only one. Several are kept apart, because each is a text of its own: joined,
/// an open quote in one would hide the next.
fn single(name: &str, input: &Value) -> Option<String> {
    let fields = input.as_object().filter(|fields| name == SHELL && fields.len() == 1)?;
    match fields.get("commands")?.as_array()?.as_slice() {
        [Value::String(command)] => Some(command.clone()),
        _ => None,
    }
}

/// Returns the input of a call in its own form.
pub(super) fn input(call: &ToolCall) -> Value {
    match (call.host_name.as_deref(), call.input.get("command")) {
        (Some(SHELL), Some(command)) => json!({"commands": [command]}),
        _ => Value::Object(call.input.clone()),
    }
}

/// Takes calls apart that have several commands, and tells a new file from an edit.
pub(super) fn apart(call: &ToolCall, _: Option<&str>) -> Option<Vec<ToolCall>> {
    let part = |name: &str, input: Value| match input {
        Value::Object(input) => Some(ToolCall::new(name, input)),
        _ => None,
    };
    let get = |key: &str| call.input.get(key);
    match call.name.as_str() {
        SHELL => {
            let commands = get("commands")?.as_array()?.iter();
            commands.map(|command| part("Bash", json!({"command": command.as_str()?}))).collect()
        }
        "editor" => {
            let (path, new) = (get("path")?, get("new_text")?);
            let input = match get("old_text") {
                Some(old) => part("Edit", json!({"file_path": path, "old_string": old, "new_string": new})),
                None => part("Write", json!({"file_path": path, "content": new})),
            };
            Some(vec![input?])
        }
        _ => None,
    }
}
