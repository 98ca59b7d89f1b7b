//! From a definition to a hook that can be asked.

use crate::{definition::Definition, environment::Environment, trust::is_of_the_project};
use checkrein_core::{Entry, OnFailure, Role};
use checkrein_exec::{CommandHook, CommandObserver, Program, Supervisor};
use std::path::Path;

/// What hooks are built with, apart from their configuration.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    environment: Environment,
    supervisor: Supervisor,
}

impl Setup {
    /// Hooks that get their share of `environment`.
    pub fn new(environment: Environment) -> Self {
        Self { environment, supervisor: Supervisor::default() }
    }

    /// The same for a hook of the project whose configuration lies in `folder`.
    pub(crate) fn for_project(&self, folder: &Path) -> Self {
        // A repository that holds the whole home folder does not make a project's programs of the person's own.
        let home = self.environment.home().map(Path::new);
        let holds_home = home.is_some_and(|home| is_of_the_project(home, folder));
        let is_inside = |path: &Path| match holds_home {
            true => path.starts_with(folder) && !home.is_some_and(|home| home.starts_with(folder)),
            false => is_of_the_project(path, folder),
        };
        let environment = self.environment.without_programs(is_inside);
        Self { environment, supervisor: self.supervisor.clone() }
    }

    /// The same, and `supervisor` keeps the time of observers.
    #[must_use]
    pub fn supervisor(mut self, supervisor: Supervisor) -> Self {
        self.supervisor = supervisor;
        self
    }
}

/// The hook that `definition` describes, running `program`, which for a project's hook is not what stands in the
/// project but the copy that the person has trusted.
pub(crate) fn entry(definition: &Definition, program: &Program, folder: &Path, setup: &Setup) -> Entry {
    let hook = CommandHook::new(program.clone())
        .named(definition.label())
        .config_dir(folder)
        .cwd(definition.cwd)
        .environment(setup.environment.share(&definition.env));
    let entry = match definition.role {
        Role::Observe => Entry::new(definition.event, CommandObserver::new(hook, setup.supervisor.clone())),
        Role::Plain | Role::Edit | Role::Judge => Entry::new(definition.event, hook),
    };
    let entry = entry
        .scope(definition.scope.clone())
        .role(definition.role)
        .timeout(definition.timeout)
        .grants(definition.grants);
    match definition.on_failure {
        _ if definition.required => entry.on_failure(OnFailure::Deny),
        Some(rule) => entry.on_failure(rule),
        None => entry,
    }
}
