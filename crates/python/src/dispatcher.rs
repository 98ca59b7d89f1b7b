//! The dispatcher, for Python.

use crate::{
    callable::{Form, Place, PyHook, is_async},
    compat::{self, Ran},
    context::Context,
    errors,
    fast_path::Glance,
    hooks::{Call, Hooks, Named, workload},
    keeper::Keeper,
    kinds::Kinds,
    outcome::Outcome,
    steps::Steps,
    value,
};
use checkrein::{
    Abilities, ActiveHooks, Asking, Edge, Entry, Environment, EventName, Hook, OnFailure, Pattern, Payload,
    Places, Policy, Role, Scope, Setup,
    exec::{CommandHook, Cwd, Program},
    flat, variable,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyDict,
};
use std::{
    collections::HashMap,
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
    /// The kinds of tools that the author names.
    kinds: Kinds,
    /// True if what a call would destroy is kept first.
    undo: bool,
    /// The trail, once the application has turned it on.
    keeper: Keeper,
}

impl Dispatcher {
    fn of(hooks: checkrein::Dispatcher) -> Self {
        let hooks = RwLock::new(Hooks::of(hooks));
        Self {
            hooks,
            refusal: None,
            remarks: Vec::new(),
            kinds: Kinds::default(),
            undo: false,
            keeper: Keeper::default(),
        }
    }

    /// Creates the hooks of a policy, for a caller that can prompt.
    fn of_policy(py: Python<'_>, policy: &Policy, guard: bool, undo: bool, kinds: Words) -> PyResult<Self> {
        let kinds = Kinds::new(kinds, guard)?;
        let ActiveHooks { dispatcher, remarks } = py.detach(|| {
            let edge = if undo { edge(guard).keeping_for_undo() } else { edge(guard) };
            policy.for_all_events(&edge)
        });
        Ok(Self { remarks, kinds, undo, keeper: Keeper::of(policy), ..Self::of(dispatcher) })
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
        if self.refusal.is_some() || self.undo || self.keeper.is_on() {
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
        let payload = self.keeper.identified(payload);
        let dispatch = || {
            self.keeper.keep(match &self.refusal {
                Some(reason) => checkrein::Outcome::refused(payload, reason.as_str()),
                // An embedding application supports everything; a stop still overrides a retry.
                None => hooks.dispatch(payload).within(Abilities::ALL),
            })
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
    #[pyo3(signature = (guard, kinds=HashMap::new()))]
    fn new(py: Python<'_>, guard: bool, kinds: Words) -> PyResult<Self> {
        Self::of_policy(py, &Policy::default(), guard, false, kinds)
    }

    /// Creates a list that denies whatever can be denied, for this reason.
    #[staticmethod]
    fn refusing(reason: String) -> Self {
        Self { refusal: Some(reason), ..Self::of(checkrein::Dispatcher::new()) }
    }

    /// Creates the hooks of a configuration file, as the program would call them; Python functions are
    /// called in this process.
    #[staticmethod]
    #[pyo3(signature = (path, guard, kinds=HashMap::new()))]
    fn from_config(py: Python<'_>, path: PathBuf, guard: bool, kinds: Words) -> PyResult<Self> {
        let policy =
            py.detach(|| Policy::of_file(&path)).map_err(|problems| errors::config(&path, &problems))?;
        Self::of_policy(py, &policy, guard, false, kinds)
    }

    /// Creates the hooks of every layer that is active in `cwd`, as the program would call them.
    #[staticmethod]
    #[pyo3(signature = (cwd, config, guard, undo, kinds=HashMap::new()))]
    fn from_layers(
        py: Python<'_>,
        cwd: PathBuf,
        config: Option<PathBuf>,
        guard: bool,
        undo: bool,
        kinds: Words,
    ) -> PyResult<Self> {
        let load = || {
            let cwd = std::path::absolute(&cwd).unwrap_or(cwd);
            Policy::load(&Places::of(variable).flag(config.as_deref()).project(&cwd))
        };
        let policy = py.detach(load).map_err(|problems| errors::layers(&problems))?;
        if undo && policy.state().is_none() {
            return Err(PyValueError::new_err("nothing can be kept for undo: there is no state directory"));
        }
        Self::of_policy(py, &policy, guard, undo, kinds)
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
            kinds: self.kinds.clone(),
            undo: self.undo,
            keeper: self.keeper.clone(),
        }
    }

    /// Keeps a record of every event from now on, as the program does. Raises `ValueError` if the configuration turns the trail
    /// off, or if there is no state directory.
    fn keep_trail(&self) -> PyResult<()> {
        match self.keeper.turn_on() {
            true => Ok(()),
            false => Err(PyValueError::new_err(
                "there is no trail: the configuration says `trail = \"off\"`, or there is no state directory",
            )),
        }
    }

    /// Adds a hook at the end. Without a timeout it is called in place. With `exact`, tools are names and nothing
    /// else.
    #[pyo3(signature = (event, name, hook, *, tools, except_tools, role, timeout, on_failure, may_allow, compat))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of a Python function")]
    fn add(
        &self,
        event: &str,
        name: String,
        hook: &Bound<'_, PyAny>,
        tools: Option<Vec<String>>,
        except_tools: Vec<String>,
        role: Option<&str>,
        timeout: Option<f64>,
        on_failure: Option<&str>,
        may_allow: bool,
        compat: bool,
    ) -> PyResult<()> {
        let event: EventName = event.parse().map_err(errors::value)?;
        let form = if compat { Form::Dict } else { Form::Payload };
        let built_in = workload(hook)?;
        if built_in.is_none() && !hook.is_callable() {
            let message = format!("a hook must be callable, not `{}`", hook.get_type().name()?);
            return Err(PyTypeError::new_err(message));
        }
        let (place, call) = match (built_in, timeout) {
            (Some(_), _) => (Place::Here, Call::Computes),
            (None, _) if is_async(hook)? => (Place::Loop, Call::Waits),
            (None, None) => (Place::Here, Call::Computes),
            (None, Some(_)) => (Place::Thread, Call::Blocks),
        };
        let hook: Arc<dyn Hook> = match built_in {
            Some(workload) => Arc::new(workload),
            None => Arc::new(PyHook { name: name.clone(), function: hook.clone().unbind(), form, place }),
        };
        let scope = if compat { exactly(tools.as_deref())? } else { scope(tools.as_deref(), &except_tools)? };
        let role = role.map_or(Ok(Role::Plain), str::parse).map_err(errors::value)?;
        let entry = Entry::new(event, Named { name, hook })
            .with_scope(scope)
            .with_role(role)
            .with_timeout(timeout.map_or(Ok(Duration::MAX), seconds)?)
            .with_may_allow(may_allow)
            .with_in_process(true);
        let entry = match on_failure.map(rule).transpose()? {
            Some(rule) => entry.with_on_failure(rule),
            None => entry,
        };
        self.write().add(entry, built_in, call);
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
        let entry = Entry::new(event, hook.environment(variables).null_is_silence())
            .with_scope(exactly(tools.as_deref())?)
            .with_timeout(seconds(timeout)?)
            .with_on_failure(OnFailure::Deny);
        self.write().add(entry, None, Call::Blocks);
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
        let event = self.read_payload(payload, &mut context)?;
        let (outcome, context) = self.ask(py, event, context, event_loop)?;
        Outcome::new(py, outcome, payload.clone().unbind(), context)
    }

    /// Starts a dispatch for an asynchronous caller.
    fn begin(&self, payload: &Bound<'_, PyDict>, event_loop: Option<Py<PyAny>>) -> PyResult<Steps> {
        let mut context = Context { event_loop, ..Context::default() };
        let event = self.read_payload(payload, &mut context)?;
        Ok(Steps::new(
            self.active(event.name()),
            event,
            context,
            payload.clone().unbind(),
            None,
            self.keeper.clone(),
        ))
    }

    /// Starts a dispatch of an event that is a string in a host's dialect, for an asynchronous caller.
    fn begin_json(
        &self,
        py: Python<'_>,
        text: &str,
        host: &str,
        event_loop: Option<Py<PyAny>>,
    ) -> PyResult<Steps> {
        let dialect = checkrein_hosts::find(host).map_err(errors::value)?;
        let mut event = dialect.decode(text.as_bytes().to_vec(), None).map_err(errors::input)?;
        let mut context = Context { event_loop, ..Context::default() };
        self.kinds.apply(&mut event, &mut context);
        let given = PyDict::new(py).unbind();
        Ok(Steps::new(self.active(event.name()), event, context, given, Some(dialect), self.keeper.clone()))
    }

    /// Dispatches an event that is a string in a host's dialect, and answers in that dialect.
    #[pyo3(signature = (text, host))]
    fn dispatch_json(&self, py: Python<'_>, text: &str, host: &str) -> PyResult<String> {
        let dialect = checkrein_hosts::find(host).map_err(errors::value)?;
        let mut payload = dialect.decode(text.as_bytes().to_vec(), None).map_err(errors::input)?;
        self.kinds.apply(&mut payload, &mut Context::default());
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
        let fields = compat::complete(event, value::object(payload, &mut context.numbers)?);
        let read = flat::read(fields, Some(event)).map_err(errors::value)?;
        let (outcome, context) = self.ask(py, read, context, None)?;
        Ran::new(py, &outcome, &context, payload)
    }
}

impl Dispatcher {
    /// Returns the hooks to call now.
    fn active(&self, event: EventName) -> Hooks {
        match &self.refusal {
            Some(reason) => Hooks::refusing(reason.clone(), event),
            None => self.read().clone(),
        }
    }

    /// Reads a payload. A tool's kind is that of the payload, else the author's, else that of its name.
    fn read_payload(&self, payload: &Bound<'_, PyDict>, context: &mut Context) -> PyResult<Payload> {
        let fields = value::object(payload, &mut context.numbers)?;
        let has_kind = fields.contains_key("tool_kind");
        let mut event = flat::read(fields, None).map_err(errors::input)?;
        if !has_kind {
            self.kinds.apply(&mut event, context);
        }
        Ok(event)
    }
}

/// The kinds of tools by name, as words.
type Words = HashMap<String, String>;

/// Returns the scope of tools that are named exactly, as in the predecessor: a star is part of a name.
fn exactly(tools: Option<&[String]>) -> PyResult<Scope> {
    tools.map_or(Ok(Scope::all()), |tools| {
        if tools.is_empty() {
            return Err(PyValueError::new_err("an empty list matches no tool, so the hook would never run"));
        }
        Ok(Scope::only(tools.iter().map(Pattern::exact).collect::<Vec<_>>()))
    })
}

/// Returns the edge of a Python process, which can prompt.
fn edge(guard: bool) -> Edge<'static> {
    let edge = Edge::new(&setup).remembering(Asking::Asks).reporting_end(true);
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
