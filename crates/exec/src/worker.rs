//! Python functions as hooks: an interpreter that is started once and called again.
//!
//! Starting an interpreter takes a hundred times as long as calling a function in a running one. So hooks of one
//! configuration share interpreters, which answer requests line by line (`worker/worker.py` has the format). In a
//! program that answers one event the interpreter ends with it; in a long-lived program it stays.
//!
//! No hook waits for a busy interpreter: if none is idle, another is started, so that hooks in several threads keep
//! their own deadlines. An interpreter that is late, floods, or breaks the protocol is killed with everything that
//! it started; the next call starts a new one. One that is no longer needed sees the end of its stdin and exits by
//! itself, so that what a function left running continues, as with commands.

mod connection;

use crate::{
    answer,
    callable::{Callable, Mode},
    command::{CommandHook, Environment, bytes},
    deadline::Clock,
    program::Program,
};
use checkrein_core::{Deadline, Failure, Hook, Payload, Verdict};
use connection::Interpreter;
use serde_json::{Map, Value};
use std::{
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
};

/// The maximum number of idle interpreters of one kind.
const KEPT: usize = 4;

/// The interpreters that the hooks of a configuration share. Clones share them too.
#[derive(Clone, Debug, Default)]
pub struct Workers(Arc<Mutex<Vec<Arc<Worker>>>>);

impl Workers {
    /// Wraps `hook` so that it does not start an interpreter each time, if it is a Python function.
    pub fn hook(&self, hook: CommandHook) -> Arc<dyn Hook> {
        let Program::Callable(callable) = hook.program() else { return Arc::new(hook) };
        let worker = self.worker(callable, hook.directory(), hook.variables());
        Arc::new(WorkerHook { path: callable.path.clone(), hook, worker })
    }

    fn worker(
        &self,
        callable: &Callable,
        directory: Option<&Path>,
        environment: &Environment,
    ) -> Arc<Worker> {
        let mut workers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |worker: &&Arc<Worker>| {
            worker.callable.python == callable.python
                && worker.callable.from == callable.from
                && worker.directory.as_deref() == directory
                && worker.environment == *environment
        };
        if let Some(worker) = workers.iter().find(same) {
            return worker.clone();
        }
        let worker = Arc::new(Worker {
            callable: callable.clone(),
            directory: directory.map(Path::to_owned),
            environment: environment.clone(),
            idle: Mutex::default(),
        });
        workers.push(worker.clone());
        worker
    }
}

/// Interpreters of one kind: the same program, import directory and variables.
struct Worker {
    callable: Callable,
    directory: Option<PathBuf>,
    environment: Environment,
    idle: Mutex<Vec<Interpreter>>,
}

impl Worker {
    /// Returns an idle interpreter, or starts one.
    fn take(&self, clock: Clock) -> Result<Interpreter, Failure> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(interpreter) = idle.pop() {
            if let Some(interpreter) = interpreter.if_ours_and_alive() {
                return Ok(interpreter);
            }
        }
        drop(idle);
        self.start(clock)
    }

    fn start(&self, clock: Clock) -> Result<Interpreter, Failure> {
        let path = self.environment.iter().find(|(name, _)| name == "PATH").map(|(_, path)| path.as_os_str());
        let program = self.callable.resolve(Mode::Serve, self.directory.as_deref(), path)?;
        let mut command = Command::new(&program.path);
        command
            .args(&program.args)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        clock.left()?;
        Interpreter::start(&mut command)
            .map_err(|error| program.not_started(&error, self.directory.as_deref()))
    }

    /// Sends a request to an interpreter. It is kept if it answered, whatever the answer is.
    fn ask(&self, request: &[u8], clock: Clock) -> Result<Map<String, Value>, Failure> {
        let mut interpreter = self.take(clock)?;
        let reply = interpreter.ask(request, clock)?;
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(interpreter);
        } else {
            interpreter.dismiss();
        }
        Ok(reply)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let idle = std::mem::take(self.idle.get_mut().unwrap_or_else(PoisonError::into_inner));
        idle.into_iter().for_each(Interpreter::dismiss);
    }
}

impl fmt::Debug for Worker {
    /// Omits the variables: their values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("python", &self.callable.python)
            .field("from", &self.callable.from)
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

/// A Python function that is called in a long-lived interpreter. [`Workers::hook`] creates it.
#[derive(Debug)]
struct WorkerHook {
    path: String,
    hook: CommandHook,
    worker: Arc<Worker>,
}

impl WorkerHook {
    fn request(&self, payload: &Payload) -> Result<Vec<u8>, Failure> {
        let cwd =
            self.hook.working_directory(payload)?.map(|directory| text(directory.as_os_str())).transpose()?;
        let mut env = Map::new();
        for (name, value) in self.hook.event_variables(payload) {
            env.insert(name.to_owned(), text(value)?.into());
        }
        let head = [
            ("callable", Value::from(self.path.as_str())),
            ("cwd", cwd.map_or(Value::Null, Value::from)),
            ("env", Value::Object(env)),
        ];
        let mut request = b"{".to_vec();
        for (key, value) in head {
            request.extend_from_slice(format!("\"{key}\":{value},").as_bytes());
        }
        request.extend_from_slice(b"\"payload\":");
        request.extend_from_slice(bytes(payload)?.trim_ascii_end());
        request.extend_from_slice(b"}\n");
        Ok(request)
    }
}

impl Hook for WorkerHook {
    fn name(&self) -> &str {
        self.hook.name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let clock = Clock::start(deadline);
        let mut reply = self.worker.ask(&self.request(payload)?, clock)?;
        match (reply.remove("answer"), reply.remove("failure")) {
            (Some(answer), None) => answer::read_value(payload.name(), answer),
            (None, Some(Value::String(failure))) => Err(Failure::Other(failure)),
            _ => Err(Failure::BadReply("the interpreter answered neither `answer` nor `failure`".to_owned())),
        }
    }
}

/// Returns a path or a variable as a JSON string.
fn text(value: &OsStr) -> Result<&str, Failure> {
    value.to_str().ok_or_else(|| {
        Failure::NotStarted(format!("`{}` is not UTF-8, so it cannot be passed to Python", value.display()))
    })
}
