//! Complete answers in Gemini CLI's dialect, event by event, and the traps of this host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod readers;

use checkrein_core::{
    Decision, Dispatcher, Edit, Entry, EventName, Map, Payload, ToolKind, Verdict, flat::Flat, hook_fn, json,
};
use checkrein_hosts::{Dialect, Reply};
use readers::Effect;
use serde_json::{Value, json};

fn gemini() -> &'static dyn Dialect {
    checkrein_hosts::find("gemini").unwrap()
}

fn decoded(payload: &Value) -> Payload {
    gemini().decode(payload.to_string().into_bytes(), None).unwrap()
}

fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object") };
    map
}

fn answered(payload: &Value, verdict: Verdict) -> (EventName, Vec<String>, Reply) {
    let payload = decoded(payload);
    let event = payload.name();
    let mut hooks = Dispatcher::new();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    hooks.add(Entry::new(event, hook).with_may_allow(true));
    let (outcome, reply) = checkrein_hosts::answer(gemini(), hooks.dispatch(payload));
    (event, outcome.downgraded.iter().map(ToString::to_string).collect(), reply)
}

/// Returns the answer to `payload` with this hook. It always leaves with exit code 0 and nothing on stderr.
fn ask(payload: &Value, verdict: Verdict) -> Value {
    let (_, _, reply) = answered(payload, verdict);
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    serde_json::from_slice(&reply.stdout).unwrap()
}

fn effect(payload: &Value, verdict: Verdict) -> Effect {
    let (event, _, reply) = answered(payload, verdict);
    readers::gemini(event, &reply)
}

fn shell(event: &str) -> Value {
    json!({"session_id": "s", "cwd": "/p", "hook_event_name": event, "timestamp": "2026-11-15T18:49:07.396Z",
           "tool_name": "run_shell_command", "tool_input": {"command": "make", "description": "d"}})
}

fn result() -> Value {
    let mut payload = shell("AfterTool");
    payload["tool_response"] = json!({"llmContent": "Output: key=1\n", "returnDisplay": "key=1"});
    payload
}

fn plain(event: &str) -> Value {
    json!({"session_id": "s", "cwd": "/p", "hook_event_name": event})
}

fn prompt() -> Value {
    json!({"session_id": "s", "hook_event_name": "BeforeAgent", "prompt": "hi"})
}

fn stop(active: bool) -> Value {
    json!({"session_id": "s", "hook_event_name": "AfterAgent", "prompt": "hi", "prompt_response": "done",
           "stop_hook_active": active})
}

fn rewrite() -> Edit {
    Edit::MergeInput(map(json!({"command": "make -n"})))
}

#[test]
fn before_a_tool() {
    let event = shell("BeforeTool");
    let complete = json!({"command": "make -n", "description": "d"});
    for (verdict, expected) in [
        (Verdict::abstain(), json!({})),
        (
            Verdict::deny("no"),
            json!({"systemMessage": "Checkrein: hook `h` blocked this call: no", "decision": "block", "reason": "h: no"}),
        ),
        (Verdict::allow(), json!({})),
        (
            Verdict::edit(rewrite()),
            json!({"systemMessage": "Checkrein: hook `h` changed this call",
                "hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": complete}}),
        ),
        (Verdict::abstain().with_stop("enough"), json!({"continue": false, "stopReason": "enough"})),
        (Verdict::abstain().with_context("know this"), json!({})),
    ] {
        assert_eq!(ask(&event, verdict.clone()), expected, "{verdict:?}");
    }
    let (_, downgraded, _) = answered(&event, Verdict::abstain().with_context("know this"));
    assert_eq!(downgraded, ["this host cannot pass text to the model here"]);
    assert_eq!(effect(&event, Verdict::edit(rewrite())), Effect::GoesOnWith(complete));
}

#[test]
fn after_a_tool() {
    let event = result();
    assert_eq!(ask(&event, Verdict::abstain()), json!({}));
    assert_eq!(
        ask(&event, Verdict::abstain().with_context("know this")),
        json!({"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": "know this"}})
    );
    assert_eq!(effect(&event, Verdict::deny("no")), Effect::Replaced("[output withheld]\nh: no".into()));
    let edit = Verdict::edit(Edit::Output("key=?".into()));
    assert_eq!(effect(&event, edit), Effect::Replaced("key=?".into()));
}

#[test]
fn a_result_without_a_plain_text_can_be_replaced_too() {
    let mut event = result();
    event["tool_response"]["llmContent"] = json!([{"text": "key=1"}, {"inlineData": {"data": "AA=="}}]);
    let edit = Verdict::edit(Edit::Output("nothing".into()));
    assert_eq!(effect(&event, edit), Effect::Replaced("nothing".into()));
    assert_eq!(effect(&event, Verdict::deny("no")), Effect::Replaced("[output withheld]\nh: no".into()));
}

#[test]
fn a_prompt() {
    assert_eq!(ask(&prompt(), Verdict::deny("no")), json!({"decision": "block", "reason": "h: no"}));
    assert_eq!(
        ask(&prompt(), Verdict::abstain().with_context("know this")),
        json!({"hookSpecificOutput": {"hookEventName": "BeforeAgent", "additionalContext": "know this"}})
    );
    let edit = Verdict::edit(Edit::Prompt("ho".into()));
    assert!(
        matches!(effect(&prompt(), edit), Effect::Denied(reason) if reason.ends_with("proposed instead: ho"))
    );
}

#[test]
fn other_events() {
    let context = Verdict::abstain().with_context("know this");
    assert_eq!(
        ask(&plain("SessionStart"), context.clone()),
        json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "know this"}})
    );
    for event in ["SessionEnd", "PreCompress", "Notification", "BeforeToolSelection", "AfterModel"] {
        assert_eq!(ask(&plain(event), context.clone()), json!({}), "{event}");
        assert_eq!(ask(&plain(event), Verdict::deny("no")), json!({}), "{event}");
    }
    assert_eq!(
        ask(&plain("BeforeModel"), Verdict::deny("no")),
        json!({"decision": "block", "reason": "h: no"})
    );
}

/// Nothing in the payload says if there is a terminal, and without one the agent waits forever.
#[test]
fn an_ask_would_hang_without_a_terminal_so_it_is_a_denial() {
    let (_, downgraded, reply) = answered(&shell("BeforeTool"), Verdict::ask("sure?"));
    assert_eq!(downgraded, ["this host cannot prompt, so `ask` became `deny`"]);
    let answer: Value = serde_json::from_slice(&reply.stdout).unwrap();
    assert_eq!(answer["decision"], "block");
    assert!(!String::from_utf8(reply.stdout).unwrap().contains("\"ask\""));
}

/// Any JSON on stdout overrules exit code 2, so a refusal must say it in JSON too.
#[test]
fn json_overrules_the_exit_code_so_a_refusal_is_both() {
    for event in [None, Some(EventName::PreToolUse), Some(EventName::UserPromptSubmit)] {
        let reply = gemini().refuse(event, "no");
        assert_eq!(readers::gemini(EventName::PreToolUse, &reply), Effect::Denied("no".into()), "{event:?}");
        assert_eq!((reply.exit, reply.stderr.as_str()), (2, "no\n"));
    }
}

#[test]
fn the_nested_decision_of_claude_code_is_not_used() {
    let answer = ask(&shell("BeforeTool"), Verdict::deny("no"));
    assert_eq!(answer.get("hookSpecificOutput"), None);
}

/// The agent has no limit of its own: 34 requests in 40 s were seen.
#[test]
fn a_stop_that_is_always_blocked_ends() {
    assert_eq!(effect(&stop(false), Verdict::deny("go on")), Effect::Denied("h: go on".into()));
    assert_eq!(ask(&stop(true), Verdict::deny("go on")), json!({}));
    let (_, downgraded, _) = answered(&stop(true), Verdict::deny("go on"));
    assert_eq!(downgraded, ["a denial has no effect here: h: go on"]);
}

/// A run with a reason of 4 MiB ended without a message.
#[test]
fn a_reason_is_short() {
    let (_, _, reply) = answered(&shell("BeforeTool"), Verdict::deny("x".repeat(4 << 20)));
    assert!(reply.stdout.len() < 8_000, "{}", reply.stdout.len());
}

#[test]
fn a_denial_of_an_edited_call_carries_no_input() {
    let verdict = Verdict { decision: Decision::Deny, edit: Some(rewrite()), ..Verdict::default() };
    assert_eq!(ask(&shell("BeforeTool"), verdict).get("hookSpecificOutput"), None);
}

/// A hook that is written for Claude Code reads the names that it knows, and finds the host's own next to them.
#[test]
fn names_are_ours_and_theirs_are_kept() {
    let payload = decoded(&shell("BeforeTool"));
    let call = payload.event.call().unwrap();
    assert_eq!((call.name.as_str(), call.host_name.as_deref()), ("Bash", Some("run_shell_command")));
    assert_eq!((payload.host.event.as_deref(), call.kind), (Some("BeforeTool"), ToolKind::Shell));
    let shown = json::parse_object(&Flat(&payload).to_bytes().unwrap()).unwrap();
    assert_eq!(
        (&shown["hook_event_name"], &shown["host_event_name"]),
        (&json!("PreToolUse"), &json!("BeforeTool"))
    );
    let payload = decoded(&result());
    assert_eq!(payload.event.output().unwrap().text(), "Output: key=1\n");
}

/// Server and tool are joined with single underscores, so the name alone does not say where one ends.
#[test]
fn a_tool_of_a_server_is_named_by_both() {
    let mut event = shell("BeforeTool");
    event["tool_name"] = json!("mcp_my_notes_add_one");
    event["mcp_context"] = json!({"server_name": "my_notes", "tool_name": "add_one", "command": "notes"});
    let payload = decoded(&event);
    let call = payload.event.call().unwrap();
    assert_eq!((call.name.as_str(), call.kind), ("mcp__my_notes__add_one", ToolKind::Mcp));
    assert_eq!(call.host_name.as_deref(), Some("mcp_my_notes_add_one"));
}

/// The command line and the payload must name one event.
#[test]
fn another_event_than_the_registered_one_is_an_error() {
    let bytes = shell("BeforeTool").to_string().into_bytes();
    assert!(gemini().decode(bytes.clone(), Some(EventName::PreToolUse)).is_ok());
    let error = gemini().decode(bytes, Some(EventName::PostToolUse)).unwrap_err().to_string();
    assert_eq!(error, "the command line says `PostToolUse`, the payload says `PreToolUse`");
}
