//! The content of an outcome without the hooks: it can be stored and sent to another process.

use super::{answer_of, is_changed, withheld};
use checkrein::{Change, Class, Decision, EventName, Map, Outcome, ResultKind, Step, flat::Flat};
use serde_json::{Value, json};

/// A hook and its text.
pub(crate) type Saying = (String, String);

/// An outcome without its hooks.
#[derive(Clone, Default)]
pub(crate) struct Record {
    pub(crate) event: String,
    pub(crate) decision: String,
    /// True if a denial prevents something.
    pub(crate) is_gate: bool,
    pub(crate) reason: String,
    pub(crate) reasons: Vec<Saying>,
    pub(crate) context: Vec<Saying>,
    pub(crate) notices: Vec<Saying>,
    pub(crate) stop: Option<Saying>,
    pub(crate) is_error: Option<bool>,
    pub(crate) trail: Vec<StepRecord>,
    /// The output and the prompt, as the model should see them.
    pub(crate) output: Option<String>,
    pub(crate) prompt: Option<String>,
    pub(crate) edited_prompt: bool,
    /// The fields of the result, if a hook changed or withholds it.
    pub(crate) edited: Option<Map>,
    /// The request to the model, if a hook changed it.
    pub(crate) request: Option<Map>,
    /// The answer in our own dialect.
    pub(crate) answer: Map,
}

/// The call of one hook.
#[derive(Clone, Default)]
pub(crate) struct StepRecord {
    pub(crate) hook: String,
    pub(crate) role: String,
    pub(crate) decision: String,
    pub(crate) reason: Option<String>,
    pub(crate) context: Vec<String>,
    pub(crate) notice: Option<String>,
    pub(crate) changed: Vec<String>,
    pub(crate) failure: Option<String>,
    pub(crate) again: bool,
    pub(crate) seconds: Option<f64>,
}

impl StepRecord {
    fn of(outcome: &Outcome, step: &Step) -> Self {
        let changed = match &step.change {
            Some(Change::Input(keys)) => keys.clone(),
            Some(Change::Output) => vec!["tool_output".to_owned()],
            Some(Change::Prompt) => vec!["prompt".to_owned()],
            None => Vec::new(),
        };
        Self {
            hook: outcome.hook(step).to_owned(),
            role: step.role.to_string(),
            decision: step.decision.to_string(),
            reason: step.reason.clone(),
            context: step.context.clone(),
            notice: step.notice.clone(),
            changed,
            failure: step.failure.as_ref().map(ToString::to_string),
            again: step.again,
            seconds: step.elapsed.map(|elapsed| elapsed.as_secs_f64()),
        }
    }
}

/// Returns the decision of a word that this module wrote. Anything else is a denial.
pub(crate) fn parse(word: &str) -> Decision {
    let all = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];
    all.into_iter().find(|decision| decision.as_str() == word).unwrap_or(Decision::Deny)
}

impl Record {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        let owned = |texts: Vec<checkrein::HookText<'_>>| -> Vec<Saying> {
            texts.iter().map(|text| (text.hook.to_owned(), text.text.to_owned())).collect()
        };
        let event = &outcome.payload.event;
        let class = outcome.payload.name().class();
        let refused = outcome.decision == Decision::Deny;
        let stop = outcome.stop.as_ref().map(|stop| (stop.hook.to_string(), stop.reason.clone()));
        let reason = outcome.reason();
        let reason = match &stop {
            Some((hook, why)) if reason.is_empty() && class == Class::Gate => {
                format!("{hook} ends the turn: {why}")
            }
            _ => reason,
        };
        let hides = refused && class == Class::Result && event.output().is_some();
        let edited = if hides {
            Some(hidden(outcome))
        } else {
            is_changed(outcome, |change| *change == Change::Output).then(|| fields(&outcome.payload))
        };
        let output = event.output().map(|output| output.text().to_owned());
        let edits_input = is_changed(outcome, |change| matches!(change, Change::Input(_)));
        Self {
            event: outcome.payload.name().to_string(),
            decision: outcome.decision.to_string(),
            is_gate: class == Class::Gate,
            reason,
            reasons: owned(outcome.reasons()),
            context: owned(outcome.contexts()),
            notices: owned(outcome.notices()),
            stop,
            is_error: outcome.result.map(|result| result == ResultKind::Error),
            trail: outcome.trail.iter().map(|step| StepRecord::of(outcome, step)).collect(),
            output: if hides { withheld(outcome) } else { output },
            prompt: event.prompt().map(str::to_owned),
            edited_prompt: is_changed(outcome, |change| *change == Change::Prompt),
            edited,
            request: event.request().filter(|_| edits_input && !refused).cloned(),
            answer: answer_of(outcome),
        }
    }

    pub(crate) fn decision(&self) -> Decision {
        parse(&self.decision)
    }

    pub(crate) fn failures(&self) -> Vec<Saying> {
        self.trail.iter().filter_map(|step| Some((step.hook.clone(), step.failure.clone()?))).collect()
    }

    /// Puts the user's answer in place of a question.
    pub(crate) fn settled(&self, approved: bool) -> Self {
        let mut record = self.clone();
        let decision = if approved { Decision::Allow } else { Decision::Deny };
        record.decision = decision.to_string();
        record.answer.insert("decision".into(), decision.as_str().into());
        if approved {
            return record;
        }
        record.reason = format!("checkrein: not approved: {}", self.reason);
        record.answer.insert("reason".into(), record.reason.clone().into());
        record.answer.shift_remove("tool_input");
        if record.output.is_some() {
            // The same as in a live outcome, whose result has a shape to keep.
            let text = format!("[output withheld]\n{}", record.reason);
            record.answer.insert("tool_output".into(), text.clone().into());
            record.edited = Some(Map::from_iter([("tool_output".to_owned(), Value::from(text.clone()))]));
            record.output = Some(text);
        }
        record
    }
}

/// Returns the fields of a result.
fn fields(payload: &checkrein::Payload) -> Map {
    match serde_json::to_value(Flat(payload)) {
        Ok(Value::Object(fields)) => fields,
        Ok(_) | Err(_) => Map::new(),
    }
}

/// Returns the fields of a result that the model must not see: every copy of its text is gone.
fn hidden(outcome: &Outcome) -> Map {
    let text = withheld(outcome).unwrap_or_default();
    let mut hidden = fields(&outcome.payload);
    let shape = outcome.payload.event.output().cloned().unwrap_or_default().withheld(text.clone());
    let key = if outcome.payload.name() == EventName::PostModelResponse {
        "model_response"
    } else {
        "tool_response"
    };
    hidden.insert("tool_output".into(), text.clone().into());
    match shape.native() {
        Some(native) => hidden.insert(key.into(), native.into_owned()),
        None => hidden.shift_remove(key),
    };
    if hidden.contains_key("error") {
        hidden.insert("error".into(), text.into());
    }
    hidden
}

impl Record {
    /// Returns the record as an object.
    pub(crate) fn to_map(&self) -> Map {
        let trail: Vec<Value> = self
            .trail
            .iter()
            .map(|step| {
                json!({"hook": step.hook, "role": step.role, "decision": step.decision, "reason": step.reason,
                       "context": step.context, "notice": step.notice, "changed": step.changed,
                       "failure": step.failure, "again": step.again, "seconds": step.seconds})
            })
            .collect();
        let object = json!({
            "event": self.event, "decision": self.decision, "is_gate": self.is_gate, "reason": self.reason,
            "reasons": self.reasons, "context": self.context, "notices": self.notices, "stop": self.stop,
            "is_error": self.is_error, "trail": trail, "output": self.output, "prompt": self.prompt,
            "edited_prompt": self.edited_prompt, "edited": self.edited, "request": self.request,
            "answer": self.answer,
        });
        if let Value::Object(map) = object { map } else { Map::new() }
    }

    /// Reads an object that [`to_map`](Self::to_map) wrote.
    pub(crate) fn from_map(mut map: Map) -> Option<Self> {
        let trail = match map.shift_remove("trail")? {
            Value::Array(steps) => steps.iter().map(read_step).collect::<Option<_>>()?,
            _ => return None,
        };
        let object = |value: Value| if let Value::Object(map) = value { Some(map) } else { None };
        Some(Self {
            event: text(&map, "event")?,
            decision: text(&map, "decision")?,
            is_gate: map.get("is_gate")?.as_bool()?,
            reason: text(&map, "reason")?,
            reasons: sayings(map.get("reasons")?)?,
            context: sayings(map.get("context")?)?,
            notices: sayings(map.get("notices")?)?,
            stop: map.get("stop").filter(|stop| !stop.is_null()).and_then(saying),
            is_error: map.get("is_error")?.as_bool(),
            trail,
            output: text(&map, "output"),
            prompt: text(&map, "prompt"),
            edited_prompt: map.get("edited_prompt")?.as_bool()?,
            edited: map.shift_remove("edited").and_then(object),
            request: map.shift_remove("request").and_then(object),
            answer: map.shift_remove("answer").and_then(object)?,
        })
    }
}

fn text(map: &Map, key: &str) -> Option<String> {
    map.get(key)?.as_str().map(str::to_owned)
}

fn texts(map: &Map, key: &str) -> Option<Vec<String>> {
    map.get(key)?.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn saying(value: &Value) -> Option<Saying> {
    match value.as_array()?.as_slice() {
        [hook, text] => Some((hook.as_str()?.to_owned(), text.as_str()?.to_owned())),
        _ => None,
    }
}

fn sayings(value: &Value) -> Option<Vec<Saying>> {
    value.as_array()?.iter().map(saying).collect()
}

fn read_step(value: &Value) -> Option<StepRecord> {
    let map = value.as_object()?;
    Some(StepRecord {
        hook: text(map, "hook")?,
        role: text(map, "role")?,
        decision: text(map, "decision")?,
        reason: text(map, "reason"),
        context: texts(map, "context")?,
        notice: text(map, "notice"),
        changed: texts(map, "changed")?,
        failure: text(map, "failure"),
        again: map.get("again")?.as_bool()?,
        seconds: map.get("seconds")?.as_f64(),
    })
}
