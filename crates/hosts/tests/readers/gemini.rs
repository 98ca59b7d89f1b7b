//! Reads an answer as Gemini CLI: JSON on stdout decides, whatever the exit code; nested decisions are not read.

use super::{Effect, text};
use checkrein_core::EventName;
use checkrein_hosts::Reply;
use serde_json::{Map, Value};

pub(crate) fn gemini(event: EventName, reply: &Reply) -> Effect {
    let Ok(Value::Object(top)) = serde_json::from_slice(&reply.stdout) else {
        return match (reply.exit, reply.stdout.is_empty() && reply.stderr.is_empty()) {
            (0 | 1, _) | (_, true) => Effect::Thrown("no object"),
            (_, false) => Effect::Denied(reply.stderr.trim().to_owned()),
        };
    };
    let empty = Map::new();
    let nested = top.get("hookSpecificOutput").and_then(Value::as_object).unwrap_or(&empty);
    let reason = text(&top, "reason").unwrap_or_default().to_owned();
    let denied = matches!(text(&top, "decision"), Some("deny" | "block"));
    if top.get("continue") == Some(&Value::Bool(false)) {
        return Effect::Ends;
    }
    match event {
        EventName::PreToolUse if denied => Effect::Denied(reason),
        EventName::PreToolUse if text(&top, "decision") == Some("ask") => Effect::Asked(None),
        EventName::PreToolUse => nested.get("tool_input").cloned().map_or(Effect::GoesOn, Effect::GoesOnWith),
        EventName::PostToolUse if denied => Effect::Replaced(reason),
        _ if denied => Effect::Denied(reason),
        _ => Effect::GoesOn,
    }
}
