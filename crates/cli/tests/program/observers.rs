//! Observers: they start after the answer, with the whole payload; the program does not wait for them, and
//! ignores their results.

use crate::{Place, bash};
use insta::assert_snapshot;
use std::{
    fs,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

fn wait_for(path: &Path) -> String {
    let patience = Instant::now() + Duration::from_secs(20);
    loop {
        match fs::read_to_string(path) {
            Ok(text) if text.ends_with('\n') => return text,
            _ => assert!(Instant::now() < patience, "{} never came", path.display()),
        }
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_observer_outlives_the_answer_and_gets_everything() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"judge\"\nrole = \"judge\"\ncommand = \"echo no >&2; exit 2\"\n\n\
         [[hook]]\nevent = \"PreToolUse\"\nname = \"watch\"\nrole = \"observe\"\ncwd = \"config\"\n\
         command = \"sleep 1; cat > seen.json.part; mv seen.json.part seen.json\"\n",
    );
    let command = "x".repeat(200_000);
    let answer = place.claude(&bash(&command));
    assert_snapshot!(answer, @r#"
    --- stdout
    {"systemMessage":"Checkrein: hook `judge` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"judge: no"}}
    --- exit 0
    "#);
    assert!(!place.path("seen.json").exists(), "the answer waited for the observer");
    let seen: serde_json::Value = serde_json::from_str(&wait_for(&place.path("seen.json"))).unwrap();
    assert_eq!(seen["tool_input"]["command"].as_str().unwrap().len(), command.len());
    assert_eq!(seen["decision"], "deny");
}

#[test]
fn an_overdue_observer_is_killed() {
    let place = Place::with(
        "[[hook]]\nevent = \"Stop\"\nname = \"watch\"\nrole = \"observe\"\ncwd = \"config\"\ntimeout = 0.5\n\
         command = \"echo $$ > pid; sleep 60\"\n",
    );
    assert_snapshot!(place.claude(r#"{"hook_event_name":"Stop"}"#), @"
    --- stdout
    {}
    --- exit 0
    ");
    let pid = wait_for(&place.path("pid"));
    let process = format!("/proc/{}", pid.trim());
    let patience = Instant::now() + Duration::from_secs(20);
    while Path::new(&process).exists() {
        assert!(Instant::now() < patience, "the observer is still there");
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_observer_that_cannot_start_changes_nothing() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"watch\"\nrole = \"observe\"\ncommand = [\"./nowhere\"]\n",
    );
    let answer = place.output(&["hook", "--host", "claude", "--config", "hooks.toml"], bash("ls").as_bytes());
    assert_eq!((answer.stdout.as_slice(), answer.status.code()), (&b"{}\n"[..], Some(0)));
}
