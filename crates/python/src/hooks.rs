//! The list of hooks, and which of them are our built-in functions: those need no payload.

use crate::workloads::Workload;
use checkrein::{Deadline, Entry, EventName, Failure, Hook, Outcome, Payload, ToolCall, Verdict};
use pyo3::prelude::*;
use std::sync::Arc;

/// The ways in which a hook may be called for an asynchronous caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Call {
    /// On the caller's thread.
    Computes,
    /// On the caller's event loop.
    Waits,
    /// On another thread.
    #[default]
    Blocks,
}

/// Hooks in order, which of them are our built-in functions, and how each may be called.
#[derive(Clone)]
pub(crate) struct Hooks {
    pub(crate) list: checkrein::Dispatcher,
    built_in: Vec<Option<Workload>>,
    pub(crate) calls: Vec<Call>,
}

impl Hooks {
    pub(crate) fn of(list: checkrein::Dispatcher) -> Self {
        let count = list.entries().len();
        Self { built_in: vec![None; count], calls: vec![Call::Blocks; count], list: list.timed(true) }
    }

    /// Returns a hook that denies `event` where that prevents something, and elsewhere only says why.
    pub(crate) fn refusing(reason: String, event: EventName) -> Self {
        let refuses = move |payload: &Payload| {
            if payload.name().is_preventable() {
                Verdict::deny(reason.clone())
            } else {
                Verdict::abstain().with_notice(reason.clone())
            }
        };
        let mut hooks = Self::of(checkrein::Dispatcher::new());
        hooks.add(Entry::new(event, checkrein::hook_fn("checkrein", refuses)), None, Call::Computes);
        hooks
    }

    /// Adds a hook at the end.
    pub(crate) fn add(&mut self, entry: Entry, built_in: Option<Workload>, call: Call) {
        self.list.add(entry);
        self.built_in.push(built_in);
        self.calls.push(call);
    }

    /// Removes every hook with this name, and returns how many there were.
    pub(crate) fn remove(&mut self, name: &str) -> usize {
        let mut kept =
            self.list.entries().iter().map(|entry| entry.name() != name).collect::<Vec<_>>().into_iter();
        let mut kept_too = kept.clone();
        self.built_in.retain(|_| kept.next().unwrap_or_default());
        self.calls.retain(|_| kept_too.next().unwrap_or_default());
        self.list.remove(name)
    }

    /// Returns the hooks that a call concerns, if all of them are our built-in functions.
    pub(crate) fn only_built_in(&self, event: EventName, call: &ToolCall) -> Option<Vec<Workload>> {
        let entries = self.list.entries().iter().zip(&self.built_in);
        entries.filter(|(entry, _)| entry.matches(event, Some(call))).map(|(_, built_in)| *built_in).collect()
    }
}

/// A hook under another name.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) hook: Arc<dyn Hook>,
}

impl Hook for Named {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        self.hook.call(payload, deadline)
    }

    fn observe(&self, outcome: &Outcome, deadline: Deadline<'_>) -> Result<(), Failure> {
        self.hook.observe(outcome, deadline)
    }
}

/// Returns the workload behind a built-in function, which can then be called without Python.
pub(crate) fn workload(hook: &Bound<'_, PyAny>) -> PyResult<Option<Workload>> {
    let native = hook.py().import("checkrein._native")?;
    for workload in Workload::ALL {
        if hook.is(&native.getattr(Workload::name(workload))?) {
            return Ok(Some(workload));
        }
    }
    Ok(None)
}
