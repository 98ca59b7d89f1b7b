//! The checks of `checkrein doctor` that depend on the host: their input and their findings.
//!
//! The program finds and reads the files; a host's checks interpret them. They look at the machine through
//! [`Machine`], so that tests can use a fictional one.

use crate::install::{Entry, Kind, Node, Recipe, Tree, Version, check, entries};
use checkrein_core::SmallSort as _;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Note,
    /// Checkrein is called, but something is wrong.
    Warning,
    /// Checkrein is not called, or its answer is ignored.
    Problem,
}

impl Severity {
    /// Returns the word for the severity.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// A finding, with a suggested fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// A stable name of the finding.
    pub id: &'static str,
    /// The description.
    pub text: String,
    /// The suggested fix.
    pub fix: String,
}

impl Finding {
    /// Creates a note.
    pub fn note(id: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Note, id, text: text.into(), fix: fix.into() }
    }

    /// Creates a warning.
    pub fn warning(id: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::note(id, text, fix) }
    }

    /// Creates a problem.
    pub fn problem(id: &'static str, text: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { severity: Severity::Problem, ..Self::note(id, text, fix) }
    }
}

/// The machine, as far as checks look at it.
pub trait Machine {
    /// Reads a file. `None` if it does not exist; an error if it cannot be read.
    fn read(&self, path: &Path) -> Result<Option<String>, String>;

    /// Returns true if the path is a file.
    fn is_file(&self, path: &Path) -> bool;

    /// Resolves every link of a path.
    fn real(&self, path: &Path) -> PathBuf;

    /// Returns an environment variable.
    fn variable(&self, name: &str) -> Option<OsString>;

    /// Returns the current project: the repository, or the working directory.
    fn project(&self) -> Option<PathBuf>;
}

/// An agent that was found on a machine.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The recipe of the agent.
    pub recipe: &'static Recipe,
    /// The version, if known.
    pub version: Option<Version>,
    /// The user's directory of its settings, if known.
    pub directory: Option<&'a Path>,
    /// The machine.
    pub machine: &'a dyn Machine,
}

impl std::fmt::Debug for Seen<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seen").field("host", &self.recipe.host).finish_non_exhaustive()
    }
}

/// The owner of a file. Later variants override earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    /// A file of the project that is not read, because the agent is started in a directory below it.
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

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Hooks as JSON.
    Hooks,
    /// Hooks inside another file, converted to the same format; line numbers are lost.
    Inline,
    /// Another format.
    Other,
}

/// An existing file.
#[derive(Clone, Debug)]
pub struct Source {
    /// The format of the file.
    pub form: Form,
    /// The agent that reads the file.
    pub recipe: &'static Recipe,
    /// The owner of the file.
    pub whose: Whose,
    /// The path of the file.
    pub path: PathBuf,
    /// The content, or the error from reading it.
    pub text: Result<String, String>,
}

impl Source {
    /// Reads the file at `path`, if it exists.
    pub fn read(machine: &dyn Machine, recipe: &'static Recipe, whose: Whose, path: PathBuf) -> Option<Self> {
        let text = machine.read(&path).transpose()?;
        let is_hooks = recipe.layout.kind != Kind::Entries;
        let is_json = path.extension().is_some_and(|end| end == "json");
        let form = if is_json || is_hooks { Form::Hooks } else { Form::Other };
        Some(Self { form, recipe, whose, path, text })
    }

    /// Returns true if the file has hooks in a readable format.
    pub const fn has_hooks(&self) -> bool {
        match self.form {
            Form::Hooks | Form::Inline => true,
            Form::Other => false,
        }
    }

    /// Returns the entries that call checkrein, or the reason why the agent rejects the whole file.
    pub fn entries(&self) -> Result<Vec<Entry>, String> {
        let text = self.text.as_ref().map_err(Clone::clone)?;
        let read = check(text, self.recipe).and_then(|()| entries(text, self.recipe));
        read.map_err(|defect| defect.to_string())
    }

    /// Returns true if the agent reads the file and it has an entry that calls checkrein.
    pub fn asks_us(&self) -> bool {
        self.has_hooks() && self.entries().is_ok_and(|entries| !entries.is_empty())
    }

    /// Parses the whole file.
    pub fn tree(&self) -> Option<Node> {
        self.recipe.layout.parse(self.text.as_ref().ok()?).ok()
    }
}

/// The kind of a file, for a copy of it without secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Settings as JSON, including hooks.
    Settings,
    /// Settings as JSON with comments, including hooks.
    Commented,
    /// Only hooks, as JSON.
    Hooks,
    /// Settings as TOML, including hooks.
    Toml,
    /// Settings as YAML, including hooks.
    Yaml,
    /// A list of the agent's own that starts nothing and has no secrets.
    Plain,
    /// A program or a module that is ours as a whole.
    Ours,
}

/// The checks of one host.
pub trait Doctor: Sync {
    /// Returns hook files in addition to those of the recipe, which are `sources`.
    fn more_sources(&self, _: &Seen<'_>, _sources: &[Source]) -> Vec<Source> {
        Vec::new()
    }

    /// Returns what decides if hooks run at all.
    fn findings(&self, _: &Seen<'_>, _sources: &[Source]) -> Vec<Finding> {
        Vec::new()
    }

    /// Returns files without which the agent does not find the hooks of `sources`.
    fn needed(&self, _: &Seen<'_>, _sources: &[Source]) -> Vec<(PathBuf, Content)> {
        Vec::new()
    }

    /// Returns the variables that make the agent start without hooks.
    fn switches(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Returns the value of the strongest file that has one, and that file.
pub(crate) fn strongest<T>(sources: &[Source], value: impl Fn(&Node) -> Option<T>) -> Option<(&Source, T)> {
    let mut by_strength: Vec<&Source> =
        sources.iter().filter(|source| source.whose != Whose::Above).collect();
    by_strength.small_sort_by_key(|source| std::cmp::Reverse(source.whose));
    by_strength.into_iter().find_map(|source| Some((source, value(&source.tree()?)?)))
}

/// Returns the value of a switch.
pub(crate) fn flag(node: &Node) -> Option<bool> {
    match &node.value {
        Tree::Other(serde_json::Value::Bool(set)) => Some(*set),
        Tree::Other(_) | Tree::Object(_) | Tree::Array(_) | Tree::String(_) => None,
    }
}

/// A host without checks of its own.
#[derive(Debug)]
pub struct NothingMore;

impl Doctor for NothingMore {}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A machine without files.
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
