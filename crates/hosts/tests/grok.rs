//! Complete answers for Grok Build, and the traps of what it sends.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{Reply, find};
use serde_json::{Value, json};

fn decoded(event: EventName, fields: &Value) -> Result<Payload, String> {
    let mut sent = json!({"hook_event_name": event.as_str(), "session_id": "s", "cwd": "/home/dev/shop"});
    sent.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let dialect = find("grok").unwrap();
    dialect.decode(sent.to_string().into_bytes(), Some(event)).map_err(|error| error.to_string())
}

fn shell(event: EventName) -> Payload {
    let call = json!({
        "tool_name": "run_terminal_command", "tool_input": {"command": "make"}, "toolInputTruncated": false,
        "tool_response": {"output_for_prompt": "exit: 0"},
    });
    decoded(event, &call).unwrap()
}

fn answer(payload: Payload, verdict: Verdict) -> Reply {
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(payload.name(), hook_fn("h", move |_: &Payload| verdict.clone())));
    checkrein_hosts::answer(find("grok").unwrap(), hooks.dispatch(payload)).1
}

fn said(reply: &Reply) -> Value {
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    serde_json::from_slice(&reply.stdout).unwrap()
}

/// A hook sees 128 KiB of an input and the whole call runs, so a cut one is an error, and an error before a call is a denial.
#[test]
fn grok_cuts_input_at_128_kib_so_a_cut_event_is_denied() {
    let text = format!("{{\"file_path\": \"a\", \"content\": \"{}[truncated]", "x".repeat(131_000));
    for fields in [
        json!({"tool_name": "write", "tool_input": text, "toolInputTruncated": true}),
        json!({"tool_name": "write", "tool_input": text}),
        // Whatever is left of it looks complete.
        json!({"tool_name": "run_terminal_command", "tool_input": {"command": "true"}, "toolInputTruncated": true}),
    ] {
        let error = decoded(EventName::PreToolUse, &fields).unwrap_err();
        assert!(error.contains("`tool_input` should be an object"), "{error}");
        let reply = find("grok").unwrap().refuse(Some(EventName::PreToolUse), &error);
        let denial: Value = serde_json::from_slice(&reply.stdout).unwrap();
        assert_eq!(denial["hookSpecificOutput"]["permissionDecision"], "deny");
        assert_eq!(reply.exit, 2);
        // After the call there is nothing to prevent: the event is read, and its arguments are unknown.
        let after = decoded(EventName::PostToolUse, &fields).unwrap();
        assert!(after.event.call().unwrap().input.contains_key("cut_input"));
    }
}

#[test]
fn grok_runs_a_call_that_is_asked_about_so_a_question_is_a_denial() {
    let asked = said(&answer(shell(EventName::PreToolUse), Verdict::ask("sure?")));
    assert_eq!(asked["hookSpecificOutput"]["permissionDecision"], "deny");
}

#[test]
fn answers_before_a_call() {
    assert_eq!(
        said(&answer(shell(EventName::PreToolUse), Verdict::deny("no"))),
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "h: no",
        }})
    );
    let mut input = Map::new();
    input.insert("command".into(), "make test".into());
    let edited =
        Verdict { edit: Some(Edit::MergeInput(input)), context: vec!["know".into()], ..Verdict::default() };
    assert_eq!(
        said(&answer(shell(EventName::PreToolUse), edited)),
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "additionalContext": "know",
            "permissionDecision": "allow", "updatedInput": {"command": "make test"},
        }})
    );
}

/// Grok denies a rewrite without an argument that its schema requires, and other agents' hooks know nothing of that argument.
#[test]
fn grok_requires_a_description_so_a_rewrite_keeps_it() {
    let call = json!({
        "tool_name": "run_terminal_command", "tool_input": {"command": "make", "description": "build", "timeout": 5},
    });
    let rewritten = |input: Value| {
        let Value::Object(input) = input else { panic!("{input}") };
        let verdict = Verdict { edit: Some(Edit::Input(input)), ..Verdict::default() };
        let payload = decoded(EventName::PreToolUse, &call).unwrap();
        said(&answer(payload, verdict))["hookSpecificOutput"]["updatedInput"].clone()
    };
    assert_eq!(
        rewritten(json!({"command": "make test"})),
        json!({"command": "make test", "description": "build"})
    );
    let own = json!({"command": "make test", "description": "tests"});
    assert_eq!(rewritten(own.clone()), own);
}

/// Its result stays, whatever a hook answers: the reason is added, and the outcome says that nothing was withheld.
#[test]
fn grok_cannot_withhold_an_output() {
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(EventName::PostToolUse, hook_fn("h", |_: &Payload| Verdict::deny("a secret"))));
    let (outcome, reply) =
        checkrein_hosts::answer(find("grok").unwrap(), hooks.dispatch(shell(EventName::PostToolUse)));
    assert!(
        outcome.downgraded.iter().any(|line| line.contains("cannot withhold")),
        "{:?}",
        outcome.downgraded
    );
    assert_eq!(said(&reply), json!({"decision": "block", "reason": "h: a secret"}));
}

/// It spells this field in its own way only.
#[test]
fn grok_says_that_a_stop_was_blocked_already() {
    let payload = decoded(EventName::Stop, &json!({"stopHookActive": true})).unwrap();
    assert_eq!(payload.field("stop_hook_active"), Some(&Value::Bool(true)));
}

/// A reason of 4 MiB would run the call.
#[test]
fn a_long_reason_is_cut() {
    let reply = answer(shell(EventName::PreToolUse), Verdict::deny("x".repeat(4 << 20)));
    assert!(reply.stdout.len() < 6_000, "{}", reply.stdout.len());
}
