//! Reads an answer as Copilot CLI: flat fields, and exit code 0 except before a tool.

use super::{Effect, text};
use checkrein_core::EventName;
use checkrein_hosts::Reply;
use serde_json::Value;

pub(crate) fn copilot(event: EventName, reply: &Reply) -> Effect {
    let gate = matches!(event, EventName::PreToolUse | EventName::PermissionRequest);
    if reply.exit != 0 {
        return if gate { Effect::Denied(String::new()) } else { Effect::Thrown("failed") };
    }
    let Ok(Value::Object(top)) = serde_json::from_slice(&reply.stdout) else {
        return Effect::Thrown("no object");
    };
    let input = top.get("modifiedArgs").cloned();
    let reason = |key: &str| text(&top, key).unwrap_or_default().to_owned();
    match event {
        EventName::PreToolUse => match text(&top, "permissionDecision") {
            Some("deny") => Effect::Denied(reason("permissionDecisionReason")),
            Some("ask") => Effect::Asked(input),
            Some("allow") => Effect::Allowed(input),
            Some(_) => Effect::Thrown("unknown decision"),
            None => input.map_or(Effect::GoesOn, Effect::GoesOnWith),
        },
        EventName::PermissionRequest => match text(&top, "behavior") {
            Some("deny") => Effect::Denied(reason("message")),
            Some("allow") => Effect::Allowed(None),
            Some(_) => Effect::Thrown("unknown behaviour"),
            None => Effect::GoesOn,
        },
        EventName::PostToolUse => {
            match top.get("modifiedResult").and_then(|result| result.get("textResultForLlm")) {
                Some(Value::String(text)) => Effect::Replaced(text.clone()),
                Some(_) => Effect::Thrown("no text"),
                None => Effect::GoesOn,
            }
        }
        EventName::UserPromptSubmit | EventName::Stop | EventName::SubagentStop
            if text(&top, "decision") == Some("block") =>
        {
            Effect::Denied(reason("reason"))
        }
        _ => Effect::GoesOn,
    }
}
