//! The events that the figures are about: a harmless shell command.

use crate::texts;
use checkrein_core::{Event, Map, Payload, ToolCall};
use serde_json::json;
use std::path::Path;

const SHORT: &str = "git status --short && git log --oneline -5";

/// Returns the event as a host sends it from `cwd`: one line of JSON, padded to exactly 1 KB.
pub(crate) fn bytes(cwd: &Path) -> Vec<u8> {
    padded(cwd, "PreToolUse", SHORT)
}

/// Returns an event of the same size that consists mostly of the command.
pub(crate) fn full(cwd: &Path) -> Vec<u8> {
    padded(cwd, "PreToolUse", &texts::several())
}

/// Returns an event of the same size after the call, when there is nothing left to judge.
pub(crate) fn finished(cwd: &Path) -> Vec<u8> {
    padded(cwd, "PostToolUse", SHORT)
}

fn padded(cwd: &Path, event: &str, command: &str) -> Vec<u8> {
    let text = |padding: &str| {
        let mut payload = json!({
            "session_id": "2f9d2b1c-8a51-4c0e-9f57-6f2f6f0f7a11",
            "transcript_path": "/home/u/.claude/projects/-home-u-project/2f9d2b1c.jsonl",
            "cwd": cwd,
            "permission_mode": "default",
            "hook_event_name": event,
            "tool_name": "Bash",
            "tool_input": {
                "command": command,
                "description": format!("Shows the state of the tree{padding}"),
            },
            "tool_use_id": "toolu_01A9bC3dE5fG7hJ9kL1mN3pQ",
        });
        if event == "PostToolUse"
            && let Some(fields) = payload.as_object_mut()
        {
            fields.insert("tool_response".into(), json!({"stdout": "", "stderr": "", "interrupted": false}));
        }
        payload.to_string()
    };
    let missing = 1024_usize.saturating_sub(text("").len());
    text(&".".repeat(missing)).into_bytes()
}

/// Returns the event as hooks in our own process see it.
pub(crate) fn small() -> Payload {
    let mut input = Map::new();
    input.insert("command".into(), "git status --short".into());
    Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) })
}

#[cfg(test)]
mod tests {
    #[test]
    fn payloads_are_valid_and_exactly_one_kilobyte() {
        let cwd = "/home/u/project".as_ref();
        for bytes in [super::bytes(cwd), super::full(cwd), super::finished(cwd)] {
            assert_eq!(bytes.len(), 1024);
            let fields = checkrein_core::json::parse_object(&bytes).unwrap();
            assert!(checkrein_core::flat::read(fields, None).is_ok());
        }
    }
}
