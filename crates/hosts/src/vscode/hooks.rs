//! The form of VS Code's own hooks: Claude Code's words, tools of its own.

use crate::foreign::{HookForm, Sending, edits, none};
use checkrein_core::{Map, ToolCall};

pub(super) const FORM: HookForm = HookForm { write, ..HookForm::CLAUDE };

fn write(fields: &mut Map, event: &Sending<'_>) {
    none(fields, &[("timestamp", event.timestamp())]);
    fields.shift_remove("permission_mode");
    if fields.contains_key("tool_response")
        && let Some(text) = event.output()
    {
        fields.insert("tool_response".to_owned(), text.into());
    }
}

/// Takes an edit with several replacements apart.
pub(super) fn apart(call: &ToolCall, _: Option<&str>) -> Option<Vec<ToolCall>> {
    edits(call, "replacements", "filePath", ("oldString", "newString"))
        .filter(|_| call.name == "multi_replace_string_in_file")
}
