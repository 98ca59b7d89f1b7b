//! A fault matrix: whatever is broken around the program, a dangerous call is not silently allowed.
//!
//! Every cell is one run of the program with a dangerous call, or the rest of one, as its event. It holds
//! if a host honours the answer: a denial as JSON, or exit code 2 with the reason on stderr. We do not
//! control what runs before `main`: where a limit is so low that the kernel or the dynamic loader cannot
//! start the program, there is no answer. The static program has no loader.

mod files;
mod fixtures;
mod hosts;
mod limits;
mod matrix;
mod memory;
mod signals;
mod streams;

use crate::{bash, ended};
use fixtures::Fixtures;
use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

/// A dangerous command, as text.
const CANARY: &str = "rm -rf ~";

const CLAUDE: &[&str] = &["hook", "--host", "claude", "--event", "PreToolUse"];
const CODEX: &[&str] = &["hook", "--host", "codex", "--event", "PreToolUse"];

/// Returns a dangerous call in a directory.
fn canary(cwd: &Path) -> Vec<u8> {
    let mut event: serde_json::Value = serde_json::from_str(&bash(CANARY)).unwrap();
    event["cwd"] = cwd.to_string_lossy().into();
    event.to_string().into_bytes()
}

/// Returns true if a host would stop the call.
fn holds(output: &Output) -> bool {
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let denied = said["hookSpecificOutput"]["permissionDecision"] == "deny" || said["decision"] == "block";
    match output.status.code() {
        Some(0) => denied,
        // If only the exit code denies, stderr has the reason.
        Some(2) => denied || String::from_utf8_lossy(&output.stderr).contains("checkrein"),
        _ => false,
    }
}

/// Fails with all details of the cell.
fn assert_holds(output: &Output, cell: impl std::fmt::Display) {
    assert!(
        holds(output),
        "{cell}: {}\n--- stdout\n{}\n--- stderr\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Runs the program through a line of shell, which changes its environment: `exec "$0" "$@"` is the
/// program.
fn through_shell(line: &str, arguments: &[&str], fixtures: &Fixtures) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", line, crate::PROGRAM]).args(arguments);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", fixtures.path("home/usual"));
    command.current_dir(fixtures.path("project/usual"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(command: &mut Command, event: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    // It may answer without reading everything.
    let _ = child.stdin.take().unwrap().write_all(event);
    ended(child)
}

/// Pseudo-random numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    /// `FAULT_SEED` repeats a run, or tries another one.
    fn new() -> Self {
        Self(std::env::var("FAULT_SEED").map_or(0x2545_f491_4f6c_dd1d, |seed| seed.parse().unwrap()))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}
