//! Changes that a function made to its argument. The predecessor handed every hook the payload itself, so such a change
//! was a rewrite; here it becomes an edit, which later hooks and judges see.

use crate::{context::Context, value};
use checkrein::{Edit, Event, Failure, Payload, Verdict};
use pyo3::{prelude::*, types::PyDict};
use serde_json::Value;

/// Adds the changes to what the function answered.
pub(super) fn add(
    argument: &Bound<'_, PyAny>,
    payload: &Payload,
    mut verdict: Verdict,
) -> Result<Verdict, Failure> {
    let Ok(argument) = argument.cast::<PyDict>() else { return Ok(verdict) };
    match (&payload.event, &mut verdict.edit) {
        (Event::PreToolUse { call }, None | Some(Edit::MergeInput(_))) => {
            let Value::Object(mut input) = field(argument, "tool_input")? else {
                return Err(Failure::BadReply("`tool_input` is no longer a dict".to_owned()));
            };
            if input != call.input {
                if let Some(Edit::MergeInput(changes)) = verdict.edit.take() {
                    input.extend(changes);
                }
                verdict.edit = Some(Edit::Input(input));
            }
        }
        (Event::PostToolUse { output, .. } | Event::PostToolUseFailure { error: output, .. }, None) => {
            if let Some(text) = changed(argument, &["tool_output"], output.text())? {
                verdict.edit = Some(Edit::Output(text.into()));
            }
        }
        (Event::UserPromptSubmit { prompt }, None) => {
            verdict.edit = changed(argument, &["user_message", "prompt"], prompt)?.map(Edit::Prompt);
        }
        _ => {}
    }
    Ok(verdict)
}

/// Returns the first of these texts that differs from what the function got.
fn changed(argument: &Bound<'_, PyDict>, keys: &[&str], given: &str) -> Result<Option<String>, Failure> {
    for key in keys {
        match field(argument, key)? {
            Value::String(text) if text != given => return Ok(Some(text)),
            Value::String(_) => {}
            _ => return Err(Failure::BadReply(format!("`{key}` is no longer a string"))),
        }
    }
    Ok(None)
}

fn field(argument: &Bound<'_, PyDict>, key: &str) -> Result<Value, Failure> {
    let broken = |error: PyErr| Failure::BadReply(format!("`{key}`: {error}"));
    let Some(found) = argument.get_item(key).map_err(broken)? else { return Ok(Value::Null) };
    Context::with(|context| value::read(&found, &mut context.numbers)).map_err(broken)
}
