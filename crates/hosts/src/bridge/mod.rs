//! The shared part of hosts that load code instead of starting a command: a bridge of ours.
//!
//! A bridge passes an event to the program and applies the answer. Its source is `core.ts`, which asks the program and
//! turns every failure into a denial, and then the host's own `bridge.ts`. There is no build step and no dependency. The
//! answer is one object whose fields the bridge checks: `decision` (`deny` or `ask`), `reason`, `input`, `output`,
//! `prompt`, `context`, `notice`.

mod doctor;

pub(crate) use doctor::Intact;

use crate::{
    Reply,
    table::{Form, Table},
    text::{CONTEXT, REASON, cut, for_the_user, join, reason, withheld},
};
use checkrein_core::{Class, Decision, EventName, Map, Outcome, Payload};
use serde_json::{Value, json};

/// Creates the source of a bridge from that of its host.
macro_rules! source {
    ($own:literal) => {
        concat!(include_str!("../bridge/core.ts"), "\n", include_str!($own))
    };
}
pub(crate) use source;

/// Keeps the host's own name of the event, which the payload may not have.
pub(crate) fn name_event(payload: &mut Payload, recipe: &crate::install::Recipe) {
    let theirs = recipe.key(payload.name());
    if theirs != payload.name().as_str() {
        payload.host.event.get_or_insert_with(|| theirs.to_owned());
    }
}

/// Writes an outcome for a bridge.
pub(crate) fn encode(table: Table, outcome: &Outcome) -> Reply {
    let row = table.row(outcome.payload.name());
    let event = &outcome.payload.event;
    let mut answer = Map::new();
    let mut set = |key: &str, value: Value| drop(answer.insert(key.to_owned(), value));
    match outcome.decision {
        Decision::Deny if row.abilities.deny => {
            set("decision", "deny".into());
            set("reason", reason(outcome).into());
            if row.form == Form::Withhold {
                set("output", withheld(outcome).into());
            }
        }
        Decision::Ask => {
            set("decision", "ask".into());
            set("reason", reason(outcome).into());
        }
        Decision::Deny | Decision::Allow | Decision::Abstain => {}
    }
    if outcome.is_edited() && outcome.decision != Decision::Deny {
        match (event.output(), event.call(), event.prompt()) {
            (Some(output), ..) => set("output", output.text().into()),
            (None, Some(call), _) => set("input", call.input.clone().into()),
            (None, None, Some(prompt)) => set("prompt", prompt.into()),
            (None, None, None) => {}
        }
    }
    let contexts = outcome.contexts();
    if row.abilities.context && !contexts.is_empty() {
        set("context", cut(&join(&contexts), CONTEXT).into());
    }
    if let Some(notice) = for_the_user(outcome) {
        set("notice", notice.into());
    }
    Reply::json(&answer.into())
}

/// Returns the answer without an outcome. The bridge reads an answer only with exit code 0.
pub(crate) fn refuse(event: Option<EventName>, why: &str) -> Reply {
    if event.is_some_and(|event| event.class() != Class::Gate) {
        return Reply::json(&json!({}));
    }
    Reply::json(&json!({"decision": "deny", "reason": cut(why, REASON)}))
}
