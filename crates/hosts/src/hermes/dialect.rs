//! Hermes' dialect: `{"decision": "block"}` before a call, and context for a prompt; nothing else is heard.
//!
//! Measured on 0.19.0: only JSON on stdout counts, with any exit code, so exit code 2 is not a denial. `ask` runs the call; a
//! changed input has no effect; a prompt cannot be refused. After a call every answer is ignored. A hook that crashes, is
//! killed, is missing or is late does not stop a call.

use super::RECIPE;
use crate::{
    Dialect, Reply, decode_flat_after,
    names::{self, Tool},
    table::{Form, Row, Table, went_on_already},
    text::{CONTEXT, REASON, cut, join, reason_with_notices},
};
use checkrein_core::{
    Abilities, Asking, Class, Decision, EventName, InputError, Map, Outcome, Payload, Session,
};
use serde_json::{Value, json};

pub(crate) struct Hermes;

const TABLE: Table = {
    use EventName::{PreToolUse, Stop, UserPromptSubmit};
    Table(&[
        Row::new(PreToolUse, Form::Block),
        Row::new(UserPromptSubmit, Form::Never).tells(),
        Row::new(Stop, Form::BlockOnce),
    ])
};

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("terminal", "Bash"),
    Tool::alike("read_file", "Read", &[("path", "file_path")]),
    Tool::alike("write_file", "Write", &[("path", "file_path")]),
];

impl Dialect for Hermes {
    fn name(&self) -> &'static str {
        "hermes"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            names::rename_event(fields, &RECIPE);
            flatten(fields);
            names::rename_tool(fields, TOOLS);
        })
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let mut abilities = TABLE.row(outcome.payload.name()).abilities;
        if outcome.payload.name() == EventName::Stop && went_on_already(outcome) {
            abilities.deny = false;
        }
        abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let abilities = self.abilities(outcome);
        if outcome.decision == Decision::Deny && abilities.deny {
            return Reply::json(&json!({"decision": "block", "reason": reason_with_notices(outcome)}));
        }
        let contexts = outcome.contexts();
        if abilities.context && !contexts.is_empty() {
            return Reply::json(&json!({"context": cut(&join(&contexts), CONTEXT)}));
        }
        Reply::json(&json!({}))
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        if event.is_some_and(|event| event.class() != Class::Gate) {
            return Reply::json(&json!({}));
        }
        Reply::json(&json!({"decision": "block", "reason": cut(reason, REASON)}))
    }
}

/// Turns the fields into those of the flat form: the rest of an event is below `extra`, and what an event lacks is null.
fn flatten(fields: &mut Map) {
    if fields.get("tool_name") == Some(&Value::Null) {
        fields.remove("tool_name");
        fields.remove("tool_input");
    }
    let Some(extra) = fields.get("extra").and_then(Value::as_object).cloned() else { return };
    let mut set = |ours: &str, theirs: &str| {
        if let Some(value) = extra.get(theirs).filter(|value| !value.is_null()) {
            fields.entry(ours).or_insert_with(|| value.clone());
        }
    };
    set("tool_use_id", "tool_call_id");
    set("tool_response", "result");
    set("prompt", "user_message");
    set("agent_id", "child_session_id");
}
