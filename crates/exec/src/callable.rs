//! A Python function by its name, and the process that calls it.

use crate::program::{Program, Resolved};
use checkrein_core::Failure;
use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
};

/// The source of the worker. It is passed as an argument, so that nothing has to be installed and no file can be
/// replaced.
const SOURCE: &str = include_str!("worker/worker.py");

/// A Python function: `module:function`, called by an interpreter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Callable {
    /// `module:function`.
    pub path: String,
    /// The interpreter. With a `/` it is relative to the configuration's directory, otherwise it is looked up in
    /// `PATH`.
    pub python: String,
    /// The first directory of the import path, if it is not the configuration's.
    pub from: Option<PathBuf>,
}

/// The mode of the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Answers requests until its stdin ends.
    Serve,
    /// Answers one payload, as a command does.
    Once,
}

impl Callable {
    /// The default interpreter.
    pub const PYTHON: &str = "python3";

    /// Creates a callable for the function `path` with the default interpreter.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), python: Self::PYTHON.to_owned(), from: None }
    }

    /// Returns true if `path` has the form `module:function`.
    pub fn is_path(path: &str) -> bool {
        let is_name = |name: &str| {
            let mut letters = name.chars();
            letters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
                && letters.all(|letter| letter == '_' || letter.is_alphanumeric())
        };
        path.split_once(':')
            .is_some_and(|(module, function)| module.split('.').chain(function.split('.')).all(is_name))
    }

    /// Returns the module, without the function.
    pub fn module(&self) -> &str {
        self.path.split_once(':').map_or(self.path.as_str(), |(module, _)| module)
    }

    pub(crate) fn resolve(
        &self,
        mode: Mode,
        directory: Option<&Path>,
        path: Option<&OsStr>,
    ) -> Result<Resolved, Failure> {
        let interpreter = Program::List(vec![self.python.clone()]).resolve(directory, path)?;
        let from = self.from.as_deref().or(directory).ok_or_else(|| {
            Failure::NotStarted(format!("there is no directory to import `{}` from", self.path))
        })?;
        let mut args: Vec<OsString> = Vec::new();
        if self.from.is_some() {
            // Write no bytecode next to a trusted copy.
            args.push("-B".into());
        }
        args.extend(["-c".into(), SOURCE.into()]);
        match mode {
            Mode::Serve => args.extend(["serve".into(), from.into()]),
            Mode::Once => args.extend(["once".into(), from.into(), OsString::from(&self.path)]),
        }
        Ok(Resolved { path: interpreter.path, args })
    }
}

impl fmt::Display for Callable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_path() {
        for path in ["hooks:check", "a.b_c.d1:Class.method", "_x:_y", "módulo:función"] {
            assert!(Callable::is_path(path), "{path}");
        }
        for path in
            ["", "hooks", "hooks:", ":check", "a..b:c", "a:b:c", "a-b:c", "a/b:c", "1a:b", "a:b c", ".a:b"]
        {
            assert!(!Callable::is_path(path), "{path}");
        }
    }
}
