use super::*;
use checkrein_core::{Event, ToolCall};
use checkrein_secrets::scan;
use serde_json::{Value, json};
use std::{fs, process::Command};

const LINE: &str = "DB_PASSWORD=kR4vT9xQ2mWz7LpB";

fn repository() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in [("tracked.txt", LINE), ("empty.txt", ""), ("other.txt", LINE), (".env", LINE)] {
        fs::write(directory.path().join(name), text).unwrap();
    }
    for arguments in [&["init", "-q"][..], &["add", "tracked.txt", "empty.txt"]] {
        let status = Command::new("git").args(arguments).current_dir(directory.path()).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }
    directory
}

fn payload(directory: &Path, tool: &str, input: Value) -> Payload {
    let Value::Object(input) = input else { panic!("{input}") };
    let mut payload = Payload::new(Event::PreToolUse { call: ToolCall::new(tool, input) });
    payload.session.cwd = Some(directory.to_str().unwrap().into());
    payload
}

fn is_tracked(payload: &Payload, output: &str) -> bool {
    let findings = scan(output.as_bytes());
    assert_eq!(findings.len(), 1, "{output}");
    Origin::new(payload).is_tracked(output, &findings[0])
}

#[test]
fn what_a_shell_prints_is_tracked_if_nothing_else_can_be_in_it() {
    let directory = repository();
    for (command, expected) in [
        ("cat tracked.txt", true),
        ("cat tracked.txt | grep DB", true),
        ("git diff", true),
        ("git --no-pager show HEAD", true),
        ("cat other.txt", false),
        ("cat tracked.txt other.txt", false),
        ("cat tracked.txt; env", false),
        ("awk 'BEGIN { print ENVIRON[\"X\"] }' tracked.txt", false),
        ("git diff --no-index empty.txt other.txt", false),
        ("git grep --untracked DB", false),
        ("git config --list show", false),
        ("git -c core.pager='cat .env' diff", false),
        ("npm test", false),
    ] {
        let payload = payload(directory.path(), "Bash", json!({ "command": command }));
        assert_eq!(is_tracked(&payload, LINE), expected, "{command}");
    }
}

#[test]
fn a_line_of_a_search_is_tracked_if_the_file_has_it() {
    let directory = repository();
    let payload = payload(directory.path(), "Bash", json!({"command": "npm test"}));
    for (name, expected) in [("tracked.txt", true), ("empty.txt", false), ("other.txt", false)] {
        assert_eq!(is_tracked(&payload, &format!("first\n{name}:1:{LINE}")), expected, "{name}");
    }
}

#[test]
fn a_file_with_secrets_is_known_however_it_is_read() {
    let directory = repository();
    let path = directory.path().join(".env");
    for (tool, input, expected) in [
        ("Read", json!({"file_path": path}), true),
        ("Bash", json!({"command": "cat .env"}), true),
        ("Bash", json!({"command": "head -n 3 < .env"}), true),
        ("Bash", json!({"command": "cat other.txt"}), false),
        ("Read", json!({"file_path": directory.path().join("tracked.txt")}), false),
    ] {
        let payload = payload(directory.path(), tool, input.clone());
        assert_eq!(Origin::new(&payload).secret_file().is_some(), expected, "{tool} {input}");
    }
}
