//! Cline's dialect: only `cancel` counts, and it ends the run.
//!
//! Measured on 3.0.65: exit codes are ignored, and so is everything but one JSON object. `cancel` before a call prevents
//! it and ends the whole run, so the model is not told the reason. `review` without a terminal runs the call, so that `ask`
//! is a denial. `overrideInput` replaces the input, `contextModification` arrives in a `user` message. After a call `cancel`
//! ends the run before the model sees the result, which is the only way to withhold or replace one. Cline waits forever
//! for a hook, so our own time limit is the only one. Other events are not waited for.

use super::{RECIPE, payload};
use crate::{
    Dialect, Reply, bridge, decode_flat_after,
    table::{Form, Row, Table},
    text::{CONTEXT, REASON, cut, join, reason_with_notices},
};
use checkrein_core::{
    Abilities, Asking, Class, Decision, Editing, EventName, InputError, Map, Outcome, Payload, Session,
    Stopping, ToolCall,
};
use serde_json::{Value, json};

pub(crate) struct Cline;

const TABLE: Table = {
    use EventName::{PostToolUse, PreToolUse};
    use Stopping::Prevents;
    Table(&[
        Row::new(PreToolUse, Form::Block).edits(Editing::Applies).tells().stops(Prevents),
        Row::new(PostToolUse, Form::Block).tells().stops(Prevents),
    ])
};

impl Dialect for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        let mut payload = decode_flat_after(self.name(), bytes, expected, payload::flatten)?;
        bridge::name_event(&mut payload, &RECIPE);
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
        let denied = outcome.decision == Decision::Deny && row.abilities.deny;
        let ended = outcome.stop.as_ref().filter(|_| row.abilities.stop != Stopping::Cannot);
        if denied || ended.is_some() {
            let why = ended
                .filter(|_| !denied)
                .map_or_else(|| reason_with_notices(outcome), |stop| cut(&stop.reason, REASON));
            set("cancel", true.into());
            set("errorMessage", why.into());
            return Reply::json(&answer.into());
        }
        if let (true, Some(call)) = (outcome.is_edited(), outcome.payload.event.call()) {
            set("overrideInput", payload::input(call));
        }
        let contexts = outcome.contexts();
        if row.abilities.context && !contexts.is_empty() {
            set("contextModification", cut(&join(&contexts), CONTEXT).into());
        }
        Reply::json(&answer.into())
    }

    fn refuse(&self, event: Option<EventName>, why: &str) -> Reply {
        if event.is_some_and(|event| event.class() != Class::Gate) {
            return Reply::json(&json!({}));
        }
        Reply::json(&json!({"cancel": true, "errorMessage": cut(why, REASON)}))
    }
}
