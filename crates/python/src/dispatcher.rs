//! The dispatcher, for Python.

use crate::{
    callable::{Form, PyHook},
    context::Context,
    errors,
    fast_path::Glance,
    hooks::{Hooks, Named, workload},
    outcome::Outcome,
    value,
};
use checkrein::{
    Abilities, ActiveHooks, Asking, Change, Class, Decision, Edge, Entry, Environment, EventName, Hook,
    OnFailure, Pattern, Payload, Places, Policy, Role, Scope, Setup,
    exec::{CommandHook, Cwd, Program},
    flat, variable,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};
use serde_json::Value;
use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Duration,
};

/// The ordered list of hooks. `checkrein.Dispatcher` and `checkrein.compat.HookManager` wrap it.
#[pyclass(frozen, module = "checkrein._native")]
pub(crate) struct Dispatcher {
    hooks: RwLock<Hooks>,
    /// The reason why no hook can be called.
    refusal: Option<String>,
    /// Remarks for the user.
    remarks: Vec<String>,
}

impl Dispatcher {
    fn of(hooks: checkrein::Dispatcher) -> Self {
        Self { hooks: RwLock::new(Hooks::of(hooks)), refusal: None, remarks: Vec::new() }
    }

    /// Creates the hooks of a policy, for a caller that can prompt.
    fn of_policy(py: Python<'_>, policy: &Policy, guard: bool) -> Self {
        let ActiveHooks { dispatcher, remarks } = py.detach(|| policy.for_all_events(&edge(guard)));
        Self { remarks, ..Self::of(dispatcher) }
    }

    fn read(&self) -> RwLockReadGuard<'_, Hooks> {
        self.hooks.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Hooks> {
        self.hooks.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn hooks(&self) -> checkrein::Dispatcher {
        self.read().list.clone()
    }

    /// Tries to call the hooks without turning the dict into a payload, where none of them needs one.
    /// Returns `Some` if that was enough, in which case they had no opinion.
    fn glance(&self, event: EventName, payload: &Bound<'_, PyDict>) -> Option<()> {
        if self.refusal.is_some() {
            return None;
        }
        let glance = Glance::at(event, payload)?;
        let asked = self.read().only_built_in(event, &glance.call()?)?;
        glance.ask(payload.py(), &asked)
    }

    /// Calls the hooks. Other threads may use the interpreter in the meantime.
    fn ask(
        &self,
        py: Python<'_>,
        payload: Payload,
        mut context: Context,
        event_loop: Option<Py<PyAny>>,
    ) -> PyResult<(checkrein::Outcome, Context)> {
        context.event_loop = event_loop;
        let hooks = self.hooks();
        let dispatch = || match &self.refusal {
            Some(reason) => checkrein::Outcome::refused(payload, reason.as_str()),
            // An embedding application supports everything; a stop still overrides a retry.
            None => hooks.dispatch(payload).within(Abilities::ALL),
        };
        let (outcome, mut context) = py.detach(|| context.around(dispatch));
        match context.interrupt.take() {
            Some(interrupt) => Err(interrupt),
            None => Ok((outcome, context)),
        }
    }
}

#[pymethods]
impl Dispatcher {
    #[new]
    #[pyo3(signature = (guard))]
    fn new(py: Python<'_>, guard: bool) -> Self {
        Self::of_policy(py, &Policy::default(), guard)
    }

    /// Creates a list that denies whatever can be denied, for this reason.
    #[staticmethod]
    fn refusing(reason: String) -> Self {
        Self { refusal: Some(reason), ..Self::of(checkrein::Dispatcher::new()) }
    }

    /// Creates the hooks of a configuration file, as the program would call them; Python functions are
    /// called in this process.
    #[staticmethod]
    fn from_config(py: Python<'_>, path: PathBuf, guard: bool) -> PyResult<Self> {
        let policy =
            py.detach(|| Policy::of_file(&path)).map_err(|problems| errors::config(&path, &problems))?;
        Ok(Self::of_policy(py, &policy, guard))
    }

    /// Creates the hooks of every layer that is active in `cwd`, as the program would call them.
    #[staticmethod]
    fn from_layers(py: Python<'_>, cwd: PathBuf, config: Option<PathBuf>, guard: bool) -> PyResult<Self> {
        let load = || {
            let cwd = std::path::absolute(&cwd).unwrap_or(cwd);
            Policy::load(&Places::of(variable).flag(config.as_deref()).project(&cwd))
        };
        let policy = py.detach(load).map_err(|problems| errors::layers(&problems))?;
        Ok(Self::of_policy(py, &policy, guard))
    }

    /// Returns remarks for the user, such as skipped project hooks.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }

    /// Returns another list with the same hooks.
    fn copy(&self) -> Self {
        Self {
            refusal: self.refusal.clone(),
            hooks: RwLock::new(self.read().clone()),
            remarks: self.remarks.clone(),
        }
    }

    /// Adds a hook at the end.
    #[pyo3(signature = (event, name, hook, *, tools, except_tools, role, timeout, on_failure, may_allow, plain))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of a Python function")]
    fn add(
        &self,
        event: &str,
        name: String,
        hook: &Bound<'_, PyAny>,
        tools: Option<Vec<String>>,
        except_tools: Vec<String>,
        role: Option<&str>,
        timeout: f64,
        on_failure: Option<&str>,
        may_allow: bool,
        plain: bool,
    ) -> PyResult<()> {
        let event: EventName = event.parse().map_err(errors::value)?;
        let form = if plain { Form::Dict } else { Form::Payload };
        let built_in = workload(hook)?;
        let hook: Arc<dyn Hook> = match built_in {
            Some(workload) => Arc::new(workload),
            None if hook.is_callable() => {
                Arc::new(PyHook { name: name.clone(), function: hook.clone().unbind(), form })
            }
            None => {
                let message = format!("a hook must be callable, not `{}`", hook.get_type().name()?);
                return Err(PyTypeError::new_err(message));
            }
        };
        let scope = scope(tools.as_deref(), &except_tools)?;
        let role = role.map_or(Ok(Role::Plain), str::parse).map_err(errors::value)?;
        let entry = Entry::new(event, Named { name, hook })
            .with_scope(scope)
            .with_role(role)
            .with_timeout(seconds(timeout)?)
            .with_may_allow(may_allow);
        let entry = match on_failure.map(rule).transpose()? {
            Some(rule) => entry.with_on_failure(rule),
            None => entry,
        };
        self.write().add(entry, built_in);
        Ok(())
    }

    /// Adds a command in the predecessor's style: through the shell, in `cwd`, with the whole environment.
    fn add_command(
        &self,
        event: &str,
        name: String,
        command: String,
        tools: Option<Vec<String>>,
        timeout: f64,
        cwd: PathBuf,
    ) -> PyResult<()> {
        let event: EventName = event.parse().map_err(errors::value)?;
        let variables: Vec<_> = std::env::vars_os().collect();
        let hook = CommandHook::new(Program::Shell(command)).named(name).config_dir(cwd).cwd(Cwd::Config);
        let entry = Entry::new(event, hook.environment(variables));
        self.write()
            .add(entry.with_scope(scope(tools.as_deref(), &[])?).with_timeout(seconds(timeout)?), None);
        Ok(())
    }

    /// Removes every hook with this name and returns how many there were.
    fn remove(&self, name: &str) -> usize {
        self.write().remove(name)
    }

    /// Returns the hooks, in order: name, event, tools, role.
    fn entries(&self) -> Vec<(String, String, String, String)> {
        let row = |entry: &Entry| {
            let (event, scope) = (entry.event().to_string(), entry.scope().to_string());
            (entry.name().to_owned(), event, scope, entry.role().to_string())
        };
        self.hooks().entries().iter().map(row).collect()
    }

    /// Calls every hook that the event concerns and merges their answers.
    #[pyo3(signature = (payload, event_loop=None))]
    fn dispatch(
        &self,
        py: Python<'_>,
        payload: &Bound<'_, PyDict>,
        event_loop: Option<Py<PyAny>>,
    ) -> PyResult<Outcome> {
        let mut context = Context::default();
        let fields = value::object(payload, &mut context.numbers)?;
        let event = flat::read(fields, None).map_err(errors::value)?;
        let (outcome, context) = self.ask(py, event, context, event_loop)?;
        Outcome::new(py, outcome, payload.clone().unbind(), context)
    }

    /// Dispatches an event that is a string in a host's dialect, and answers in that dialect.
    #[pyo3(signature = (text, host))]
    fn dispatch_json(&self, py: Python<'_>, text: &str, host: &str) -> PyResult<String> {
        let dialect = checkrein_hosts::find(host).map_err(errors::value)?;
        let payload = dialect.decode(text.as_bytes().to_vec(), None).map_err(errors::value)?;
        let (outcome, _) = self.ask(py, payload, Context::default(), None)?;
        let (_, reply) = checkrein_hosts::answer(dialect, outcome);
        String::from_utf8(reply.stdout).map_err(errors::value)
    }

    /// Implements the predecessor's `run`: changes `payload` in place, and returns decision, reason,
    /// changed arguments, changed output, the hook that decided, and the failures; `None` if there is no
    /// opinion.
    fn run(&self, py: Python<'_>, event: &str, payload: &Bound<'_, PyDict>) -> PyResult<Option<Ran>> {
        let event: EventName = event.parse().map_err(errors::value)?;
        if self.glance(event, payload).is_some() {
            return Ok(None);
        }
        let mut context = Context::default();
        let fields = from_predecessor(event, value::object(payload, &mut context.numbers)?);
        let read = flat::read(fields, Some(event)).map_err(errors::value)?;
        let (core, context) = self.ask(py, read, context, None)?;
        let outcome = Outcome::new(py, core, payload.clone().unbind(), context)?;
        Ran::new(py, &outcome, payload)
    }
}

/// The result of `run`.
#[derive(IntoPyObject)]
struct Ran(
    &'static str,
    Option<String>,
    Option<Py<PyDict>>,
    Option<String>,
    Option<String>,
    Vec<(String, String)>,
);

impl Ran {
    fn new(py: Python<'_>, outcome: &Outcome, payload: &Bound<'_, PyDict>) -> PyResult<Option<Self>> {
        let core = outcome.core();
        let failures = failures(core);
        // Most events have no hooks, or no hook objects.
        if core.is_neutral() {
            let failed = (!failures.is_empty()).then_some(failures);
            return Ok(failed.map(|failures| Self("allow", None, None, None, None, failures)));
        }
        let class = core.payload.name().class();
        let denied = core.decision == Decision::Deny;
        let mut args = None;
        if !denied && let Some(input) = outcome.input(py) {
            payload.set_item("tool_input", &input)?;
            args = Some(changed(py, core, &input)?);
        }
        // Code for the predecessor does not look at a decision after the call, so replace the output with
        // the notice.
        let output = match class {
            Class::Result if denied => {
                outcome.answer()?.get("tool_output").and_then(Value::as_str).map(str::to_owned)
            }
            Class::Result | Class::Gate | Class::Finish | Class::Report => outcome.output(),
        };
        if let Some(output) = &output {
            payload.set_item("tool_output", output)?;
        }
        if !denied && let Some(prompt) = outcome.edited_prompt() {
            payload.set_item("user_message", prompt)?;
        }
        let word = match core.decision {
            Decision::Abstain | Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        };
        let first = core.deciders().into_iter().find(|said| word != "allow" || !said.text.is_empty());
        let reason = first.map(|said| said.text.to_owned()).filter(|text| !text.is_empty());
        let hook = first.map(|said| said.hook.to_owned());
        Ok(Some(Self(word, reason, args, output, hook, failures)))
    }
}

fn failures(outcome: &checkrein::Outcome) -> Vec<(String, String)> {
    let failed =
        |step: &checkrein::Step| Some((outcome.hook(step).to_owned(), step.failure.as_ref()?.to_string()));
    outcome.trail.iter().filter_map(failed).collect()
}

/// Returns the final arguments, if hooks changed them.
fn changed(py: Python<'_>, outcome: &checkrein::Outcome, input: &Bound<'_, PyDict>) -> PyResult<Py<PyDict>> {
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

/// Reads the predecessor's payloads, which carry their event separately, and may omit unknown fields.
fn from_predecessor(event: EventName, mut fields: checkrein::Map) -> checkrein::Map {
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

/// Returns the edge of a Python process, which can prompt.
fn edge(guard: bool) -> Edge<'static> {
    let edge = Edge::new(&setup).remembering(Asking::Asks);
    if guard { edge } else { edge.without_guard() }
}

/// Returns the setup with which hooks of files are built: Python functions are called in this process.
fn setup() -> Setup {
    Setup::new(Environment::of_process()).callables(|callable, name, directory| {
        match PyHook::imported(callable, name, directory) {
            Ok(hook) => Arc::new(hook),
            Err(error) => {
                let reason = error.to_string();
                let fails = move |_: &Payload| {
                    Err::<checkrein::Verdict, _>(checkrein::Failure::Other(reason.clone()))
                };
                Arc::new(checkrein::hook_fn(name, fails))
            }
        }
    })
}

pub(crate) fn scope(tools: Option<&[String]>, except: &[String]) -> PyResult<Scope> {
    let patterns = |texts: &[String]| -> PyResult<Vec<Pattern>> {
        texts.iter().map(|text| text.parse().map_err(errors::value)).collect()
    };
    let scope = match tools {
        None => Scope::all(),
        Some([]) => {
            return Err(PyValueError::new_err("an empty list matches no tool, so the hook would never run"));
        }
        Some(tools) => Scope::only(patterns(tools)?),
    };
    Ok(scope.except(patterns(except)?))
}

fn seconds(seconds: f64) -> PyResult<Duration> {
    let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero() && seconds <= 600.0);
    time.ok_or_else(|| {
        PyValueError::new_err(format!("`{seconds}`: expected seconds, more than 0 and at most 600"))
    })
}

fn rule(word: &str) -> PyResult<OnFailure> {
    let rules = [OnFailure::Deny, OnFailure::Ask, OnFailure::Ignore];
    let known = rules.into_iter().find(|rule| rule.as_str() == word);
    known.ok_or_else(|| {
        PyValueError::new_err(format!(
            "unknown answer to a failure `{word}`, expected `deny`, `ask` or `ignore`"
        ))
    })
}
