//! The form of Copilot CLI's own hooks, in both spellings: a key in camelCase gets its own names, one like Claude Code's almost
//! Claude Code's.

use super::RECIPE;
use crate::foreign::{HookForm, Sending, none, renamed, text};
use checkrein_core::{EventName, Map};
use serde_json::{Value, json};
use std::borrow::Cow;

pub(super) const FORM: HookForm = HookForm {
    events: PASCAL,
    knows_ours: is_pascal,
    write,
    strip,
    read,
    // Before a call and before a question about one, every failure of a hook is a denial.
    denies: |event, _| event == EventName::PreToolUse,
    ..HookForm::CLAUDE
};

/// The second spelling of its events.
pub(super) const PASCAL: &[(&str, EventName)] = &[
    ("SessionStart", EventName::SessionStart),
    ("UserPromptSubmit", EventName::UserPromptSubmit),
    ("PreToolUse", EventName::PreToolUse),
    ("PermissionRequest", EventName::PermissionRequest),
    ("PostToolUse", EventName::PostToolUse),
    ("PostToolUseFailure", EventName::PostToolUseFailure),
    ("SubagentStart", EventName::SubagentStart),
    ("SubagentStop", EventName::SubagentStop),
    ("Stop", EventName::Stop),
    ("SessionEnd", EventName::SessionEnd),
    ("PreCompact", EventName::PreCompact),
    ("Notification", EventName::Notification),
];

/// The fields of the camelCase spelling.
const CAMEL: &[(&str, &str)] = &[
    ("session_id", "sessionId"),
    ("transcript_path", "transcriptPath"),
    ("tool_name", "toolName"),
    ("agent_id", "agentId"),
    ("agent_type", "agentType"),
    ("custom_instructions", "customInstructions"),
];

fn is_pascal(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_uppercase())
}

fn write(fields: &mut Map, event: &Sending<'_>) {
    for not_sent in ["permission_mode", "tool_use_id"] {
        fields.shift_remove(not_sent);
    }
    let result = event.output().filter(|_| fields.shift_remove("tool_response").is_some());
    if is_pascal(event.key) {
        none(fields, &[("timestamp", event.timestamp())]);
        if let Some(text) = result {
            none(fields, &[("tool_result", json!({"result_type": "success", "text_result_for_llm": text}))]);
        }
        return;
    }
    let error = event.output().filter(|_| event.payload.name() == EventName::PostToolUseFailure);
    for name in ["hook_event_name", "error"] {
        fields.shift_remove(name);
    }
    for (ours, theirs) in CAMEL {
        renamed(fields, ours, theirs);
    }
    let is_question = event.key == RECIPE.key(EventName::PermissionRequest);
    renamed(fields, "tool_input", if is_question { "toolInput" } else { "toolArgs" });
    fields.insert("timestamp".to_owned(), event.now.into());
    if let Some(text) = result {
        none(fields, &[("toolResult", json!({"resultType": "success", "textResultForLlm": text}))]);
    }
    if let Some(text) = error {
        none(fields, &[("error", text.into())]);
    }
    match event.payload.name() {
        EventName::Stop | EventName::SubagentStop => none(fields, &[("stopReason", "end_turn".into())]),
        EventName::Notification => none(fields, &[("hook_event_name", "notification".into())]),
        EventName::PermissionRequest => none(fields, &[("hookName", event.key.into())]),
        _ => {}
    }
}

/// Removes the lines that tell its progress.
fn strip(stdout: &str) -> Cow<'_, str> {
    let is_progress = |line: &&str| {
        serde_json::from_str::<Value>(line.trim())
            .is_ok_and(|line| line.get("type").and_then(Value::as_str) == Some("progress"))
    };
    if !stdout.contains("progress") {
        return Cow::Borrowed(stdout);
    }
    let rest: Vec<&str> = stdout.lines().filter(|line| !is_progress(line)).collect();
    Cow::Owned(rest.join("\n"))
}

fn read(event: EventName, fields: &mut Map) {
    match event {
        EventName::PermissionRequest => {
            if let Some(behavior) = fields.shift_remove("behavior") {
                fields.insert("decision".to_owned(), behavior);
            }
            renamed(fields, "message", "reason");
            if fields.shift_remove("interrupt") == Some(Value::Bool(true)) {
                let reason = text(fields, "reason").unwrap_or("the hook ended the turn").to_owned();
                fields.insert("stop".to_owned(), reason.into());
            }
        }
        EventName::PreToolUse => renamed(fields, "modifiedArgs", "tool_input"),
        EventName::PostToolUse => {
            let result = fields.shift_remove("modifiedResult");
            let text = result.as_ref().and_then(|result| {
                result.get("textResultForLlm").or_else(|| result.get("text_result_for_llm"))
            });
            if let Some(text) = text {
                fields.insert("tool_output".to_owned(), text.clone());
            }
        }
        _ => {}
    }
}
