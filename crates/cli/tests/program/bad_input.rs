//! Whatever comes on stdin: an answer that denies what can be denied, and a clear text on stderr.

use crate::{Place, bash};
use insta::assert_snapshot;

const CLAUDE: &[&str] = &["hook", "--host", "claude"];
const CLAUDE_PRE: &[&str] = &["hook", "--host", "claude", "--event", "PreToolUse"];

fn claude(stdin: impl AsRef<[u8]>) -> String {
    Place::new().run(CLAUDE, stdin)
}

#[test]
fn empty() {
    assert_snapshot!(claude(""), @"");
    assert_snapshot!(Place::new().run(CLAUDE_PRE, " \n"), @"");
}

#[test]
fn truncated() {
    assert_snapshot!(claude(&bash("ls")[..40]), @"");
    assert_snapshot!(Place::new().run(CLAUDE_PRE, &bash("ls")[..40]), @"");
}

#[test]
fn not_utf8() {
    let mut event = bash("ls").into_bytes();
    event[20] = 0xff;
    assert_snapshot!(claude(event), @"");
}

#[test]
fn a_doubled_key() {
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm"}}"#), @"");
}

#[test]
fn wrong_types() {
    for (event, _) in [("[]", ()), ("3", ()), ("null", ())] {
        assert!(claude(event).contains("expected an object"), "{event}");
    }
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":7}"#), @"");
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[]}"#), @"");
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse"}"#), @"");
    assert_snapshot!(claude("{}"), @"");
}

#[test]
fn deeply_nested() {
    let nested = "[".repeat(100_000);
    let event = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"a":{nested}"#);
    assert_snapshot!(claude(event), @"");
}

#[test]
fn huge() {
    let event = bash(&"x".repeat(65 * 1024 * 1024));
    assert_snapshot!(Place::new().run(CLAUDE_PRE, event), @"");
}

#[test]
fn large_but_bounded_is_answered() {
    assert_snapshot!(claude(bash(&"x".repeat(20 * 1024 * 1024))), @"");
}

#[test]
fn an_unknown_event() {
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUs","tool_name":"Bash","tool_input":{}}"#), @"");
    assert_snapshot!(Place::new().run(&["hook", "--host", "claude", "--event", "preToolUse"], bash("ls")), @"");
}

#[test]
fn an_unknown_tool_is_a_tool() {
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":"Frobnicate","tool_input":{}}"#), @"");
}

#[test]
fn another_event_than_the_command_line_says() {
    assert_snapshot!(Place::new().run(CLAUDE_PRE, r#"{"hook_event_name":"Stop"}"#), @"");
}

#[test]
fn events_that_no_denial_helps_are_not_denied() {
    assert_snapshot!(Place::new().run(&["hook", "--host", "claude", "--event", "Stop"], "{"), @"");
    assert_snapshot!(Place::new().run(&["hook", "--host", "checkrein", "--event", "Stop"], "{"), @"");
}

#[test]
fn a_bad_command_line() {
    let place = Place::new();
    assert_snapshot!(place.run(&["hook"], bash("ls")), @"");
    assert_snapshot!(place.run(&["hook", "--host", "clod"], bash("ls")), @"");
    assert_snapshot!(place.run(&["hook", "--host", "claude", "--evnt", "Stop"], bash("ls")), @"");
    assert_snapshot!(place.run(&["hook", "--host", "claude", "--event"], bash("ls")), @"");
}

#[test]
fn an_answer_that_nobody_reads_is_a_denial() {
    let place = Place::new();
    let mut child = place.command(CLAUDE).spawn().unwrap();
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), bash("ls").as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
