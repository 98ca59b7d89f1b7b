//! A configuration with real commands: where they run, and with which variables.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein::{Config, Environment, Event, Map, Outcome, Payload, Setup, ToolCall};
use std::{
    ffi::OsString,
    fs,
    path::Path,
    time::{Duration, Instant},
};
use tempfile::TempDir;

fn environment() -> Environment {
    let path = std::env::var_os("PATH").unwrap();
    let variable = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
    Environment::new([
        (OsString::from("PATH"), path),
        variable("ANTHROPIC_API_KEY", "s3cret"),
        variable("TOKEN", "named"),
    ])
}

/// Runs the hooks of `text`, which is in `directory`, on a call in the session's directory `cwd`.
fn run(text: &str, directory: &Path, cwd: &Path) -> Outcome {
    let path = directory.join("hooks.conf");
    fs::write(&path, text).unwrap();
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", Map::new()) });
    payload.session.cwd = Some(cwd.to_str().unwrap().to_owned());
    Config::load(&path).unwrap().dispatcher(&Setup::new(environment())).dispatch(payload)
}

/// Returns the reason of the first hook.
fn said(outcome: &Outcome) -> &str {
    outcome.trail[0].reason.as_deref().unwrap()
}

fn directories() -> (TempDir, TempDir) {
    (TempDir::new().unwrap(), TempDir::new().unwrap())
}

#[test]
fn the_working_directory() {
    let (directory, cwd) = directories();
    let (directory, cwd) = (directory.path().canonicalize().unwrap(), cwd.path().canonicalize().unwrap());
    let toml =
        |line: &str| format!("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"pwd -P >&2; exit 2\"\n{line}\n");
    let json = r#"[{"event": "PreToolUse", "command": "pwd -P >&2; exit 2"}]"#;
    for (text, expected) in [
        (toml(""), &cwd),
        (toml("cwd = \"session\""), &cwd),
        (toml("cwd = \"config\""), &directory),
        (json.to_owned(), &directory),
    ] {
        assert_eq!(said(&run(&text, &directory, &cwd)), expected.to_str().unwrap(), "{text}");
    }
}

#[test]
fn a_program_next_to_the_configuration() {
    let (directory, cwd) = directories();
    // A link, not a script that is written here: while a file is open for writing, also in a child that another test
    // starts at this moment, it cannot be run.
    std::os::unix::fs::symlink("/bin/sh", directory.path().join("beside")).unwrap();
    let text = "[[hook]]\nevent = \"PreToolUse\"\n\
                command = [\"./beside\", \"-c\", \"echo found >&2; exit 2\"]\n";
    assert_eq!(said(&run(text, directory.path(), cwd.path())), "found");
}

#[test]
fn the_environment() {
    let (directory, cwd) = directories();
    let hook = |line: &str| {
        let command = "echo key=$ANTHROPIC_API_KEY token=$TOKEN event=$HOOK_EVENT >&2; exit 2";
        format!("[[hook]]\nevent = \"PreToolUse\"\ncommand = \"{command}\"\n{line}\n")
    };
    let plain = run(&hook(""), directory.path(), cwd.path());
    assert_eq!(said(&plain), "key= token= event=PreToolUse");
    let named = run(&hook("env = [\"TOKEN\"]"), directory.path(), cwd.path());
    assert_eq!(said(&named), "key= token=named event=PreToolUse");
}

#[test]
fn an_observer_watches() {
    let (directory, cwd) = directories();
    let text = "[[hook]]\nevent = \"PreToolUse\"\nrole = \"observe\"\ncwd = \"config\"\n\
                command = \"cat > seen.part && mv seen.part seen\"\n";
    let outcome = run(text, directory.path(), cwd.path());
    assert_eq!(outcome.trail[0].failure, None);
    let seen = directory.path().join("seen");
    let start = Instant::now();
    while !seen.exists() && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(fs::read_to_string(seen).unwrap().contains("\"decision\""));
}

#[test]
fn a_python_function() {
    let (directory, cwd) = directories();
    let module = "import os\ncount = 0\n\ndef check(payload):\n    global count\n    count += 1\n    \
                  return {'decision': 'ask', 'reason': f\"{payload['tool_name']} {count} {os.getcwd()}\"}\n";
    fs::write(directory.path().join("guards.py"), module).unwrap();
    let toml = "[[hook]]\nevent = \"PreToolUse\"\ncallable = \"guards:check\"\n\
                [[hook]]\nevent = \"PreToolUse\"\nname = \"second\"\ncallable = \"guards:check\"\n";
    let here = cwd.path().canonicalize().unwrap();
    let outcome = run(toml, directory.path(), &here);
    let reasons: Vec<String> =
        outcome.reasons().iter().map(|said| format!("{}: {}", said.hook, said.text)).collect();
    // Both are called by the same interpreter.
    let here = here.display();
    assert_eq!(reasons, [format!("guards:check: Bash 1 {here}"), format!("second: Bash 2 {here}")]);
    let json = r#"[{"event": "PreToolUse", "callable": "guards:check"}]"#;
    let there = directory.path().canonicalize().unwrap();
    assert_eq!(said(&run(json, directory.path(), cwd.path())), format!("Bash 1 {}", there.display()));
}

#[test]
fn the_interpreter_that_the_file_names() {
    let (directory, cwd) = directories();
    let text =
        "python = \".venv/bin/python\"\n[[hook]]\nevent = \"PreToolUse\"\ncallable = \"guards:check\"\n";
    let outcome = run(text, directory.path(), cwd.path());
    let python = directory.path().join(".venv/bin/python");
    let expected = format!("the hook failed: cannot start: `{}` does not exist", python.display());
    assert_eq!(said(&outcome), expected);
}
