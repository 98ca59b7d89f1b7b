//! Complete answers in Qwen Code's dialect, event by event, and the traps of this host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod readers;

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{
    Dialect, Reply,
    install::{QWEN, Wanted, install, uninstall},
};
use serde_json::{Value, json};

fn qwen() -> &'static dyn Dialect {
    checkrein_hosts::find("qwen").unwrap()
}

fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object") };
    map
}

fn answered(payload: &Value, verdict: Verdict) -> (Vec<String>, Reply) {
    let payload = qwen().decode(payload.to_string().into_bytes(), None).unwrap();
    let mut hooks = Dispatcher::new();
    let event = payload.name();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    hooks.add(Entry::new(event, hook).with_may_allow(true));
    let (outcome, reply) = checkrein_hosts::answer(qwen(), hooks.dispatch(payload));
    (outcome.downgraded.iter().map(ToString::to_string).collect(), reply)
}

fn ask(payload: &Value, verdict: Verdict) -> Value {
    let (_, reply) = answered(payload, verdict);
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    serde_json::from_slice(&reply.stdout).unwrap()
}

fn shell(event: &str) -> Value {
    json!({"session_id": "s", "cwd": "/p", "hook_event_name": event, "permission_mode": "yolo",
           "tool_name": "run_shell_command", "tool_input": {"command": "make"}, "tool_use_id": "t"})
}

fn nested(event: &str, fields: Value) -> Value {
    let mut all = map(json!({"hookEventName": event}));
    all.extend(map(fields));
    json!({"hookSpecificOutput": all})
}

#[test]
fn before_a_tool() {
    let event = shell("PreToolUse");
    let denied =
        nested("PreToolUse", json!({"permissionDecision": "deny", "permissionDecisionReason": "h: no"}));
    assert_eq!(ask(&event, Verdict::abstain()), json!({}));
    let mut answer = ask(&event, Verdict::deny("no"));
    assert_eq!(answer["systemMessage"], "Checkrein: hook `h` blocked this call: no");
    answer.as_object_mut().unwrap().remove("systemMessage");
    assert_eq!(answer, denied);
    let asked =
        nested("PreToolUse", json!({"permissionDecision": "ask", "permissionDecisionReason": "h: sure?"}));
    assert_eq!(ask(&event, Verdict::ask("sure?")), asked);
    let payload = qwen().decode(event.to_string().into_bytes(), None).unwrap();
    let call = payload.event.call().unwrap();
    assert_eq!((call.name.as_str(), call.host_name.as_deref()), ("Bash", Some("run_shell_command")));
}

/// Its documentation lists it, and the program does not read it before a tool.
#[test]
fn a_changed_input_has_no_effect_so_it_is_a_denial_that_proposes_it() {
    let edit = Verdict::edit(Edit::MergeInput(map(json!({"command": "make -n"}))));
    let answer = ask(&shell("PreToolUse"), edit.clone());
    let said = &answer["hookSpecificOutput"];
    assert_eq!(said["permissionDecision"], "deny");
    assert!(said["permissionDecisionReason"].as_str().unwrap().contains("make -n"), "{answer}");
    assert_eq!(said.get("updatedInput"), None);
    // With an `allow` it is applied where the user is about to be asked.
    let allowed = Verdict { decision: checkrein_core::Decision::Allow, ..edit };
    let decision = json!({"behavior": "allow", "updatedInput": {"command": "make -n"}});
    let mut answer = ask(&shell("PermissionRequest"), allowed);
    assert_eq!(answer["systemMessage"], "Checkrein: hook `h` changed this call");
    answer.as_object_mut().unwrap().remove("systemMessage");
    assert_eq!(answer, nested("PermissionRequest", json!({"decision": decision})));
}

/// Of several hooks the last one counts, so an `allow` of ours would cancel another hook's denial.
#[test]
fn an_allow_is_never_sent_before_a_tool() {
    assert_eq!(ask(&shell("PreToolUse"), Verdict::allow()), json!({}));
}

#[test]
fn context_before_a_tool_does_not_arrive_and_after_it_does() {
    let context = || Verdict::abstain().with_context("know this");
    let (downgraded, reply) = answered(&shell("PreToolUse"), context());
    assert_eq!((downgraded.len(), reply.stdout.as_slice()), (1, &b"{}\n"[..]));
    let arrives = nested("PostToolUse", json!({"additionalContext": "know this"}));
    assert_eq!(ask(&shell("PostToolUse"), context()), arrives);
}

/// A denial and another output are ignored after a tool; `continue: false` replaces the result and ends nothing.
#[test]
fn a_result_is_replaced_by_the_reason_of_a_stop() {
    let mut event = shell("PostToolUse");
    event["tool_response"] = json!({"llmContent": "key=1", "returnDisplay": ""});
    let replaced =
        |text: &str| json!({"continue": false, "stopReason": text, "decision": "block", "reason": text});
    let mut answer = ask(&event, Verdict::deny("no"));
    assert_eq!(answer["systemMessage"], "Checkrein: hook `h` withheld this output: no");
    answer.as_object_mut().unwrap().remove("systemMessage");
    assert_eq!(answer, replaced("[output withheld]\nh: no"));
    assert_eq!(ask(&event, Verdict::edit(Edit::Output("key=?".into()))), replaced("key=?"));
    // A long output is replaced whole.
    let long = "x".repeat(20_000);
    assert_eq!(ask(&event, Verdict::edit(Edit::Output(long.clone().into()))), replaced(&long));
    assert_eq!(ask(&event, Verdict::abstain().with_stop("enough")), json!({}));
}

/// Exit code 2 without a text on stderr blocks nothing.
#[test]
fn a_refusal_has_a_text_on_stderr() {
    for event in [None, Some(EventName::PreToolUse), Some(EventName::UserPromptSubmit)] {
        let reply = qwen().refuse(event, "no");
        assert_eq!((reply.exit, reply.stderr.as_str()), (2, "no\n"));
    }
}

/// An answer over 1 MiB is cut and no longer parses, and then the call runs.
#[test]
fn a_reason_is_short() {
    let (_, reply) = answered(&shell("PreToolUse"), Verdict::deny("x".repeat(4 << 20)));
    assert!(reply.stdout.len() < 8_000, "{}", reply.stdout.len());
}

/// It fires the prompt event also for the request that carries the results of tools.
#[test]
fn an_empty_prompt_is_an_event_like_any_other() {
    let event = json!({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": ""});
    assert_eq!(ask(&event, Verdict::abstain()), json!({}));
    assert_eq!(ask(&event, Verdict::deny("no")), json!({"decision": "block", "reason": "h: no"}));
}

#[test]
fn its_names_of_events_are_ours() {
    let event = json!({"session_id": "s", "hook_event_name": "TodoCreated", "phase": "validation"});
    let payload = qwen().decode(event.to_string().into_bytes(), None).unwrap();
    assert_eq!(
        (payload.name(), payload.host.event.as_deref()),
        (EventName::TaskCreated, Some("TodoCreated"))
    );
}

/// The last entry decides: one that others put behind ours makes ours move, and uninstalling leaves theirs.
#[test]
fn ours_is_the_last_entry() {
    let wanted = [Wanted::new(&QWEN, None, QWEN.fired(EventName::PreToolUse).unwrap(), "/bin/checkrein")];
    let first = install("{}", &QWEN, &wanted).unwrap();
    let other = r#"{"matcher": "x", "hooks": [{"type": "command", "command": "other"}]}"#;
    let mut root: Value = serde_json::from_str(&first.text).unwrap();
    root["hooks"]["PreToolUse"].as_array_mut().unwrap().push(serde_json::from_str(other).unwrap());
    let before = serde_json::to_string_pretty(&root).unwrap();
    let moved = install(&before, &QWEN, &wanted).unwrap();
    let list: Value = serde_json::from_str::<Value>(&moved.text).unwrap()["hooks"]["PreToolUse"].clone();
    assert_eq!(list[0]["hooks"][0]["command"], "other");
    assert!(list[1]["hooks"][0]["command"].as_str().unwrap().ends_with("--host qwen --event PreToolUse"));
    assert_eq!(list[1]["hooks"][0]["timeout"], 30_000);
    assert_eq!(list.as_array().unwrap().len(), 2);
    assert_eq!(install(&moved.text, &QWEN, &wanted).unwrap().text, moved.text);
    let without: Value = serde_json::from_str(&uninstall(&moved.text, &QWEN, None).unwrap()).unwrap();
    assert_eq!(without["hooks"]["PreToolUse"].as_array().unwrap().len(), 1);
}
