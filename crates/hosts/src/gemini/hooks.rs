//! The form of Gemini CLI's own hooks: events, tools and results of its own.
//!
//! Its hooks may print JSON and exit with 2; there the JSON alone counts. Here the denial counts, which is stricter. Any other
//! code but 0 and 1 is a denial with it.

use crate::foreign::{HookForm, Sending, none};
use checkrein_core::{EventName, Map, ToolCall};
use serde_json::{Value, json};

pub(super) const FORM: HookForm = HookForm {
    of_server: |server, tool| format!("mcp_{server}_{tool}"),
    write,
    read,
    denies: |_, code| !matches!(code, 0 | 1),
    ..HookForm::CLAUDE
};

fn write(fields: &mut Map, event: &Sending<'_>) {
    fields.insert("hook_event_name".to_owned(), event.key.into());
    for theirs in ["permission_mode", "tool_use_id"] {
        fields.shift_remove(theirs);
    }
    none(fields, &[("timestamp", event.timestamp())]);
    if let (Some(text), Some(response)) = (event.output(), fields.get_mut("tool_response"))
        && response.get("llmContent").is_none()
    {
        *response = json!({"llmContent": text, "returnDisplay": text});
    }
    if let Some((server, tool)) = event.payload.event.call().and_then(server) {
        none(fields, &[("mcp_context", json!({"server_name": server, "tool_name": tool}))]);
    }
    if event.payload.name() == EventName::Stop {
        let said = fields.shift_remove("last_assistant_message").unwrap_or_else(|| "".into());
        none(fields, &[("prompt", "".into()), ("prompt_response", said)]);
    }
}

fn server(call: &ToolCall) -> Option<(&str, &str)> {
    call.name.strip_prefix("mcp__")?.split_once("__")
}

fn read(_: EventName, fields: &mut Map) {
    let nested = fields.get_mut("hookSpecificOutput").and_then(Value::as_object_mut);
    if let Some(input) = nested.and_then(|nested| nested.shift_remove("tool_input")) {
        fields.insert("tool_input".to_owned(), input);
    }
}
