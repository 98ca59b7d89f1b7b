//! A Python function as a hook in this process.
//!
//! It is called on its own thread, so that a function which exceeds its timeout can be abandoned: Python
//! cannot stop one. The threads are Python's (`_threads.py`), because only a thread that Python started
//! ends quietly with the interpreter; they are kept and reused. Other threads can use the interpreter while
//! we wait. A function without a timeout is called in place, and an asynchronous one waits on the event loop of
//! an asynchronous caller (`steps`).

mod mutation;

use crate::{context::Context, value};
use checkrein::{
    Deadline, Failure, Hook, Outcome, Payload, Verdict,
    exec::{Callable, answer::read_value},
    flat::Flat,
};
use pyo3::{
    exceptions::PyKeyboardInterrupt,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use serde_json::Value;
use std::{
    path::Path,
    sync::{Arc, Condvar, Mutex, PoisonError},
    time::{Duration, Instant},
};

/// The interval at which the main thread checks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(50);

/// The argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A dict.
    Dict,
    /// A dict that also has properties: `checkrein.Payload`.
    Payload,
}

/// The place in which a function is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On a thread, which is abandoned if the function is late.
    Thread,
    /// On the caller's thread, without a time limit.
    Here,
    /// On the event loop of an asynchronous caller, else on a thread.
    Loop,
}

/// A Python function.
pub(crate) struct PyHook {
    pub(crate) name: String,
    pub(crate) function: Py<PyAny>,
    pub(crate) form: Form,
    pub(crate) place: Place,
}

/// An asynchronous function that is to be called on the caller's event loop.
pub(crate) struct Awaited {
    pub(crate) hook: PyHook,
    pub(crate) argument: Py<PyAny>,
}

impl PyHook {
    /// Creates a hook for the function that `callable` names. It is imported from `directory` on the first
    /// call.
    pub(crate) fn imported(callable: &Callable, name: &str, directory: &Path) -> PyResult<Self> {
        Python::attach(|py| {
            let imported = threads(py)?.getattr("Imported")?;
            let function = imported.call1((callable.path.as_str(), directory))?.unbind();
            Ok(Self { name: name.to_owned(), function, form: Form::Payload, place: Place::Thread })
        })
    }

    /// Returns true if the function is asynchronous. One that a configuration names is imported for that.
    fn is_async(&self, py: Python<'_>) -> bool {
        self.place == Place::Loop
            || self.place == Place::Thread
                && threads(py)
                    .and_then(|threads| threads.getattr("is_async"))
                    .and_then(|is_async| is_async.call1((&self.function,)))
                    .is_ok_and(|said| said.is_truthy().unwrap_or_default())
    }

    /// Leaves the call to the event loop of the caller.
    fn leave(&self, py: Python<'_>, payload: &Payload) -> PyResult<()> {
        let argument = self.argument(py, payload, &[])?.unbind();
        let hook = Self {
            name: self.name.clone(),
            function: self.function.clone_ref(py),
            form: self.form,
            place: self.place,
        };
        Context::with(|context| context.awaited = Some(Awaited { hook, argument }));
        Ok(())
    }

    /// Calls the function in place.
    fn ask_here(&self, py: Python<'_>, payload: &Payload) -> Result<Answered, Trouble> {
        let argument = self.argument(py, payload, &[])?;
        let argument_kept = argument.clone().unbind();
        let answered = |answer, error| Answered { answer, error, argument: Some(argument_kept) };
        Ok(match self.function.bind(py).call1((argument,)) {
            Ok(answer) if !answer.is_none() && answer.hasattr("__await__")? => {
                if let Some(close) = answer.getattr_opt("close")? {
                    close.call0()?;
                }
                let why = "a hook without a timeout returned an awaitable; declare it with `async def`";
                return Err(Trouble::Failed(Failure::Other(why.to_owned())));
            }
            Ok(answer) => answered(Some(answer.unbind()), None),
            Err(error) => answered(None, Some(error)),
        })
    }

    fn ask(&self, py: Python<'_>, payload: &Payload, deadline: Deadline<'_>) -> Result<Answered, Trouble> {
        let begun = Instant::now();
        let end = deadline.start();
        let argument = self.argument(py, payload, &[])?;
        let kept = argument.clone().unbind();
        let event_loop = Context::with(|context| context.event_loop.as_ref().map(|it| it.clone_ref(py)));
        let slot = Arc::new(Slot::default());
        let deliver = Py::new(py, Deliver(slot.clone()))?;
        let submit = threads(py)?.getattr("submit")?;
        let job = submit.call1((self.function.bind(py), argument, deliver, event_loop))?;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if let Some(answered) = py.detach(|| slot.wait(left.min(GLANCE))) {
                return Ok(Answered { argument: Some(kept), ..answered });
            }
            let late = end <= Instant::now();
            if let Err(interrupt) = py.check_signals() {
                job.call_method0("abandon")?;
                return Ok(Answered { answer: None, error: Some(interrupt), argument: None });
            }
            if late {
                job.call_method0("abandon")?;
                let after = end.saturating_duration_since(begun).min(deadline.limit());
                return Err(Trouble::Failed(Failure::TimedOut { after }));
            }
        }
    }

    /// Returns the payload as the function gets it, with more fields.
    fn argument<'py>(
        &self,
        py: Python<'py>,
        payload: &Payload,
        more: &[(&str, String)],
    ) -> PyResult<Bound<'py, PyAny>> {
        let dict = dict_of(py, payload)?;
        for (key, text) in more {
            if !dict.contains(key)? {
                dict.set_item(key, text)?;
            }
        }
        match self.form {
            Form::Dict => Ok(dict.into_any()),
            Form::Payload => payload_type(py)?.call1((dict,)),
        }
    }

    /// Reads what the function returned or raised.
    pub(crate) fn read(
        &self,
        py: Python<'_>,
        payload: &Payload,
        answered: Answered,
    ) -> Result<Verdict, Failure> {
        if let Some(error) = answered.error {
            if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                Context::with(|context| context.interrupt = Some(error));
                return Err(Failure::Other("interrupted".to_owned()));
            }
            return Err(self.failed(py, &error));
        }
        let verdict = match answered.answer {
            Some(answer) if !answer.is_none(py) => self.understand(payload, answer.bind(py))?,
            Some(_) | None => Verdict::abstain(),
        };
        match answered.argument {
            Some(argument) if self.form == Form::Dict => mutation::add(argument.bind(py), payload, verdict),
            Some(_) | None => Ok(verdict),
        }
    }

    fn understand(&self, payload: &Payload, answer: &Bound<'_, PyAny>) -> Result<Verdict, Failure> {
        let py = answer.py();
        let fail = |error: PyErr| self.failed(py, &error);
        let answer = match answer.getattr_opt("as_dict").map_err(fail)? {
            Some(as_dict) => as_dict.call0().map_err(fail)?,
            None => answer.clone(),
        };
        let read = Context::with(|context| value::read(&answer, &mut context.numbers));
        match read {
            Ok(read @ (Value::Null | Value::String(_) | Value::Object(_))) => {
                read_value(payload.name(), read)
            }
            // The same text as from the interpreter that the program starts.
            Ok(_) | Err(_) if !answer.is_instance_of::<PyDict>() => Err(Failure::Other(format!(
                "a hook returns None, a decision, a dict or a Verdict, not `{}`",
                answer.get_type().name().map(|name| name.to_string()).unwrap_or_default()
            ))),
            Ok(other) => read_value(payload.name(), other),
            Err(error) => Err(Failure::BadReply(text_of(py, &error))),
        }
    }

    fn heard(
        &self,
        py: Python<'_>,
        payload: &Payload,
        answered: Result<Answered, Trouble>,
    ) -> Result<Verdict, Failure> {
        match answered {
            Ok(answered) => self.read(py, payload, answered),
            Err(Trouble::Failed(failure)) => Err(failure),
            Err(Trouble::Raised(error)) => Err(self.failed(py, &error)),
        }
    }

    /// Turns an exception into a failure. Its traceback is kept for the outcome and for the log.
    fn failed(&self, py: Python<'_>, error: &PyErr) -> Failure {
        let told = threads(py)
            .and_then(|threads| threads.getattr("describe"))
            .and_then(|describe| describe.call1((self.name.as_str(), error.value(py))))
            .and_then(|told| told.extract::<(String, String)>());
        match told {
            Ok((line, traceback)) => {
                Context::with(|context| context.tracebacks.push((self.name.clone(), traceback)));
                Failure::Other(line)
            }
            Err(_) => Failure::Other(text_of(py, error)),
        }
    }
}

impl Hook for PyHook {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        if Context::is_interrupted() {
            return Err(Failure::Other("interrupted".to_owned()));
        }
        let is_stepwise = Context::with(|context| context.is_stepwise);
        Python::attach(|py| {
            if is_stepwise && self.is_async(py) {
                let left = self.leave(py, payload).map_err(|error| self.failed(py, &error));
                return left.and(Err(Failure::Abandoned));
            }
            let answered = match self.place {
                Place::Here => self.ask_here(py, payload),
                Place::Thread | Place::Loop => self.ask(py, payload, deadline),
            };
            self.heard(py, payload, answered)
        })
    }

    fn observe(&self, outcome: &Outcome, _: Deadline<'_>) -> Result<(), Failure> {
        Python::attach(|py| {
            let mut more = vec![("decision", outcome.decision.as_str().to_owned())];
            more.extend(
                Some(outcome.reason()).filter(|reason| !reason.is_empty()).map(|text| ("reason", text)),
            );
            let watch = || {
                let argument = self.argument(py, &outcome.payload, &more)?;
                threads(py)?.getattr("watch")?.call1((self.name.as_str(), self.function.bind(py), argument))
            };
            watch().map(drop).map_err(|error| self.failed(py, &error))
        })
    }
}

/// Returns true if a function is asynchronous.
pub(crate) fn is_async(function: &Bound<'_, PyAny>) -> PyResult<bool> {
    threads(function.py())?.getattr("is_async")?.call1((function,))?.is_truthy()
}

/// Returns the flat fields of a payload.
pub(crate) fn dict_of<'py>(py: Python<'py>, payload: &Payload) -> PyResult<Bound<'py, PyDict>> {
    let fields = serde_json::to_value(Flat(payload))
        .map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
    let Value::Object(fields) = fields else { return Ok(PyDict::new(py)) };
    Context::with(|context| value::write_object(py, &fields, &context.numbers))
}

fn text_of(py: Python<'_>, error: &PyErr) -> String {
    error.value(py).str().map_or_else(|_| "an exception without a text".to_owned(), |text| text.to_string())
}

/// Returns `checkrein._threads`.
fn threads(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static MODULE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    MODULE
        .get_or_try_init(py, || Ok(py.import("checkrein._threads")?.into_any().unbind()))
        .map(|it| it.bind(py))
}

fn payload_type(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    TYPE.import(py, "checkrein._types", "Payload")
}

/// The value that a function returned or raised.
pub(crate) struct Answered {
    pub(crate) answer: Option<Py<PyAny>>,
    pub(crate) error: Option<PyErr>,
    /// The argument that it got, which it may have changed.
    pub(crate) argument: Option<Py<PyAny>>,
}

/// The place for the answer of a function. The answer of an abandoned one is never read.
#[derive(Default)]
struct Slot {
    answered: Mutex<Option<Answered>>,
    here: Condvar,
}

impl Slot {
    fn wait(&self, time: Duration) -> Option<Answered> {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.here.wait_timeout_while(answered, time, |answered| answered.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// The function with which a thread delivers an answer.
#[pyclass(frozen)]
struct Deliver(Arc<Slot>);

#[pymethods]
impl Deliver {
    fn __call__(&self, answer: Py<PyAny>, error: Option<Bound<'_, PyAny>>) {
        let error = error.map(PyErr::from_value);
        *self.0.answered.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Answered { answer: Some(answer), error, argument: None });
        self.0.here.notify_one();
    }
}

/// The reason why there is no answer.
enum Trouble {
    /// Our own Python code raised an exception.
    Raised(PyErr),
    /// The hook failed.
    Failed(Failure),
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}
