//! A hook that is a command.

use crate::{
    answer,
    child_io::{Said, talk},
    deadline::Clock,
    process_group::Group,
    program::{Program, Resolved},
    translation::{Translation, joined},
};
use checkrein_core::{Deadline, Failure, Hook, Payload, Verdict, flat::Flat};
use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

/// The variables of a hook, shared by all hooks of a configuration. Nothing else of our environment reaches a hook:
/// agents pass their keys to every process that they start.
pub type Environment = Arc<[(OsString, OsString)]>;

/// The working directory of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cwd {
    /// The session's current working directory.
    #[default]
    Session,
    /// The configuration's directory.
    Config,
}

/// A command that is started for every event: the payload on its stdin, its answer on stdout or in its exit code.
///
/// It runs in its own process group. The group is killed if the command fails in any way, and left alone after an
/// answer, so that a hook may leave a process running. A process that moves into another group or session escapes
/// this.
///
/// The calling program must ignore `SIGPIPE`, as Rust and Python programs do.
#[derive(Clone)]
pub struct CommandHook {
    name: String,
    program: Program,
    directory: Option<PathBuf>,
    cwd: Cwd,
    environment: Environment,
    suits: Option<Arc<Suits>>,
    null_is_silence: bool,
    translation: Option<Arc<dyn Translation>>,
}

/// A check that says why a hook cannot run in a working directory.
type Suits = dyn Fn(&Path) -> Result<(), String> + Send + Sync;

impl CommandHook {
    /// Creates a hook for `program` with an empty environment, in the session's working directory, named after its
    /// command.
    pub fn new(program: Program) -> Self {
        Self {
            name: program.to_string(),
            program,
            directory: None,
            cwd: Cwd::Session,
            environment: Environment::default(),
            suits: None,
            null_is_silence: false,
            translation: None,
        }
    }

    /// Restricts the hook to working directories that `suits` accepts.
    #[must_use]
    pub fn only_where(mut self, suits: impl Fn(&Path) -> Result<(), String> + Send + Sync + 'static) -> Self {
        self.suits = Some(Arc::new(suits));
        self
    }

    /// Reads `null` on stdout as no opinion, as the predecessor did. Elsewhere it is a failure: a filter that finds
    /// no answer prints it too.
    #[must_use]
    pub const fn null_is_silence(mut self) -> Self {
        self.null_is_silence = true;
        self
    }

    /// Makes it a hook of another protocol.
    #[must_use]
    pub fn translated(mut self, translation: Arc<dyn Translation>) -> Self {
        self.translation = Some(translation);
        self
    }

    /// Returns its protocol, if that is not ours.
    pub(crate) fn translation(&self) -> Option<&dyn Translation> {
        self.translation.as_deref()
    }

    /// Sets the name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the configuration directory, an absolute path, from which relative programs start.
    #[must_use]
    pub fn config_dir(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub const fn cwd(mut self, cwd: Cwd) -> Self {
        self.cwd = cwd;
        self
    }

    /// Sets the variables of the hook. It also gets those that describe the event: `HOOK_EVENT`, `HOOK_TOOL_NAME`,
    /// `HOOK_CONFIG_DIR`, and `CLAUDE_PROJECT_DIR` unless it is among the given ones.
    #[must_use]
    pub fn environment(mut self, environment: impl Into<Environment>) -> Self {
        self.environment = environment.into();
        self
    }

    /// Returns the program.
    pub const fn program(&self) -> &Program {
        &self.program
    }

    /// Returns the configuration directory, if set.
    pub(crate) fn directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// Returns the variables.
    pub(crate) const fn variables(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn resolve(&self) -> Result<Resolved, Failure> {
        self.program.resolve(self.directory.as_deref(), self.given("PATH"))
    }

    fn given(&self, name: &str) -> Option<&OsStr> {
        self.environment.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_os_str())
    }

    /// Returns the working directory; `None` if neither the payload nor the configuration has one, so that ours is
    /// used.
    pub(crate) fn working_directory<'a>(&'a self, payload: &'a Payload) -> Result<Option<&'a Path>, Failure> {
        let session = &payload.session;
        let of_config = self.directory.as_deref();
        let directory = match self.cwd {
            Cwd::Session => {
                let of_session = session.cwd.as_deref().or(session.project_dir.as_deref());
                of_session.map(Path::new).or(of_config)
            }
            Cwd::Config if of_config.is_none() => {
                return Err(Failure::NotStarted("there is no configuration directory to run in".into()));
            }
            Cwd::Config => of_config,
        };
        match directory {
            Some(directory) if !directory.is_absolute() => Err(Failure::NotStarted(format!(
                "the working directory `{}` is not an absolute path",
                directory.display()
            ))),
            directory => {
                let suits =
                    self.suits.as_deref().filter(|_| self.cwd == Cwd::Session && directory != of_config);
                if let (Some(suits), Some(directory)) = (suits, directory) {
                    suits(directory).map_err(Failure::NotStarted)?;
                }
                Ok(directory)
            }
        }
    }

    /// Returns the variables that describe the event.
    pub(crate) fn event_variables<'a>(&'a self, payload: &'a Payload) -> Vec<(&'static str, &'a OsStr)> {
        let tool = payload.event.call().map(|call| call.name.as_str()).filter(|name| !name.is_empty());
        let directory = self.directory.as_deref().map(Path::as_os_str);
        let project = payload.session.project_dir.as_deref();
        let project = project.filter(|_| self.given("CLAUDE_PROJECT_DIR").is_none());
        let variables = [
            ("HOOK_EVENT", Some(OsStr::new(payload.name().as_str()))),
            ("HOOK_TOOL_NAME", tool.map(OsStr::new)),
            ("HOOK_CONFIG_DIR", directory),
            ("CLAUDE_PROJECT_DIR", project.map(OsStr::new)),
        ];
        variables.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// Builds the command for `payload`, without its three streams. `path` and `args` are what is started in the
    /// end.
    pub(crate) fn command<'a>(
        &self,
        payload: &Payload,
        path: &Path,
        args: impl IntoIterator<Item = &'a OsString>,
        cwd: Option<&Path>,
    ) -> Command {
        let mut command = Command::new(path);
        command.args(args).env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.envs(self.event_variables(payload));
        if let Some(translation) = &self.translation {
            command.envs(translation.variables(payload));
        }
        if let Some(directory) = cwd {
            command.current_dir(directory);
        }
        command
    }
}

impl fmt::Debug for CommandHook {
    /// Shows only the names of the variables: their values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&OsString> = self.environment.iter().map(|(name, _)| name).collect();
        f.debug_struct("CommandHook")
            .field("name", &self.name)
            .field("program", &self.program)
            .field("directory", &self.directory)
            .field("cwd", &self.cwd)
            .field("environment", &names)
            .finish()
    }
}

impl Hook for CommandHook {
    fn name(&self) -> &str {
        &self.name
    }

    fn call(&self, payload: &Payload, deadline: Deadline) -> Result<Verdict, Failure> {
        let clock = Clock::start(deadline);
        if let Some(translation) = &self.translation {
            let inputs = translation.inputs(payload)?;
            let mut verdicts = Vec::with_capacity(inputs.len());
            for (number, input) in inputs.into_iter().enumerate() {
                let (said, group) = self.run(payload, clock, || Ok(input))?;
                let read = translation.verdict(payload, number, said.exit, &said.stdout, &said.stderr);
                verdicts.push(read?);
                group.leave();
            }
            return Ok(joined(verdicts));
        }
        let (said, group) = self.run(payload, clock, || bytes(payload))?;
        let is_null = said.exit == answer::Exit::Code(0) && said.stdout.trim_ascii() == b"null";
        let verdict = if self.null_is_silence && is_null {
            Verdict::abstain()
        } else {
            answer::read(payload.name(), said.exit, &said.stdout, &said.stderr)?
        };
        // Every failure above drops the group, which kills it.
        group.leave();
        Ok(verdict)
    }
}

impl CommandHook {
    /// Starts the command, sends it its input, and reads until it ends.
    fn run(
        &self,
        payload: &Payload,
        clock: Clock<'_>,
        input: impl FnOnce() -> Result<Vec<u8>, Failure>,
    ) -> Result<(Said, Group), Failure> {
        let program = self.resolve()?;
        let cwd = self.working_directory(payload)?;
        let mut command = self.command(payload, &program.path, &program.args, cwd);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        clock.left()?;
        let mut group = Group::start(&mut command).map_err(|error| program.not_started(&error, cwd))?;
        // The child takes longer to start than this takes, so it costs no time here.
        let input = input()?;
        drop(command);
        let said = talk(&mut group, &input, clock)?;
        Ok((said, group))
    }
}

/// Returns the payload as a command reads it.
pub(crate) fn bytes(payload: &Payload) -> Result<Vec<u8>, Failure> {
    Flat(payload)
        .to_bytes()
        .map_err(|error| Failure::NotStarted(format!("the payload cannot be written as JSON: {error}")))
}
