//! The form of Codex's own hooks: Claude Code's words, files changed by patches, results as texts.

use crate::foreign::{HookForm, Sending, none, patch_of};
use checkrein_core::{EventName, Map};
use serde_json::Value;

pub(super) const FORM: HookForm = HookForm { together: patch_of, write, read, ..HookForm::CLAUDE };

fn write(fields: &mut Map, event: &Sending<'_>) {
    none(fields, &[("turn_id", "".into()), ("model", "".into())]);
    if fields.contains_key("tool_response")
        && let Some(text) = event.output()
    {
        fields.insert("tool_response".to_owned(), text.into());
    }
}

/// After a call `continue: false` puts a text in place of the result, and the turn goes on.
pub(crate) fn read(event: EventName, fields: &mut Map) {
    if event == EventName::PostToolUse && fields.get("continue") == Some(&Value::Bool(false)) {
        fields.shift_remove("continue");
        let short = fields.shift_remove("stopReason");
        let reason = fields.shift_remove("reason").or(short).unwrap_or_else(|| "".into());
        fields.shift_remove("decision");
        fields.insert("tool_output".to_owned(), reason);
    }
}
