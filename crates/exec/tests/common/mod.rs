//! Helpers for the tests with real processes.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use checkrein_core::{Deadline, Event, EventName, Failure, Hook, Map, Payload, ToolCall, Verdict};
use checkrein_exec::{CommandHook, Program};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The time that "at once" may take on a loaded machine.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// A limit that no test reaches unless something hangs.
pub(crate) const LONG: Duration = Duration::from_secs(120);

/// A limit for children that are meant to reach it.
pub(crate) const SHORT: Duration = Duration::from_millis(400);

pub(crate) fn environment() -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())]
}

/// A call whose input holds `size` letters.
pub(crate) fn payload(size: usize) -> Payload {
    let mut input = Map::new();
    input.insert("content".into(), "x".repeat(size).into());
    Payload::new(Event::PreToolUse { call: ToolCall::new("Write", input) })
}

pub(crate) fn payload_in(directory: &Path) -> Payload {
    let mut payload = payload(0);
    payload.session.cwd = Some(directory.to_str().unwrap().into());
    payload
}

pub(crate) fn event(name: EventName) -> Payload {
    Payload::new(Event::Other(name))
}

/// A hook that was called, and its group.
pub(crate) struct Asked {
    pub(crate) answer: Result<Verdict, Failure>,
    pub(crate) elapsed: Duration,
    pub(crate) directory: TempDir,
    pub(crate) group: Option<i32>,
}

/// Calls `sh -c script`, which runs in a new directory and writes the id of its group there.
pub(crate) fn ask(script: &str, payload: Payload, limit: Duration) -> Asked {
    let directory = TempDir::new().unwrap();
    let program = Program::Shell(format!("echo $$ > group\n{script}"));
    let mut payload = payload;
    payload.session.cwd = Some(directory.path().to_str().unwrap().into());
    let hook = CommandHook::new(program).environment(environment());
    let begun = Instant::now();
    let answer = hook.call(&payload, Deadline::after(limit));
    let elapsed = begun.elapsed();
    let group = number(&directory.path().join("group"));
    Asked { answer, elapsed, directory, group }
}

impl Asked {
    /// Asserts that the answer came without waiting for the limit.
    #[track_caller]
    pub(crate) fn soon(self) -> Self {
        assert!(self.elapsed < SOON, "{:?}", self.elapsed);
        self
    }

    /// Asserts that no process of the group is left.
    #[track_caller]
    pub(crate) fn buried(self) -> Self {
        let group = self.group.expect("the child left its number");
        assert!(eventually(|| alive(group).is_empty()), "{:?} survived", alive(group));
        self
    }
}

/// Reads a number that a child wrote into a file.
pub(crate) fn number(file: &Path) -> Option<i32> {
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

/// The fields of `/proc/*/stat` that we look at.
pub(crate) struct Process {
    pub(crate) id: i32,
    pub(crate) state: String,
    pub(crate) parent: i32,
    pub(crate) group: i32,
    pub(crate) session: i32,
}

pub(crate) fn process(directory: &Path) -> Option<Process> {
    let stat = fs::read_to_string(directory.join("stat")).ok()?;
    let (head, tail) = stat.rsplit_once(')')?;
    let mut fields = tail.split_whitespace();
    Some(Process {
        id: head.split_whitespace().next()?.parse().ok()?,
        state: fields.next()?.to_owned(),
        parent: fields.next()?.parse().ok()?,
        group: fields.next()?.parse().ok()?,
        session: fields.next()?.parse().ok()?,
    })
}

/// Returns the processes of a group that are alive. (A zombie waits for its parent, which may not be ours.)
pub(crate) fn alive(group: i32) -> Vec<i32> {
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| process(&entry.ok()?.path()))
        .filter(|process| process.group == group && process.state != "Z" && process.state != "X")
        .map(|process| process.id)
        .collect()
}

pub(crate) fn kill_group(group: i32) {
    let group = rustix::process::Pid::from_raw(group).unwrap();
    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
}

/// Returns true if `condition` holds soon.
pub(crate) fn eventually(condition: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < SOON {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

/// Waits for a file to be moved into place.
#[track_caller]
pub(crate) fn wait_for(file: &Path) -> String {
    assert!(eventually(|| file.exists()), "{} never came", file.display());
    fs::read_to_string(file).unwrap()
}

/// A program that is not written but linked: a file that is still open for writing in another test's child cannot be
/// started.
pub(crate) fn link(original: &str, directory: &Path, name: &str) -> PathBuf {
    let link = directory.join(name);
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(original, &link).unwrap();
    link
}
