//! A dispatch for an asynchronous caller: it stops before each asynchronous function, which the caller's event loop
//! calls, and before hooks that could block the loop, which then run on a thread.

use crate::{
    callable::{Answered, Awaited},
    context::Context,
    errors,
    hooks::{Call, Hooks},
    keeper::Keeper,
    outcome::Outcome,
};
use checkrein::{Abilities, Failure, Role, Stepwise};
use checkrein_hosts::Dialect;
use pyo3::{IntoPyObjectExt, exceptions::PyRuntimeError, prelude::*, types::PyDict};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The dispatch of one event, in steps.
#[pyclass(frozen, module = "checkrein._native")]
pub(crate) struct Steps {
    state: Mutex<Option<State>>,
    abandoned: Arc<AtomicBool>,
}

struct State {
    steps: Stepwise,
    /// The merged answer, once all hooks have been called.
    outcome: Option<checkrein::Outcome>,
    hooks: checkrein::Dispatcher,
    /// For each hook, how it may be called.
    calls: Vec<Call>,
    context: Context,
    given: Py<PyDict>,
    /// The asynchronous functions that the loop is calling, by the index of their hooks.
    running: HashMap<usize, Running>,
    /// The dialect of a host, in which the answer is written.
    dialect: Option<&'static dyn Dialect>,
    keeper: Keeper,
}

struct Running {
    awaited: Awaited,
    begun: Instant,
    end: Instant,
    limit: Duration,
}

/// The next task of the caller.
enum Next {
    /// Call `advance` on a thread: the next hook may block.
    Block,
    /// Await the function of this hook, after starting the new ones.
    Await(usize, Vec<usize>),
    /// The outcome is complete.
    Done,
}

impl Steps {
    pub(crate) fn new(
        Hooks { list: hooks, calls, .. }: Hooks,
        payload: checkrein::Payload,
        mut context: Context,
        given: Py<PyDict>,
        dialect: Option<&'static dyn Dialect>,
        keeper: Keeper,
    ) -> Self {
        context.is_stepwise = true;
        let abandoned = Arc::<AtomicBool>::default();
        let steps = hooks.stepwise(keeper.identified(payload), abandoned.clone());
        let running = HashMap::new();
        Self {
            state: Mutex::new(Some(State {
                steps,
                outcome: None,
                hooks,
                calls,
                context,
                given,
                running,
                dialect,
                keeper,
            })),
            abandoned,
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> PyResult<T>) -> PyResult<T> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        work(state.as_mut().ok_or_else(|| PyRuntimeError::new_err("this dispatch is over"))?)
    }
}

#[pymethods]
impl Steps {
    /// Calls hooks until the caller is needed. Returns None at the end, True if the next hook may block and
    /// `may_block` is False, and otherwise what to await: the index of a hook, and the functions to start, each with
    /// its index, its argument and its seconds.
    fn advance<'py>(&self, py: Python<'py>, may_block: bool) -> PyResult<Option<Bound<'py, PyAny>>> {
        py.detach(|| self.with(|state| state.advance(may_block))).and_then(|next| match next {
            Next::Done => Ok(None),
            Next::Block => Ok(Some(true.into_bound_py_any(py)?)),
            Next::Await(index, started) => self.with(|state| {
                let starts = started.iter().filter_map(|index| {
                    let Running { awaited, begun, end, .. } = state.running.get(index)?;
                    let seconds = end.saturating_duration_since(*begun).as_secs_f64();
                    let function = awaited.hook.function.clone_ref(py);
                    Some((*index, function, awaited.argument.clone_ref(py), seconds))
                });
                Ok(Some((index, starts.collect::<Vec<_>>()).into_bound_py_any(py)?))
            }),
        })
    }

    /// Hands in what a function returned or raised; neither means that it was late.
    #[pyo3(signature = (index, answer=None, error=None, *, late=false))]
    fn answer(
        &self,
        py: Python<'_>,
        index: usize,
        answer: Option<Py<PyAny>>,
        error: Option<Bound<'_, PyAny>>,
        late: bool,
    ) -> PyResult<()> {
        self.with(|state| {
            let Some(Running { awaited, begun, limit, .. }) = state.running.remove(&index) else {
                return Ok(());
            };
            let took = begun.elapsed();
            let answered = Answered {
                answer,
                error: error.map(PyErr::from_value),
                argument: Some(awaited.argument.clone_ref(py)),
            };
            let payload = state.steps.payload();
            let (read, context) = std::mem::take(&mut state.context).around(|| {
                if late {
                    return Err(Failure::TimedOut { after: took.min(limit) });
                }
                awaited.hook.read(py, payload, answered)
            });
            state.context = context;
            state.steps.answer(read, took);
            state.context.interrupt.take().map_or(Ok(()), Err)
        })
    }

    /// Ends the wait of hooks that block: the outcome is not needed any more.
    fn abandon(&self) {
        self.abandoned.store(true, Ordering::Release);
    }

    /// Returns the outcome of a dispatch that is over.
    fn finish(&self, py: Python<'_>) -> PyResult<Outcome> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(State { outcome: Some(outcome), context, given, keeper, .. }) = state else {
            return Err(PyRuntimeError::new_err("this dispatch is not complete, or its outcome was taken"));
        };
        let outcome = py.detach(|| keeper.keep(outcome.within(Abilities::ALL)));
        Outcome::new(py, outcome, given, context)
    }

    /// Returns the answer in the dialect of the host.
    fn finish_json(&self) -> PyResult<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(State { outcome: Some(outcome), dialect: Some(dialect), keeper, .. }) = state else {
            return Err(PyRuntimeError::new_err("this dispatch is not complete, or its answer was taken"));
        };
        let (_, reply) = checkrein_hosts::answer(dialect, keeper.keep(outcome));
        String::from_utf8(reply.stdout).map_err(errors::value)
    }
}

impl State {
    fn advance(&mut self, may_block: bool) -> PyResult<Next> {
        loop {
            let Some((index, _)) = self.steps.pending() else {
                if !may_block && self.has_blocking_observer() {
                    return Ok(Next::Block);
                }
                self.complete();
                return Ok(Next::Done);
            };
            if self.running.contains_key(&index) {
                return Ok(Next::Await(index, Vec::new()));
            }
            if !may_block && self.calls.get(index).copied().unwrap_or_default() == Call::Blocks {
                return Ok(Next::Block);
            }
            if !self.ask(index)? {
                continue;
            }
            // Judges see the same input, so they may wait at the same time.
            let mut started = vec![index];
            for judge in self.steps.judges_to_come() {
                let waits = self.calls.get(judge).is_some_and(|call| *call == Call::Waits);
                if waits && !self.running.contains_key(&judge) && self.ask(judge)? {
                    started.push(judge);
                }
            }
            return Ok(Next::Await(index, started));
        }
    }

    /// Calls a hook. Returns true if that is left to the caller's event loop.
    fn ask(&mut self, index: usize) -> PyResult<bool> {
        let deadline = self.steps.deadline(index);
        let context = std::mem::take(&mut self.context);
        let ((answer, took), context) = context.around(|| self.steps.ask(index));
        self.context = context;
        if let Some(interrupt) = self.context.interrupt.take() {
            return Err(interrupt);
        }
        let (Some(awaited), Some((end, limit))) = (self.context.awaited.take(), deadline) else {
            self.steps.answer(answer, took);
            return Ok(false);
        };
        self.running.insert(index, Running { awaited, begun: Instant::now(), end, limit });
        Ok(true)
    }

    /// Merges the answers and shows the outcome to the observers.
    fn complete(&mut self) {
        let (steps, context) = (self.steps.clone(), std::mem::take(&mut self.context));
        let (outcome, context) = context.around(|| {
            let mut outcome = steps.finish();
            self.hooks.observe(&mut outcome);
            outcome
        });
        (self.outcome, self.context) = (Some(outcome), context);
    }

    /// Returns true if an observer of the event is not a Python function, so that it may block.
    fn has_blocking_observer(&self) -> bool {
        let (name, call) = (self.steps.payload().name(), self.steps.payload().event.call());
        self.hooks.entries().iter().zip(&self.calls).any(|(entry, how)| {
            entry.role() == Role::Observe && *how == Call::Blocks && entry.matches(name, call)
        })
    }
}
