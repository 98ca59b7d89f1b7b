//! What is active here: the layers of this machine, this user, this project and this command line.

use crate::{SUPERVISE, repair};
use checkrein::{
    ActiveHooks, ConfigError, Environment, Guard, Kept, Outcome, Payload, Places, Session, Setup, Stack,
    exec::Supervisor,
    guard::Day,
    once::{Memory, Questions},
    variable,
};
use std::{
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// The layers, read.
pub(crate) struct Policy {
    pub(crate) stack: Stack,
    state: Option<PathBuf>,
    /// The configuration files that count here, but for those of projects.
    files: Vec<PathBuf>,
    /// What is wrong and was passed over, because a user allowed that.
    passed_over: Option<String>,
}

/// Where the layers of a session lie. A configuration that a user named on the command line is trusted.
pub(crate) fn places(config: Option<&Path>, session: &Session) -> Places {
    let mut places = Places::of(variable).flag(config);
    // The project that the session was started for stays active wherever the agent goes.
    for directory in [&session.project_dir, &session.cwd].into_iter().flatten() {
        places = places.project(Path::new(directory));
    }
    places
}

impl Policy {
    /// Reads every layer.
    pub(crate) fn load(places: &Places) -> Result<Self, ConfigError> {
        Self::or_repair(places, Stack::load(places))
    }

    /// Reads of every layer what one event needs.
    pub(crate) fn load_for(places: &Places, payload: &Payload) -> Result<Self, ConfigError> {
        Self::or_repair(places, Stack::load_for(places, payload.name(), payload.event.call()))
    }

    fn or_repair(places: &Places, stack: Result<Stack, ConfigError>) -> Result<Self, ConfigError> {
        let state = places.state.clone();
        let files = [&places.managed, &places.user, &places.flag].into_iter().flatten().cloned().collect();
        match whole(stack) {
            Ok(stack) => Ok(Self { stack, state, files, passed_over: None }),
            Err(problems) if repair::is_allowed(state.as_deref()) => {
                let stack = Stack::load_what_is_whole(places)?;
                Ok(Self { stack, state, files, passed_over: Some(problems.for_model()) })
            }
            Err(problems) => Err(problems),
        }
    }

    /// The guard, with the rules, exceptions and allow_rules of every layer. It remembers nothing.
    pub(crate) fn guard(&self) -> Guard {
        let files = self.files.iter().chain(&self.state).map(PathBuf::as_path);
        let guard = Guard::new()
            .depending_on(files)
            .with_rules(self.stack.rules())
            .with_allow_rules(self.stack.allow_rules());
        match self.stack.exceptions() {
            exceptions if exceptions.is_empty() => guard,
            exceptions => guard.with_exceptions(exceptions, today()),
        }
    }

    /// The hooks for one event, and the guard that is always there.
    pub(crate) fn active(&self, payload: &Payload) -> ActiveHooks {
        let mut active = self.configured(payload);
        self.guard().join(&mut active.dispatcher);
        active
    }

    /// The same for an agent: what the guard denies is remembered, and leave that a user gave is used.
    /// `questions` says what becomes of a question about an event.
    pub(crate) fn active_for_agent(
        &self,
        payload: &Payload,
        questions: impl Fn(&Payload) -> Questions + Send + Sync + 'static,
    ) -> ActiveHooks {
        let mut active = self.configured(payload);
        let guard = match &self.state {
            Some(state) => {
                self.guard().remembering(Memory::new(state, self.stack.leave()).questions(questions))
            }
            None => self.guard(),
        };
        guard.join(&mut active.dispatcher);
        active
    }

    /// The same, and what the guard says is kept, so that nobody has to judge a second time to show it.
    pub(crate) fn active_kept(&self, payload: &Payload) -> (ActiveHooks, Kept) {
        let mut active = self.configured(payload);
        let kept = self.guard().join_kept(&mut active.dispatcher);
        (active, kept)
    }

    fn configured(&self, payload: &Payload) -> ActiveHooks {
        let mut active = if self.stack.is_empty() {
            ActiveHooks::default()
        } else {
            let setup = Setup::new(Environment::of_process()).supervisor(supervisor());
            self.stack.active(payload, self.state.as_deref(), &setup)
        };
        if let Some(problems) = &self.passed_over {
            active.remarks.push(format!("for repair, a broken configuration is passed over\n{problems}"));
        }
        active
    }
}

/// The day, in UTC.
pub(crate) fn today() -> Day {
    Day::of_seconds(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}

/// Layers that do not want to take away what is built in.
pub(crate) fn whole(stack: Result<Stack, ConfigError>) -> Result<Stack, ConfigError> {
    stack.and_then(|stack| Guard::stays(&stack).map(|()| stack))
}

/// The answer under a broken configuration: it denies what can be denied, and says how to mend it.
pub(crate) fn refuse(payload: Payload, problems: &ConfigError, reader: Reader) -> Outcome {
    let text = match reader {
        Reader::Model => problems.for_model(),
        Reader::User { at_a_terminal } => problems.for_user(at_a_terminal),
    };
    Outcome::refused(payload, format!("{text}\n\n{}", repair::how(problems)))
}

/// Who reads what is wrong with a configuration, and so how much of the file is quoted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    /// An agent: places and kinds, in our words.
    Model,
    /// A user, or a program that a user runs.
    User {
        /// Nobody but the user sees what is printed.
        at_a_terminal: bool,
    },
}

/// Observers outlive us; another process of this program keeps their time.
fn supervisor() -> Supervisor {
    // Unlike the path of the program, this link also works after an upgrade replaced the file.
    const OURSELVES: &str = "/proc/self/exe";
    let program = if cfg!(target_os = "linux") { Ok(OURSELVES.into()) } else { std::env::current_exe() };
    program.map_or_else(
        |_| Supervisor::default(),
        |program| Supervisor::Program { program, args: vec![SUPERVISE.into()] },
    )
}
