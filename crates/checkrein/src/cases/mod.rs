//! Policy tests: cases next to a policy, in files named `*.test.toml`.
//!
//! A case asks about one event and says what must come of it:
//!
//! ```
//! use checkrein::{Decision, cases::TestFile};
//! let text = r#"
//!     config = "hooks.toml"
//!
//!     [[case]]
//!     name = "a forced push is denied"
//!     command = "git push --force"
//!     expect = "deny"
//!     reason = "--force-with-lease"
//! "#;
//! let file = TestFile::parse(text, "push.test.toml".as_ref())?;
//! assert_eq!(file.cases()[0].expected.decision, Decision::Deny);
//! # Ok::<(), checkrein::ConfigError>(())
//! ```
//!
//! What a hook *says* (reasons, context) is compared where the case mentions it. What a hook *does* is always compared:
//! a rewrite, an end of the turn or a failure that the case does not expect fails it. Otherwise a case that expects a
//! denial would pass because the hook's script is missing, and a broken policy would look well tested.
//!
//! A mistake in such a file is shown like one in a configuration: all of them at once, each in its place.

mod compare;
mod read;
mod resolve;
mod value;

pub use compare::{Difference, Expected, Rewritten};

use crate::config::{
    problem::{ConfigError, Problem},
    read_file,
};
use checkrein_core::Payload;
use std::path::{Path, PathBuf};

/// The suffix of policy test files.
pub const TEST_SUFFIX: &str = ".test.toml";

/// The directory of a project that belongs to Checkrein. Its files are about the project around it.
pub const PROJECT_DIRECTORY: &str = ".checkrein";

/// A file of policy tests, without a mistake and with at least one case.
#[derive(Clone, Debug)]
pub struct TestFile {
    path: PathBuf,
    directory: PathBuf,
    config: Option<PathBuf>,
    cases: Vec<Case>,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name: what it shows.
    pub name: String,
    /// The line on which it begins, counted from 1.
    pub line: usize,
    /// The event that is asked about.
    pub payload: Payload,
    /// The expected result.
    pub expected: Expected,
}

impl TestFile {
    /// Reads the file at `path`.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let bytes = read_file::read(path).map_err(|error| {
            Problem::of_file(path, error.to_string().replace("configuration file", "test file"))
        })?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text, path),
            Err(_) => Err(Problem::of_file(path, "the text is not UTF-8").into()),
        }
    }

    /// Reads `text` as if it were in the file at `path`, which need not exist.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let unknown =
            |error| Problem::of_file(path, format_args!("the directory of the tests is unknown: {error}"));
        let absolute = std::path::absolute(path).map_err(unknown)?;
        let beside = absolute.parent().unwrap_or(&absolute);
        let directory = around(beside);
        let read = read::read(text, path, directory)?;
        let config = read.config.map(|config| beside.join(config));
        Ok(Self { path: path.to_owned(), directory: directory.to_owned(), config, cases: read.cases })
    }

    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that the cases are about: that of the file, or the project around its `.checkrein`. It is the
    /// working directory of every case that names none.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The configuration that is tested; `None` for the layers that are active in [`directory`](Self::directory).
    pub fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// The cases, in the order of the text.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }
}

/// Returns `directory`, or the project around it if it is in a directory of ours.
fn around(directory: &Path) -> &Path {
    let ours = directory
        .ancestors()
        .find(|ancestor| ancestor.file_name().is_some_and(|name| name == PROJECT_DIRECTORY));
    ours.and_then(Path::parent).unwrap_or(directory)
}

/// A TOML text as JSON, for tests of schemas.
#[cfg(test)]
pub(crate) fn json_of(text: &str) -> serde_json::Value {
    let mut report = crate::config::problem::ProblemCollector::new(Path::new("x"), text);
    value::value(text, crate::config::toml_file::parse(text, &mut report).unwrap(), &mut Vec::new())
}
