//! Assembles the hooks for an event from the layers, the built-in steps and the caller's options.
//!
//! The program, the harness and the Python package all come through here, so that a configuration means the same in
//! each of them. An ordered list of steps ([`step::STEPS`]) adds the hooks, each step in a file of its own: the hooks
//! of the layers, the remarks about skipped ones, the guard. A new built-in is one more file and one more row.

mod guard;
mod hooks;
mod learn;
mod monitored;
mod rewrites;
mod secrets;
mod skipped;
mod step;
mod undo;

use crate::{
    approval::Absence,
    builtin::{Guard, Kept, Neighbours},
    config::{
        Config, build::Setup, layer::Layer, layered::LayeredConfig, paths::Places, problem::ConfigError,
    },
    rewrites::Rewrites,
    state::{repair, session_file},
};
use checkrein_core::{Asking, Dispatcher, Payload};
use checkrein_guard::Day;
pub use monitored::MonitoredDecision;
use std::{
    fmt,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};
pub use step::Part;
use step::{About, Assembly, STEPS};

/// The layers, read, and none of them broken.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    stack: LayeredConfig,
    /// The state directory.
    state: Option<PathBuf>,
    /// The configuration files that count, except for those of projects.
    files: Vec<PathBuf>,
    /// The problems that were ignored, because a user allowed that.
    passed_over: Option<String>,
}

/// The hooks that are asked about an event.
#[derive(Clone, Debug, Default)]
pub struct ActiveHooks {
    /// The hooks.
    pub dispatcher: Dispatcher,
    /// Remarks for the user, for stderr.
    pub remarks: Vec<String>,
}

/// The options of a policy's caller: how its hooks are built, and what its host can do.
#[derive(Clone)]
pub struct Edge<'a> {
    setup: &'a dyn Fn() -> Setup,
    memory: Option<Asking>,
    kept: Option<&'a Kept>,
    absence: Option<Absence>,
    guard: bool,
    own_program: bool,
    reports_end: bool,
    undo: bool,
}

impl fmt::Debug for Edge<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Edge").field("memory", &self.memory).finish_non_exhaustive()
    }
}

impl<'a> Edge<'a> {
    /// An edge that builds hooks with `setup`, which is called only if there are any. It remembers nothing.
    pub fn new(setup: &'a dyn Fn() -> Setup) -> Self {
        Self {
            setup,
            memory: None,
            kept: None,
            absence: None,
            guard: true,
            own_program: false,
            reports_end: false,
            undo: false,
        }
    }

    /// Sets the options for a real agent: what is denied is remembered, a permission for one call is used up, and a session hears
    /// some things only once. `asking` says what becomes of a question: one that is a denial needs a way out like any
    /// other.
    #[must_use]
    pub const fn remembering(mut self, asking: Asking) -> Self {
        self.memory = Some(asking);
        self
    }

    /// Sets whether an event follows when the call is over. Tags in a file that is written become values only then.
    #[must_use]
    pub const fn reporting_end(mut self, reports: bool) -> Self {
        self.reports_end = reports;
        self
    }

    /// Sets how to find out if no user is there to answer a question.
    #[must_use]
    pub const fn absence(mut self, absence: Absence) -> Self {
        self.absence = Some(absence);
        self
    }

    /// Captures the guard's judgements for a caller that shows more than the verdict.
    #[must_use]
    pub const fn keeping(mut self, kept: &'a Kept) -> Self {
        self.kept = Some(kept);
        self
    }

    /// Says that the running program is `checkrein`, so that a command may be rewritten to one of its own.
    #[must_use]
    pub const fn as_own_program(mut self) -> Self {
        self.own_program = true;
        self
    }

    /// Keeps what a call would destroy before it runs, as the configuration says.
    #[must_use]
    pub const fn keeping_for_undo(mut self) -> Self {
        self.undo = true;
        self
    }

    /// Leaves out the guard and what keeps secrets out of the conversation. No configuration can do that; only a program that embeds the library can.
    #[must_use]
    pub const fn without_guard(mut self) -> Self {
        self.guard = false;
        self
    }
}

impl Policy {
    /// Reads every layer. A broken one is an error; so is one that tries to disable a built-in hook.
    pub fn load(places: &Places) -> Result<Self, ConfigError> {
        Ok(Self::at(places, whole(LayeredConfig::load(places))?))
    }

    /// Loads the policy for a short-lived process. If the user has allowed a repair, broken layers are ignored.
    pub fn load_or_repair(places: &Places) -> Result<Self, ConfigError> {
        Self::or_repair(places, LayeredConfig::load(places))
    }

    /// Loads only what one event needs of every layer.
    pub fn load_for(places: &Places, payload: &Payload) -> Result<Self, ConfigError> {
        Self::or_repair(places, LayeredConfig::load_for(places, payload.name(), payload.event.call()))
    }

    /// Reads one file and nothing else. Naming the file means trusting it.
    pub fn of_file(path: &Path) -> Result<Self, ConfigError> {
        Self::of_stack(LayeredConfig::new(vec![Config::load(path)?], None), None)
    }

    /// The policy of layers that were put together already. `state` is the directory in which we remember things.
    pub fn of_stack(stack: LayeredConfig, state: Option<&Path>) -> Result<Self, ConfigError> {
        let stack = whole(Ok(stack))?;
        let ours = stack.configs().iter().filter(|config| config.layer() != Layer::Project);
        let files = ours.map(|config| config.path().to_owned()).collect();
        Ok(Self { files, state: state.map(Path::to_owned), stack, passed_over: None })
    }

    fn at(places: &Places, stack: LayeredConfig) -> Self {
        let files = [&places.managed, &places.user, &places.flag].into_iter().flatten().cloned().collect();
        Self { stack, state: places.state.clone(), files, passed_over: None }
    }

    fn or_repair(places: &Places, stack: Result<LayeredConfig, ConfigError>) -> Result<Self, ConfigError> {
        match whole(stack) {
            Ok(stack) => Ok(Self::at(places, stack)),
            Err(problems) if repair::is_allowed(places.state.as_deref()) => {
                let stack = LayeredConfig::load_what_is_whole(places)?;
                Ok(Self { passed_over: Some(problems.for_model()), ..Self::at(places, stack) })
            }
            Err(problems) => Err(problems),
        }
    }

    /// This policy and another one together, for a caller who names several. A layer of one decides about lower layers of
    /// the other as if both had been read at once.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.stack = self.stack.and(other.stack);
        self.state = other.state.or(self.state);
        self.files.extend(other.files);
        self.passed_over = self.passed_over.or(other.passed_over);
        self
    }

    /// Reads the files of all layers again, whole. `None` if one of them is broken or gone.
    pub(crate) fn whole(&self) -> Option<Self> {
        Some(Self { stack: self.stack.whole()?, ..self.clone() })
    }

    /// The layers.
    pub const fn stack(&self) -> &LayeredConfig {
        &self.stack
    }

    /// The directory in which we remember things.
    pub fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// The guard, with the rules, exceptions and allow rules of every layer. It remembers nothing.
    pub fn guard(&self) -> Guard {
        let files = self.files.iter().chain(&self.state).map(PathBuf::as_path);
        let projects = self.stack.configs().iter().filter(|config| config.layer() == Layer::Project);
        let projects = projects.map(|config| config.path().to_owned()).collect();
        let guard = Guard::new()
            .depending_on(files)
            .with_neighbours(Neighbours::new(projects, crate::variable("HOME").map(PathBuf::from)))
            .with_rules(self.stack.rules())
            .with_grades(self.stack.grades())
            .with_monitors(self.stack.monitored().rules().to_vec())
            .with_allow_rules(self.stack.allow_rules());
        match self.stack.exceptions() {
            exceptions if exceptions.is_empty() => guard,
            exceptions => guard.with_exceptions(exceptions, today()),
        }
    }

    /// Returns the rewrites of all layers. `memory` is the state directory, if a session is told some things only once.
    pub(crate) fn rewrites(&self, memory: Option<&Path>) -> Rewrites {
        Rewrites {
            modes: self.stack.rewrite_modes(),
            replaces: self.stack.replaces(),
            told: memory.map(session_file::suggested),
        }
    }

    /// Returns the hooks for the event of `payload`.
    pub fn for_event(&self, payload: &Payload, edge: &Edge<'_>) -> ActiveHooks {
        self.assemble(About::Event(payload), edge, |_| true)
    }

    /// Returns the hooks for any event, for a process that answers many.
    pub fn for_all_events(&self, edge: &Edge<'_>) -> ActiveHooks {
        self.assemble(About::Everything, edge, |_| true)
    }

    /// One part of the hooks, for a caller that puts hooks of its own between the parts.
    pub fn part(&self, part: Part, edge: &Edge<'_>) -> ActiveHooks {
        self.assemble(About::Everything, edge, |step| step == part)
    }

    fn assemble(&self, about: About<'_>, edge: &Edge<'_>, wanted: impl Fn(Part) -> bool) -> ActiveHooks {
        let assembly = Assembly::new(self, about, edge);
        let mut active = ActiveHooks::default();
        for step in STEPS.iter().filter(|step| wanted(step.part)) {
            (step.join)(&assembly, &mut active);
        }
        active
    }
}

/// The day, in UTC.
pub fn today() -> Day {
    Day::of_seconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// Layers that do not want to disable what is built in.
pub fn whole(stack: Result<LayeredConfig, ConfigError>) -> Result<LayeredConfig, ConfigError> {
    stack.and_then(|stack| step::stays(&stack).map(|()| stack))
}
