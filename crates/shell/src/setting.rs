//! What is known before the text runs.

use crate::Word;
use std::collections::BTreeMap;

/// What is known about the shell that will run a text. The caller says all of it: nothing is asked of the system.
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
    /// `$0`: the name that the shell is given.
    pub zero: Option<Word>,
    /// `$1`, `$2` and so on, until the text changes them.
    pub arguments: Option<Vec<Word>>,
    /// Whether the text is the body of a function: `local` works there.
    pub in_function: bool,
}

/// Whether what a text does to the variable of this name is noted, see [`crate::read_watching`].
pub type Watch = fn(&str) -> bool;
