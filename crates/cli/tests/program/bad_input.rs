//! Broken stdin: the answer denies everything that can be denied, and stderr has a clear message.

use crate::{Place, bash, ended};
use insta::assert_snapshot;
use std::fs;

const CLAUDE: &[&str] = &["hook", "--host", "claude"];
const CLAUDE_PRE: &[&str] = &["hook", "--host", "claude", "--event", "PreToolUse"];

fn claude(stdin: impl AsRef<[u8]>) -> String {
    Place::new().run(CLAUDE, stdin)
}

#[test]
fn empty() {
    assert_snapshot!(claude(""), @r#"
    --- stdout
    {"decision":"block","reason":"the event on stdin is empty"}
    --- stderr
    checkrein: the event on stdin is empty
    --- exit 2
    "#);
    assert_snapshot!(Place::new().run(CLAUDE_PRE, " \n"), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the event on stdin is empty"}}
    --- stderr
    checkrein: the event on stdin is empty
    --- exit 2
    "#);
}

#[test]
fn truncated() {
    assert_snapshot!(claude(&bash("ls")[..40]), @r#"
    --- stdout
    {"decision":"block","reason":"the event on stdin is not valid JSON: EOF while parsing a string at line 1 column 40"}
    --- stderr
    checkrein: the event on stdin is not valid JSON: EOF while parsing a string at line 1 column 40
    --- exit 2
    "#);
    assert_snapshot!(Place::new().run(CLAUDE_PRE, &bash("ls")[..40]), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the event on stdin is not valid JSON: EOF while parsing a string at line 1 column 40"}}
    --- stderr
    checkrein: the event on stdin is not valid JSON: EOF while parsing a string at line 1 column 40
    --- exit 2
    "#);
}

#[test]
fn not_utf8() {
    let mut event = bash("ls").into_bytes();
    event[20] = 0xff;
    assert_snapshot!(claude(event), @r#"
    --- stdout
    {"decision":"block","reason":"the event on stdin is not valid JSON: invalid unicode code point at line 1 column 21"}
    --- stderr
    checkrein: the event on stdin is not valid JSON: invalid unicode code point at line 1 column 21
    --- exit 2
    "#);
}

#[test]
fn a_duplicate_key() {
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","command":"rm"}}"#), @r#"
    --- stdout
    {"decision":"block","reason":"the event on stdin is not valid JSON: duplicate key `command` at line 1 column 89"}
    --- stderr
    checkrein: the event on stdin is not valid JSON: duplicate key `command` at line 1 column 89
    --- exit 2
    "#);
}

#[test]
fn wrong_types() {
    for event in ["[]", "3", "null"] {
        assert!(claude(event).contains("expected an object"), "{event}");
    }
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":7}"#), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the field `tool_name` should be a string, found a number"}}
    --- stderr
    checkrein: the field `tool_name` should be a string, found a number
    --- exit 2
    "#);
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":[]}"#), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the field `tool_input` should be an object, found a list"}}
    --- stderr
    checkrein: the field `tool_input` should be an object, found a list
    --- exit 2
    "#);
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse"}"#), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"`PreToolUse` needs the field `tool_name`"}}
    --- stderr
    checkrein: `PreToolUse` needs the field `tool_name`
    --- exit 2
    "#);
    assert_snapshot!(claude("{}"), @r#"
    --- stdout
    {"decision":"block","reason":"the payload does not name its event; expected `hook_event_name`, or `--event` on the command line"}
    --- stderr
    checkrein: the payload does not name its event; expected `hook_event_name`, or `--event` on the command line
    --- exit 2
    "#);
}

#[test]
fn deeply_nested() {
    let nested = "[".repeat(100_000);
    let event = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"a":{nested}"#);
    assert_snapshot!(claude(event), @r#"
    --- stdout
    {"decision":"block","reason":"the event on stdin is not valid JSON: recursion limit exceeded at line 1 column 195"}
    --- stderr
    checkrein: the event on stdin is not valid JSON: recursion limit exceeded at line 1 column 195
    --- exit 2
    "#);
}

#[test]
fn huge() {
    let event = bash(&"x".repeat(17 * 1024 * 1024));
    assert_snapshot!(Place::new().run(CLAUDE_PRE, event), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the event on stdin is larger than 16 MiB"}}
    --- stderr
    checkrein: the event on stdin is larger than 16 MiB
    --- exit 2
    "#);
}

#[test]
fn a_large_event_within_the_limit_is_answered() {
    let content = "x".repeat(15 * 1024 * 1024);
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": "notes.txt", "content": content},
    });
    assert_snapshot!(claude(event.to_string()), @"
    --- stdout
    {}
    --- exit 0
    ");
    // The guard cannot determine what such a command does.
    assert_snapshot!(claude(bash(&content)), @r#"
    --- stdout
    {"systemMessage":"Checkrein blocked running a text that is too complex to check (execution.too-much).","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Checkrein denied this. Instead: split it into simple commands. This is too long, nested or complex to check [execution.too-much]."}}
    --- exit 0
    "#);
}

#[test]
fn an_unknown_event() {
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUs","tool_name":"Bash","tool_input":{}}"#), @r#"
    --- stdout
    {"decision":"block","reason":"unknown event `PreToolUs`, did you mean `PreToolUse`?"}
    --- stderr
    checkrein: unknown event `PreToolUs`, did you mean `PreToolUse`?
    --- exit 2
    "#);
    assert_snapshot!(Place::new().run(&["hook", "--host", "claude", "--event", "preToolUse"], bash("ls")), @r#"
    --- stdout
    {"decision":"block","reason":"unknown event `preToolUse`, did you mean `PreToolUse`?"}
    --- stderr
    checkrein: unknown event `preToolUse`, did you mean `PreToolUse`?
    usage: checkrein hook --host <HOST> [--event <EVENT>] [--config <FILE>]
    --- exit 2
    "#);
}

#[test]
fn an_unknown_tool_is_a_tool() {
    assert_snapshot!(claude(r#"{"hook_event_name":"PreToolUse","tool_name":"Frobnicate","tool_input":{}}"#), @"
    --- stdout
    {}
    --- exit 0
    ");
}

#[test]
fn another_event_than_the_command_line_says() {
    assert_snapshot!(Place::new().run(CLAUDE_PRE, r#"{"hook_event_name":"Stop"}"#), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"the command line says `PreToolUse`, the payload says `Stop`"}}
    --- stderr
    checkrein: the command line says `PreToolUse`, the payload says `Stop`
    --- exit 2
    "#);
}

/// One wrong word in an agent's settings must not open the gate.
#[test]
fn a_gate_that_is_registered_under_another_name_stays_shut() {
    for host in ["claude", "checkrein"] {
        let answer = Place::new().run(&["hook", "--host", host, "--event", "Stop"], bash("ls"));
        assert!(answer.contains("deny") && answer.ends_with("--- exit 2\n"), "{answer}");
    }
    let answer = Place::new().run(&["hok", "--host", "claude"], bash("ls"));
    assert!(answer.ends_with("--- exit 2\n"), "{answer}");
}

#[test]
fn an_error_does_not_hide_the_event() {
    let claude = |event: &str| Place::new().run(CLAUDE, event);
    assert_snapshot!(claude(r#"{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":"x"}"#), @r#"
    --- stdout
    {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"the field `tool_input` should be an object, found a string"}}}
    --- stderr
    checkrein: the field `tool_input` should be an object, found a string
    --- exit 2
    "#);
    assert_snapshot!(claude(r#"{"hook_event_name":"Stop","cwd":5}"#), @r#"
    --- stdout
    {"systemMessage":"checkrein: the field `cwd` should be a string, found a number"}
    --- stderr
    checkrein: the field `cwd` should be a string, found a number
    --- exit 0
    "#);
}

/// A denial that was written halfway does not have exit code 0.
#[test]
fn half_an_answer_is_a_denial() {
    let place = Place::with("[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncommand = \"exit 2\"\n");
    fs::write(place.path("event"), bash("ls")).unwrap();
    for limit in [0, 1] {
        let script =
            format!("ulimit -f {limit}; \"$0\" hook --host claude --config hooks.toml < event > answer");
        let mut command = std::process::Command::new("sh");
        let status =
            command.args(["-c", &script, crate::PROGRAM]).current_dir(place.path("")).status().unwrap();
        let written = fs::read(place.path("answer")).unwrap();
        assert!(status.code() == Some(2) || (limit > 0 && !written.is_empty()), "{limit}: {status}");
    }
    let full = "\"$0\" hook --host claude --config hooks.toml < event > /dev/full";
    let mut command = std::process::Command::new("sh");
    let status = command.args(["-c", full, crate::PROGRAM]).current_dir(place.path("")).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

/// stdout was closed before we started, or is `/dev/null`.
#[test]
fn without_stdout_the_exit_code_carries_the_answer() {
    let place =
        Place::with("[[hook]]\nevent = \"PreToolUse\"\nname = \"h\"\ncommand = \"echo no >&2; exit 2\"\n");
    fs::write(place.path("ask.toml"), "[[hook]]\nevent = \"PreToolUse\"\ncommand = \"echo ask\"\n").unwrap();
    fs::write(place.path("broken.toml"), "[[hook]\n").unwrap();
    fs::write(place.path("silent.toml"), "# no hooks\n").unwrap();
    fs::write(place.path("event"), bash("ls")).unwrap();
    for stdout in [">&-", "> /dev/null"] {
        let run = |config: &str| {
            let script = format!("exec \"$0\" hook --host claude --config {config} < event {stdout}");
            let mut command = std::process::Command::new("sh");
            command.args(["-c", &script, crate::PROGRAM]).current_dir(place.path(""));
            crate::shown(&command.output().unwrap(), &place.path(""))
        };
        let denied = "--- stderr\n\
                      checkrein: stdout is not connected; using the exit code\n\
                      h: no\n\
                      --- exit 2\n";
        assert_eq!(run("hooks.toml"), denied, "{stdout}");
        for config in ["ask.toml", "broken.toml"] {
            assert!(run(config).ends_with("--- exit 2\n"), "{config} {stdout}");
        }
        assert_eq!(run("silent.toml"), "--- exit 0\n", "nothing to say");
    }
}

#[test]
fn events_that_a_denial_cannot_prevent_are_not_denied() {
    assert_snapshot!(Place::new().run(&["hook", "--host", "claude", "--event", "Stop"], "{"), @r#"
    --- stdout
    {"systemMessage":"checkrein: the event on stdin is not valid JSON: EOF while parsing an object at line 1 column 1"}
    --- stderr
    checkrein: the event on stdin is not valid JSON: EOF while parsing an object at line 1 column 1
    --- exit 0
    "#);
    assert_snapshot!(Place::new().run(&["hook", "--host", "checkrein", "--event", "Stop"], "{"), @r#"
    --- stdout
    {"decision":"abstain","notices":[{"hook":"checkrein","text":"the event on stdin is not valid JSON: EOF while parsing an object at line 1 column 1"}]}
    --- stderr
    checkrein: the event on stdin is not valid JSON: EOF while parsing an object at line 1 column 1
    --- exit 0
    "#);
}

#[test]
fn a_bad_command_line() {
    let place = Place::new();
    assert_snapshot!(place.run(&["hook"], bash("ls")), @r#"
    --- stdout
    {"decision":"deny","reason":"`--host` is missing"}
    --- stderr
    checkrein: `--host` is missing
    usage: checkrein hook --host <HOST> [--event <EVENT>] [--config <FILE>]
    --- exit 2
    "#);
    assert_snapshot!(place.run(&["hook", "--host", "clod"], bash("ls")), @r#"
    --- stdout
    {"decision":"deny","reason":"unknown host `clod`, expected one of `checkrein`, [agents] (did you mean `codex`?)"}
    --- stderr
    checkrein: unknown host `clod`, expected one of `checkrein`, [agents] (did you mean `codex`?)
    usage: checkrein hook --host <HOST> [--event <EVENT>] [--config <FILE>]
    --- exit 2
    "#);
    assert_snapshot!(place.run(&["hook", "--host", "claude", "--evnt", "Stop"], bash("ls")), @r#"
    --- stdout
    {"decision":"block","reason":"unexpected argument `--evnt`"}
    --- stderr
    checkrein: unexpected argument `--evnt`
    usage: checkrein hook --host <HOST> [--event <EVENT>] [--config <FILE>]
    --- exit 2
    "#);
    assert_snapshot!(place.run(&["hook", "--host", "claude", "--event"], bash("ls")), @r#"
    --- stdout
    {"decision":"block","reason":"`--event` needs a value"}
    --- stderr
    checkrein: `--event` needs a value
    usage: checkrein hook --host <HOST> [--event <EVENT>] [--config <FILE>]
    --- exit 2
    "#);
}

#[test]
fn an_answer_that_is_not_read_is_a_denial() {
    let place = Place::new();
    let mut child = place.command(CLAUDE).spawn().unwrap();
    drop(child.stdout.take());
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), bash("ls").as_bytes()).unwrap();
    assert_eq!(ended(child).status.code(), Some(2));
}
