//! Checkrein for Python: the extension module `checkrein._native`.
//!
//! PyO3 stays at this edge: the other crates decide. Dicts are walked directly in both directions
//! (`value`), native hooks and scans run without the interpreter's lock, and Python functions run on their
//! own threads (`callable`). The package around it (`python/checkrein`) has the public names.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over is owned by the function that it is handed to"
)]

mod callable;
mod compat;
mod context;
mod dispatcher;
mod errors;
mod fast_path;
mod guard;
mod hooks;
mod keeper;
mod kinds;
mod legacy_config;
#[cfg(feature = "bench")]
mod measure;
mod outcome;
mod patterns;
mod steps;
mod value;
mod workloads;

/// The extension module.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::{
        dispatcher::Dispatcher,
        errors::ConfigError,
        guard::{Check, check, effects},
        kinds::{events, tool_kinds},
        legacy_config::read_list,
        outcome::Outcome,
        patterns::PatternSet,
        steps::Steps,
        workloads::{counted, noop, patterns, scan_regex, walk_ast},
    };

    #[cfg(feature = "bench")]
    #[pymodule_export]
    use crate::measure::{bare_parse, regex_through_json};

    /// Refuses a second interpreter in the process, as CPython itself does from 3.12 on: the cached types
    /// and functions belong to the first.
    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        static FIRST: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
        let interpreter = module.py().import("builtins")?.as_ptr() as usize;
        if *FIRST.get_or_init(|| interpreter) == interpreter {
            return Ok(());
        }
        let message = "module checkrein._native does not support loading in subinterpreters";
        Err(pyo3::exceptions::PyImportError::new_err(message))
    }

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "a name of Python's")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
