//! Tools other than a shell, through the program as a host runs it: the same rules apply to each of them.

use crate::Place;
use serde_json::{Value, json};

/// Returns Claude Code's decision and reason for a call; `allow` means no answer.
fn decided(place: &Place, tool: &str, input: &Value) -> (String, String) {
    decided_by("claude", place, tool, input)
}

/// Returns another host's decision and reason for a call.
fn decided_by(host: &str, place: &Place, tool: &str, input: &Value) -> (String, String) {
    let event = json!({
        "session_id": "s",
        "hook_event_name": "PreToolUse",
        "cwd": place.directory.path(),
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "t",
    });
    let output = place.output(&["hook", "--host", host], event.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(0), "{tool} {input}");
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let said = |key: &str| answer["hookSpecificOutput"][key].as_str().unwrap_or_default().to_owned();
    (said("permissionDecision"), said("permissionDecisionReason"))
}

#[test]
fn one_rule_holds_for_every_tool() {
    let place = Place::new();
    let home = place.directory.path().to_str().unwrap();
    let patch = "*** Begin Patch\n*** Update File: .bashrc\n+alias l=ls\n*** End Patch\n";
    for (tool, input, decision, rule) in [
        ("Read", json!({"file_path": format!("{home}/.env")}), "ask", "secrets.read-secret"),
        ("mcp__filesystem__read_file", json!({"path": format!("{home}/.env")}), "ask", "secrets.read-secret"),
        ("WebFetch", json!({"url": format!("file://{home}/.env")}), "ask", "secrets.read-secret"),
        ("PowerShell", json!({"command": "Get-Content .env"}), "ask", "secrets.read-secret"),
        (
            "Write",
            json!({"file_path": format!("{home}/.bashrc"), "content": "x"}),
            "deny",
            "system.profile-lost",
        ),
        ("Edit", json!({"file_path": format!("{home}/.bashrc"), "new_string": "x"}), "ask", "system.profile"),
        ("apply_patch", json!({"input": patch}), "ask", "system.profile"),
        (
            "MultiEdit",
            json!({"file_path": format!("{home}/.git/hooks/pre-push"), "edits": [{"new_string": "x"}]}),
            "ask",
            "system.git-hooks",
        ),
        (
            "Write",
            json!({"file_path": format!("{home}/.claude/settings.json"), "content": "{}"}),
            // The file is new, so no hook goes; `protection.rs` has the denial where ours would.
            "ask",
            "protection.hooks-changed",
        ),
        ("Write", json!({"file_path": "clean.sh", "content": "rm -rf ~\n"}), "ask", "call.script"),
        (
            "NotebookEdit",
            json!({"notebook_path": "a.ipynb", "new_source": "import shutil\nshutil.rmtree('/etc')"}),
            "ask",
            "call.script",
        ),
        ("mcp__shell__run_command", json!({"command": "rm -rf ~"}), "deny", "filesystem.delete-machine"),
        ("mcp__postgres__query", json!({"sql": "DROP TABLE orders"}), "ask", "databases.destroy"),
        ("mcp__github__delete_repository", json!({"repo": "shop"}), "deny", "resources.destroy-whole"),
        ("mcp__github__delete_issue", json!({"issue": 7}), "ask", "hosting.destroy"),
    ] {
        let (decided, reason) = decided(&place, tool, &input);
        assert_eq!(decided, decision, "{tool} {input}: {reason}");
        assert!(reason.contains(rule), "{tool} {input}: {reason}");
    }
}

#[test]
fn ordinary_calls_are_not_affected() {
    let place = Place::new();
    for (tool, input) in [
        ("Read", json!({"file_path": "src/main.rs"})),
        (
            "Write",
            json!({"file_path": "build.sh", "content": "#!/bin/sh\nset -e\nrm -rf dist\nnpm run build\n"}),
        ),
        ("Write", json!({"file_path": "notes.md", "content": "Never run `rm -rf ~`."})),
        ("NotebookEdit", json!({"notebook_path": "a.ipynb", "new_source": "print(1)"})),
        ("WebFetch", json!({"url": "https://example.com", "prompt": "sum it up"})),
        ("mcp__filesystem__list_directory", json!({"path": "."})),
        ("mcp__postgres__query", json!({"sql": "SELECT 1"})),
        ("mcp__github__list_issues", json!({"repo": "shop"})),
        ("mcp__playwright__browser_navigate", json!({"url": "http://localhost:3000"})),
    ] {
        assert_eq!(decided(&place, tool, &input).0, "", "{tool} {input}");
    }
}

/// Claude Code's `Monitor` runs a command as `Bash` does.
#[test]
fn a_monitor_is_a_shell() {
    let input = |command: &str| json!({"command": command, "description": "x", "timeout_ms": 1});
    for command in ["rm -rf ~", "tail -f log | grep x; rm -rf /etc", "bash -c 'rm -rf ~'"] {
        let (decision, reason) = decided(&Place::new(), "Monitor", &input(command));
        assert_eq!(decision, "deny", "{command}: {reason}");
        assert!(reason.contains("[filesystem.delete-machine]"), "{command}: {reason}");
    }
    for command in ["tail -f app.log | grep --line-buffered ERROR", "while true; do date; sleep 60; done"] {
        assert_eq!(decided(&Place::new(), "Monitor", &input(command)).0, "", "{command}");
    }
}

/// Codex sends no event for input that it types into an open shell; Claude Code does not type at all.
#[test]
fn an_interactive_shell_is_denied_where_typing_is_not_seen() {
    for command in ["bash", "python3", "psql shop", "ssh build-host", "sudo -i", "cat | sh", "cat > run.sh"] {
        let input = json!({"command": command});
        let (decision, reason) = decided_by("codex", &Place::new(), "Bash", &input);
        assert_eq!(decision, "deny", "{command}: {reason}");
        assert!(reason.contains("typed into it later cannot be checked"), "{command}: {reason}");
        assert!(reason.contains("write the command out"), "{command}: {reason}");
        assert_ne!(decided(&Place::new(), "Bash", &input).0, "deny", "{command}");
    }
    for command in ["bash build.sh", "python3 app.py", "psql -c 'select 1' shop", "ssh build-host uptime"] {
        assert_eq!(
            decided_by("codex", &Place::new(), "Bash", &json!({"command": command})).0,
            "",
            "{command}"
        );
    }
}
