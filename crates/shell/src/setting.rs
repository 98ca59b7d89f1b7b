//! What is known before the text runs.

use std::collections::BTreeMap;

/// What is known about the shell that will run a text. Nothing here is asked of the system: whoever knows says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShellEnv {
    /// The home directory: `~` and `$HOME`.
    pub home: Option<String>,
    /// The working directory: `~+` and `$PWD`, until the text changes it.
    pub cwd: Option<String>,
    /// Variables of the environment whose values are known.
    pub variables: BTreeMap<String, String>,
    /// `IFS`, if it is not the usual one. Shells do not take it from the environment.
    pub ifs: Option<String>,
    /// Whether the text is the body of a function: `local` works there.
    pub in_function: bool,
}

/// Whether what a text does to the variable of this name is noted, see [`crate::read_watching`].
pub type Watch = fn(&str) -> bool;
