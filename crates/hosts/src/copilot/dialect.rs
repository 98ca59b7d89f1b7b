//! Copilot CLI's dialect: flat answers, one JSON document, exit code 0.
//!
//! Measured on 1.0.102: `permissionDecision` at the top level is honoured and the model is told the reason; with exit
//! code 2 the call does not run either, but the reason is lost. `ask` without a terminal is a denial. `modifiedArgs`
//! replaces the arguments, `modifiedResult` the result. A prompt is refused by `decision: "block"` with exit code 0 and
//! not by exit code 2. `continue: false` is ignored. A crash, a signal or a missing program before a tool deny the
//! call; a timeout does not, and neither does an answer that is no JSON. A reason of 4 MiB did not come to an end.

use crate::{
    Dialect, Reply, bridge, decode_flat_after,
    table::{Form, Row, Table},
    text::{CONTEXT, REASON, cut, join, reason_with_notices, withheld},
};
use checkrein_core::{
    Abilities, Asking, Class, Decision, Editing, EventName, InputError, Map, Outcome, Payload, Session,
    ToolCall,
};
use serde_json::{Value, json};

pub(crate) struct Copilot;

const TABLE: Table = {
    use EventName::{
        Notification, PermissionRequest, PostToolUse, PostToolUseFailure, PreToolUse, SessionStart, Stop,
        SubagentStart, SubagentStop, UserPromptSubmit,
    };
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form)
    }
    Table(&[
        row(PreToolUse, Form::Permission).allows().asks(Asking::Asks).edits(Editing::Applies).tells(),
        row(PermissionRequest, Form::Behaviour).allows().asks(Asking::Anyway),
        row(PostToolUse, Form::Withhold).edits(Editing::Applies).tells(),
        row(PostToolUseFailure, Form::Never).tells(),
        row(UserPromptSubmit, Form::Block).tells(),
        row(SessionStart, Form::Never).tells(),
        row(SubagentStart, Form::Never).tells(),
        row(Notification, Form::Never).tells(),
        // It ends the turn itself after eight denials in a row.
        row(Stop, Form::Block),
        row(SubagentStop, Form::Block),
    ])
};

impl Dialect for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        let mut payload = decode_flat_after(self.name(), bytes, expected, super::payload::flatten)?;
        bridge::name_event(&mut payload, &super::RECIPE);
        Ok(payload)
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn reports_end(&self, call: &ToolCall) -> bool {
        !crate::goes_on(call)
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        TABLE.row(outcome.payload.name()).abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let row = TABLE.row(outcome.payload.name());
        let mut answer = Map::new();
        let mut set = |key: &str, value: Value| drop(answer.insert(key.to_owned(), value));
        let reason = reason_with_notices(outcome);
        match (row.form, outcome.decision) {
            (Form::Permission, decision @ (Decision::Deny | Decision::Ask)) => {
                set("permissionDecision", decision.as_str().into());
                set("permissionDecisionReason", reason.into());
            }
            (Form::Permission, Decision::Allow) => set("permissionDecision", "allow".into()),
            (Form::Behaviour, Decision::Deny) => {
                set("behavior", "deny".into());
                set("message", reason.into());
            }
            (Form::Behaviour, Decision::Allow) => set("behavior", "allow".into()),
            (Form::Withhold, Decision::Deny) => set("modifiedResult", result(&withheld(outcome))),
            (Form::Block, Decision::Deny) => {
                set("decision", "block".into());
                set("reason", reason.into());
            }
            _ => {}
        }
        if outcome.is_edited() && outcome.decision != Decision::Deny {
            match (row.form, outcome.payload.event.call(), outcome.payload.event.output()) {
                (Form::Permission, Some(call), _) => set("modifiedArgs", call.input.clone().into()),
                (Form::Withhold, _, Some(output)) => set("modifiedResult", result(output.text())),
                _ => {}
            }
        }
        let contexts = outcome.contexts();
        if row.abilities.context && !contexts.is_empty() {
            set("additionalContext", cut(&join(&contexts), CONTEXT).into());
        }
        Reply::json(&answer.into())
    }

    /// Denies in the forms of all gates at once if the event is not known: none of them reads the others' fields.
    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        let reason = cut(reason, REASON);
        let is_gate = event.is_none_or(|event| event.class() == Class::Gate);
        if !is_gate {
            return Reply::json(&json!({}));
        }
        Reply::json(&json!({
            "permissionDecision": "deny", "permissionDecisionReason": reason,
            "behavior": "deny", "message": reason,
            "decision": "block", "reason": reason,
        }))
    }
}

/// Returns a result in its shape.
fn result(text: &str) -> Value {
    json!({"resultType": "success", "textResultForLlm": text})
}
