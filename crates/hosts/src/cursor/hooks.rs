//! The form of Cursor's own hooks: an event for any tool, and others for single kinds, with fields of their own.

use super::{
    RECIPE,
    payload::{COVERED, MCP},
};
use crate::foreign::{HookForm, Sending, none, renamed, text};
use checkrein_core::{EventName, Map, Payload, ToolCall, ToolKind};
use serde_json::{Value, json};

pub(super) const FORM: HookForm = HookForm {
    events: COVERED,
    of_server: |_, tool| format!("{MCP}{tool}"),
    adjust,
    write,
    read,
    ..HookForm::CLAUDE
};

/// Returns true if the host sends a call under this key. A command also has the directory that it runs in.
fn adjust(key: &str, call: &mut ToolCall, payload: &Payload) -> bool {
    let kind = if call.name.starts_with(MCP) { ToolKind::Mcp } else { call.kind };
    if kind == ToolKind::Shell
        && let Some(cwd) = &payload.session.cwd
    {
        call.input.entry("working_directory").or_insert_with(|| cwd.clone().into());
    }
    if !is_for(key, payload) {
        return false;
    }
    match key {
        "beforeShellExecution" | "afterShellExecution" => kind == ToolKind::Shell,
        "beforeMCPExecution" | "afterMCPExecution" => kind == ToolKind::Mcp,
        "beforeReadFile" => kind == ToolKind::Read,
        "afterFileEdit" => matches!(kind, ToolKind::Write | ToolKind::Edit),
        // No other host completes text with a model that reads files.
        "beforeTabFileRead" | "afterTabFileEdit" => payload.host.name.as_deref() == Some("cursor"),
        _ => true,
    }
}

/// Returns true if an event of Cursor itself is the one of this key, or covers it: it sends several for one call.
fn is_for(key: &str, payload: &Payload) -> bool {
    let Some(sent) = payload.host.event.as_deref().filter(|_| payload.host.name.as_deref() == Some("cursor"))
    else {
        return true;
    };
    let is_registered = RECIPE.events.iter().any(|fired| fired.key == key);
    sent == key || (!is_registered && sent == RECIPE.key(payload.name()))
}

fn write(fields: &mut Map, event: &Sending<'_>) {
    let session = fields.get("session_id").cloned().unwrap_or_default();
    let cwd = fields.get("cwd").cloned().unwrap_or_default();
    fields.insert("hook_event_name".to_owned(), event.key.into());
    fields.shift_remove("permission_mode");
    if !matches!(event.payload.name(), EventName::SessionStart | EventName::SessionEnd) {
        fields.shift_remove("session_id");
    }
    let project = event.payload.session.project_dir.clone().map_or_else(|| cwd.clone(), Value::from);
    none(
        fields,
        &[
            ("conversation_id", session),
            ("generation_id", "".into()),
            ("model", "".into()),
            ("cursor_version", "".into()),
            ("workspace_roots", json!([project])),
            ("user_email", Value::Null),
        ],
    );
    match event.payload.name() {
        EventName::PreToolUse | EventName::PostToolUse | EventName::PostToolUseFailure => call(fields, event),
        EventName::UserPromptSubmit => none(fields, &[("attachments", json!([]))]),
        EventName::Stop | EventName::SubagentStop => {
            let went_on = fields.shift_remove("stop_hook_active") == Some(Value::Bool(true));
            none(fields, &[("status", "completed".into()), ("loop_count", u8::from(went_on).into())]);
            renamed(fields, "agent_type", "subagent_type");
        }
        EventName::SubagentStart => {
            renamed(fields, "agent_type", "subagent_type");
            renamed(fields, "agent_id", "subagent_id");
        }
        EventName::SessionStart => {
            none(fields, &[("is_background_agent", false.into()), ("composer_mode", "agent".into())]);
        }
        _ => {}
    }
}

/// Writes the fields of an event about a call.
fn call(fields: &mut Map, event: &Sending<'_>) {
    let Some(call) = event.call else { return };
    let native = fields.shift_remove("tool_response");
    let output = event.output().unwrap_or_default();
    let argument = |key: &str| call.input.get(key).cloned().unwrap_or_default();
    let packed = Value::from(Value::Object(call.input.clone()).to_string());
    if event.payload.name() == EventName::PostToolUseFailure {
        fields.shift_remove("error");
        none(
            fields,
            &[
                ("error_message", output.into()),
                ("failure_type", "error".into()),
                ("duration", 0.into()),
                ("is_interrupt", false.into()),
            ],
        );
        return;
    }
    let single: &[(&str, Value)] = match event.key {
        "beforeShellExecution" => &[("command", argument("command")), ("sandbox", false.into())],
        "afterShellExecution" => &[
            ("command", argument("command")),
            ("output", output.into()),
            ("duration", 0.into()),
            ("sandbox", false.into()),
        ],
        "beforeMCPExecution" | "afterMCPExecution" => {
            fields.insert("tool_name".to_owned(), call.name.trim_start_matches(MCP).into());
            fields.insert("tool_input".to_owned(), packed);
            fields.shift_remove("tool_use_id");
            if event.key == "afterMCPExecution" {
                none(fields, &[("result_json", output.into()), ("duration", 0.into())]);
            }
            return;
        }
        "beforeReadFile" | "beforeTabFileRead" => {
            &[("file_path", argument("file_path")), ("attachments", json!([]))]
        }
        "afterFileEdit" | "afterTabFileEdit" => {
            let old = call.input.get("old_string").cloned().unwrap_or_else(|| "".into());
            let new = call
                .input
                .get("new_string")
                .or_else(|| call.input.get("content"))
                .cloned()
                .unwrap_or_default();
            &[
                ("file_path", argument("file_path")),
                ("edits", json!([{"old_string": old, "new_string": new}])),
            ]
        }
        _ => {
            if event.payload.name() == EventName::PostToolUse {
                // It is JSON in a string.
                let native = native.unwrap_or_else(|| output.into()).to_string();
                none(fields, &[("tool_output", native.into()), ("duration", 0.into())]);
            }
            return;
        }
    };
    none(fields, single);
    for general in ["tool_name", "tool_input", "tool_use_id"] {
        fields.shift_remove(general);
    }
}

fn read(event: EventName, fields: &mut Map) {
    let said = text(fields, "agent_message").or_else(|| text(fields, "user_message")).map(str::to_owned);
    fields.shift_remove("agent_message");
    let user = fields.shift_remove("user_message").and_then(|text| text.as_str().map(str::to_owned));
    renamed(fields, "permission", "decision");
    let mut denies = matches!(text(fields, "decision"), Some("deny" | "ask"));
    renamed(fields, "updated_input", "tool_input");
    renamed(fields, "additional_context", "context");
    if let Some(output) = fields.shift_remove("updated_mcp_tool_output") {
        let output = checkrein_core::Output::from_native(output);
        fields.insert("tool_output".to_owned(), output.text().into());
    }
    if event == EventName::UserPromptSubmit && fields.get("continue") == Some(&Value::Bool(false)) {
        fields.shift_remove("continue");
        fields.insert("decision".to_owned(), "deny".into());
        denies = true;
    }
    // The next prompt that it sends by itself is what keeps a turn going here.
    if let Some(next) = fields.shift_remove("followup_message").filter(|next| next.as_str() != Some("")) {
        fields.insert("decision".to_owned(), "deny".into());
        fields.insert("reason".to_owned(), next);
    }
    match (said, user) {
        (Some(said), user) if denies => {
            if let Some(user) = user.filter(|user| *user != said) {
                none(fields, &[("systemMessage", user.into())]);
            }
            none(fields, &[("reason", said.into())]);
        }
        (_, Some(user)) => none(fields, &[("systemMessage", user.into())]),
        _ => {}
    }
    // No other host takes variables for later hooks or directories of plugins.
    for unheard in ["env", "pluginPaths"] {
        fields.shift_remove(unheard);
    }
}
