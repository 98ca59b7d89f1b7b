//! The predecessor's hook lists.

use crate::{dispatcher::scope, errors, value};
use checkrein::{Config, LayeredConfig, ToolCall};
use pyo3::{prelude::*, types::PyList};
use serde_json::Value;
use std::path::PathBuf;

/// Returns the hooks of a configuration file, each as a dict with every key.
#[pyfunction]
pub(crate) fn read_list(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyList>> {
    let config = py.detach(|| Config::load(&path)).map_err(|problems| errors::config(&path, &problems))?;
    let stack = LayeredConfig::new(vec![config], None);
    let list = PyList::empty(py);
    for row in stack.rows(None) {
        if let Value::Object(fields) = row.as_json() {
            list.append(value::write_object(py, &fields, &value::Numbers::default())?)?;
        }
    }
    Ok(list)
}

/// Returns true if a list of tool names covers a tool. No list covers all tools; the empty name means no
/// tool.
#[pyfunction]
#[pyo3(signature = (tools, name, /))]
pub(crate) fn matches_tool(tools: Option<Vec<String>>, name: &str) -> PyResult<bool> {
    let call = (!name.is_empty()).then(|| ToolCall::new(name, checkrein::Map::new()));
    Ok(scope(tools.as_deref(), &[])?.covers(call.as_ref()))
}
