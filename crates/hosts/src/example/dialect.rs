//! The example host's dialect: it has its own event names, can deny, and can neither ask nor apply an edit.

use crate::{
    Dialect, Reply, decode_flat_after,
    table::{Form, Row, Table},
    text::reason_with_notices,
};
use checkrein_core::{
    Abilities, Asking, Decision, EventName, InputError, Outcome, Payload, Session, Stopping,
};
use serde_json::Value;

pub(super) struct Example;

const TABLE: Table = Table(&[
    Row::new(EventName::PreToolUse, Form::Block).tells(),
    Row::new(EventName::Stop, Form::Block).stops(Stopping::Prevents).shows(),
]);

/// Its names of events, and ours.
const EVENTS: &[(&str, EventName)] =
    &[("before_tool", EventName::PreToolUse), ("after_turn", EventName::Stop)];

impl Dialect for Example {
    fn name(&self) -> &'static str {
        "example"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            let word = fields.remove("moment");
            let known =
                EVENTS.iter().find(|(theirs, _)| word.as_ref().and_then(Value::as_str) == Some(theirs));
            if let Some((_, event)) = known {
                fields.insert("hook_event_name".into(), event.as_str().into());
            }
        })
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        TABLE.row(outcome.payload.name()).abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let row = TABLE.row(outcome.payload.name());
        let mut answer = row.begin(outcome);
        if row.form == Form::Block && outcome.decision == Decision::Deny {
            answer.block(reason_with_notices(outcome));
        }
        row.reply(answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        TABLE.refuse(event, reason)
    }
}
