//! Whether an agent really asks us, as far as its files say: what a host's own checks are given and what they answer.
//!
//! The program finds the files and reads them; the checks of a host say what they mean. They look at the machine through
//! [`Machine`], so that they can be tried on one that is made up.

use crate::install::{Entry, Node, Recipe, Version, check, entries, parse};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth to know.
    Note,
    /// We are asked, and still something is not as it should be.
    Warning,
    /// We are not asked, or not heard.
    Problem,
}

impl Severity {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// Something that was found, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A name for it that stays the same.
    pub id: &'static str,
    /// What it is.
    pub text: String,
    /// What to do.
    pub fix: String,
}

impl Finding {
    /// Something worth to know.
    pub fn note(id: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Note, id, text: text.into(), fix: fix.into() }
    }

    /// Something that is not as it should be.
    pub fn warning(id: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::note(id, text, fix) }
    }

    /// Something for which we are not asked, or not heard.
    pub fn problem(id: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Problem, ..Self::note(id, text, fix) }
    }
}

/// The machine, as far as checks look at it.
pub trait Machine {
    /// The text of a file; nothing if there is none, and why not if it cannot be read.
    fn read(&self, path: &Path) -> Result<Option<String>, String>;

    /// Whether there is a file.
    fn is_file(&self, path: &Path) -> bool;

    /// The file behind every link of a path.
    fn real(&self, path: &Path) -> PathBuf;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<OsString>;

    /// The project that we are in: the repository, or this directory.
    fn project(&self) -> Option<PathBuf>;
}

/// An agent as it is found on a machine.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// How it is set up.
    pub recipe: &'static Recipe,
    /// Its version, if it is known.
    pub version: Option<Version>,
    /// The user's directory of its settings, if it is known where that would be.
    pub directory: Option<&'a Path>,
    /// The machine.
    pub machine: &'a dyn Machine,
}

impl std::fmt::Debug for Seen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seen").field("host", &self.recipe.host).finish_non_exhaustive()
    }
}

/// Whose file it is. The later ones are stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// The project's, but not read: the agent is started in a directory below.
    Above,
    /// A plugin's.
    Plugin,
    /// The user's.
    User,
    /// The project's.
    Project,
    /// The user's for this project.
    Local,
    /// The administrator's.
    Managed,
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Hooks as JSON.
    Hooks,
    /// Hooks in the middle of something else, brought into the same form; the lines are lost.
    Inline,
    /// Something else.
    Other,
}

/// A file that is there.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it holds.
    pub form: Form,
    /// The agent that reads it.
    pub recipe: &'static Recipe,
    /// Whose it is.
    pub whose: Whose,
    /// Where it lies.
    pub path: PathBuf,
    /// Its text, or why it cannot be read.
    pub text: Result<String, String>,
}

impl Source {
    /// The file at `path`, if there is one.
    pub fn read(machine: &dyn Machine, recipe: &'static Recipe, whose: Whose, path: PathBuf) -> Option<Self> {
        let text = machine.read(&path).transpose()?;
        let form = if path.extension().is_some_and(|end| end == "json") { Form::Hooks } else { Form::Other };
        Some(Self { form, recipe, whose, path, text })
    }

    /// Whether it holds hooks that we can read.
    pub const fn has_hooks(&self) -> bool {
        match self.form {
            Form::Hooks | Form::Inline => true,
            Form::Other => false,
        }
    }

    /// The entries that start us; or why the agent throws the file away, with every hook in it.
    pub fn entries(&self) -> Result<Vec<Entry>, String> {
        let text = self.text.as_ref().map_err(Clone::clone)?;
        let read = check(text, self.recipe).and_then(|()| entries(text));
        read.map_err(|defect| defect.to_string())
    }

    /// Whether it is read, and has an entry that starts us.
    pub fn asks_us(&self) -> bool {
        self.has_hooks() && self.entries().is_ok_and(|entries| !entries.is_empty())
    }

    /// The whole file.
    pub fn tree(&self) -> Option<Node> {
        parse(self.text.as_ref().ok()?).ok()
    }
}

/// What kind of file it is, for a copy of it that must not hold anything secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Settings as JSON, with hooks among them.
    Settings,
    /// Hooks as JSON, and nothing else.
    Hooks,
    /// Settings as TOML, with hooks among them.
    Toml,
    /// An agent's list of its own, in which nothing is started and nothing is secret.
    Plain,
}

/// The checks of one host.
pub trait Doctor: Sync {
    /// Files with hooks besides those that the recipe names, which are `sources`.
    fn more_sources(&self, _: &Seen<'_>, _sources: &[Source]) -> Vec<Source> {
        Vec::new()
    }

    /// What decides whether hooks run at all.
    fn findings(&self, _: &Seen<'_>, _sources: &[Source]) -> Vec<Finding> {
        Vec::new()
    }

    /// Files without which the agent does not find the hooks of `sources`.
    fn needed(&self, _: &Seen<'_>, _sources: &[Source]) -> Vec<(PathBuf, Content)> {
        Vec::new()
    }

    /// Variables that make the agent start without hooks.
    fn switches(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A host of which nothing is known beyond its recipe.
#[derive(Debug)]
pub struct NothingMore;

impl Doctor for NothingMore {}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A machine with nothing on it.
    pub(crate) struct Nowhere;

    impl Machine for Nowhere {
        fn read(&self, _: &Path) -> Result<Option<String>, String> {
            Ok(None)
        }

        fn is_file(&self, _: &Path) -> bool {
            false
        }

        fn real(&self, path: &Path) -> PathBuf {
            path.to_owned()
        }

        fn variable(&self, _: &str) -> Option<OsString> {
            None
        }

        fn project(&self) -> Option<PathBuf> {
            None
        }
    }
}
