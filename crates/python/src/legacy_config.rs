//! The predecessor's hook lists.

use crate::{errors, value};
use checkrein::{Config, LayeredConfig};
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
