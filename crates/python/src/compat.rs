//! The predecessor's `run`: what its `HookManager` returns and writes into the payload.

use crate::{
    context::Context,
    outcome::{is_changed, withheld},
    value,
};
use checkrein::{Change, Class, Decision, EventName, Failure, Outcome};
use pyo3::{prelude::*, types::PyDict};
use serde_json::Value;

/// The result of `run`: decision, reason, changed arguments, changed output, the hook that decided, and the failures.
#[derive(IntoPyObject)]
pub(crate) struct Ran(
    &'static str,
    Option<String>,
    Option<Py<PyDict>>,
    Option<String>,
    Option<String>,
    Vec<(String, String, bool)>,
);

impl Ran {
    /// Writes the rewrites into `payload`, as the predecessor did. Returns `None` if there is no opinion.
    pub(crate) fn new(
        py: Python<'_>,
        outcome: &Outcome,
        context: &Context,
        payload: &Bound<'_, PyDict>,
    ) -> PyResult<Option<Self>> {
        let failures = failures(outcome);
        // Most events have no hooks, or no hook objects.
        if outcome.is_neutral() {
            let failed = (!failures.is_empty()).then_some(failures);
            return Ok(failed.map(|failures| Self("allow", None, None, None, None, failures)));
        }
        let event = &outcome.payload.event;
        let denied = outcome.decision == Decision::Deny;
        let mut args = None;
        if let (false, true, Some(call)) =
            (denied, is_changed(outcome, |change| matches!(change, Change::Input(_))), event.call())
        {
            let input = value::write_object(py, &call.input, &context.numbers)?;
            args = Some(changed(py, outcome, &input)?);
            write_input(payload, input)?;
        }
        // Code for the predecessor does not look at a decision after the call, so replace the output with
        // the notice.
        let output = if denied && outcome.payload.name().class() == Class::Result {
            withheld(outcome)
        } else {
            let edited = is_changed(outcome, |change| *change == Change::Output);
            event.output().filter(|_| edited).map(|output| output.text().to_owned())
        };
        if let Some(output) = &output {
            payload.set_item("tool_output", output)?;
        }
        if let (false, true, Some(prompt)) =
            (denied, is_changed(outcome, |change| *change == Change::Prompt), event.prompt())
        {
            payload.set_item("user_message", prompt)?;
        }
        let word = match outcome.decision {
            Decision::Abstain | Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        };
        let (hook, reason) = decider(outcome, word);
        Ok(Some(Self(word, reason, args, output, hook, failures)))
    }
}

/// Returns the first hook at the final level and its reason. A hook without a reason leaves that of the level below in
/// place.
fn decider(outcome: &Outcome, word: &str) -> (Option<String>, Option<String>) {
    let deciders = outcome.deciders();
    let first = deciders.iter().find(|said| word != "allow" || !said.text.is_empty());
    let own = first.map(|said| said.text).filter(|text| !text.is_empty());
    let below = || {
        let asked = outcome.trail.iter().find(|step| step.decision == Decision::Ask);
        asked.filter(|_| word == "deny").and_then(|step| step.reason.as_deref())
    };
    (first.map(|said| said.hook.to_owned()), own.or_else(below).map(str::to_owned))
}

/// Returns every failure: the hook, the text, and whether it was a timeout.
fn failures(outcome: &Outcome) -> Vec<(String, String, bool)> {
    let failed = |step: &checkrein::Step| {
        let failure = step.failure.as_ref()?;
        let text = match failure {
            // The predecessor shows what the hook wrote, or how it exited.
            Failure::Exited { stderr, .. } if !stderr.is_empty() => stderr.clone(),
            Failure::Exited { code, .. } => format!("hook exited with code {code}"),
            other => other.to_string(),
        };
        let is_late = matches!(failure, Failure::TimedOut { .. });
        Some((outcome.hook(step).to_owned(), text, is_late))
    };
    outcome.trail.iter().filter_map(failed).collect()
}

/// Returns the final arguments, if hooks changed them.
fn changed(py: Python<'_>, outcome: &Outcome, input: &Bound<'_, PyDict>) -> PyResult<Py<PyDict>> {
    let args = PyDict::new(py);
    for step in &outcome.trail {
        let Some(Change::Input(keys)) = &step.change else { continue };
        for key in keys {
            if let Some(value) = input.get_item(key)? {
                args.set_item(key, value)?;
            }
        }
    }
    Ok(args.unbind())
}

/// Writes the arguments into the caller's own dict, as the predecessor did.
fn write_input(payload: &Bound<'_, PyDict>, input: Bound<'_, PyDict>) -> PyResult<()> {
    let Some(given) = payload.get_item("tool_input")?.and_then(|given| given.cast_into::<PyDict>().ok())
    else {
        return payload.set_item("tool_input", input);
    };
    for key in given.keys() {
        if !input.contains(&key)? {
            given.del_item(key)?;
        }
    }
    given.update(input.as_mapping())
}

/// Reads the predecessor's payloads, which carry their event separately, and may omit unknown fields.
pub(crate) fn complete(event: EventName, mut fields: checkrein::Map) -> checkrein::Map {
    fields.insert("hook_event_name".into(), event.as_str().into());
    let missing = |fields: &checkrein::Map, key: &str| fields.get(key).is_none_or(Value::is_null);
    if event.has_tool() && missing(&fields, "tool_name") {
        fields.insert("tool_name".into(), "".into());
    }
    if event == EventName::UserPromptSubmit && missing(&fields, "user_message") && missing(&fields, "prompt")
    {
        fields.insert("user_message".into(), "".into());
    }
    fields
}
