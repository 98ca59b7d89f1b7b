//! Baselines for our figures: the same work without us. For the benchmark only: the feature `bench`, which
//! no released wheel has.

use crate::workloads::{parse, patterns};
use pyo3::{exceptions::PyValueError, prelude::*};
use regex::RegexSet;
use serde_json::Value;
use std::sync::LazyLock;

static SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| RegexSet::new(patterns()).ok());

/// Runs the regex workload behind a JSON boundary, as the predecessor does: a string in, a set of patterns
/// over it, a string out, with the interpreter's lock held.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn regex_through_json(payload: &str) -> PyResult<String> {
    let payload: Value =
        serde_json::from_str(payload).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let mut haystack = String::new();
    for text in
        payload.get("tool_input").and_then(Value::as_object).into_iter().flat_map(|input| input.values())
    {
        if let Some(text) = text.as_str() {
            haystack.push_str(text);
            haystack.push(' ');
        }
    }
    haystack.push_str(payload.get("tool_output").and_then(Value::as_str).unwrap_or_default());
    let matches = SET.as_ref().map_or(0, |set| set.matches(&haystack).iter().count());
    Ok(format!(r#"{{"decision":"allow","matches":{matches}}}"#))
}

/// Parses a command with tree-sitter-bash, and discards the tree.
#[pyfunction]
#[pyo3(signature = (command, /))]
pub(crate) fn bare_parse(py: Python<'_>, command: &str) -> bool {
    py.detach(|| parse(command).is_some())
}
