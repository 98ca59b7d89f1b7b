//! Kimi Code's dialect: Claude Code's denial before a call, and exit code 2 elsewhere.
//!
//! Measured on 2.1.0: before a call the nested denial with exit code 0 is honoured and the model is told the reason, of which
//! it keeps about 2,500 characters; `ask` runs the call; a changed input and context have no effect. Hooks after a call are
//! started without waiting, so they only watch. On a prompt every text on stdout goes to the model, a JSON denial too: only
//! exit code 2 refuses, and an answer without content is empty. Before the end of a turn exit code 2 makes it continue once.
//! A hook that crashes, is killed, is missing or is late does not stop a call.

use crate::{
    Dialect, Reply,
    answer::Answer,
    decode_flat_after,
    names::Tool,
    table::{Form, Row, Table, went_on_already},
    text::{CONTEXT, REASON, cut, join, reason_with_notices},
};
use checkrein_core::{
    Abilities, Asking, Class, Decision, EventName, InputError, Map, Outcome, Payload, Session,
};
use serde_json::Value;

pub(crate) struct Kimi;

const TABLE: Table = {
    use EventName::{PreToolUse, Stop, UserPromptSubmit};
    Table(&[
        Row::new(PreToolUse, Form::Permission),
        Row::new(UserPromptSubmit, Form::ExitCode).tells().bare(),
        Row::new(Stop, Form::ExitCode).bare(),
    ])
};

/// Its tools. They have our names and arguments of their own.
pub(super) const TOOLS: &[Tool] = &[
    Tool::alike("Read", "Read", &[("path", "file_path")]),
    Tool::alike("Write", "Write", &[("path", "file_path")]),
    Tool::alike("Edit", "Edit", &[("path", "file_path")]),
];

impl Dialect for Kimi {
    fn name(&self) -> &'static str {
        "kimi"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, flatten)
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
        let row = TABLE.row(outcome.payload.name());
        let denied = outcome.decision == Decision::Deny;
        match row.form {
            Form::Permission if denied => {
                let mut answer = Answer::new(row.event);
                answer.nested("permissionDecision", "deny");
                answer.nested("permissionDecisionReason", reason_with_notices(outcome));
                answer.reply()
            }
            Form::ExitCode if denied && self.abilities(outcome).deny => exit_2(&reason_with_notices(outcome)),
            // The text itself is what the model gets.
            Form::ExitCode if row.abilities.context && !outcome.contexts().is_empty() => {
                let context = cut(&join(&outcome.contexts()), CONTEXT);
                Reply { stdout: format!("{context}\n").into_bytes(), ..Reply::default() }
            }
            _ => row.reply(Answer::new(row.event)),
        }
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        match event {
            // Anything on stdout would be a part of the prompt.
            Some(EventName::UserPromptSubmit) => exit_2(&cut(reason, REASON)),
            Some(event) if event.class() != Class::Gate => Reply::default(),
            event => TABLE.refuse(event, reason),
        }
    }
}

fn exit_2(reason: &str) -> Reply {
    Reply::default().and_exit_2(reason)
}

/// Turns the fields into those of the flat form: a prompt is a list of parts, and the id of a call has another name.
fn flatten(fields: &mut Map) {
    if let Some(id) = fields.remove("tool_call_id") {
        fields.entry("tool_use_id").or_insert(id);
    }
    let Some(Value::Array(parts)) = fields.get("prompt") else { return };
    let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
    let prompt = texts.collect::<Vec<_>>().join("\n");
    fields.insert("prompt".to_owned(), prompt.into());
}
