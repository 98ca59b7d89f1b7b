//! The JSON object that `check` and `demo` print: the outcome, and what the guard found.

use checkrein::{
    Decision, Map, Outcome,
    guard::{Effect, Judgement, Target},
};
use serde_json::{Value, json};

/// Reports the decision, the reasons, the effects and the edited input.
pub(crate) fn report(outcome: &Outcome, judgement: &Judgement, micros: f64) -> Map {
    let mut report = Map::new();
    report.insert("decision".into(), outcome.decision.as_str().into());
    let rules: Vec<&str> = judgement.findings.iter().map(|finding| finding.rule.id.as_ref()).collect();
    report.insert("rules".into(), json!(rules));
    if !judgement.suppressed.is_empty() {
        let suppressed: Vec<&str> =
            judgement.suppressed.iter().map(|suppressed| suppressed.finding.rule.id.as_ref()).collect();
        report.insert("suppressed".into(), json!(suppressed));
    }
    if !judgement.monitored.is_empty() {
        let monitored: Vec<&str> =
            judgement.monitored.iter().map(|finding| finding.rule.id.as_ref()).collect();
        report.insert("monitored".into(), json!(monitored));
    }
    let reasons: Vec<Value> = outcome.reasons().iter().map(|said| said.named().into()).collect();
    report.insert("reasons".into(), reasons.into());
    report.insert("effects".into(), judgement.effects.iter().map(effect).collect());
    if outcome.is_edited() && outcome.decision != Decision::Deny {
        let event = &outcome.payload.event;
        match (event.output(), event.call(), event.prompt()) {
            (Some(output), _, _) => report.insert("tool_output".into(), output.text().into()),
            (None, Some(call), _) => report.insert("tool_input".into(), call.input.clone().into()),
            (None, None, prompt) => report.insert("prompt".into(), prompt.into()),
        };
    }
    let failures: Vec<Value> = outcome
        .trail
        .iter()
        .filter_map(|step| Some(format!("{}: {}", outcome.hook(step), step.failure.as_ref()?).into()))
        .collect();
    if !failures.is_empty() {
        report.insert("failures".into(), failures.into());
    }
    report.insert("micros".into(), json!((micros * 10.0).round() / 10.0));
    report
}

/// Converts an effect to a JSON object.
pub(crate) fn effect(effect: &Effect) -> Value {
    let mut object = Map::new();
    object.insert("effect".into(), effect.action.as_str().into());
    match &effect.target {
        Target::Nothing => {}
        Target::Path(spot) => {
            object.insert("path".into(), spot.path.as_str().into());
            object.insert("zone".into(), spot.zone.as_str().into());
            let tags: Vec<&str> = spot.tags.iter().map(|tag| tag.as_str()).collect();
            if !tags.is_empty() {
                object.insert("tags".into(), json!(tags));
            }
        }
        Target::Host(host) => {
            object.insert("host".into(), host.name.as_str().into());
        }
        Target::Name(name) => {
            object.insert("name".into(), name.as_str().into());
        }
    }
    for (key, word, _) in effect.words() {
        if let Value::Array(words) = object.entry(key).or_insert_with(|| json!([])) {
            words.push(word.into());
        }
    }
    Value::Object(object)
}
