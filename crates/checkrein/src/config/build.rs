//! Builds a hook that can run from its definition.

use crate::{
    config::{hook::HookDefinition, written_for::WrittenFor},
    environment::Environment,
    trust::{found_in, is_of_the_project},
};
use checkrein_core::Hook;
use checkrein_core::{Entry, OnFailure, Role};
use checkrein_exec::{Callable, CommandHook, CommandObserver, Program, Supervisor, Workers};
use std::{fmt, path::Path, sync::Arc};

/// The parts that hooks are built with, apart from their configuration.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    environment: Environment,
    supervisor: Supervisor,
    workers: Workers,
    callables: Callables,
}

/// The caller of Python functions, if that is not a separate interpreter.
#[derive(Clone, Default)]
struct Callables(Option<Arc<CallIn>>);

type CallIn = dyn Fn(&Callable, &str, &Path) -> Arc<dyn Hook> + Send + Sync;

impl fmt::Debug for Callables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "in this process" } else { "in an interpreter" })
    }
}

impl Setup {
    /// Hooks that get their share of `environment`.
    pub fn new(environment: Environment) -> Self {
        Self { environment, ..Self::default() }
    }

    /// Returns the setup for hooks of the project whose configuration is in `directory`.
    pub(crate) fn for_project(&self, directory: &Path) -> Self {
        // If the whole home directory is a repository, the user's own programs still do not count as the project's.
        let home = self.environment.home().map(Path::new);
        let holds_home = home.is_some_and(|home| is_of_the_project(home, directory));
        let is_inside = |path: &Path| match holds_home {
            true => path.starts_with(directory) && !home.is_some_and(|home| home.starts_with(directory)),
            false => is_of_the_project(path, directory),
        };
        let environment = self.environment.without_programs(is_inside);
        Self { environment, ..self.clone() }
    }

    /// Returns the environment of a program that we start by ourselves, with these variables in addition.
    pub(crate) fn share(&self, extra: &[&str]) -> checkrein_exec::Environment {
        self.environment.share(extra)
    }

    /// Returns the supervisor of observers.
    pub(crate) fn observers(&self) -> Supervisor {
        self.supervisor.clone()
    }

    /// Sets the supervisor that enforces the timeouts of observers.
    #[must_use]
    pub fn supervisor(mut self, supervisor: Supervisor) -> Self {
        self.supervisor = supervisor;
        self
    }

    /// Sets how Python functions become hooks: `call` is given the function, the hook's name, and the
    /// directory to import from. For a process that has an interpreter in it.
    #[must_use]
    pub fn callables(
        mut self,
        call: impl Fn(&Callable, &str, &Path) -> Arc<dyn Hook> + Send + Sync + 'static,
    ) -> Self {
        self.callables = Callables(Some(Arc::new(call)));
        self
    }

    /// Returns the hook that answers for `program`, as `hook` would.
    fn hook(&self, program: &Program, hook: CommandHook, directory: &Path) -> Arc<dyn Hook> {
        match (program, &self.callables.0) {
            (Program::Callable(callable), Some(call)) => {
                call(callable, hook.name(), callable.from.as_deref().unwrap_or(directory))
            }
            (Program::Callable(_) | Program::Shell(_) | Program::List(_), _) => self.workers.hook(hook),
        }
    }
}

/// Builds the hook that `definition` describes. It runs `program`, which for a project's hook is not the file in the
/// project but the copy that the user has trusted.
pub(crate) fn entry(
    definition: &HookDefinition,
    program: &Program,
    directory: &Path,
    setup: &Setup,
) -> Entry {
    built(definition, program, directory, setup, |hook| hook)
}

/// Builds a project's hook that was trusted as it is. Its names were resolved in the configuration's directory; in
/// the agent's directory the same names mean files that were not reviewed.
pub(crate) fn trusted(
    definition: &HookDefinition,
    program: &Program,
    directory: &Path,
    setup: &Setup,
) -> Entry {
    let pinned = program.clone();
    let suits = move |cwd: &Path| match found_in(&pinned, cwd) {
        None => Ok(()),
        Some(found) => Err(format!(
            "`{found}` is in the agent's directory, which no user has trusted; write `cwd = \"config\"`"
        )),
    };
    built(definition, program, directory, setup, |hook| hook.only_where(suits))
}

fn built(
    definition: &HookDefinition,
    program: &Program,
    directory: &Path,
    setup: &Setup,
    bound: impl FnOnce(CommandHook) -> CommandHook,
) -> Entry {
    let hook = CommandHook::new(program.clone())
        .named(definition.label())
        .config_dir(directory)
        .cwd(definition.cwd)
        .environment(setup.environment.share(&definition.env));
    let hook = bound(hook);
    let hook = match WrittenFor::of(definition) {
        Some(protocol) => hook.translated(Arc::new(protocol)),
        None => hook,
    };
    let in_process = matches!((program, &setup.callables.0), (Program::Callable(_), Some(_)));
    let entry = match definition.role {
        Role::Observe if !in_process => {
            Entry::new(definition.event, CommandObserver::new(hook, setup.supervisor.clone()))
        }
        Role::Observe | Role::Plain | Role::Edit | Role::Judge => {
            Entry::new(definition.event, setup.hook(program, hook, directory))
        }
    };
    let entry = entry
        .with_scope(definition.asked().into_owned())
        .with_role(definition.role)
        .with_timeout(definition.timeout)
        .with_may_allow(definition.may_allow);
    match definition.on_failure {
        _ if definition.required => entry.with_on_failure(OnFailure::Deny),
        Some(rule) => entry.with_on_failure(rule),
        None => entry,
    }
}
