//! The form of Qwen Code's own hooks: Claude Code's words, tools of its own.

use crate::{
    codex,
    foreign::{HookForm, Sending, none},
};
use checkrein_core::Map;
use serde_json::json;

pub(super) const FORM: HookForm = HookForm { write, read: codex::replaces_result, ..HookForm::CLAUDE };

fn write(fields: &mut Map, event: &Sending<'_>) {
    none(fields, &[("timestamp", event.timestamp())]);
    if let (Some(text), Some(response)) = (event.output(), fields.get_mut("tool_response"))
        && response.get("llmContent").is_none()
    {
        *response = json!({"llmContent": text, "returnDisplay": text});
    }
}
