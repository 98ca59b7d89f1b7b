//! One hook of a configuration: its settings, and its status among the layers.

use crate::{
    config::{
        Config,
        build::{Setup, entry, trusted},
        hook::HookDefinition,
        layer::Layer,
    },
    trust::{Content, Store, identity},
};
use checkrein_core::{Entry, EventName, OnFailure, Role, Scope, ToolCall};
use checkrein_exec::Program;
use std::{path::PathBuf, time::Duration};

/// The status of a configured hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HookStatus {
    /// It runs.
    Active,
    /// A lower layer disabled it, as its own layer allows.
    Disabled {
        /// The other layer.
        by: Layer,
    },
    /// It came with a project and is not trusted.
    Untrusted,
    /// It came with a project and was trusted, until this changed.
    Changed(String),
    /// It came with a project, and what it names cannot be read.
    Unreadable(String),
}

/// One configured hook.
#[derive(Debug)]
pub struct ConfiguredHook<'a> {
    /// The file that defines it.
    pub config: &'a Config,
    pub(crate) definition: &'a HookDefinition,
    /// Its status.
    pub status: HookStatus,
    /// Words of its command that trust does not cover, and that a user has accepted nevertheless.
    pub uncovered: Vec<String>,
    /// The program that it runs: for a trusted hook of a project, the copy that was trusted.
    pub(super) program: Program,
}

impl ConfiguredHook<'_> {
    /// Returns the hook's name, or its command.
    pub fn label(&self) -> String {
        self.definition.label()
    }

    /// The event that it is for.
    pub const fn event(&self) -> EventName {
        self.definition.event
    }

    /// The calls that it runs for.
    pub const fn scope(&self) -> &Scope {
        &self.definition.scope
    }

    /// The calls that the engine runs it for: all, if the hook compares the names of another host's tools itself.
    pub(crate) fn asked(&self) -> Scope {
        self.definition.asked().into_owned()
    }

    /// Returns true if it runs for `call`.
    pub fn covers(&self, call: Option<&ToolCall>) -> bool {
        self.definition.asked().covers(call)
    }

    /// Its role.
    pub const fn role(&self) -> Role {
        self.definition.role
    }

    /// Returns true if its layer makes each of its failures a denial.
    pub(crate) const fn is_required(&self) -> bool {
        self.definition.required
    }

    /// The rank of its layer among hooks of different authority: 0 is the highest.
    pub const fn rank(&self) -> u8 {
        self.config.layer.rank()
    }

    /// Its time limit.
    pub const fn timeout(&self) -> Duration {
        self.definition.timeout
    }

    /// Returns the file next to the configuration that it would run, if it does not exist.
    pub fn missing_program(&self) -> Option<PathBuf> {
        let first = match &self.definition.program {
            Program::Callable(callable) => Some(&callable.python).filter(|python| python.contains('/'))?,
            Program::List(words) => words.first().filter(|word| word.contains('/'))?.as_str(),
            Program::Shell(text) => text.split_whitespace().next().filter(|word| {
                let quoted = word.contains(['\'', '"', '\\', '$', '`', '*', '?']);
                !quoted && (word.starts_with("./") || word.starts_with("../"))
            })?,
        };
        let path = self.config.directory().join(first.trim_end_matches([';', '|', '&', ')']));
        (!path.exists()).then_some(path)
    }

    /// Returns the meaning of its failures.
    pub fn failure_rule(&self) -> OnFailure {
        self.entry(&Setup::default()).failure_rule()
    }

    /// Everything that the configuration sets for it.
    pub fn as_json(&self) -> serde_json::Value {
        self.definition.to_json()
    }

    /// The hook as the dispatcher runs it.
    pub fn entry(&self, setup: &Setup) -> Entry {
        let directory = self.config.directory();
        let entry = match self.config.layer {
            // A user who accepted words that trust does not cover accepted that anything can run.
            Layer::Project if self.uncovered.is_empty() => {
                trusted(self.definition, &self.program, directory, &setup.for_project(directory))
            }
            Layer::Project => entry(self.definition, &self.program, directory, &setup.for_project(directory)),
            Layer::Managed | Layer::User | Layer::Flag => {
                entry(self.definition, &self.program, directory, setup)
            }
        };
        entry.with_rank(self.rank())
    }

    /// Its content, to be shown to a user and trusted.
    pub fn content(&self) -> std::io::Result<Content> {
        Content::read(self.definition, self.config.path(), self.config.directory())
    }

    /// Revokes the trust in every version of it, and returns true if one was trusted. Its files need not exist.
    pub fn revoke(&self, store: &Store) -> std::io::Result<bool> {
        store.forget(&self.identity()?)
    }

    /// Returns the name of the hook in the trust store, which does not depend on its content.
    pub(super) fn identity(&self) -> std::io::Result<String> {
        let config = self.config.path().canonicalize()?;
        Ok(identity(&config, self.definition.event.as_str(), &self.label()))
    }
}
