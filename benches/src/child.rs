//! Runs one child process from start to end, as a host runs a hook: bytes into stdin, stdout read until it
//! closes.

use crate::Result;
use std::{
    ffi::OsString,
    io::{ErrorKind, Read, Write},
    mem::MaybeUninit,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A program with its arguments, and the directory in which it runs, which is usually its home as well.
///
/// Its environment is `PATH` and `HOME` only: cargo's own is long, and its `LD_LIBRARY_PATH` would slow
/// down every dynamically linked row. The figures must not depend on the configuration of the user who
/// measures.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) directory: PathBuf,
    pub(crate) home: PathBuf,
}

/// The measurements of a finished child.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    /// The time from just before the start until the parent has waited for it.
    pub(crate) elapsed: Duration,
    /// The processor time, including time in the kernel.
    pub(crate) cpu: Duration,
    /// The peak memory in bytes. It is never less than ours, which the child has until its `exec`.
    pub(crate) peak: u64,
    /// The raw wait status: 0 for success.
    pub(crate) status: i32,
    pub(crate) stdout: Vec<u8>,
}

impl Program {
    pub(crate) fn new(path: &Path, arguments: &[&str], directory: &Path) -> Self {
        let arguments = arguments.iter().map(OsString::from).collect();
        Self { path: path.to_owned(), arguments, directory: directory.to_owned(), home: directory.to_owned() }
    }

    /// Returns the command. std starts it with `posix_spawn`, because nothing here needs code between fork
    /// and exec.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &self.home);
        command
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    /// Runs the program once with `input` on stdin.
    pub(crate) fn run(&self, input: &[u8]) -> Result<Finished> {
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            format!("cannot {what} `{}`: {error}", self.path.display())
        };
        let mut command = self.command();
        let start = Instant::now();
        let mut child = command.spawn().map_err(|error| failed("start", &error))?;
        if let Some(mut stdin) = child.stdin.take()
            && let Err(error) = stdin.write_all(input)
            && error.kind() != ErrorKind::BrokenPipe
        {
            return Err(failed("write to", &error));
        }
        let mut out = Vec::new();
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_end(&mut out).map_err(|error| failed("read from", &error))?;
        }
        let (status, usage) = wait(child.id()).map_err(|error| failed("wait for", &error))?;
        let elapsed = start.elapsed();
        let cpu = time(usage.ru_utime) + time(usage.ru_stime);
        // Linux counts it in KiB.
        let peak = u64::try_from(usage.ru_maxrss).unwrap_or_default() * 1024;
        Ok(Finished { elapsed, cpu, peak, status, stdout: out })
    }
}

fn time(time: libc::timeval) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or_default());
    seconds + Duration::from_micros(u64::try_from(time.tv_usec).unwrap_or_default())
}

/// Waits for the child and returns its resource usage. Do not wait for `std::process::Child` after this.
#[expect(unsafe_code, reason = "no safe library tells what one single child used")]
fn wait(child: u32) -> std::io::Result<(i32, libc::rusage)> {
    let child = libc::pid_t::try_from(child).map_err(std::io::Error::other)?;
    let mut status = 0;
    let mut usage = MaybeUninit::zeroed();
    loop {
        // SAFETY: both pointers are to our own memory, of the types that the call fills in.
        let found = unsafe { libc::wait4(child, &raw mut status, 0, usage.as_mut_ptr()) };
        if found == child {
            // SAFETY: the call filled it in, and zeros would be valid too.
            return Ok((status, unsafe { usage.assume_init() }));
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
