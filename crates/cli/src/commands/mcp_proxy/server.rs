//! The server's process.

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The time that a server has to end by itself, and then after a signal.
const PATIENCE: Duration = Duration::from_secs(2);
const STEP: Duration = Duration::from_millis(10);

/// A server and what it started, in a process group of their own.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
}

impl Server {
    pub(super) fn start(command: &[String]) -> anyhow::Result<Self> {
        let (program, arguments) =
            command.split_first().context("the server's command is missing after `--`")?;
        let child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start the server `{program}`"))?;
        Ok(Self { child })
    }

    /// Takes the ends of its pipes.
    pub(super) fn pipes(&mut self) -> anyhow::Result<(ChildStdin, ChildStdout)> {
        let stdin = self.child.stdin.take().context("the server has no stdin")?;
        Ok((stdin, self.child.stdout.take().context("the server has no stdout")?))
    }

    /// Waits until the server has ended, whose stdin is closed; then ends it and what it started.
    pub(super) fn end(&mut self) {
        for signal in [Signal::TERM, Signal::KILL] {
            if self.waited(PATIENCE).is_some() {
                break;
            }
            self.signal(signal);
        }
        // The rest of its group would continue although nothing reads its output.
        self.signal(Signal::KILL);
        // There is nothing left to do if it cannot be waited for.
        let _ = self.child.wait();
    }

    /// Says how a server ended that closed its stdout.
    pub(super) fn how_it_ended(&mut self) -> String {
        let status = self.waited(PATIENCE);
        self.end();
        match status.map(|status| (status.code(), status.signal())) {
            Some((Some(code), _)) => format!("the server ended with exit code {code}"),
            Some((None, Some(signal))) => format!("the server was terminated by signal {signal}"),
            Some((None, None)) => "the server ended".to_owned(),
            None => "the server closed its output and did not end".to_owned(),
        }
    }

    fn waited(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if started.elapsed() >= patience {
                return None;
            }
            thread::sleep(STEP);
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // It may have ended.
            let _ = kill_process_group(group, signal);
        }
    }
}
