//! One line that says what a call is about.

use checkrein_core::{ToolCall, ToolKind};
use checkrein_guard::ToolCommand;

/// Names under which tools get a path.
const PATHS: &[&str] = &["file_path", "path", "notebook_path", "filePath", "filename", "absolute_path"];

/// Returns the command, the path, or the arguments of a call. What is written into a file is content, and not kept.
pub(crate) fn of(call: &ToolCall) -> Option<String> {
    match ToolCommand::of(call) {
        Some(ToolCommand::Shell(text) | ToolCommand::PowerShell(text)) => return Some(text.to_owned()),
        Some(ToolCommand::Arguments(words)) => return Some(words.join(" ")),
        Some(ToolCommand::NotUnderstood(_)) | None => {}
    }
    let path = PATHS.iter().find_map(|name| call.input.get(*name)?.as_str());
    if let Some(path) = path {
        return Some(path.to_owned());
    }
    match ToolKind::of(&call.name) {
        ToolKind::Write | ToolKind::Edit => {
            let names: Vec<&str> = call.input.keys().map(String::as_str).collect();
            Some(names.join(", "))
        }
        _ if call.input.is_empty() => None,
        _ => serde_json::to_string(&call.input).ok(),
    }
}
