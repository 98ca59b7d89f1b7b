//! Complete answers in Copilot CLI's dialect, event by event, and the traps of this host.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod readers;

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, ToolKind, Verdict, hook_fn};
use checkrein_hosts::{
    Dialect, Reply,
    install::{COPILOT, Wanted, entries, install, uninstall},
};
use readers::Effect;
use serde_json::{Value, json};

fn copilot() -> &'static dyn Dialect {
    checkrein_hosts::find("copilot").unwrap()
}

fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object") };
    map
}

fn answered(event: EventName, payload: &Value, verdict: Verdict) -> (Vec<String>, Reply) {
    let payload = copilot().decode(payload.to_string().into_bytes(), Some(event)).unwrap();
    let mut hooks = Dispatcher::new();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    hooks.add(Entry::new(event, hook).with_may_allow(true));
    let (outcome, reply) = checkrein_hosts::answer(copilot(), hooks.dispatch(payload));
    (outcome.downgraded.iter().map(ToString::to_string).collect(), reply)
}

fn ask(event: EventName, payload: &Value, verdict: Verdict) -> Value {
    let (_, reply) = answered(event, payload, verdict);
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    serde_json::from_slice(&reply.stdout).unwrap()
}

fn effect(event: EventName, payload: &Value, verdict: Verdict) -> Effect {
    readers::copilot(event, &answered(event, payload, verdict).1)
}

fn camel() -> Value {
    json!({"sessionId": "s", "timestamp": 1_794_768_286_001_u64, "cwd": "/p", "toolName": "bash",
           "toolArgs": {"command": "make", "mode": "sync"}})
}

fn pascal() -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-11-15T18:35:07.507Z", "cwd": "/p",
           "tool_name": "Bash", "tool_input": {"command": "make", "mode": "sync"}})
}

fn result() -> Value {
    let mut payload = camel();
    payload["toolResult"] = json!({"resultType": "success", "textResultForLlm": "key=1"});
    payload
}

fn plain() -> Value {
    json!({"sessionId": "s", "cwd": "/p"})
}

#[test]
fn before_a_tool() {
    let pre = EventName::PreToolUse;
    let edit = || Edit::MergeInput(map(json!({"command": "make -n"})));
    for (verdict, expected) in [
        (Verdict::abstain(), json!({})),
        (Verdict::deny("no"), json!({"permissionDecision": "deny", "permissionDecisionReason": "h: no"})),
        (Verdict::ask("sure?"), json!({"permissionDecision": "ask", "permissionDecisionReason": "h: sure?"})),
        (Verdict::allow(), json!({"permissionDecision": "allow"})),
        (Verdict::edit(edit()), json!({"modifiedArgs": {"command": "make -n", "mode": "sync"}})),
        (Verdict::abstain().with_context("know this"), json!({"additionalContext": "know this"})),
        (
            Verdict::abstain().with_stop("enough"),
            json!({"permissionDecision": "deny", "permissionDecisionReason": "checkrein: `h` ends the turn: enough"}),
        ),
    ] {
        assert_eq!(ask(pre, &camel(), verdict.clone()), expected, "{verdict:?}");
    }
}

#[test]
fn after_a_tool_and_elsewhere() {
    let post = EventName::PostToolUse;
    assert_eq!(
        effect(post, &result(), Verdict::deny("no")),
        Effect::Replaced("[output withheld]\nh: no".into())
    );
    let edit = Verdict::edit(Edit::Output("key=?".into()));
    assert_eq!(effect(post, &result(), edit), Effect::Replaced("key=?".into()));
    let permission = EventName::PermissionRequest;
    let asked = json!({"sessionId": "s", "toolName": "bash", "toolInput": {"command": "make"}});
    assert_eq!(ask(permission, &asked, Verdict::deny("no")), json!({"behavior": "deny", "message": "h: no"}));
    assert_eq!(ask(permission, &asked, Verdict::ask("sure?")), json!({}));
    let prompt = json!({"sessionId": "s", "prompt": "hi"});
    let submit = EventName::UserPromptSubmit;
    assert_eq!(ask(submit, &prompt, Verdict::deny("no")), json!({"decision": "block", "reason": "h: no"}));
    let context = Verdict::abstain().with_context("know this");
    assert_eq!(
        ask(EventName::SessionStart, &plain(), context.clone()),
        json!({"additionalContext": "know this"})
    );
    assert_eq!(ask(EventName::PreCompact, &plain(), context), json!({}));
    assert_eq!(
        ask(EventName::Stop, &plain(), Verdict::deny("no")),
        json!({"decision": "block", "reason": "h: no"})
    );
}

/// The key in the file decides which of the two arrives; a call must be judged alike in both.
#[test]
fn both_spellings_are_one_payload() {
    let read = |payload: &Value| {
        copilot().decode(payload.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap()
    };
    let (camel, pascal) = (read(&camel()), read(&pascal()));
    let (one, other) = (camel.event.call().unwrap(), pascal.event.call().unwrap());
    assert_eq!((&one.name, &one.input, one.kind), (&other.name, &other.input, other.kind));
    assert_eq!((&camel.session.id, &camel.session.cwd), (&pascal.session.id, &pascal.session.cwd));
    let mut with_result = self::pascal();
    with_result["hook_event_name"] = json!("PostToolUse");
    with_result["tool_result"] = json!({"result_type": "success", "text_result_for_llm": "key=1"});
    let read = |payload: &Value| {
        copilot().decode(payload.to_string().into_bytes(), Some(EventName::PostToolUse)).unwrap()
    };
    for payload in [&with_result, &result()] {
        assert_eq!(read(payload).event.output().unwrap().text(), "key=1");
    }
}

#[test]
fn without_an_event_on_the_command_line_the_first_spelling_is_an_error() {
    let error = copilot().decode(camel().to_string().into_bytes(), None).unwrap_err().to_string();
    assert!(error.starts_with("the payload does not name its event"), "{error}");
    assert!(copilot().decode(pascal().to_string().into_bytes(), None).is_ok());
}

#[test]
fn arguments_may_be_json_in_a_string_and_no_other_string() {
    let mut event = camel();
    event["toolArgs"] = json!("{\"command\": \"make\"}");
    let read =
        |payload: &Value| copilot().decode(payload.to_string().into_bytes(), Some(EventName::PreToolUse));
    assert_eq!(read(&event).unwrap().event.call().unwrap().text("command"), Some("make"));
    for args in [json!("make"), json!("[1]"), json!(["make"]), json!(3)] {
        event["toolArgs"] = args;
        assert!(read(&event).is_err(), "{event}");
    }
}

/// A prompt is not refused by exit code 2, and the reason of a call is lost with it.
#[test]
fn a_refusal_has_exit_code_0_and_the_form_of_every_gate() {
    for event in [None, Some(EventName::PreToolUse), Some(EventName::UserPromptSubmit)] {
        let reply = copilot().refuse(event, "no");
        assert_eq!(reply.exit, 0);
        for event in [EventName::PreToolUse, EventName::PermissionRequest, EventName::UserPromptSubmit] {
            assert_eq!(readers::copilot(event, &reply), Effect::Denied("no".into()), "{event}");
        }
    }
    assert_eq!(copilot().refuse(Some(EventName::Stop), "no").stdout, b"{}\n");
}

/// A reason of 4 MiB did not come to an end in two minutes.
#[test]
fn a_reason_is_short() {
    let (_, reply) = answered(EventName::PreToolUse, &camel(), Verdict::deny("x".repeat(4 << 20)));
    assert!(reply.stdout.len() < 8_000, "{}", reply.stdout.len());
}

#[test]
fn its_own_tools_have_a_kind() {
    for (tool, kind) in [("create", ToolKind::Write), ("edit", ToolKind::Edit), ("view", ToolKind::Read)] {
        let mut event = camel();
        event["toolName"] = json!(tool);
        event["toolArgs"] = json!({"path": "/p/x"});
        let payload = copilot().decode(event.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap();
        assert_eq!(payload.event.call().unwrap().kind, kind, "{tool}");
    }
}

/// Its file has a version, and lists handlers without groups.
#[test]
fn its_file_is_made_and_unmade() {
    let pre = Wanted::new(&COPILOT, None, COPILOT.fired(EventName::PreToolUse).unwrap(), "/bin/checkrein");
    let installed = install("", &COPILOT, std::slice::from_ref(&pre)).unwrap();
    let root: Value = serde_json::from_str(&installed.text).unwrap();
    let handler = json!({"type": "command", "timeoutSec": 30,
        "bash": "/bin/checkrein hook --host copilot --event PreToolUse"});
    assert_eq!(root, json!({"version": 1, "hooks": {"preToolUse": [handler]}}));
    let found = entries(&installed.text, &COPILOT).unwrap();
    assert_eq!((found.len(), found[0].event), (1, Some(EventName::PreToolUse)));
    assert_eq!(install(&installed.text, &COPILOT, &[pre]).unwrap().text, installed.text);
    let back = uninstall(&installed.text, &COPILOT, Some(&installed.made)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), json!({"version": 1}));
}
