//! The event that every figure is about: a shell command that nobody minds.

use checkrein_core::{Event, Map, Payload, ToolCall};
use serde_json::json;
use std::path::Path;

/// As a host sends it from `cwd`: one line of JSON, padded to exactly 1 KB.
pub(crate) fn bytes(cwd: &Path) -> Vec<u8> {
    let text = |padding: &str| {
        let payload = json!({
            "session_id": "2f9d2b1c-8a51-4c0e-9f57-6f2f6f0f7a11",
            "transcript_path": "/home/u/.claude/projects/-home-u-project/2f9d2b1c.jsonl",
            "cwd": cwd,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {
                "command": "git status --short && git log --oneline -5",
                "description": format!("Shows the state of the tree{padding}"),
            },
            "tool_use_id": "toolu_01A9bC3dE5fG7hJ9kL1mN3pQ",
        });
        payload.to_string()
    };
    let missing = 1024_usize.saturating_sub(text("").len());
    text(&".".repeat(missing)).into_bytes()
}

/// As hooks in our own process see it.
pub(crate) fn small() -> Payload {
    let mut input = Map::new();
    input.insert("command".into(), "git status --short".into());
    Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) })
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_is_exactly_one_kilobyte_and_valid() {
        let bytes = super::bytes("/home/u/project".as_ref());
        assert_eq!(bytes.len(), 1024);
        let fields = checkrein_core::json::parse_object(&bytes).unwrap();
        assert!(checkrein_core::flat::read(fields, None).is_ok());
    }
}
