//! Readers that interpret an answer as the agents do.
//!
//! They are written from the agents' own rules and from measurements, not from our encoders, so that the two can be
//! compared.
#![allow(dead_code, unused_imports, reason = "each test file uses its part")]

mod copilot;
mod gemini;

pub(crate) use copilot::copilot;
pub(crate) use gemini::gemini;

use checkrein_core::EventName;
use checkrein_hosts::Reply;
use serde_json::{Map, Value};

/// The agent's next step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// The agent rejects the answer and continues as if there were no hook.
    Thrown(&'static str),
    /// The agent continues, after its own questions.
    GoesOn,
    /// The agent continues with another input.
    GoesOnWith(Value),
    /// The agent continues without a question, perhaps with another input.
    Allowed(Option<Value>),
    /// The user is asked.
    Asked(Option<Value>),
    /// The call does not happen, or the turn does not end, for this reason.
    Denied(String),
    /// The model reads this in place of the result.
    Replaced(String),
    /// The turn ends.
    Ends,
}

fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    object.get(key).and_then(Value::as_str)
}

fn filled<'a>(object: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    text(object, key).filter(|text| !text.trim().is_empty())
}

/// Reads an answer as Claude Code, for the events of the comparison.
pub(crate) fn claude(event: EventName, reply: &Reply) -> Effect {
    let Ok(Value::Object(top)) = serde_json::from_slice(&reply.stdout) else {
        return Effect::Thrown("no object");
    };
    let empty = Map::new();
    let nested = top.get("hookSpecificOutput").and_then(Value::as_object).unwrap_or(&empty);
    let reason = text(&top, "reason").unwrap_or_default().to_owned();
    let ends = top.get("continue") == Some(&Value::Bool(false));
    match event {
        EventName::PreToolUse => {
            let input = nested.get("updatedInput").cloned();
            match text(nested, "permissionDecision") {
                Some("deny") => {
                    Effect::Denied(text(nested, "permissionDecisionReason").unwrap_or_default().into())
                }
                Some("ask") => Effect::Asked(input),
                Some("allow") => Effect::Allowed(input),
                Some(_) => Effect::Thrown("unknown decision"),
                None => input.map_or(Effect::GoesOn, Effect::GoesOnWith),
            }
        }
        EventName::PermissionRequest => {
            let Some(decision) = nested.get("decision").and_then(Value::as_object) else {
                return Effect::GoesOn;
            };
            match text(decision, "behavior") {
                Some("allow") => Effect::Allowed(decision.get("updatedInput").cloned()),
                Some("deny") => Effect::Denied(text(decision, "message").unwrap_or_default().into()),
                _ => Effect::Thrown("unknown behaviour"),
            }
        }
        EventName::PostToolUse => {
            let output = nested.get("updatedToolOutput").and_then(|output| output.get("stdout"));
            match output.and_then(Value::as_str) {
                Some(output) => Effect::Replaced(output.into()),
                None if ends => Effect::Ends,
                None => Effect::GoesOn,
            }
        }
        _ if ends => Effect::Ends,
        _ if text(&top, "decision") == Some("block") => Effect::Denied(reason),
        _ => Effect::GoesOn,
    }
}

/// Returns the fields that Codex knows in `hookSpecificOutput`, by event; `None` where it knows no such object.
fn codex_nested(event: EventName) -> Option<&'static [&'static str]> {
    match event {
        EventName::PreToolUse => {
            Some(&["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"])
        }
        EventName::PermissionRequest => Some(&["decision"]),
        EventName::PostToolUse
        | EventName::UserPromptSubmit
        | EventName::SessionStart
        | EventName::SubagentStart => Some(&["additionalContext"]),
        _ => None,
    }
}

/// Reads an answer as Codex: strict, and open on everything that it does not accept.
pub(crate) fn codex(event: EventName, reply: &Reply) -> Effect {
    match reply.exit {
        0 => {}
        2 => return codex_exit_2(event, reply.stderr.trim()),
        _ => return Effect::Thrown("failed"),
    }
    let Ok(Value::Object(top)) = serde_json::from_slice(&reply.stdout) else {
        return Effect::Thrown("no object");
    };
    let decides = matches!(
        event,
        EventName::PreToolUse
            | EventName::PostToolUse
            | EventName::UserPromptSubmit
            | EventName::Stop
            | EventName::SubagentStop
    );
    for (key, value) in &top {
        let fits = match key.as_str() {
            "systemMessage" => value.is_string(),
            "continue" if event != EventName::Interrupt => value.is_boolean(),
            "stopReason" if event != EventName::Interrupt => value.is_string(),
            "decision" | "reason" if decides => value.is_string(),
            "hookSpecificOutput" => codex_nested(event).is_some() && value.is_object(),
            _ => false,
        };
        if !fits {
            return Effect::Thrown("a field that the event does not have");
        }
    }
    let empty = Map::new();
    let nested = top.get("hookSpecificOutput").and_then(Value::as_object).unwrap_or(&empty);
    for (key, value) in nested {
        let known = codex_nested(event).unwrap_or_default().contains(&key.as_str());
        if !(known || key == "hookEventName" && value.as_str() == Some(event.as_str())) {
            return Effect::Thrown("a nested field that the event does not have");
        }
    }
    if !nested.is_empty() && !nested.contains_key("hookEventName") {
        return Effect::Thrown("a nested object without its event");
    }
    codex_decision(event, &top, nested)
}

fn codex_exit_2(event: EventName, stderr: &str) -> Effect {
    match event {
        _ if stderr.is_empty() => Effect::Thrown("exit code 2 without a text"),
        EventName::PostToolUse => Effect::Replaced(stderr.into()),
        EventName::PreToolUse
        | EventName::PermissionRequest
        | EventName::UserPromptSubmit
        | EventName::Stop
        | EventName::SubagentStop => Effect::Denied(stderr.into()),
        _ => Effect::Thrown("exit code 2"),
    }
}

fn codex_decision(event: EventName, top: &Map<String, Value>, nested: &Map<String, Value>) -> Effect {
    let ends = top.get("continue") == Some(&Value::Bool(false));
    let blocks = match text(top, "decision") {
        None => false,
        Some("block") if filled(top, "reason").is_some() => true,
        Some(_) => return Effect::Thrown("a decision without a reason, or an unknown one"),
    };
    let reason = || filled(top, "reason").unwrap_or_default().to_owned();
    match event {
        EventName::PreToolUse | EventName::PermissionRequest if ends || top.contains_key("stopReason") => {
            Effect::Thrown("`continue` or `stopReason` before a tool")
        }
        EventName::PreToolUse => {
            let why = filled(nested, "permissionDecisionReason");
            match (text(nested, "permissionDecision"), nested.get("updatedInput"), why) {
                (Some("deny"), None, Some(why)) => Effect::Denied(why.into()),
                (Some("allow"), Some(input), _) => Effect::GoesOnWith(input.clone()),
                (None, None, None) => Effect::GoesOn,
                (_, _, _) => Effect::Thrown("a decision that is not supported"),
            }
        }
        EventName::PermissionRequest => {
            let Some(Value::Object(decision)) = nested.get("decision") else { return Effect::GoesOn };
            if decision.keys().any(|key| key != "behavior" && key != "message") {
                return Effect::Thrown("an unsupported field of the decision");
            }
            match text(decision, "behavior") {
                Some("allow") => Effect::Allowed(None),
                Some("deny") => Effect::Denied(text(decision, "message").unwrap_or_default().into()),
                _ => Effect::Thrown("unknown behaviour"),
            }
        }
        EventName::PostToolUse if ends => {
            let shown = filled(top, "reason").or(filled(top, "stopReason"));
            shown.map_or(Effect::Thrown("nothing to show"), |text| Effect::Replaced(text.into()))
        }
        EventName::PostToolUse if blocks => Effect::Replaced(reason()),
        EventName::PostToolUse if top.contains_key("reason") => Effect::Thrown("a reason without a decision"),
        EventName::SubagentStart => Effect::GoesOn,
        _ if ends => Effect::Ends,
        _ if blocks => Effect::Denied(reason()),
        _ => Effect::GoesOn,
    }
}
