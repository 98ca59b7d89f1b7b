//! The merged answer of all hooks, for Python.
//!
//! A value that no hook changed is the same object that the caller passed. After a denial there is nothing left to run
//! or to show: the arguments are gone, and the text that replaces a result is in its place.

mod record;

use crate::{context::Context, value};
use checkrein::{Change, Class, Decision, Retry};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyDict, PyTuple, PyType},
};
use record::{Record, Saying, StepRecord};
use serde_json::Value;
use std::sync::OnceLock;

/// The merged answer of all hooks.
#[pyclass(frozen, module = "checkrein")]
pub(crate) struct Outcome {
    /// Missing if the outcome was pickled.
    core: Option<Box<checkrein::Outcome>>,
    record: OnceLock<Record>,
    /// The dispatched payload.
    given: Py<PyDict>,
    /// The input after the hooks' edits, if they changed it.
    input: Option<Py<PyDict>>,
    retry: Option<Py<PyAny>>,
    /// Parts that are not in the core's outcome: tracebacks, and notices of the package itself.
    tracebacks: Vec<Saying>,
    notices: Vec<Saying>,
}

impl Outcome {
    pub(crate) fn new(
        py: Python<'_>,
        outcome: checkrein::Outcome,
        given: Py<PyDict>,
        context: Context,
    ) -> PyResult<Self> {
        let mut input = None;
        if let (true, Some(call)) =
            (is_changed(&outcome, |change| matches!(change, Change::Input(_))), outcome.payload.event.call())
        {
            input = Some(value::write_object(py, &call.input, &context.numbers)?.unbind());
        }
        let retry = match &outcome.retry {
            None => None,
            Some(Retry::Same) => Some(PyBool::new(py, true).to_owned().into_any().unbind()),
            Some(Retry::With(map)) => {
                Some(value::write_object(py, map, &context.numbers)?.into_any().unbind())
            }
        };
        let Context { tracebacks, notices, .. } = context;
        let core = Some(Box::new(outcome));
        Ok(Self { core, record: OnceLock::new(), given, input, retry, tracebacks, notices })
    }

    /// Returns everything that the hooks said, in a form that can be stored.
    fn record(&self) -> &Record {
        self.record.get_or_init(|| {
            let mut record = self.core.as_deref().map(Record::of).unwrap_or_default();
            record.notices.extend(self.notices.iter().cloned());
            record
        })
    }

    fn verdict(&self) -> Decision {
        self.core.as_ref().map_or_else(|| self.record().decision(), |core| core.decision)
    }

    fn is_edited(&self) -> bool {
        let record = self.record();
        self.input.is_some() || record.edited.is_some() || record.edited_prompt || record.request.is_some()
    }

    /// Returns true if a denial leaves nothing to run.
    fn is_refused(&self) -> bool {
        self.verdict() == Decision::Deny
    }
}

/// Returns true if a hook made a change of this kind.
pub(crate) fn is_changed(outcome: &checkrein::Outcome, wanted: fn(&Change) -> bool) -> bool {
    outcome.trail.iter().filter_map(|step| step.change.as_ref()).any(wanted)
}

#[pymethods]
impl Outcome {
    /// The strictest decision of any hook.
    #[getter]
    fn decision<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        decision(py, self.verdict())
    }

    /// True if the call must not happen, or its result must not be shown.
    #[getter]
    fn denied(&self) -> bool {
        self.is_refused()
    }

    /// True if the call may run, or its result may be shown, without asking anyone: no hook denies, asks or ends the
    /// turn.
    #[getter]
    fn may_run(&self) -> bool {
        let stops = match &self.core {
            Some(core) => core.stop.is_some() && core.payload.name().class() == Class::Gate,
            None => self.record().stop.is_some() && self.record().is_gate,
        };
        matches!(self.verdict(), Decision::Abstain | Decision::Allow) && !stops
    }

    /// Answers the question of an outcome that asks. `ask` is True, False, or a function of the outcome that returns
    /// one of them; it is called only if there is a question. Any other outcome is returned as it is.
    #[pyo3(signature = (*, ask))]
    fn settle<'py>(slf: &Bound<'py, Self>, ask: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let this = slf.get();
        if this.verdict() != Decision::Ask {
            return Ok(slf.clone());
        }
        let said = if ask.is_callable() { ask.call1((slf,))? } else { ask.clone() };
        // Anything else, such as a coroutine, would count as true and open the gate.
        let Ok(approved) = said.cast_exact::<PyBool>() else {
            if let Some(close) = said.getattr_opt("close")? {
                close.call0()?;
            }
            let message = format!("`ask` must say True or False, not `{}`", said.get_type().name()?);
            return Err(PyTypeError::new_err(message));
        };
        let py = slf.py();
        let approved = approved.is_true();
        let core = this.core.as_ref().map(|core| Box::new((**core).clone().settled(approved)));
        let record = match &core {
            Some(_) => OnceLock::new(),
            None => OnceLock::from(this.record().settled(approved)),
        };
        let settled = Self {
            core,
            record,
            given: this.given.clone_ref(py),
            input: this.input.as_ref().map(|input| input.clone_ref(py)),
            retry: this.retry.as_ref().map(|retry| retry.clone_ref(py)),
            tracebacks: this.tracebacks.clone(),
            notices: this.notices.clone(),
        };
        Bound::new(py, settled)
    }

    /// The reasons as one string; empty if there are none.
    #[getter]
    fn reason(&self) -> String {
        self.record().reason.clone()
    }

    /// Every reason, as (hook, text), in the order of the hooks.
    #[getter]
    fn reasons(&self) -> Vec<Saying> {
        self.record().reasons.clone()
    }

    /// Every text for the model, as (hook, text).
    #[getter]
    fn context(&self) -> Vec<Saying> {
        self.record().context.clone()
    }

    /// Every text for the user, as (hook, text).
    #[getter]
    fn notices(&self) -> Vec<Saying> {
        self.record().notices.clone()
    }

    /// Every failure, as (hook, text).
    #[getter]
    fn failures(&self) -> Vec<Saying> {
        self.record().failures()
    }

    /// The tracebacks of Python hooks that failed, as (hook, text).
    #[getter]
    fn tracebacks(&self) -> Vec<Saying> {
        self.tracebacks.clone()
    }

    /// The calls of the hooks in order, each with its answer and the seconds that it took.
    #[getter]
    fn trail<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.record().trail.iter().map(|step| step.show(py)).collect()
    }

    /// The request to end the turn, as (hook, text).
    #[getter]
    fn stop(&self) -> Option<Saying> {
        self.record().stop.clone()
    }

    /// The request to retry the failed call: True, or the arguments to change.
    #[getter]
    fn retry(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.retry.as_ref().map(|retry| retry.clone_ref(py))
    }

    /// True if the model is told that the call failed, where a hook changed that; else None.
    #[getter]
    fn is_error(&self) -> Option<bool> {
        self.record().is_error
    }

    /// True if a hook edited the event.
    #[getter]
    fn edited(&self) -> bool {
        self.is_edited()
    }

    /// The arguments as they should run: the same object that was passed, unless a hook changed them. None after a
    /// denial.
    #[getter]
    fn tool_input<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.input {
            _ if self.is_refused() => Ok(None),
            Some(input) => Ok(Some(input.bind(py).clone().into_any())),
            None => self.given.bind(py).get_item("tool_input"),
        }
    }

    /// The tool's output, as the model should see it; after a denial, the text in its place.
    #[getter]
    fn tool_output(&self) -> Option<&str> {
        self.record().output.as_deref()
    }

    /// The result of the tool in the shape in which it was passed, as the model should see it.
    #[getter]
    fn tool_response<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.record().edited {
            Some(fields) => fields
                .get("tool_response")
                .map(|response| value::write(py, response, &value::Numbers::default()))
                .transpose(),
            None => self.given.bind(py).get_item("tool_response"),
        }
    }

    /// The request as it should go to the model. None after a denial.
    #[getter]
    fn model_request<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.record().request {
            _ if self.is_refused() => Ok(None),
            Some(request) => {
                Ok(Some(value::write_object(py, request, &value::Numbers::default())?.into_any()))
            }
            None => self.given.bind(py).get_item("model_request"),
        }
    }

    /// The prompt, as the model should see it. None after a denial.
    #[getter]
    fn prompt(&self) -> Option<&str> {
        self.record().prompt.as_deref().filter(|_| !self.is_refused())
    }

    /// The event with every edit in it: the same object that was passed, unless a hook changed something or denies.
    #[getter]
    fn payload<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = self.given.bind(py);
        if !self.is_edited() && !self.is_refused() {
            return Ok(given.clone());
        }
        let edited = given.copy()?;
        if self.is_refused() {
            for key in ["tool_input", "original_tool_input", "model_request"] {
                if edited.contains(key)? {
                    edited.del_item(key)?;
                }
            }
        } else if let Some(input) = &self.input {
            edited.set_item("tool_input", input)?;
        } else if let Some(request) = self.model_request(py)?.filter(|_| self.record().request.is_some()) {
            edited.set_item("model_request", request)?;
        }
        if let Some(fields) = &self.record().edited {
            for key in ["tool_output", "tool_response", "error", "model_response"] {
                match fields.get(key) {
                    Some(field) if edited.contains(key)? || key == "tool_output" => {
                        edited.set_item(key, value::write(py, field, &value::Numbers::default())?)?;
                    }
                    Some(_) => {}
                    None if edited.contains(key)? => edited.del_item(key)?,
                    None => {}
                }
            }
        }
        if let (true, Some(prompt)) = (self.record().edited_prompt, &self.record().prompt) {
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
        value::write_object(py, &self.record().answer, &value::Numbers::default())
    }

    fn __repr__(&self) -> String {
        let edited = if self.is_edited() { ", edited" } else { "" };
        let Record { reason, event, .. } = self.record();
        let reason = if reason.is_empty() { String::new() } else { format!(", {reason:?}") };
        format!("<Outcome of {event}: {}{edited}{reason}>", self.verdict())
    }

    /// Lets an outcome be copied, pickled and sent to another process. The hooks stay behind.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let record = value::write_object(py, &this.record().to_map(), &value::Numbers::default())?;
        let state = (this.given.bind(py), record, &this.input, &this.retry, &this.tracebacks);
        Ok((slf.get_type().getattr("_restore")?, state.into_pyobject(py)?))
    }

    #[staticmethod]
    fn _restore(
        given: Py<PyDict>,
        record: &Bound<'_, PyDict>,
        input: Option<Py<PyDict>>,
        retry: Option<Py<PyAny>>,
        tracebacks: Vec<Saying>,
    ) -> PyResult<Self> {
        let fields = value::object(record, &mut value::Numbers::default())?;
        let record = Record::from_map(fields).ok_or_else(|| PyValueError::new_err("not an outcome"))?;
        let record = OnceLock::from(record);
        Ok(Self { core: None, record, given, input, retry, tracebacks, notices: Vec::new() })
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

impl StepRecord {
    /// Returns the step as `checkrein.Step`.
    fn show<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let said = decision(py, record::parse(&self.decision))?;
        TYPE.import(py, "checkrein._types", "Step")?.call1((
            &self.hook,
            &self.role,
            said,
            &self.reason,
            PyTuple::new(py, &self.context)?,
            &self.notice,
            PyTuple::new(py, &self.changed)?,
            &self.failure,
            self.again,
            self.seconds,
        ))
    }
}

/// Returns the answer in our own dialect.
pub(crate) fn answer_of(outcome: &checkrein::Outcome) -> checkrein::Map {
    let reply = checkrein_hosts::OURS.encode(outcome);
    checkrein::json::parse_object(&reply.stdout).unwrap_or_default()
}

/// Returns the text in place of a withheld result.
pub(crate) fn withheld(outcome: &checkrein::Outcome) -> Option<String> {
    answer_of(outcome).get("tool_output").and_then(Value::as_str).map(str::to_owned)
}
