//! Cursor's dialect, from its documentation: flat answers, exit code 0.
//!
//! It has several events for one call, with different abilities: `preToolUse` can rewrite a call, and ignores `ask` (the call
//! runs); `beforeShellExecution` and `beforeMCPExecution` can ask, and cannot rewrite. A command sends the first two. So a
//! question about a command or an MCP tool is asked in the second event, and about any other tool it is a denial. Before a
//! file is read there is only a denial. A result can be replaced if it is one of an MCP server. It sends a follow-up
//! at most five times by itself. A hook that fails lets the call run, unless its entry has `failClosed`.

use crate::{
    Dialect, Reply, decode_flat_after,
    table::{Form, Row, Table},
    text::{CONTEXT, REASON, cut, for_the_user, join, reason, reason_with_notices, withheld},
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Map, Outcome, Payload, Session, ToolCall,
    ToolKind,
};
use serde_json::{Value, json};

pub(crate) struct Cursor;

const TABLE: Table = {
    use EventName::{
        PostToolUse, PreCompact, PreToolUse, SessionStart, Stop, SubagentStart, SubagentStop,
        UserPromptSubmit,
    };
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form)
    }
    Table(&[
        row(PreToolUse, Form::Permission).asks(Asking::Asks).edits(Editing::Applies),
        row(PostToolUse, Form::Withhold).edits(Editing::Applies).tells(),
        row(UserPromptSubmit, Form::EndTurn),
        row(SessionStart, Form::Never).tells(),
        row(Stop, Form::Block),
        row(SubagentStop, Form::Block),
        // Current versions are reported to ignore the denial.
        row(SubagentStart, Form::Permission).in_vain(),
        row(PreCompact, Form::Never).shows(),
    ])
};

/// The events that can ask about a call.
const ASKING: [&str; 2] = ["beforeShellExecution", "beforeMCPExecution"];

/// The events that only permit or deny that a file is read.
const READING: [&str; 2] = ["beforeReadFile", "beforeTabFileRead"];

fn native(outcome: &Outcome) -> &str {
    outcome.payload.host.event.as_deref().unwrap_or_default()
}

/// Returns true if a call also sends an event that can ask.
fn is_asked_about(call: &ToolCall) -> bool {
    matches!(call.kind, ToolKind::Shell | ToolKind::Mcp)
}

impl Dialect for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, super::payload::flatten)
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn reports_end(&self, call: &ToolCall) -> bool {
        !crate::goes_on(call)
    }

    fn sends_again(&self, call: &ToolCall) -> bool {
        is_asked_about(call)
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let event = outcome.payload.name();
        let mut abilities = TABLE.row(event).abilities;
        let call = outcome.payload.event.call();
        match event {
            EventName::PreToolUse => {
                let native = native(outcome);
                if ASKING.contains(&native) {
                    abilities.allow = true;
                    abilities.edit = Editing::Cannot;
                } else if READING.contains(&native) || !call.is_some_and(is_asked_about) {
                    abilities.ask = Asking::Cannot;
                }
                if READING.contains(&native) {
                    abilities.edit = Editing::Cannot;
                }
            }
            EventName::PostToolUse if call.is_none_or(|call| call.kind != ToolKind::Mcp) => {
                abilities.deny = false;
                abilities.edit = Editing::Cannot;
            }
            // A turn that failed or that the user ended is over.
            EventName::Stop | EventName::SubagentStop if is_broken_off(outcome) => abilities.deny = false,
            _ => {}
        }
        abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let mut row = TABLE.row(outcome.payload.name());
        row.abilities = self.abilities(outcome);
        let mut answer = Map::new();
        let mut set = |key: &str, value: Value| drop(answer.insert(key.to_owned(), value));
        let denied = outcome.decision == Decision::Deny;
        match (row.form, outcome.decision) {
            (Form::Permission, decision @ (Decision::Deny | Decision::Ask)) => {
                set("permission", decision.as_str().into());
                set("user_message", reason_with_notices(outcome).into());
                set("agent_message", reason(outcome).into());
            }
            (Form::Permission, Decision::Allow) => set("permission", "allow".into()),
            (Form::EndTurn, Decision::Deny) => {
                set("continue", false.into());
                set("user_message", reason_with_notices(outcome).into());
            }
            (Form::Withhold, Decision::Deny) if row.abilities.deny => {
                set("updated_mcp_tool_output", result(&withheld(outcome)));
            }
            (Form::Block, Decision::Deny) if row.abilities.deny => {
                set("followup_message", reason_with_notices(outcome).into());
            }
            _ => {}
        }
        if outcome.is_edited() && !denied {
            match (row.form, outcome.payload.event.call(), outcome.payload.event.output()) {
                (Form::Permission, Some(call), None) => {
                    // A question is asked in the next event, about the changed call.
                    set("permission", "allow".into());
                    set("updated_input", call.input.clone().into());
                }
                (Form::Withhold, _, Some(output)) => set("updated_mcp_tool_output", result(output.text())),
                _ => {}
            }
        }
        let contexts = outcome.contexts();
        if row.abilities.context && !contexts.is_empty() {
            set("additional_context", cut(&join(&contexts), CONTEXT).into());
        }
        if row.event == EventName::PreCompact
            && let Some(text) = for_the_user(outcome)
        {
            set("user_message", text.into());
        }
        Reply::json(&answer.into())
    }

    /// Denies in the forms of all gates at once if the event is not known: none of them reads the others' fields.
    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        let reason = cut(reason, REASON);
        match event {
            Some(event) if !event.is_preventable() => Reply::json(&json!({})),
            Some(EventName::UserPromptSubmit) => {
                Reply::json(&json!({"continue": false, "user_message": reason}))
            }
            Some(_) => {
                Reply::json(&json!({"permission": "deny", "user_message": reason, "agent_message": reason}))
            }
            None => Reply::json(&json!({
                "permission": "deny", "continue": false, "user_message": reason, "agent_message": reason,
            })),
        }
    }
}

/// Returns true if the event is about a turn that did not come to its end.
fn is_broken_off(outcome: &Outcome) -> bool {
    let status = outcome.payload.field("status").and_then(Value::as_str);
    status.is_some_and(|status| status != "completed")
}

/// Returns a result in the shape of an MCP server's.
fn result(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}
