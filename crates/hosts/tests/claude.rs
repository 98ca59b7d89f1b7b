//! Complete answers in Claude Code's dialect, event by event.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{
    Decision, Dispatcher, Edit, Entry, Failure, Map, Output, Payload, Retry, Role, Verdict, hook_fn,
};
use insta::assert_snapshot;
use serde_json::{Value, json};

fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object") };
    map
}

/// Returns the answer to `payload` with these hooks: stdout, the exit code if it is not 0, and what was downgraded.
fn ask_all(payload: &Value, entries: impl FnOnce(checkrein_core::EventName) -> Vec<Entry>) -> String {
    let claude = checkrein_hosts::find("claude").unwrap();
    let payload = claude.decode(payload.to_string().into_bytes(), None).unwrap();
    let mut hooks = Dispatcher::new();
    for entry in entries(payload.name()) {
        hooks.add(entry);
    }
    let (outcome, reply) = checkrein_hosts::answer(claude, hooks.dispatch(payload));
    let mut text = String::from_utf8(reply.stdout).unwrap();
    if reply.exit != 0 {
        text += &format!("exit {}: {}\n", reply.exit, reply.stderr);
    }
    for downgraded in outcome.downgraded {
        text += &format!("downgraded: {downgraded}\n");
    }
    text
}

fn ask(payload: &Value, verdict: Verdict) -> String {
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    ask_all(payload, |event| vec![Entry::new(event, hook).with_may_allow(true)])
}

fn bash(event: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": event, "tool_name": "Bash",
           "tool_input": {"command": "make", "description": "build"}, "tool_use_id": "t"})
}

fn bash_result() -> Value {
    let mut payload = bash("PostToolUse");
    payload["tool_response"] = json!({"stdout": "key=1", "stderr": "warn", "interrupted": false});
    payload
}

fn plain(event: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": event})
}

fn prompt() -> Value {
    json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "hi"})
}

#[test]
fn pre_tool_use() {
    let event = bash("PreToolUse");
    let rewrite = || Edit::MergeInput(map(json!({"command": "make -n"})));
    assert_snapshot!(ask(&event, Verdict::abstain()), @"{}");
    assert_snapshot!(ask(&event, Verdict::deny("no")), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"h: no"}}"#);
    assert_snapshot!(ask(&event, Verdict { decision: Decision::Deny, ..Verdict::default() }), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"blocked by hook `h`"}}"#);
    assert_snapshot!(ask(&event, Verdict::ask("sure?")), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"h: sure?"}}"#);
    assert_snapshot!(ask(&event, Verdict::allow().with_reason("known")), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"h: known"}}"#);
    assert_snapshot!(ask(&event, Verdict::edit(rewrite())), @r#"{"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"make -n","description":"build"}}}"#);
    assert_snapshot!(ask(&event, Verdict { decision: Decision::Ask, edit: Some(rewrite()), ..Verdict::default() }), @r#"{"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"hook `h` asks for confirmation","updatedInput":{"command":"make -n","description":"build"}}}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_context("know this")), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"know this"}}"#);
    // Claude Code would run the tool before it ends the turn.
    assert_snapshot!(ask(&event, Verdict::abstain().with_stop("enough")), @r#"{"continue":false,"stopReason":"enough","systemMessage":"Checkrein blocked this call: `h` ends the turn: enough","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: `h` ends the turn: enough"}}"#);
}

/// An agent that answers its own questions with yes would answer ours with yes too.
#[test]
fn ask_is_a_denial_where_questions_are_dropped() {
    for (mode, decision) in [
        ("bypassPermissions", "deny"),
        ("default", "ask"),
        ("acceptEdits", "ask"),
        ("plan", "ask"),
        ("auto", "ask"),
    ] {
        let mut event = bash("PreToolUse");
        event["permission_mode"] = json!(mode);
        let said = ask(&event, Verdict::ask("are you sure?"));
        assert!(said.contains(&format!("\"permissionDecision\":\"{decision}\"")), "{mode}: {said}");
        assert!(said.contains("are you sure?"), "{mode}: {said}");
    }
}

#[test]
fn a_rewrite_by_a_hook_that_may_not_allow_allows_nothing() {
    let hook = hook_fn("h", |_: &Payload| Verdict {
        decision: Decision::Allow,
        edit: Some(Edit::MergeInput(map(json!({"command": "make -n"})))),
        ..Verdict::default()
    });
    assert_snapshot!(ask_all(&bash("PreToolUse"), |event| vec![Entry::new(event, hook)]), @r#"{"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"make -n","description":"build"}}}"#);
}

#[test]
fn a_denial_after_an_edit_carries_no_input() {
    let edit = hook_fn("e", |_: &Payload| Verdict::edit(Edit::MergeInput(map(json!({"command": "x"})))));
    let judge = hook_fn("j", |_: &Payload| Verdict::deny("no"));
    assert_snapshot!(ask_all(&bash("PreToolUse"), |event| vec![
        Entry::new(event, edit).with_role(Role::Edit),
        Entry::new(event, judge).with_role(Role::Judge),
    ]), @r#"{"systemMessage":"Checkrein: hook `j` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"j: no"}}"#);
}

#[test]
fn permission_request() {
    let event = bash("PermissionRequest");
    assert_snapshot!(ask(&event, Verdict::deny("no")), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call: no","hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"h: no"}}}"#);
    assert_snapshot!(ask(&event, Verdict::allow()), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#);
    assert_snapshot!(ask(&event, Verdict::ask("sure?")), @"{}");
    let edit = Edit::MergeInput(map(json!({"command": "make -n"})));
    assert_snapshot!(ask(&event, Verdict { edit: Some(edit.clone()), ..Verdict::allow() }), @r#"{"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"make -n","description":"build"}}}}"#);
    assert_snapshot!(ask(&event, Verdict::edit(edit)), @r#"{"systemMessage":"Checkrein blocked this call: this agent cannot apply a changed input; proposed instead: {\"command\":\"make -n\",\"description\":\"build\"}","hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"checkrein: this agent cannot apply a changed input; proposed instead: {\"command\":\"make -n\",\"description\":\"build\"}"}}}"#);
}

#[test]
fn post_tool_use() {
    let event = bash_result();
    assert_snapshot!(ask(&event, Verdict::edit(Edit::Output("key=[redacted]".into())).with_reason("removed 1 secret")), @r#"{"systemMessage":"Checkrein: hook `h` changed this output: removed 1 secret","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"key=[redacted]","stderr":"","interrupted":false}}}"#);
    assert_snapshot!(ask(&event, Verdict::deny("it holds a key")), @r#"{"systemMessage":"Checkrein: hook `h` withheld this output: it holds a key","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"[output withheld]\nh: it holds a key","stderr":"","interrupted":false}}}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_context("look at the log")), @r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"look at the log"}}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_stop("enough")), @r#"{"continue":false,"stopReason":"enough"}"#);
    let native = Output::from_native(json!({"stdout": "x", "stderr": "", "interrupted": false}));
    assert_snapshot!(ask(&event, Verdict::edit(Edit::Output(native))), @r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"x","stderr":"","interrupted":false}}}"#);
    assert_snapshot!(ask(&event, Verdict::ask("sure?")), @r#"
    {"systemMessage":"Checkrein: hook `h` withheld this output: sure? (this needs the user's confirmation, and this agent cannot ask for it)","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"[output withheld]\nh: sure? (this needs the user's confirmation, and this agent cannot ask for it)","stderr":"","interrupted":false}}}
    downgraded: this host cannot prompt, so `ask` became `deny`
    "#);
}

/// The model is shown something other than the result of a write.
#[test]
fn the_reason_for_a_withheld_write_is_sent_separately() {
    let event = json!({"hook_event_name": "PostToolUse", "tool_name": "Write",
                       "tool_input": {"file_path": "/a", "content": "key"},
                       "tool_response": {"type": "create", "filePath": "/a", "content": "key", "structuredPatch": []}});
    assert_snapshot!(ask(&event, Verdict::deny("it holds a key")), @r#"{"systemMessage":"Checkrein: hook `h` withheld this output: it holds a key","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"type":"create","filePath":"/a","content":"[output withheld]\nh: it holds a key","structuredPatch":[]},"additionalContext":"h: it holds a key"}}"#);
}

#[test]
fn a_result_of_unknown_shape_that_must_be_withheld_ends_the_turn() {
    let mut event = bash_result();
    event["tool_response"] = json!({"rows": 3});
    assert_snapshot!(ask(&event, Verdict::deny("it holds a key")), @r#"
    {"continue":false,"stopReason":"h: it holds a key","systemMessage":"Checkrein: hook `h` withheld this output: it holds a key","decision":"block","reason":"h: it holds a key"}
    downgraded: this host cannot withhold the text from the model here: h: it holds a key
    "#);
    assert_snapshot!(ask(&event, Verdict::edit(Edit::Output("gone".into()))), @r#"
    {"continue":false,"stopReason":"checkrein: this host cannot apply the edited result","systemMessage":"Checkrein withheld this output: this host cannot apply the edited result","decision":"block","reason":"checkrein: this host cannot apply the edited result"}
    downgraded: this host cannot withhold the text from the model here: checkrein: this host cannot apply the edited result
    "#);
}

#[test]
fn a_broken_redactor_withholds_and_a_broken_formatter_does_not() {
    let broken = || hook_fn("h", |_: &Payload| Err(Failure::Other("broken".into())));
    let as_role = |role| ask_all(&bash_result(), |event| vec![Entry::new(event, broken()).with_role(role)]);
    assert_snapshot!(as_role(Role::Edit), @r#"{"systemMessage":"Checkrein: hook `h` withheld this output: the hook failed: broken","hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"[output withheld]\nh: the hook failed","stderr":"","interrupted":false}}}"#);
    assert_snapshot!(as_role(Role::Plain), @"{}");
}

#[test]
fn post_tool_use_failure() {
    let mut event = bash("PostToolUseFailure");
    event["error"] = json!("no such file");
    assert_snapshot!(ask(&event, Verdict::abstain().with_context("try the other directory")), @r#"{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"try the other directory"}}"#);
    assert_snapshot!(ask(&event, Verdict::edit(Edit::Output("not found".into()))), @r#"
    {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"the error text, as edited by the hooks: not found"}}
    downgraded: this host cannot replace the text of an error
    "#);
    assert_snapshot!(ask(&event, Verdict { retry: Some(Retry::Same), ..Verdict::default() }), @r#"
    {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"a hook suggests retrying this call"}}
    downgraded: this host cannot retry a call here
    "#);
    assert_snapshot!(ask(&event, Verdict::deny("do not go on")), @r#"
    {"systemMessage":"Checkrein: hook `h` withheld this output: do not go on","decision":"block","reason":"h: do not go on"}
    downgraded: this host cannot withhold the text from the model here: h: do not go on
    "#);
}

#[test]
fn prompts() {
    assert_snapshot!(ask(&prompt(), Verdict::deny("no secrets here")), @r#"{"decision":"block","reason":"h: no secrets here"}"#);
    assert_snapshot!(ask(&prompt(), Verdict::ask("sure?")), @r#"
    {"decision":"block","reason":"h: sure? (this needs the user's confirmation, and this agent cannot ask for it)"}
    downgraded: this host cannot prompt, so `ask` became `deny`
    "#);
    assert_snapshot!(ask(&prompt(), Verdict::abstain().with_context("today is Monday")), @r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"today is Monday"}}"#);
    assert_snapshot!(ask(&prompt(), Verdict::edit(Edit::Prompt("hello".into()))), @r#"{"decision":"block","reason":"checkrein: this agent cannot apply a changed prompt; proposed instead: hello"}"#);
    assert_snapshot!(ask(&prompt(), Verdict::abstain().with_stop("enough")), @r#"{"continue":false,"stopReason":"enough"}"#);
}

#[test]
fn sessions_and_notifications() {
    assert_snapshot!(ask(&plain("SessionStart"), Verdict::abstain().with_context("governed")), @r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"governed"}}"#);
    assert_snapshot!(ask(&plain("SessionStart"), Verdict::deny("no")), @"
    {}
    downgraded: a denial has no effect here: h: no
    ");
    assert_snapshot!(ask(&plain("Notification"), Verdict::abstain().with_context("noted")), @r#"{"hookSpecificOutput":{"hookEventName":"Notification","additionalContext":"noted"}}"#);
    assert_snapshot!(ask(&plain("SessionEnd"), Verdict::abstain().with_context("lost")), @"
    {}
    downgraded: this host cannot pass text to the model here
    ");
}

#[test]
fn ends_of_turns() {
    assert_snapshot!(ask(&plain("Stop"), Verdict::deny("the tests fail")), @r#"{"decision":"block","reason":"h: the tests fail"}"#);
    assert_snapshot!(ask(&plain("SubagentStop"), Verdict::deny("the tests fail")), @r#"{"decision":"block","reason":"h: the tests fail"}"#);
    assert_snapshot!(ask(&plain("Stop"), Verdict::deny("the tests fail").with_stop("enough")), @r#"{"continue":false,"stopReason":"enough"}"#);
    assert_snapshot!(ask(&plain("TaskCompleted"), Verdict::deny("not done")), @"
    {}
    exit 2: h: not done
    ");
}

#[test]
fn other_gates() {
    assert_snapshot!(ask(&plain("PreCompact"), Verdict::deny("not now")), @r#"{"decision":"block","reason":"h: not now"}"#);
    assert_snapshot!(ask(&plain("Elicitation"), Verdict::deny("no")), @r#"{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"decline"}}"#);
    assert_snapshot!(ask(&plain("PreModelSwitch"), Verdict::deny("no")), @r#"{"hookSpecificOutput":{"hookEventName":"PreModelSwitch","permissionDecision":"deny","permissionDecisionReason":"h: no"}}"#);
    assert_snapshot!(ask(&plain("SubagentStart"), Verdict::deny("no")), @"
    {}
    downgraded: a denial has no effect here: h: no
    ");
}

#[test]
fn long_texts_are_cut() {
    let answer = ask(&bash("PreToolUse"), Verdict::deny("x".repeat(1 << 20)));
    assert!(answer.len() < 5_000 && answer.contains("characters in total"));
}

#[test]
fn unreadable_events_are_refused() {
    let claude = checkrein_hosts::find("claude").unwrap();
    let refuse = |event: Option<&str>| {
        let reply = claude.refuse(event.map(|event| event.parse().unwrap()), "why");
        format!("{}exit {}\n{}", String::from_utf8(reply.stdout).unwrap(), reply.exit, reply.stderr)
    };
    assert_snapshot!(refuse(None), @r#"
    {"decision":"block","reason":"why"}
    exit 2
    why
    "#);
    assert_snapshot!(refuse(Some("PreToolUse")), @r#"
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}
    exit 2
    why
    "#);
    assert_snapshot!(refuse(Some("PermissionRequest")), @r#"
    {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"why"}}}
    exit 2
    why
    "#);
    assert_snapshot!(refuse(Some("UserPromptSubmit")), @r#"
    {"decision":"block","reason":"why"}
    exit 2
    why
    "#);
    assert_snapshot!(refuse(Some("PostToolUse")), @r#"
    {"systemMessage":"checkrein: why"}
    exit 0
    "#);
    assert_snapshot!(refuse(Some("Stop")), @r#"
    {"systemMessage":"checkrein: why"}
    exit 0
    "#);
}
