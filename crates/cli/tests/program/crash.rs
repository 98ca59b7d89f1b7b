//! Crashes are still answered: a real fault in C code, a real stack overflow, an abort, a signal from
//! outside, a host that never finishes its event.

use crate::{Place, bash, ended, shown};
use insta::assert_snapshot;
use std::{
    io::Write,
    process::{Child, Command},
    thread::sleep,
    time::{Duration, Instant},
};

const ARGUMENTS: &[&str] = &["hook", "--host", "claude", "--event", "PreToolUse"];

/// Waits until everything is prepared: signals without a handler are blocked, which is the last step.
pub(crate) fn prepared(child: &Child) {
    let patience = Instant::now() + Duration::from_secs(20);
    let last = 1_u64 << (64 - 1); // SIGRTMAX
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let held = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap().trim();
        if u64::from_str_radix(held, 16).unwrap() & last != 0 {
            return;
        }
        assert!(Instant::now() < patience, "it never prepared its last words");
        sleep(Duration::from_millis(5));
    }
}

fn started(place: &Place, arguments: &[&str]) -> Child {
    let child = place.command(arguments).spawn().unwrap();
    prepared(&child);
    child
}

fn ended_by(signal: &str, arguments: &[&str]) -> String {
    let place = Place::new();
    let child = started(&place, arguments);
    let sent = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(sent.success());
    shown(&ended(child), &place.path(""))
}

#[test]
fn every_deadly_signal_is_a_denial() {
    let fault = ended_by("SEGV", ARGUMENTS);
    assert_snapshot!(fault, @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein was terminated before it could answer"}}
    --- stderr
    checkrein was terminated before it could answer
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
    {"decision":"block","reason":"checkrein was terminated before it could answer"}
    --- stderr
    checkrein was terminated before it could answer
    --- exit 2
    "#);
    assert_snapshot!(ended_by("SEGV", &["hook", "--host", "checkrein", "--event", "UserPromptSubmit"]), @r#"
    --- stdout
    {"decision":"deny","reason":"checkrein was terminated before it could answer"}
    --- stderr
    checkrein was terminated before it could answer
    --- exit 2
    "#);
    assert_snapshot!(ended_by("SEGV", &["hook", "--host", "claude", "--event", "Stop"]), @r#"
    --- stdout
    {"systemMessage":"checkrein: checkrein was terminated before it could answer"}
    --- exit 0
    "#);
}

/// Runs the program with so little stack that its ordinary work overflows it.
#[test]
fn a_real_stack_overflow_is_a_denial() {
    let nested = format!("{}{}", "[".repeat(120), "]".repeat(120));
    let event =
        format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"a":{nested}}}}}"#);
    let mut overflows = 0;
    // The right limit depends on the build: decrease it until even the start fails.
    for kilobytes in (16..=128).rev().step_by(4) {
        let script = format!("ulimit -s {kilobytes} && exec \"$0\" \"$@\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, crate::PROGRAM]).args(ARGUMENTS).env_clear();
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        command.stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(event.as_bytes());
        let output = ended(child);
        match output.status.code() {
            Some(0) => assert_eq!(output.stdout, b"{}\n"),
            Some(2) => {
                let answer = String::from_utf8_lossy(&output.stdout);
                assert!(
                    answer.contains(r#""permissionDecision":"deny""#) && answer.contains("was terminated"),
                    "{answer}"
                );
                overflows += 1;
            }
            // Too little for the kernel or the loader to start it at all: none of our code has run.
            Some(_) | None => {
                assert!(output.stdout.is_empty());
                break;
            }
        }
    }
    assert!(overflows > 0, "the stack never overflowed");
}

/// Runs the program with a C library built from `code`, and returns the answer to an event.
fn with_c(code: &str) -> String {
    with_c_and(code, bash("ls").as_bytes())
}

/// Runs the program with a C library built from `code` and these bytes on stdin, which closes with the
/// program.
fn with_c_and(code: &str, event: &[u8]) -> String {
    let place = Place::new();
    std::fs::write(place.path("bad.c"), code).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o", "bad.so", "bad.c"]).current_dir(place.path(""));
    assert!(compiler.status().unwrap().success(), "the compiler that links Rust programs makes this one");
    let mut child = place.command(ARGUMENTS).env("LD_PRELOAD", place.path("bad.so")).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have exited already.
    let _ = stdin.write_all(event);
    let shown = shown(&ended(child), &place.path(""));
    drop(stdin);
    shown
}

#[test]
fn a_real_fault_in_c_code_is_a_denial() {
    // Called when everything is prepared.
    assert_snapshot!(with_c("unsigned alarm(unsigned s) { return *(volatile unsigned *)0 = s; }"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein was terminated before it could answer"}}
    --- stderr
    checkrein was terminated before it could answer
    --- exit 2
    "#);
    assert_snapshot!(with_c("#include <stdlib.h>\nunsigned alarm(unsigned s) { abort(); }"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein was terminated before it could answer"}}
    --- stderr
    checkrein was terminated before it could answer
    --- exit 2
    "#);
}

#[test]
fn a_panic_is_a_denial() {
    // An unreadable clock is one of the few things that make the standard library panic. Waiting reads it.
    let clock = "#include <time.h>\nint clock_gettime(clockid_t c, struct timespec *t) { return -1; }";
    let answer = with_c_and(clock, b"");
    assert!(answer.contains("panicked at"), "{answer}");
    let stdout = answer.split("--- stderr").next().unwrap();
    assert_snapshot!(stdout, @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein panicked"}}
    "#);
    assert!(answer.ends_with("--- exit 2\n"), "{answer}");
}

#[test]
fn a_terminated_program_kills_its_hook() {
    let place = Place::with(
        "[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncwd = \"config\"\ncommand = \"echo $$ > pid.part; mv pid.part pid; sleep 600\"\n",
    );
    let mut child = place.command(&["hook", "--host", "claude", "--config", "hooks.toml"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(bash("ls").as_bytes()).unwrap();
    let patience = Instant::now() + Duration::from_secs(20);
    let pid = loop {
        assert!(Instant::now() < patience, "the hook never started");
        match std::fs::read_to_string(place.path("pid")) {
            Ok(pid) => break pid,
            Err(_) => sleep(Duration::from_millis(5)),
        }
    };
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    let answer = shown(&ended(child), &place.path(""));
    assert!(
        answer.contains(r#""permissionDecision":"deny""#) && answer.ends_with("--- exit 2\n"),
        "{answer}"
    );
    let hook = format!("/proc/{}", pid.trim());
    while std::path::Path::new(&hook).exists() {
        assert!(Instant::now() < patience, "the hook is still there");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn signals_that_a_host_has_blocked_still_deny() {
    let place = Place::new();
    // A parent that blocks signals. A shell cannot do that, but `env` can.
    let mut command = Command::new("env");
    command.args(["--block-signal=SEGV,TERM,ALRM", "--ignore-signal=CHLD", crate::PROGRAM]).args(ARGUMENTS);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    prepared(&child);
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    drop(child.stdin.take());
    assert!(shown(&ended(child), &place.path("")).ends_with("--- exit 2\n"));
}

#[test]
fn a_host_that_never_finishes_its_event_gets_an_answer() {
    let place = Place::new();
    let mut child = started(&place, ARGUMENTS);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(&bash("ls").as_bytes()[..30]).unwrap();
    // The pipe stays open.
    assert_snapshot!(shown(&ended(child), &place.path("")), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the event on stdin did not end within 5 s"}}
    --- stderr
    checkrein: the event on stdin did not end within 5 s
    --- exit 2
    "#);
    drop(stdin);
}
