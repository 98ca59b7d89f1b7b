//! The dialect of Checkrein itself, for a harness without a protocol of its own.
//!
//! It reads the flat object that hooks read, and answers with one object that can express everything, so nothing has
//! to be made stricter. A hook may answer with the same object: one engine can be a hook of another.

use crate::{Dialect, Reply, decode_flat, text};
use checkrein_core::{
    Abilities, Asking, Change, Class, Decision, EventName, HookText, InputError, Map, Outcome, Payload,
    ResultKind, Retry, Session,
};
use serde_json::{Value, json};

pub(crate) struct Checkrein;

impl Dialect for Checkrein {
    fn name(&self) -> &'static str {
        "checkrein"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat(self.name(), bytes, expected)
    }

    fn asking(&self, _: EventName, _: &Session) -> Asking {
        Abilities::ALL.ask
    }

    fn abilities(&self, _: &Outcome) -> Abilities {
        Abilities::ALL
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let mut answer = Map::new();
        answer.insert("decision".into(), outcome.decision.as_str().into());
        if let (Some(id), Decision::Ask | Decision::Deny) = (outcome.payload.id, outcome.decision) {
            answer.insert("id".into(), id.to_string().into());
        }
        let reason = outcome.reason();
        if !reason.is_empty() {
            answer.insert("reason".into(), reason.into());
        }
        list(
            &mut answer,
            "reasons",
            &outcome.reasons(),
            |said| json!({"hook": said.hook, "decision": said.decision.as_str(), "text": said.text}),
        );
        edits(&mut answer, outcome);
        let plain = |said: &HookText<'_>| json!({"hook": said.hook, "text": said.text});
        list(&mut answer, "context", &outcome.contexts(), plain);
        list(&mut answer, "notices", &outcome.notices(), plain);
        if let Some(stop) = &outcome.stop {
            answer.insert("stop".into(), json!({"hook": &*stop.hook, "reason": stop.reason}));
        }
        if let Some(retry) = &outcome.retry {
            let retry = match retry {
                Retry::Same => true.into(),
                Retry::With(input) => Value::Object(input.clone()),
            };
            answer.insert("retry".into(), retry);
        }
        if let Some(result) = outcome.result {
            answer.insert("is_error".into(), (result == ResultKind::Error).into());
        }
        let failures: Vec<Value> = outcome
            .trail
            .iter()
            .filter_map(|step| {
                Some(json!({"hook": outcome.hook(step), "failure": step.failure.as_ref()?.to_string()}))
            })
            .collect();
        if !failures.is_empty() {
            answer.insert("failures".into(), failures.into());
        }
        Reply::json(&answer.into())
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        let reason = &text::cut(reason, text::REASON);
        if event.is_none_or(EventName::is_preventable) {
            Reply::json(&json!({"decision": "deny", "reason": reason})).and_exit_2(reason)
        } else {
            Reply::json(&json!({"decision": "abstain", "notices": [{"hook": "checkrein", "text": reason}]}))
        }
    }
}

fn list(answer: &mut Map, key: &str, said: &[HookText<'_>], row: impl Fn(&HookText<'_>) -> Value) {
    if !said.is_empty() {
        answer.insert(key.into(), said.iter().map(row).collect());
    }
}

/// Writes the edited parts. A denial before the fact carries no input, because nothing will run.
fn edits(answer: &mut Map, outcome: &Outcome) {
    let event = &outcome.payload.event;
    let denied = outcome.decision == Decision::Deny;
    if denied && outcome.payload.name().class() == Class::Result {
        answer.insert("tool_output".into(), text::withheld_without_id(outcome).into());
        return;
    }
    if denied {
        return;
    }
    let changed =
        |kind: fn(&Change) -> bool| outcome.trail.iter().filter_map(|step| step.change.as_ref()).any(kind);
    if let (true, Some(call)) = (changed(|change| matches!(change, Change::Input(_))), event.call()) {
        answer.insert("tool_input".into(), call.input.clone().into());
    }
    if let (true, Some(output)) = (changed(|change| *change == Change::Output), event.output()) {
        answer.insert("tool_output".into(), output.text().into());
    }
    if let (true, Some(prompt)) = (changed(|change| *change == Change::Prompt), event.prompt()) {
        answer.insert("prompt".into(), prompt.into());
    }
}
