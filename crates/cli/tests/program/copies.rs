//! Two copies of the program that a host calls about the same event: an entry of `init` and a plugin, say. Each judges by itself,
//! and nothing happens twice.

use crate::{PROGRAM, Place, ended, ended_with};
use serde_json::{Value, json};
use std::{fs, io::Write, path::PathBuf, process::Stdio};

const DENIED: &str = "git push --force origin main";

fn event(name: &str, call: Option<&str>, command: &str) -> Value {
    let mut event = json!({
        "hook_event_name": name,
        "session_id": "s1",
        "cwd": "/home/dev/shop",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    });
    if let Some(call) = call {
        event["tool_use_id"] = call.into();
    }
    if name == "PostToolUse" {
        event["tool_response"] = json!({"stdout": "", "stderr": ""});
    }
    event
}

/// A home with a second copy of the program.
struct Home {
    place: Place,
    other: PathBuf,
}

impl Home {
    fn new() -> Self {
        let place = Place::new();
        let other = place.path("plugin/bin/checkrein");
        fs::create_dir_all(other.parent().unwrap()).unwrap();
        // In another process: a program that is open for writing cannot be executed.
        assert!(std::process::Command::new("cp").arg(PROGRAM).arg(&other).status().unwrap().success());
        Self { place, other }
    }

    /// Starts the first or the second copy.
    fn start(&self, second: bool, more: &[&str]) -> std::process::Child {
        let arguments = [&["hook", "--host", "claude"], more].concat();
        let mut command = self.place.command(&arguments);
        if second {
            let first = command;
            command = std::process::Command::new(&self.other);
            command.args(&arguments).current_dir(self.place.directory.path()).env_clear();
            command.envs(first.get_envs().filter_map(|(name, value)| Some((name, value?))));
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        command.spawn().unwrap()
    }

    /// The answers of both copies, one after the other.
    fn both(&self, event: &Value) -> [Value; 2] {
        [false, true].map(|second| {
            let output = ended_with(self.start(second, &[]), event.to_string().as_bytes());
            serde_json::from_slice(&output.stdout).unwrap()
        })
    }

    fn log(&self) -> Vec<Value> {
        let output = self.place.output(&["log", "--json"], b"");
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn decision(answer: &Value) -> &Value {
    &answer["hookSpecificOutput"]["permissionDecision"]
}

#[test]
fn both_deny_and_one_record_and_one_message_are_enough() {
    let home = Home::new();
    for (number, call) in [Some("c1"), None].into_iter().enumerate() {
        let answers = home.both(&event("PreToolUse", call, DENIED));
        assert!(answers.iter().all(|answer| decision(answer) == "deny"), "{answers:?}");
        let reason = |answer: &Value| answer["hookSpecificOutput"]["permissionDecisionReason"].clone();
        assert_eq!(reason(&answers[0]), reason(&answers[1]));
        let records = home.log();
        assert_eq!(records.len(), number + 1, "{records:?}");
        let message = answers[0]["systemMessage"].as_str().unwrap();
        assert!(message.contains(records[number]["id"].as_str().unwrap()), "{message}");
        assert_eq!(answers[1].get("systemMessage"), None);
    }
    // Without an objection there is one record as well, and the next call has its own.
    for call in ["c3", "c4"] {
        home.both(&event("PreToolUse", Some(call), "git status"));
        home.both(&event("PostToolUse", Some(call), "git status"));
    }
    assert_eq!(home.log().len(), 6);
    assert!(home.place.output(&["log", "--verify"], b"").status.success());
}

/// A host may start all of its hooks at once.
#[test]
fn copies_at_the_same_time_have_one_record() {
    let home = Home::new();
    for round in 0..8 {
        let event = event("PreToolUse", Some(&format!("c{round}")), DENIED).to_string();
        let mut children = [false, true].map(|second| home.start(second, &[]));
        for child in &mut children {
            child.stdin.take().unwrap().write_all(event.as_bytes()).unwrap();
        }
        let answers: Vec<Value> =
            children.into_iter().map(|child| serde_json::from_slice(&ended(child).stdout).unwrap()).collect();
        assert!(answers.iter().all(|answer| decision(answer) == "deny"), "{answers:?}");
        let messages = answers.iter().filter(|answer| answer.get("systemMessage").is_some());
        assert_eq!(messages.count(), 1, "{answers:?}");
    }
    let calls: Vec<Value> = home.log().into_iter().map(|record| record["call"].clone()).collect();
    assert_eq!(calls.len(), 8, "{calls:?}");
}

/// A copy that denies what the first one lets pass has a record of its own, which its message names.
#[test]
fn a_stricter_answer_has_its_own_record() {
    let home = Home::new();
    let strict = "[[hook]]\nname = \"no\"\nevent = \"PreToolUse\"\nrole = \"judge\"\ncommand = \"exit 2\"\n";
    fs::write(home.place.path("strict.toml"), strict).unwrap();
    let event = event("PreToolUse", Some("c1"), "git status").to_string();
    ended_with(home.start(false, &[]), event.as_bytes());
    let output = ended_with(home.start(true, &["--config", "strict.toml"]), event.as_bytes());
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(decision(&answer), "deny", "{answer}");
    assert!(answer.to_string().contains("`no` blocked this call"), "{answer}");
    let records = home.log();
    let decisions: Vec<&Value> = records.iter().map(|record| &record["decision"]).collect();
    assert_eq!(decisions, ["abstain", "deny"]);
    assert!(
        answer["systemMessage"].as_str().unwrap().contains(records[1]["id"].as_str().unwrap()),
        "{answer}"
    );
    // The first one again, which now answers less than the record says, would be the same event as before.
    let output = ended_with(home.start(false, &[]), event.as_bytes());
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), json!({}));
    assert_eq!(home.log().len(), 2, "{:#?}", home.log());
}

/// A host may call the second copy with what the first one has rewritten.
#[test]
fn a_rewritten_call_is_not_rewritten_again() {
    let home = Home::new();
    let project = home.place.path("project");
    fs::create_dir_all(project.join(".git")).unwrap();
    fs::write(project.join(".env"), "PORT=5432\nDB_PASSWORD=horse\n").unwrap();
    for (call, command) in [("c1", "cat .env"), ("c2", "head -5 .env"), ("c3", "cd . && cat .env | sort; ls")]
    {
        let mut first = event("PreToolUse", Some(call), command);
        first["cwd"] = project.to_str().into();
        let [answer, same] = home.both(&first);
        let rewritten = &answer["hookSpecificOutput"]["updatedInput"];
        assert!(rewritten["command"].as_str().unwrap().contains("checkrein cat .env"), "{answer}");
        // Both see what the host sent: each names its own program, and the host takes one of them.
        assert!(same["hookSpecificOutput"]["updatedInput"].is_object(), "{same}");
        let records = home.log().len();
        let mut second = first.clone();
        second["tool_input"] = rewritten.clone();
        let output = ended_with(home.start(true, &[]), second.to_string().as_bytes());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer, json!({}), "{command}");
        assert_eq!(home.log().len(), records, "{command}");
    }
}

#[test]
fn a_permission_counts_for_both_copies_and_for_one_call() {
    let home = Home::new();
    let denied = home.both(&event("PreToolUse", Some("c1"), DENIED));
    let message = denied[0]["systemMessage"].as_str().unwrap();
    let code = message.split_once("checkrein allow ").unwrap().1.get(..9).unwrap();
    let said = home.place.at_a_terminal("/usr/bin/script", &format!("{PROGRAM} allow {code}"), str::to_owned);
    assert!(said.contains("Allowed once"), "{said}");
    let passed = home.both(&event("PreToolUse", Some("c2"), DENIED));
    assert!(passed.iter().all(|answer| decision(answer).is_null()), "{passed:?}");
    let denied = home.both(&event("PreToolUse", Some("c3"), DENIED));
    assert!(denied.iter().all(|answer| decision(answer) == "deny"), "{denied:?}");
}

#[test]
fn a_file_is_kept_once_for_both_copies() {
    let home = Home::new();
    let project = home.place.path("project");
    fs::create_dir_all(project.join(".git")).unwrap();
    for (number, call) in ["c1", "c2"].into_iter().enumerate() {
        fs::write(project.join("notes.txt"), format!("text {call}\n")).unwrap();
        let mut event = event("PreToolUse", Some(call), "rm notes.txt");
        event["cwd"] = project.to_str().into();
        let answers = home.both(&event);
        assert!(answers.iter().all(|answer| decision(answer).is_null()), "{answers:?}");
        let kept = home.place.output(&["undo", "--list", "--all"], b"");
        let kept = String::from_utf8(kept.stdout).unwrap();
        assert_eq!(kept.lines().count(), number + 1, "{kept}");
    }
}
