//! An outcome as the JSON object that `check` and `demo` print.

use checkrein::{Decision, Map, Outcome};
use serde_json::{Value, json};

/// Decision, reasons, and what else there is to say.
pub(crate) fn report(outcome: &Outcome, micros: f64) -> Map {
    let mut report = Map::new();
    report.insert("decision".into(), outcome.decision.as_str().into());
    report.insert("rules".into(), json!([]));
    let reasons: Vec<Value> =
        outcome.reasons().iter().map(|said| format!("{}: {}", said.hook, said.text).into()).collect();
    report.insert("reasons".into(), reasons.into());
    report.insert("effects".into(), json!([]));
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
