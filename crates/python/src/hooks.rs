//! The list of hooks, and which of them are our built-in functions: those need no payload.

use crate::workloads::Workload;
use checkrein::{Deadline, Entry, EventName, Failure, Hook, Outcome, Payload, ToolCall, Verdict};
use pyo3::prelude::*;
use std::sync::Arc;

/// Hooks in order, and which of them are our built-in functions.
#[derive(Clone)]
pub(crate) struct Hooks {
    pub(crate) list: checkrein::Dispatcher,
    built_in: Vec<Option<Workload>>,
}

impl Hooks {
    pub(crate) fn of(list: checkrein::Dispatcher) -> Self {
        Self { built_in: vec![None; list.entries().len()], list }
    }

    /// Adds a hook at the end.
    pub(crate) fn add(&mut self, entry: Entry, built_in: Option<Workload>) {
        self.list.add(entry);
        self.built_in.push(built_in);
    }

    /// Removes every hook with this name, and returns how many there were.
    pub(crate) fn remove(&mut self, name: &str) -> usize {
        let names = self.list.entries().iter().map(Entry::name);
        let kept = names.zip(&self.built_in).filter(|(hook, _)| *hook != name);
        self.built_in = kept.map(|(_, built_in)| *built_in).collect();
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
