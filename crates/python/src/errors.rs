//! Errors as Python exceptions, in the words of the program.

use checkrein::flat::InputError;
use pyo3::{
    create_exception,
    exceptions::{PyFileNotFoundError, PyValueError},
    prelude::*,
};
use std::{fmt::Display, path::Path};

create_exception!(checkrein, ConfigError, PyValueError, "A configuration has a problem.");

/// Creates a `ValueError`.
pub(crate) fn value(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Creates the error for an invalid payload. It names no command line, because there is none here.
pub(crate) fn input(error: InputError) -> PyErr {
    match error {
        InputError::NoEvent(field) => {
            PyValueError::new_err(format!("the payload does not name its event; expected `{field}`"))
        }
        InputError::Json(error) => PyValueError::new_err(format!("the event is not valid JSON: {error}")),
        InputError::Empty => PyValueError::new_err("the event is empty"),
        other => value(other),
    }
}

/// Creates the error for an invalid configuration.
pub(crate) fn config(path: &Path, problems: &checkrein::ConfigError) -> PyErr {
    if path.try_exists().is_ok_and(|exists| !exists) {
        return PyFileNotFoundError::new_err(problems.to_string());
    }
    ConfigError::new_err(problems.to_string())
}

/// Creates the error for invalid layers.
pub(crate) fn layers(problems: &checkrein::ConfigError) -> PyErr {
    ConfigError::new_err(problems.to_string())
}
