//! What cannot be caught is still answered: a real fault, a real stack overflow, an abort, an end from outside, a host
//! that never finishes its sentence.

use crate::{Place, bash, shown};
use insta::assert_snapshot;
use std::{
    io::Write,
    process::{Child, Command},
    thread::sleep,
    time::{Duration, Instant},
};

const ARGUMENTS: &[&str] = &["hook", "--host", "claude", "--event", "PreToolUse"];

/// Waits until the program waits for its event: then everything is prepared.
fn started(place: &Place, arguments: &[&str]) -> Child {
    let child = place.command(arguments).spawn().unwrap();
    let syscall = format!("/proc/{}/wchan", child.id());
    let patience = Instant::now() + Duration::from_secs(20);
    while !std::fs::read_to_string(&syscall).unwrap().contains("poll") {
        assert!(Instant::now() < patience, "it never waited for its event");
        sleep(Duration::from_millis(5));
    }
    child
}

fn ended_by(signal: &str, arguments: &[&str]) -> String {
    let place = Place::new();
    let child = started(&place, arguments);
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(sent.success());
    shown(&child.wait_with_output().unwrap(), &place.path(""))
}

#[test]
fn every_deadly_signal_is_a_denial() {
    let fault = ended_by("SEGV", ARGUMENTS);
    assert_snapshot!(fault, @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein was ended before it could answer"}}
    --- stderr
    checkrein was ended before it could answer
    --- exit 2
    "#);
    for signal in ["BUS", "ILL", "FPE", "ABRT", "ALRM", "TERM", "INT", "HUP", "QUIT", "XCPU", "SYS", "USR1"] {
        assert_eq!(ended_by(signal, ARGUMENTS), fault, "{signal}");
    }
}

#[test]
fn the_denial_fits_the_event() {
    assert_snapshot!(ended_by("SEGV", &["hook", "--host", "claude"]), @r#"
    --- stdout
    {"decision":"block","reason":"checkrein was ended before it could answer"}
    --- stderr
    checkrein was ended before it could answer
    --- exit 2
    "#);
    assert_snapshot!(ended_by("SEGV", &["hook", "--host", "checkrein", "--event", "UserPromptSubmit"]), @r#"
    --- stdout
    {"decision":"deny","reason":"checkrein was ended before it could answer"}
    --- stderr
    checkrein was ended before it could answer
    --- exit 2
    "#);
    assert_snapshot!(ended_by("SEGV", &["hook", "--host", "claude", "--event", "Stop"]), @r#"
    --- stdout
    {"systemMessage":"checkrein: checkrein was ended before it could answer"}
    --- exit 0
    "#);
}

/// The program with so little stack that its ordinary work overflows it.
#[test]
fn a_real_stack_overflow_is_a_denial() {
    let nested = format!("{}{}", "[".repeat(120), "]".repeat(120));
    let event =
        format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"a":{nested}}}}}"#);
    let mut overflows = 0;
    // How much is too little depends on the build: go down until even the start fails.
    for kilobytes in (16..=128).rev().step_by(4) {
        let script = format!("ulimit -s {kilobytes} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, crate::PROGRAM]).args(ARGUMENTS).env_clear();
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        command.stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(event.as_bytes());
        let output = child.wait_with_output().unwrap();
        match output.status.code() {
            Some(0) => assert_eq!(output.stdout, b"{}\n"),
            Some(2) => {
                let answer = String::from_utf8_lossy(&output.stdout);
                assert!(
                    answer.contains(r#""permissionDecision":"deny""#) && answer.contains("was ended"),
                    "{answer}"
                );
                overflows += 1;
            }
            // Too little for the kernel or the loader to start it at all: nothing of ours has run.
            Some(_) | None => {
                assert!(output.stdout.is_empty());
                break;
            }
        }
    }
    assert!(overflows > 0, "the stack never overflowed");
}

#[test]
fn a_host_that_never_ends_its_event_is_answered() {
    let place = Place::new();
    let mut child = started(&place, ARGUMENTS);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&bash("ls").as_bytes()[..30]).unwrap();
    // The pipe stays open.
    assert_snapshot!(shown(&child.wait_with_output().unwrap(), &place.path("")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the event on stdin did not end within 5 s"}}
    --- stderr
    checkrein: the event on stdin did not end within 5 s
    --- exit 2
    "#);
    drop(stdin);
}
