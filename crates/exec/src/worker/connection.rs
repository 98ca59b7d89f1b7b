//! The connection to one interpreter: a line to it, a line from it, under one deadline.

use crate::{
    answer::Exit,
    child_io::{PipeReader, add, broken},
    deadline::{Clock, timespec},
    process_group::{GLANCE, Group, RUNNING},
};
use checkrein_core::{Failure, json};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fd::OwnedFd,
    io::{Errno, ioctl_fionbio, write},
};
use serde_json::{Map, Value};
use std::{
    io,
    process::{Command, id},
    sync::atomic::Ordering,
    time::Duration,
};

/// The time that an unneeded interpreter may take to exit.
const FAREWELL: Duration = Duration::from_secs(5);

/// The amount of stderr that is kept, in case it crashes.
const REMEMBERED: usize = 4096;

/// A running interpreter. Dropping it kills it and everything that it started.
#[derive(Debug)]
pub(super) struct Interpreter {
    group: Group,
    stdin: OwnedFd,
    stdout: PipeReader,
    stderr: PipeReader,
    /// The process that started it. After a fork two processes have the pipes, and only one may use them.
    owner: u32,
}

impl Interpreter {
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let mut group = Group::start(command)?;
        let child = group.child().ok_or(io::ErrorKind::BrokenPipe)?;
        let stdin = OwnedFd::from(child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?);
        let stdout = PipeReader::new("stdout", child.stdout.take().map(OwnedFd::from));
        let stderr = PipeReader::new("stderr", child.stderr.take().map(OwnedFd::from));
        ioctl_fionbio(&stdin, true)?;
        Ok(Self { group, stdin, stdout, stderr, owner: id() })
    }

    /// Returns the interpreter unless it belongs to the process that we were forked from, or has ended in the
    /// meantime.
    pub(super) fn if_ours_and_alive(mut self) -> Option<Self> {
        if self.owner != id() {
            // It serves our parent: neither kill it nor close its stdin.
            std::mem::forget(self);
            return None;
        }
        matches!(self.group.exit(), Ok(None)).then_some(self)
    }

    /// Sends `request`, a line, and waits for the line that answers it.
    pub(super) fn ask(&mut self, request: &[u8], clock: Clock) -> Result<Map<String, Value>, Failure> {
        // A signal that kills this process also kills the running hook.
        RUNNING.store(self.group.number(), Ordering::Release);
        let asked = self.exchange(request, clock);
        RUNNING.store(0, Ordering::Release);
        let line = asked?;
        json::parse_object(&line)
            .map_err(|error| Failure::BadReply(format!("the interpreter wrote no JSON object: {error}")))
    }

    fn exchange(&mut self, request: &[u8], clock: Clock) -> Result<Vec<u8>, Failure> {
        let mut rest = self.write(request)?;
        self.stdout.bytes.clear();
        loop {
            let [stdin, stdout, stderr, ended] = self.wait(rest, clock)?;
            if !stdin.is_empty() {
                rest = self.write(rest)?;
            }
            self.stderr.look(stderr)?;
            self.forget_old_words();
            self.stdout.look(stdout)?;
            if self.stdout.bytes.ends_with(b"\n") {
                return Ok(std::mem::take(&mut self.stdout.bytes));
            }
            // A function may close our pipes or exit the interpreter: then no answer will come.
            if !ended.is_empty() || self.stdout.pipe.is_none() {
                return Err(self.last_words(clock));
            }
        }
    }

    /// Waits with `rest` still to be written; returns what is ready: stdin, stdout, stderr, and the end of the
    /// process.
    fn wait(&mut self, rest: &[u8], clock: Clock) -> Result<[PollFlags; 4], Failure> {
        let mut left = clock.nap()?;
        let mut fds = Vec::with_capacity(4);
        let places = [
            add(&mut fds, Some(&self.stdin).filter(|_| !rest.is_empty()), PollFlags::OUT),
            add(&mut fds, self.stdout.pipe.as_ref(), PollFlags::IN),
            add(&mut fds, self.stderr.pipe.as_ref(), PollFlags::IN),
            add(&mut fds, self.group.watch(), PollFlags::IN),
        ];
        if places.last().is_none_or(Option::is_none) {
            left = left.min(GLANCE);
        }
        match poll(&mut fds, Some(&timespec(left))) {
            Ok(_) => {}
            Err(Errno::INTR) => fds.iter_mut().for_each(PollFd::clear_revents),
            Err(error) => return Err(broken("wait for it", error)),
        }
        Ok(places
            .map(|place| place.and_then(|place| fds.get(place)).map_or(PollFlags::empty(), PollFd::revents)))
    }

    /// Writes what the pipe takes now, and returns the rest.
    fn write<'a>(&self, mut rest: &'a [u8]) -> Result<&'a [u8], Failure> {
        while !rest.is_empty() {
            match write(&self.stdin, rest) {
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                // The wait reports how a finished interpreter ended.
                Err(Errno::AGAIN | Errno::PIPE) => break,
                Err(error) => return Err(broken("write to its stdin", error)),
            }
        }
        Ok(rest)
    }

    fn forget_old_words(&mut self) {
        let old = self.stderr.bytes.len().saturating_sub(REMEMBERED);
        self.stderr.bytes.drain(..old);
    }

    /// Returns why no answer will come.
    fn last_words(&mut self, clock: Clock) -> Failure {
        let left = clock.left().unwrap_or_default();
        let exit = self.group.wait(left);
        let _ = self.stderr.drain();
        self.forget_old_words();
        let stderr = String::from_utf8_lossy(&self.stderr.bytes).trim().to_owned();
        match exit {
            Ok(Some(Exit::Code(code))) => Failure::Exited { code, stderr },
            Ok(Some(Exit::Signal(signal))) => Failure::Killed { signal, stderr },
            Ok(None) => {
                clock.left().err().unwrap_or_else(|| broken("go on", "the interpreter closed its stdout"))
            }
            Err(error) => broken("learn how it ended", error),
        }
    }

    /// Lets it exit by itself, and kills it if it does not.
    pub(super) fn dismiss(self) {
        if self.owner != id() {
            std::mem::forget(self);
            return;
        }
        let Self { mut group, stdin, stdout, stderr, owner: _ } = self;
        drop((stdin, stdout, stderr));
        let farewell = move || match group.wait(FAREWELL) {
            Ok(Some(_)) => group.leave(),
            // Dropping kills it.
            Ok(None) | Err(_) => drop(group),
        };
        // Without a thread the group is dropped here, which kills it.
        let _ = std::thread::Builder::new().name("checkrein-farewell".into()).spawn(farewell);
    }
}
