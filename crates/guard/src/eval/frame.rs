//! The frame of a command: everything around it that decides what its words mean.

use super::{
    agent_settings::{Finds, Shown},
    flow::Flow,
};
use crate::{path::PathPattern, qualities::Qualities};
use checkrein_shell::Word;
use std::{collections::BTreeMap, sync::Arc};

/// The context in which a command runs. A command that runs another one gives it a changed copy.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The working directory; several if it is not certain which.
    pub(super) directories: Vec<PathPattern>,
    /// The directories that `cd -` leads to; none if they are not known.
    pub(super) left: Vec<PathPattern>,
    /// The qualities of everything that is done here: with other rights, elsewhere, later.
    pub(super) qualities: Qualities,
    /// The deployment environment that the variables select.
    pub(super) environment: Qualities,
    /// The exported variables whose values are known.
    pub(super) exported: Option<Arc<BTreeMap<String, String>>>,
    /// The settings that agents find through their variables.
    pub(super) finds: Finds,
    /// The differences of the command's view of the file system, in the order in which they take effect.
    pub(super) view: Arc<Vec<Shown>>,
    /// The data that it reads from standard input.
    pub(super) stdin: Flow,
    /// The file that standard input was opened from.
    pub(super) opened: Option<Word>,
    /// Its input and output are connected to another machine.
    pub(super) wired: bool,
    /// The text is the body of a function.
    pub(super) in_function: bool,
    /// It runs in a container of this machine.
    pub(super) contained: bool,
    /// Directories of this machine that a container sees, by its own name for them.
    pub(super) mounts: Vec<(PathPattern, PathPattern)>,
}

impl Frame {
    /// Exports a variable to this command alone.
    pub(super) fn set_var(&mut self, name: &str, value: &Word) {
        match value.constant() {
            Some(value) => {
                let exported = Arc::make_mut(self.exported.get_or_insert_default());
                exported.insert(name.to_owned(), value.into_owned());
            }
            None => self.forget_var(name),
        }
    }

    /// Forgets the value of an exported variable.
    pub(super) fn forget_var(&mut self, name: &str) {
        if let Some(exported) = self.exported.as_mut().filter(|exported| exported.contains_key(name)) {
            Arc::make_mut(exported).remove(name);
        }
    }

    /// Returns the working directory, if it is certain.
    pub(super) fn directory(&self) -> Option<String> {
        match self.directories.as_slice() {
            [directory] if directory.is_known() => Some(directory.to_string()),
            _ => None,
        }
    }

    /// Returns this frame without input.
    pub(super) fn without_stdin(&self) -> Self {
        Self { stdin: Flow::default(), ..self.clone() }
    }
}
