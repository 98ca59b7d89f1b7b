//! I/O with a child: the payload to its stdin, its stdout and stderr to us, all in one thread.
//!
//! One `poll` waits for everything at once, so that neither side can block the other forever: a child that never
//! reads, one that floods a pipe while we write, one that closes its pipes and stays, one that leaves a grandchild
//! which holds them. A pipe is touched only when `poll` reports it as ready, so only stdin needs to be non-blocking,
//! and only for a payload that a single write might not take.

use crate::{
    answer::Exit,
    deadline::{Clock, timespec},
    process_group::{GLANCE, Group},
};
use checkrein_core::Failure;
use rustix::{
    buffer::spare_capacity,
    event::{PollFd, PollFlags, poll},
    fd::OwnedFd,
    io::{Errno, ioctl_fionbio, ioctl_fionread, read, write},
};
use std::{
    fmt,
    time::{Duration, Instant},
};

/// The maximum output of a child on each of its two streams.
pub(crate) const LIMIT: usize = 1 << 20;

/// The number of bytes that an empty pipe takes at once on every system (`PIPE_BUF` on Linux; POSIX promises 512).
const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// The time that the children of a hook that ended without output may still answer for it.
const ECHO: Duration = Duration::from_millis(200);

/// The size of a read, first and later.
const SHORT: usize = 2048;
const LONG: usize = 1 << 16;

/// The output of a child.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) exit: Exit,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Sends `input` to the child and reads until it ends.
pub(crate) fn talk(group: &mut Group, input: &[u8], clock: Clock<'_>) -> Result<Said, Failure> {
    let child = group.child().ok_or_else(|| broken("start", "it is gone"))?;
    let mut writer = Writer { pipe: child.stdin.take().map(OwnedFd::from), rest: input };
    let mut stdout = PipeReader::new("stdout", child.stdout.take().map(OwnedFd::from));
    let mut stderr = PipeReader::new("stderr", child.stderr.take().map(OwnedFd::from));
    writer.begin()?;
    loop {
        let ready = wait(group, &writer, &stdout, &stderr, clock)?;
        if ready.stdin {
            writer.go_on()?;
        }
        stdout.look(ready.stdout)?;
        stderr.look(ready.stderr)?;
        if let Some(exit) = ready.exit {
            // Everything that the child itself wrote is in the pipes by now. More may come from a grandchild that
            // holds them, but that is not the answer.
            stdout.drain()?;
            stderr.drain()?;
            if exit == Exit::Code(0) && stdout.bytes.is_empty() {
                stdout.linger(clock)?;
            }
            return Ok(Said { exit, stdout: stdout.bytes, stderr: stderr.bytes });
        }
    }
}

pub(crate) fn broken(what: &str, why: impl fmt::Display) -> Failure {
    Failure::Other(format!("cannot {what}: {why}"))
}

/// The operations that are possible without waiting.
struct Ready {
    exit: Option<Exit>,
    stdin: bool,
    stdout: PollFlags,
    stderr: PollFlags,
}

fn wait(
    group: &mut Group,
    writer: &Writer<'_>,
    stdout: &PipeReader,
    stderr: &PipeReader,
    clock: Clock<'_>,
) -> Result<Ready, Failure> {
    let mut left = clock.nap()?;
    let mut fds = Vec::with_capacity(4);
    let watch = add(&mut fds, group.watch(), PollFlags::IN);
    let places = [
        add(&mut fds, writer.pipe.as_ref(), PollFlags::OUT),
        add(&mut fds, stdout.pipe.as_ref(), PollFlags::IN),
        add(&mut fds, stderr.pipe.as_ref(), PollFlags::IN),
    ];
    if watch.is_none() {
        left = left.min(GLANCE);
    }
    match poll(&mut fds, Some(&timespec(left))) {
        Ok(_) => {}
        Err(Errno::INTR) => fds.iter_mut().for_each(PollFd::clear_revents),
        Err(error) => return Err(broken("wait for it", error)),
    }
    let at = |place: Option<usize>| {
        place.and_then(|place| fds.get(place)).map_or(PollFlags::empty(), PollFd::revents)
    };
    let [stdin, stdout, stderr] = places.map(at);
    let ended = watch.is_none() || !at(watch).is_empty();
    drop(fds);
    let exit = if ended { group.exit().map_err(|error| broken("learn how it ended", error))? } else { None };
    Ok(Ready { exit, stdin: !stdin.is_empty(), stdout, stderr })
}

/// Adds an open descriptor to the list and returns its index.
pub(crate) fn add<'a>(fds: &mut Vec<PollFd<'a>>, fd: Option<&'a OwnedFd>, flags: PollFlags) -> Option<usize> {
    fds.push(PollFd::new(fd?, flags));
    fds.len().checked_sub(1)
}

/// Our end of the child's stdin.
struct Writer<'a> {
    pipe: Option<OwnedFd>,
    rest: &'a [u8],
}

impl Writer<'_> {
    /// Writes what the empty pipe takes.
    fn begin(&mut self) -> Result<(), Failure> {
        if self.rest.len() > AT_ONCE
            && let Some(pipe) = &self.pipe
        {
            ioctl_fionbio(pipe, true).map_err(|error| broken("write to its stdin", error))?;
        }
        self.go_on()
    }

    /// Writes what the pipe takes now, and closes it after the last byte.
    fn go_on(&mut self) -> Result<(), Failure> {
        while let Some(pipe) = &self.pipe {
            if self.rest.is_empty() {
                self.pipe = None;
                break;
            }
            match write(pipe, self.rest) {
                Ok(written) => self.rest = self.rest.get(written..).unwrap_or_default(),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // The child closed its stdin. It may still answer without the input.
                Err(Errno::PIPE) => self.pipe = None,
                Err(error) => return Err(broken("write to its stdin", error)),
            }
        }
        Ok(())
    }
}

/// Our end of the child's stdout or stderr.
#[derive(Debug)]
pub(crate) struct PipeReader {
    name: &'static str,
    /// `None` after the end of the stream.
    pub(crate) pipe: Option<OwnedFd>,
    pub(crate) bytes: Vec<u8>,
}

impl PipeReader {
    pub(crate) const fn new(name: &'static str, pipe: Option<OwnedFd>) -> Self {
        Self { name, pipe, bytes: Vec::new() }
    }

    /// Reads once, if `poll` reported something.
    pub(crate) fn look(&mut self, seen: PollFlags) -> Result<(), Failure> {
        if seen.contains(PollFlags::IN) {
            self.read().map(drop)
        } else {
            if !seen.is_empty() {
                // The other end is closed, and the pipe is empty.
                self.pipe = None;
            }
            Ok(())
        }
    }

    /// Reads what is in the pipe now, and no more.
    pub(crate) fn drain(&mut self) -> Result<(), Failure> {
        let Some(pipe) = &self.pipe else { return Ok(()) };
        let mut left =
            ioctl_fionread(pipe).map_err(|error| broken(&format!("read its {}", self.name), error))?;
        while left > 0 {
            match self.read()? {
                0 => break,
                count => left = left.saturating_sub(count as u64),
            }
        }
        Ok(())
    }

    /// Waits briefly for processes that still hold the pipe of a hook that ended without output: `exec > >(tee log)`
    /// passes the answer to a child that writes it after the hook has ended.
    fn linger(&mut self, clock: Clock<'_>) -> Result<(), Failure> {
        let end = Instant::now() + ECHO;
        while let Some(pipe) = &self.pipe {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let mut fds = [PollFd::new(pipe, PollFlags::IN)];
            match poll(&mut fds, Some(&timespec(left.min(clock.left()?)))) {
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(error) => return Err(broken(&format!("read its {}", self.name), error)),
            }
            let seen = fds.first().map_or(PollFlags::empty(), PollFd::revents);
            self.look(seen)?;
        }
        Ok(())
    }

    fn read(&mut self) -> Result<usize, Failure> {
        let Some(pipe) = &self.pipe else { return Ok(0) };
        let count = loop {
            // Most answers are short. They are read on the stack, since an allocator like musl's asks the system for
            // every large buffer, which costs as much as a quarter of a small child's run time.
            let read = if self.bytes.len() < SHORT {
                let mut short = [0; SHORT];
                read(pipe, &mut short)
                    .inspect(|count| self.bytes.extend_from_slice(short.get(..*count).unwrap_or_default()))
            } else {
                self.bytes.reserve(LONG);
                read(pipe, spare_capacity(&mut self.bytes))
            };
            match read {
                Err(Errno::INTR) => {}
                other => break other.map_err(|error| broken(&format!("read its {}", self.name), error))?,
            }
        };
        if count == 0 {
            self.pipe = None;
        }
        if self.bytes.len() > LIMIT {
            return Err(Failure::TooMuchOutput { stream: self.name, limit: LIMIT });
        }
        Ok(count)
    }
}
