//! The form of Claude Code's own hooks.
//!
//! The results of its other tools have structures that no text gives back; hooks get the text in place of them.

use crate::foreign::{HookForm, Sending, shell_result};
use checkrein_core::{Map, ToolKind};

pub(super) const FORM: HookForm = HookForm { write, ..HookForm::CLAUDE };

fn write(fields: &mut Map, event: &Sending<'_>) {
    let (Some(call), Some(text)) = (event.call, event.output()) else { return };
    let is_structured = |value: &serde_json::Value| value.get("stdout").is_some();
    if call.kind == ToolKind::Shell && fields.get("tool_response").is_some_and(|value| !is_structured(value))
    {
        fields.insert("tool_response".to_owned(), shell_result(text));
    }
}
