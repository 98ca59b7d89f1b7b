//! Complete answers for Cline, and what it sends.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{Reply, find};
use serde_json::{Value, json};

fn payload(event: EventName, name: &str, input: &Value) -> Payload {
    let key = if event == EventName::PostToolUse { "tool_result" } else { "tool_call" };
    let sent = json!({
        "hookName": key, "taskId": "t", "workspaceRoots": ["/home/dev/shop"],
        key: {"id": "c1", "name": name, "input": input, "output": [{"result": "done", "success": true}]},
    });
    find("cline").unwrap().decode(sent.to_string().into_bytes(), Some(event)).unwrap()
}

fn answer(payload: Payload, verdict: Verdict) -> Reply {
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(payload.name(), hook_fn("h", move |_: &Payload| verdict.clone())));
    checkrein_hosts::answer(find("cline").unwrap(), hooks.dispatch(payload)).1
}

fn said(reply: &Reply) -> Value {
    // Exit codes are ignored, and a second line would make the answer unreadable.
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    assert_eq!(reply.stdout.iter().filter(|byte| **byte == b'\n').count(), 1);
    serde_json::from_slice(&reply.stdout).unwrap()
}

fn one() -> Payload {
    payload(EventName::PreToolUse, "run_commands", &json!({"commands": ["make"]}))
}

fn edit(command: &str) -> Verdict {
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() }
}

/// Only `cancel` counts: neither a decision in another agent's words nor an exit code does.
#[test]
fn cline_honours_only_cancel() {
    assert_eq!(said(&answer(one(), Verdict::deny("no"))), json!({"cancel": true, "errorMessage": "h: no"}));
    // `review` without a terminal would run the call.
    let asked = said(&answer(one(), Verdict::ask("sure?")));
    assert_eq!(asked["cancel"], true);
    assert!(asked.get("review").is_none());
    let dialect = find("cline").unwrap();
    for event in [None, Some(EventName::PreToolUse)] {
        assert_eq!(said(&dialect.refuse(event, "broken")), json!({"cancel": true, "errorMessage": "broken"}));
    }
    assert_eq!(said(&dialect.refuse(Some(EventName::PostToolUse), "broken")), json!({}));
}

#[test]
fn a_changed_command_goes_back_in_its_own_form() {
    assert_eq!(
        said(&answer(one(), edit("make test"))),
        json!({"overrideInput": {"commands": ["make test"]}})
    );
}

/// An open quote in one command would hide the next one, if they were joined.
#[test]
fn several_commands_are_not_joined() {
    let several = json!({"commands": ["echo '", "rm -rf ~ #'"]});
    let payload = payload(EventName::PreToolUse, "run_commands", &several);
    let call = payload.event.call().unwrap();
    assert_eq!((call.name.as_str(), call.kind.as_str()), ("run_commands", "shell"));
    assert_eq!(Value::Object(call.input.clone()), several);
}

/// The older copy of a call has its values as texts, which are not read.
#[test]
fn the_newer_copy_of_a_call_is_read() {
    let sent = json!({
        "tool_call": {"id": "1", "name": "editor", "input": {"path": "a", "new_text": "b"}},
        "preToolUse": {"toolName": "editor", "parameters": {"path": "\"other\""}},
    });
    let dialect = find("cline").unwrap();
    let payload = dialect.decode(sent.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap();
    let call = payload.event.call().unwrap();
    assert_eq!((call.kind.as_str(), &call.input["path"]), ("edit", &Value::from("a")));
    assert_eq!(payload.extra["preToolUse"]["toolName"], "editor");
}

/// There is no way to change a result: the run ends before the model sees it.
#[test]
fn a_result_is_withheld_by_ending_the_run() {
    let result = || payload(EventName::PostToolUse, "run_commands", &json!({"commands": ["make"]}));
    assert_eq!(said(&answer(result(), Verdict::deny("secret")))["cancel"], true);
    let replaced = Verdict { edit: Some(Edit::Output("x".into())), ..Verdict::default() };
    assert_eq!(said(&answer(result(), replaced))["cancel"], true);
    let told = Verdict { context: vec!["know".into()], ..Verdict::default() };
    assert_eq!(said(&answer(result(), told)), json!({"contextModification": "know"}));
}
