//! A hook that is started and not waited for.
//!
//! The answer to the host must not wait for an observer, and the observer must not die with the answer: the process
//! that answers lives for a millisecond, and its host may kill its group. So the payload is passed in a memory file,
//! which needs no writer (a pipe holds only 64 KiB), the output is discarded, and a small separate process that
//! outlives us enforces the time limit: the [`Supervisor`].

use crate::{
    CommandHook, command::bytes, memory::unlimited, process_group::Group, program::Resolved,
    sys::anonymous_file,
};
use checkrein_core::{Deadline, Failure, Hook, Outcome, Payload, Verdict};
use rustix::{
    fd::OwnedFd,
    fs::{SeekFrom, seek},
    io::{Errno, write},
    process::setsid,
};
use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// The supervisor, which enforces an observer's time limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Supervisor {
    /// A separate process: `program` is started with `args`, the limit in milliseconds, and the command, and must
    /// pass what follows `args` to [`supervise`]. The observer then runs in its own session and outlives us.
    Program {
        /// A program that calls [`supervise`].
        program: PathBuf,
        /// The arguments that make it do so.
        args: Vec<OsString>,
    },
    /// A thread of the calling process. The observer outlives that process, its time limit does not.
    #[default]
    Thread,
}

/// A command that observes: it gets the payload with two more fields, the `decision` and the `reason` of the outcome
/// (unless the event itself has fields of these names), and can change nothing.
///
/// In any other role than [`Observe`](checkrein_core::Role::Observe) it is the wrapped command hook.
#[derive(Debug)]
pub struct CommandObserver {
    hook: CommandHook,
    supervisor: Supervisor,
    /// Supervisors that may still run. Finished ones are reaped when the next one starts.
    started: Mutex<Vec<Child>>,
}

impl CommandObserver {
    /// Turns `hook` into an observer.
    pub const fn new(hook: CommandHook, supervisor: Supervisor) -> Self {
        Self { hook, supervisor, started: Mutex::new(Vec::new()) }
    }

    fn start_process(
        &self,
        mut command: Command,
        program: &Resolved,
        cwd: Option<&Path>,
    ) -> Result<(), Failure> {
        let mut started = self.started.lock().unwrap_or_else(PoisonError::into_inner);
        started.retain_mut(|child| matches!(child.try_wait(), Ok(None)));
        started.push(unlimited(|| command.spawn()).map_err(|error| program.not_started(&error, cwd))?);
        Ok(())
    }
}

impl Hook for CommandObserver {
    fn name(&self) -> &str {
        self.hook.name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline) -> Result<Verdict, Failure> {
        self.hook.call(payload, deadline)
    }

    fn observe(&self, outcome: &Outcome, deadline: Deadline) -> Result<(), Failure> {
        match self.hook.translation() {
            Some(translation) => {
                let inputs = translation.inputs(&outcome.payload)?;
                inputs.iter().try_for_each(|input| self.start(outcome, input, deadline))
            }
            None => self.start(outcome, &bytes_of(outcome)?, deadline),
        }
    }
}

impl CommandObserver {
    /// Starts the command with this input.
    fn start(&self, outcome: &Outcome, input: &[u8], deadline: Deadline) -> Result<(), Failure> {
        let payload = &outcome.payload;
        let input = memory_file(input)
            .map_err(|error| Failure::NotStarted(format!("cannot store the payload: {error}")))?;
        let program = self.hook.resolve()?;
        let cwd = self.hook.working_directory(payload)?;
        let limit = deadline.limit();
        let silent = |command: &mut Command| {
            command.stdin(Stdio::from(input)).stdout(Stdio::null()).stderr(Stdio::null());
        };
        match &self.supervisor {
            Supervisor::Program { program: path, args } => {
                program.check()?;
                let limit = OsString::from(limit.as_millis().to_string());
                let path_of_program = program.path.clone().into_os_string();
                let args = args.iter().chain([&limit, &path_of_program]).chain(&program.args);
                let mut command = self.hook.command(payload, path, args, cwd);
                silent(&mut command);
                let supervisor = Resolved { path: path.clone(), args: Vec::new() };
                self.start_process(command, &supervisor, cwd)
            }
            Supervisor::Thread => {
                let mut command = self.hook.command(payload, &program.path, &program.args, cwd);
                silent(&mut command);
                let group = Group::start(&mut command).map_err(|error| program.not_started(&error, cwd))?;
                let thread = std::thread::Builder::new().name("checkrein-observer".into());
                thread.spawn(move || keep(group, limit)).map(drop).map_err(|error| {
                    Failure::NotStarted(format!("cannot start a thread to supervise the observer: {error}"))
                })
            }
        }
    }
}

/// Waits for the leader of `group`, and kills the group if that takes longer than `limit`.
fn keep(mut group: Group, limit: Duration) -> Kept {
    match group.wait(limit) {
        Ok(Some(_)) => {
            group.leave();
            Kept::Ended
        }
        Ok(None) | Err(_) => Kept::Killed,
    }
}

enum Kept {
    Ended,
    Killed,
}

/// Runs the supervising process: starts the command in `args` (the limit in milliseconds, the absolute path of a
/// program, its arguments) with our stdin, in our own session, and kills its group when the limit is over.
///
/// The exit code is 0 if the command finished in time, 124 if not, 127 if it did not start, 2 if the arguments are
/// wrong. No caller waits for it, so nothing is printed.
pub fn supervise(args: impl Iterator<Item = OsString>) -> ExitCode {
    let mut args = args;
    let limit = args.next().and_then(|text| text.to_str()?.parse().ok()).map(Duration::from_millis);
    let (Some(limit), Some(program)) = (limit, args.next()) else { return ExitCode::from(2) };
    // Fails only if we already lead a group, and then we are already outside our host's group.
    let _ = setsid();
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::inherit());
    match Group::start(&mut command).map(|group| keep(group, limit)) {
        Ok(Kept::Ended) => ExitCode::SUCCESS,
        Ok(Kept::Killed) => ExitCode::from(124),
        Err(_) => ExitCode::from(127),
    }
}

/// Returns the payload with the outcome.
fn bytes_of(outcome: &Outcome) -> Result<Vec<u8>, Failure> {
    let mut bytes = bytes(&outcome.payload)?;
    let reason = outcome.reason();
    let own = |field: &str| outcome.payload.extra.contains_key(field);
    let decision = Some(outcome.decision.as_str()).filter(|_| !own("decision"));
    let reason = Some(reason.as_str()).filter(|reason| !reason.is_empty() && !own("reason"));
    // The payload is a non-empty object, since it names its event, and a line break follows it.
    bytes.truncate(bytes.len().saturating_sub("}\n".len()));
    for (field, text) in [("decision", decision), ("reason", reason)] {
        if let Some(text) = text {
            bytes.extend_from_slice(format!(",\"{field}\":{}", serde_json::Value::from(text)).as_bytes());
        }
    }
    bytes.extend_from_slice(b"}\n");
    Ok(bytes)
}

/// Creates a file that exists only in memory, positioned at its start.
fn memory_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    let file = anonymous_file::create()?;
    let mut rest = bytes;
    while !rest.is_empty() {
        match write(&file, rest) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    seek(&file, SeekFrom::Start(0))?;
    Ok(file)
}
