//! The facts about a shell that are known before a text runs.

use crate::Word;
use std::collections::BTreeMap;

/// The facts about the shell that will run a text. The caller provides all of them: nothing is read from the system.
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
    /// True if the text is the body of a function, where `local` works.
    pub in_function: bool,
}

/// Selects the variables whose assignments are recorded, by name; see [`crate::read_watching`].
pub type Watch = fn(&str) -> bool;
