//! `init --project`: entries for everyone who works in a project, on machines with and without checkrein.

use crate::machine::Machine;
use serde_json::Value;
use std::process::{Command, Stdio};

fn answer(machine: &Machine, event: &str, path: &str) -> (i32, String, String) {
    registered(machine, "work/.claude/settings.json", event, path)
}

/// Runs the registered command of an event as an agent would, on this `PATH`.
pub(super) fn registered(machine: &Machine, file: &str, event: &str, path: &str) -> (i32, String, String) {
    let settings: Value = serde_json::from_str(&machine.read(file)).unwrap();
    let line = settings["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap().to_owned();
    let mut child = Command::new("/bin/sh")
        .args(["-c", &line])
        .env_clear()
        .env("PATH", path)
        .env("HOME", machine.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let payload = format!(
        "{{\"hook_event_name\":\"{event}\",\"session_id\":\"s\",\"source\":\"startup\",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"rm -rf ~\"}}}}"
    );
    // A command that does not read its input may have ended already.
    let _ = std::io::Write::write_all(child.stdin.as_mut().unwrap(), payload.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_colleague_without_the_program_is_told_once_and_not_blocked() {
    let machine = Machine::with(&[]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    let said = machine.run(&["init", "--yes", "--project", "--agent", "claude"]);
    assert!(said.contains("where it is missing, the user is warned and nothing is checked"), "{said}");
    // A file for everyone has no directory of one user.
    assert!(!machine.read("work/.claude/settings.json").contains(machine.path("").to_str().unwrap()));
    assert_eq!(answer(&machine, "PreToolUse", "/usr/bin:/bin"), (0, "{}".to_owned(), String::new()));
    let (code, stdout, _) = answer(&machine, "SessionStart", "/usr/bin:/bin");
    let told: Value = serde_json::from_str(&stdout).unwrap();
    let told = told["systemMessage"].as_str().unwrap();
    assert!(code == 0 && told.contains("not installed") && told.contains("cargo install"), "{told}");
    // With the program on the PATH it judges.
    let path = format!("{}:/usr/bin:/bin", machine.path("bin").display());
    let (_, stdout, _) = answer(&machine, "PreToolUse", &path);
    assert!(stdout.contains("\"permissionDecision\":\"deny\""), "{stdout}");
    // A second run finds its own entries, and `uninstall` removes them.
    let again = machine.run(&["init", "--yes", "--project", "--agent", "claude"]);
    assert!(again.contains("Claude Code is already set up"), "{again}");
    machine.uninstall("--project --agent claude");
    assert!(!machine.path("work/.claude").exists());
}

#[test]
fn a_required_program_that_is_missing_blocks_tool_calls_and_says_so() {
    let machine = Machine::with(&[]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    let said = machine.run(&["init", "--yes", "--project", "--require", "--agent", "claude"]);
    assert!(said.contains("where it is missing, tool calls are blocked"), "{said}");
    let (code, _, stderr) = answer(&machine, "PreToolUse", "/usr/bin:/bin");
    assert!(code == 2 && stderr.contains("requires Checkrein. Install it: "), "{code} {stderr}");
    // A prompt goes through, so that the user can ask what is wrong.
    assert_eq!(answer(&machine, "UserPromptSubmit", "/usr/bin:/bin").0, 0);
    assert_eq!(machine.output(&["init", "--yes", "--require"]).status.code(), Some(3));
}

#[test]
fn doctor_knows_the_entries_of_a_project() {
    let machine = Machine::with(&[".claude"]);
    machine.agent("claude", "2.1.325 (Claude Code)");
    assert!(machine.output(&["init", "--yes", "--project", "--agent", "claude"]).status.success());
    let said = machine.run(&["doctor", "--agent", "claude"]);
    assert!(said.contains("Claude Code: set up") && !said.contains("program-relative"), "{said}");
    machine.init();
    let said = machine.run(&["doctor", "--agent", "claude"]);
    assert!(said.contains("note: checkrein is registered more than once"), "{said}");
}
