//! The program as an agent and a user see it: whole output, exit code, nothing mocked.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "tests"
)]

mod allow;
mod bad_configuration;
mod bad_input;
mod browser;
mod built_in;
mod callables;
#[path = "../../../hosts/tests/calls/mod.rs"]
mod calls;
mod check;
mod commands;
mod container;
mod copies;
mod coverage;
mod crash;
mod demo;
mod detached;
mod docs;
mod doctor;
mod doctor_live;
mod doors;
mod events;
#[cfg(feature = "example-host")]
mod example_host;
mod explain;
mod faults;
mod generated;
mod greeting;
mod handles;
mod import;
mod init;
mod layers;
mod leaks;
mod learn;
mod lines;
mod machine;
mod managed;
mod mcp_proxy;
mod monitor;
mod neighbours;
mod notify;
mod observers;
mod outputs;
mod policy_tests;
mod protection;
mod replay;
mod rewrites;
mod rules;
mod scan;
mod screens;
mod secrets;
mod semantics;
mod tags;
mod terminals;
mod tools;
mod trail;
mod undo;
mod undo_git;
mod undo_hard;
mod upgrade;
mod words;
mod written_for;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_checkrein");

/// A directory with a configuration, in which the program runs with a minimal environment.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// Creates one where `init` accepts programs: not in a temporary directory, and not in a project.
    fn lasting() -> Self {
        let home =
            std::env::var("HOME").expect("this test needs a home directory that is not a temporary one");
        let directory = tempfile::Builder::new().prefix(".checkrein-test-").tempdir_in(home).unwrap();
        Self { directory }
    }

    /// Creates one with `config` as its `hooks.toml`.
    fn with(config: &str) -> Self {
        let place = Self::new();
        fs::write(place.path("hooks.toml"), config).unwrap();
        place
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.directory.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(self.directory.path()).env_clear().env("PATH", "/usr/bin:/bin");
        command.env("HOME", self.directory.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn output(&self, arguments: &[&str], stdin: &[u8]) -> Output {
        ended_with(self.command(arguments).spawn().unwrap(), stdin)
    }

    /// Returns stdout, stderr and the exit code in one string, without the directory's name and without
    /// times.
    fn run(&self, arguments: &[&str], stdin: impl AsRef<[u8]>) -> String {
        shown(&self.output(arguments, stdin.as_ref()), self.directory.path())
    }

    /// Returns the answer to an event in Claude Code's dialect, under `hooks.toml`.
    fn claude(&self, event: &str) -> String {
        self.run(&["hook", "--host", "claude", "--config", "hooks.toml"], event)
    }
}

/// Writes `stdin` to `child`, and waits for its end.
fn ended_with(mut child: Child, stdin: &[u8]) -> Output {
    // It may answer without reading everything.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    ended(child)
}

/// Waits for the end of `child`: a program that hangs fails the test, and does not stop the suite.
fn ended(child: Child) -> Output {
    let id = child.id().to_string();
    let (done, waiting) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        let hangs = waiting.recv_timeout(Duration::from_secs(60)) == Err(mpsc::RecvTimeoutError::Timeout);
        if hangs {
            Command::new("kill").args(["-KILL", &id]).status().unwrap();
        }
        hangs
    });
    let output = child.wait_with_output().unwrap();
    drop(done);
    assert!(!watch.join().unwrap(), "the program hangs");
    output
}

/// Removes the sentences that name the record of an event, which differs in every run. `trail.rs` tests them.
fn without_ids(text: &str) -> String {
    let mut text = text.to_owned();
    for (start, end) in [
        ("\\nThe user can look it up: `checkrein why ", "`."),
        ("\nThe user can look it up: `checkrein why ", "`."),
        (" · Details: checkrein why ", ""),
        (" Details: checkrein why ", ""),
        ("\"id\":\"", "\","),
    ] {
        let mut from = 0;
        while let Some(at) = text[from..].find(start).map(|at| at + from) {
            let id = at + start.len();
            let is_id = |id: &str| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
            if text.get(id..id + 12).is_some_and(is_id) && text[id + 12..].starts_with(end) {
                text.replace_range(at..id + 12 + end.len(), "");
            } else {
                from = id;
            }
        }
    }
    text
}

fn shown(output: &Output, directory: &Path) -> String {
    let mut text = String::new();
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let said = String::from_utf8_lossy(bytes).replace(directory.to_str().unwrap(), "[directory]");
        let said = without_ids(&without_agents(&said));
        if !said.is_empty() {
            text += &format!("--- {name}\n{said}");
        }
    }
    text += &match output.status.code() {
        Some(code) => format!("--- exit {code}\n"),
        None => format!("--- {}\n", output.status),
    };
    text
}

/// Replaces a list of words, wherever its lines are broken, and the break after it.
fn without_list(text: &str, list: &str) -> String {
    let words: Vec<&str> = list.split(' ').collect();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(words[0]) {
        let (before, from) = rest.split_at(at);
        plain += before;
        let end = words.iter().try_fold(from, |left, word| left.trim_start().strip_prefix(word));
        match end {
            Some(left) => {
                plain += "[agents]";
                rest = left;
            }
            None => {
                plain += words[0];
                rest = &from[words[0].len()..];
            }
        }
    }
    plain + rest
}

/// Removes the list of supported agents, which grows with each.
fn without_agents(text: &str) -> String {
    use checkrein_hosts::install::recipes;
    let names = || recipes().map(|recipe| recipe.host);
    let joined = |by: &str| names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(by);
    // Agents that are not proved cannot be started.
    let proved =
        recipes().filter(|recipe| recipe.measured.is_some()).map(|recipe| format!("`{}`", recipe.program));
    let proved = proved.collect::<Vec<_>>().join(", ");
    let programs = recipes().map(|recipe| format!("`{}`", recipe.program)).collect::<Vec<_>>().join(" and ");
    let lists = [checkrein_hosts::choice(names()), joined(", "), programs, proved];
    let plain = lists.iter().fold(text.to_owned(), |text, list| without_list(&text, list));
    // Of some agents no hooks can be imported.
    let imported: Vec<String> = checkrein::import::Origin::all()
        .map(|origin| format!("`{}`", origin.as_str()))
        .take_while(|name| name != "`codex-fork`")
        .collect();
    plain.replace(&imported.join(", "), "[agents]")
}

/// Removes the codes of denials, which depend on the directory.
fn without_code(text: &str) -> String {
    let mut parts = text.split("checkrein allow ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.starts_with("--") {
        true => format!("{text}checkrein allow {part}"),
        false => format!("{text}checkrein allow [code]{}", part.get(9..).unwrap_or_default()),
    })
}

/// Returns a call of `Bash` as Claude Code sends it.
fn bash(command: &str) -> String {
    serde_json::json!({
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": "t",
    })
    .to_string()
}
