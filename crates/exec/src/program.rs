//! Finds the program that a hook starts.
//!
//! Only the working directory follows the session. The program is looked up next to the configuration that names it,
//! so an agent that changes its directory never selects another file than the one that a user trusted.

use crate::callable::{Callable, Mode};
use checkrein_core::Failure;
use std::{
    ffi::{OsStr, OsString},
    fmt, fs, io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

const SHELL: &str = "/bin/sh";

/// The program of a command hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A script for `sh -c`. If its first word starts with `./` or `../`, that is relative to the configuration's
    /// directory.
    Shell(String),
    /// A program and its arguments, run without a shell. A program with a `/` is relative to the configuration's
    /// directory, any other is looked up in the absolute directories of `PATH`.
    List(Vec<String>),
    /// A Python function, which an interpreter calls.
    Callable(Callable),
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Callable(callable) => callable.fmt(f),
            Self::Shell(text) => f.pad(text),
            Self::List(words) => f.pad(&words.join(" ")),
        }
    }
}

/// A program by its absolute path, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    pub(crate) path: PathBuf,
    pub(crate) args: Vec<OsString>,
}

impl Program {
    /// Finds the program, whose relative path starts from `directory`.
    pub(crate) fn resolve(
        &self,
        directory: Option<&Path>,
        path: Option<&OsStr>,
    ) -> Result<Resolved, Failure> {
        match self {
            Self::Shell(text) => {
                let text = shell_text(text, directory)?;
                Ok(Resolved { path: SHELL.into(), args: vec!["-c".into(), text] })
            }
            Self::List(words) => {
                let Some((program, args)) = words.split_first().filter(|(program, _)| !program.is_empty())
                else {
                    return Err(Failure::NotStarted("the command names no program".into()));
                };
                let path = if program.starts_with('/') {
                    program.into()
                } else if program.contains('/') {
                    base(program, directory)?.join(program)
                } else {
                    look_up(program, path)?
                };
                Ok(Resolved { path, args: args.iter().map(OsString::from).collect() })
            }
            Self::Callable(callable) => callable.resolve(Mode::Once, directory, path),
        }
    }
}

fn base<'a>(program: &str, directory: Option<&'a Path>) -> Result<&'a Path, Failure> {
    directory.filter(|directory| directory.is_absolute()).ok_or_else(|| {
        Failure::NotStarted(format!(
            "`{program}` is relative, and there is no absolute configuration directory to start from"
        ))
    })
}

/// Returns the script for the shell. The directory is prepended as a separate quoted word, so that the quotes and
/// escapes in the first word keep their meaning.
fn shell_text(text: &str, directory: Option<&Path>) -> Result<OsString, Failure> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Failure::NotStarted("the command is empty".into()));
    }
    let word = text.strip_prefix(['"', '\'', '\\']).unwrap_or(text);
    if !word.starts_with("./") && !word.starts_with("../") {
        return Ok(text.into());
    }
    let directory = base(text, directory)?.as_os_str().as_bytes();
    let mut quoted = vec![b'\''];
    for byte in directory {
        match byte {
            b'\'' => quoted.extend_from_slice(br"'\''"),
            other => quoted.push(*other),
        }
    }
    quoted.extend_from_slice(b"'/");
    quoted.extend_from_slice(text.as_bytes());
    Ok(OsString::from_vec(quoted))
}

/// Returns the first executable file of this name in an absolute directory of `PATH`. A relative one would let the
/// working directory select the program.
fn look_up(name: &str, path: Option<&OsStr>) -> Result<PathBuf, Failure> {
    let path = path.ok_or_else(|| {
        Failure::NotStarted(format!("`{name}` cannot be looked up: the hook's environment has no PATH"))
    })?;
    let mut candidates = std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .map(|directory| directory.join(name));
    candidates
        .find(|candidate| is_executable(candidate))
        .ok_or_else(|| Failure::NotStarted(format!("`{name}` is in no absolute directory of PATH")))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
        && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
}

impl Resolved {
    /// Checks that the program could be started, for a caller that starts it indirectly and would not see the error.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if is_executable(&self.path) {
            return Ok(());
        }
        let error = fs::metadata(&self.path).err().unwrap_or_else(|| io::ErrorKind::PermissionDenied.into());
        Err(self.not_started(&error, None))
    }

    /// Explains why the program did not start in the directory `cwd`. The system reports one error code for both.
    pub(crate) fn not_started(&self, error: &io::Error, cwd: Option<&Path>) -> Failure {
        Failure::NotStarted(self.why(error, cwd))
    }

    fn why(&self, error: &io::Error, cwd: Option<&Path>) -> String {
        if let Some(directory) = cwd {
            let shown = directory.display();
            match fs::metadata(directory) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(_) => return format!("the working directory `{shown}` is not a directory"),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return format!("the working directory `{shown}` does not exist");
                }
                Err(error) => return format!("the working directory `{shown}` cannot be used: {error}"),
            }
        }
        let shown = self.path.display();
        match (fs::metadata(&self.path), error.kind()) {
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => format!("`{shown}` does not exist"),
            (Ok(metadata), _) if metadata.is_dir() => format!("`{shown}` is a directory, not a program"),
            (Ok(_), io::ErrorKind::NotFound) => {
                format!("the interpreter that `{shown}` names does not exist")
            }
            (Ok(_), io::ErrorKind::PermissionDenied) if !is_executable(&self.path) => {
                format!("`{shown}` is not executable")
            }
            (Ok(_), _) if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
                format!("`{shown}` is neither a program nor a script that starts with `#!`")
            }
            (Err(error), _) => format!("`{shown}`: {error}"),
            (Ok(_), _) => format!("`{shown}`: {error}"),
        }
    }
}
