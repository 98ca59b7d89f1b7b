//! The fast path: reads a payload in place, without copying it.
//!
//! Our built-in functions need a few strings of an event and change nothing. Where every hook that an event concerns
//! is one of them, the dict need not become a payload first: copying it took longer than calling them. Strings are
//! borrowed from Python instead. This reads only what is unambiguous and valid; anything unusual is left to the full
//! dispatch, which then reports what is wrong with it.

use crate::workloads::Workload;
use checkrein::{EventName, Map, ToolCall};
use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyInt, PyString},
};
use std::panic::catch_unwind;

/// The strings of a tool call, still owned by Python.
pub(crate) struct Glance<'py> {
    tool: Bound<'py, PyString>,
    /// Keys and values.
    input: Vec<(Bound<'py, PyString>, Bound<'py, PyString>)>,
    output: Option<Bound<'py, PyString>>,
}

impl<'py> Glance<'py> {
    /// Reads a payload in the predecessor's format; `None` if it needs the full dispatch.
    pub(crate) fn at(event: EventName, payload: &Bound<'py, PyDict>) -> Option<Self> {
        if !matches!(event, EventName::PreToolUse | EventName::PostToolUse | EventName::PostToolUseFailure) {
            return None;
        }
        let (mut tool, mut input, mut output) = (None, Vec::new(), None);
        for (key, value) in payload {
            match key.cast::<PyString>().ok()?.to_str().ok()? {
                "hook_event_name" => {
                    text(value)?;
                }
                "tool_name" => tool = Some(text(value)?),
                "tool_input" => input = strings(value.cast::<PyDict>().ok()?)?,
                "tool_output" => output = Some(text(value)?),
                "tool_result_is_error" if value.is_exact_instance_of::<PyBool>() => {}
                _ => return None,
            }
        }
        Some(Self { tool: tool?, input, output })
    }

    /// Returns the call without its input, which decides which hooks it concerns.
    pub(crate) fn call(&self) -> Option<ToolCall> {
        Some(ToolCall::new(self.tool.to_str().ok()?, Map::new()))
    }

    /// Calls the built-in functions without the interpreter's lock. `None` if one of them could not answer.
    pub(crate) fn ask(&self, py: Python<'_>, asked: &[Workload]) -> Option<()> {
        let mut values = Vec::with_capacity(self.input.len());
        let mut command = None;
        for (key, value) in &self.input {
            let value = value.to_str().ok()?;
            if key.to_str().ok()? == "command" {
                command = Some(value);
            }
            values.push(value);
        }
        let output = self.output.as_ref().map(|output| output.to_str()).transpose().ok()?;
        py.detach(|| {
            catch_unwind(|| {
                for workload in asked {
                    workload.look(values.iter().copied(), command, output);
                }
            })
        })
        .ok()
    }
}

fn text(value: Bound<'_, PyAny>) -> Option<Bound<'_, PyString>> {
    // The string caches its bytes, so later accesses are free.
    value.cast_into::<PyString>().ok().filter(|text| text.to_str().is_ok())
}

/// Returns the strings among the arguments, if the other values are plain too.
fn strings<'py>(input: &Bound<'py, PyDict>) -> Option<Vec<(Bound<'py, PyString>, Bound<'py, PyString>)>> {
    let mut strings = Vec::with_capacity(input.len());
    for (key, value) in input {
        let key = text(key)?;
        let is_plain = value.is_none()
            || value.is_exact_instance_of::<PyBool>()
            || value.is_exact_instance_of::<PyInt>();
        if !is_plain {
            strings.push((key, text(value)?));
        }
    }
    Some(strings)
}
