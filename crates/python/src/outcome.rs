//! The merged answer of all hooks, for Python.
//!
//! A value that no hook changed is the same object that the caller passed.

use crate::{callable::dict_of, context::Context, value};
use checkrein::{Change, Decision, HookText, Retry};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use serde_json::Value;

/// The merged answer of all hooks.
#[pyclass(frozen, module = "checkrein")]
pub(crate) struct Outcome {
    outcome: checkrein::Outcome,
    /// The dispatched payload.
    given: Py<PyDict>,
    /// The input, output and prompt after the hooks' edits.
    input: Option<Py<PyDict>>,
    output: Option<String>,
    prompt: Option<String>,
    retry: Option<Py<PyAny>>,
    tracebacks: Vec<(String, String)>,
}

/// A hook and its text.
type Saying = (String, String);

impl Outcome {
    pub(crate) fn new(
        py: Python<'_>,
        outcome: checkrein::Outcome,
        given: Py<PyDict>,
        context: Context,
    ) -> PyResult<Self> {
        let changed = |wanted: fn(&Change) -> bool| {
            outcome.trail.iter().filter_map(|step| step.change.as_ref()).any(wanted)
        };
        let event = &outcome.payload.event;
        let mut input = None;
        if let (true, Some(call)) = (changed(|change| matches!(change, Change::Input(_))), event.call()) {
            input = Some(value::write_object(py, &call.input, &context.numbers)?.unbind());
        }
        let output = event.output().filter(|_| changed(|change| *change == Change::Output));
        let output = output.map(|output| output.text().to_owned());
        let prompt =
            event.prompt().filter(|_| changed(|change| *change == Change::Prompt)).map(str::to_owned);
        let retry = match &outcome.retry {
            None => None,
            Some(Retry::Same) => Some(value::write(py, &Value::Bool(true), &context.numbers)?.unbind()),
            Some(Retry::With(map)) => {
                Some(value::write_object(py, map, &context.numbers)?.into_any().unbind())
            }
        };
        Ok(Self { input, output, prompt, retry, tracebacks: context.tracebacks, outcome, given })
    }

    pub(crate) const fn core(&self) -> &checkrein::Outcome {
        &self.outcome
    }

    /// Returns the arguments, if a hook changed them.
    pub(crate) fn input<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyDict>> {
        self.input.as_ref().map(|input| input.bind(py).clone())
    }

    /// Returns the output, if a hook changed it.
    pub(crate) fn output(&self) -> Option<String> {
        self.output.clone()
    }

    /// Returns the prompt, if a hook changed it.
    pub(crate) fn edited_prompt(&self) -> Option<&str> {
        self.prompt.as_deref()
    }

    fn owned(texts: &[HookText<'_>]) -> Vec<Saying> {
        texts.iter().map(|text| (text.hook.to_owned(), text.text.to_owned())).collect()
    }

    /// Returns the answer in our own dialect.
    pub(crate) fn answer(&self) -> PyResult<checkrein::Map> {
        let reply = checkrein_hosts::OURS.encode(&self.outcome);
        checkrein::json::parse_object(&reply.stdout).map_err(|error| PyValueError::new_err(error.to_string()))
    }
}

#[pymethods]
impl Outcome {
    /// The strictest decision of any hook.
    #[getter]
    fn decision<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        decision(py, self.outcome.decision)
    }

    /// True if the call must not happen, or its result must not be shown.
    #[getter]
    fn denied(&self) -> bool {
        self.outcome.decision == Decision::Deny
    }

    /// The reasons as one string; empty if there are none.
    #[getter]
    fn reason(&self) -> String {
        self.outcome.reason()
    }

    /// Every reason, as (hook, text), in the order of the hooks.
    #[getter]
    fn reasons(&self) -> Vec<Saying> {
        Self::owned(&self.outcome.reasons())
    }

    /// Every text for the model, as (hook, text).
    #[getter]
    fn context(&self) -> Vec<Saying> {
        Self::owned(&self.outcome.contexts())
    }

    /// Every text for the user, as (hook, text).
    #[getter]
    fn notices(&self) -> Vec<Saying> {
        Self::owned(&self.outcome.notices())
    }

    /// Every failure, as (hook, text).
    #[getter]
    fn failures(&self) -> Vec<Saying> {
        let steps = self.outcome.trail.iter();
        let failed = steps.filter_map(|step| {
            Some((self.outcome.hook(step).to_owned(), step.failure.as_ref()?.to_string()))
        });
        failed.collect()
    }

    /// The tracebacks of Python hooks that failed, as (hook, text).
    #[getter]
    fn tracebacks(&self) -> Vec<Saying> {
        self.tracebacks.clone()
    }

    /// The request to end the turn, as (hook, text).
    #[getter]
    fn stop(&self) -> Option<Saying> {
        self.outcome.stop.as_ref().map(|stop| (stop.hook.to_string(), stop.reason.clone()))
    }

    /// The request to retry the failed call: True, or the arguments to change.
    #[getter]
    fn retry(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.retry.as_ref().map(|retry| retry.clone_ref(py))
    }

    /// True if a hook edited the event.
    #[getter]
    fn edited(&self) -> bool {
        self.input.is_some() || self.output.is_some() || self.prompt.is_some()
    }

    /// The arguments as they should run: the same object that was passed, unless a hook changed them.
    #[getter]
    fn tool_input<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.input {
            Some(input) => Ok(Some(input.bind(py).clone().into_any())),
            None => self.given.bind(py).get_item("tool_input"),
        }
    }

    /// The tool's output, as the model should see it.
    #[getter]
    fn tool_output(&self) -> Option<&str> {
        self.outcome.payload.event.output().map(checkrein::Output::text)
    }

    /// The prompt, as the model should see it.
    #[getter]
    fn prompt(&self) -> Option<&str> {
        self.outcome.payload.event.prompt()
    }

    /// The event with every edit in it: the same object that was passed, unless a hook changed something.
    #[getter]
    fn payload<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = self.given.bind(py);
        if !self.edited() {
            return Ok(given.clone());
        }
        let edited = given.copy()?;
        if let Some(input) = &self.input {
            edited.set_item("tool_input", input)?;
        }
        if self.output.is_some() {
            let flat = dict_of(py, &self.outcome.payload)?;
            for key in ["tool_output", "tool_response", "error"] {
                match flat.get_item(key)? {
                    Some(value) if edited.contains(key)? || key == "tool_output" => {
                        edited.set_item(key, value)?;
                    }
                    Some(_) => {}
                    None if edited.contains(key)? => edited.del_item(key)?,
                    None => {}
                }
            }
        }
        if let Some(prompt) = &self.prompt {
            for key in ["prompt", "user_message"] {
                if edited.contains(key)? || key == "prompt" {
                    edited.set_item(key, prompt)?;
                }
            }
        }
        Ok(edited)
    }

    /// Returns the answer as the program gives it in its own dialect.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        value::write_object(py, &self.answer()?, &value::Numbers::default())
    }

    fn __repr__(&self) -> String {
        let edited = if self.edited() { ", edited" } else { "" };
        let reason = self.outcome.reason();
        let reason = if reason.is_empty() { String::new() } else { format!(", {reason:?}") };
        let (event, decision) = (self.outcome.payload.name(), self.outcome.decision);
        format!("<Outcome of {event}: {decision}{edited}{reason}>")
    }
}

/// Returns the member of `checkrein.Decision`.
pub(crate) fn decision(py: Python<'_>, decision: Decision) -> PyResult<Bound<'_, PyAny>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let name = match decision {
        Decision::Abstain => "ABSTAIN",
        Decision::Allow => "ALLOW",
        Decision::Ask => "ASK",
        Decision::Deny => "DENY",
    };
    TYPE.import(py, "checkrein._types", "Decision")?.getattr(name)
}
