//! Complete answers in Cursor's dialect, event by event, and the traps of this host. All of it is from its documentation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, ToolKind, Verdict, hook_fn};
use checkrein_hosts::{
    Dialect,
    install::{CURSOR, Wanted, entries, install},
};
use serde_json::{Value, json};

fn cursor() -> &'static dyn Dialect {
    checkrein_hosts::find("cursor").unwrap()
}

fn read(payload: &Value) -> Payload {
    cursor().decode(payload.to_string().into_bytes(), None).unwrap()
}

/// Returns the answer to an event of a hook with this verdict, and what the host could not do.
fn answered(payload: &Value, verdict: Verdict) -> (Vec<String>, Value) {
    let payload = read(payload);
    let mut hooks = Dispatcher::new();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    hooks.add(Entry::new(payload.name(), hook).with_may_allow(true));
    let (outcome, reply) = checkrein_hosts::answer(cursor(), hooks.dispatch(payload));
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    let downgraded = outcome.downgraded.iter().map(ToString::to_string).collect();
    (downgraded, serde_json::from_slice(&reply.stdout).unwrap())
}

fn ask(payload: &Value, verdict: Verdict) -> Value {
    answered(payload, verdict).1
}

fn shell(event: &str) -> Value {
    json!({"conversation_id": "c", "generation_id": "g", "hook_event_name": event, "workspace_roots": ["/p"],
           "command": "make", "cwd": "/p", "tool_name": "Shell", "tool_use_id": "t",
           "tool_input": {"command": "make", "working_directory": "/p"}})
}

fn tool(name: &str, input: &Value) -> Value {
    json!({"conversation_id": "c", "hook_event_name": "preToolUse", "workspace_roots": ["/p"],
           "tool_name": name, "tool_input": input, "tool_use_id": "t"})
}

fn edit(command: &str) -> Verdict {
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() }
}

#[test]
fn each_event_is_one_of_ours() {
    for (native, event, kind, input) in [
        (
            "preToolUse",
            EventName::PreToolUse,
            ToolKind::Shell,
            json!({"command": "make", "working_directory": "/p"}),
        ),
        (
            "beforeShellExecution",
            EventName::PreToolUse,
            ToolKind::Shell,
            json!({"command": "make", "working_directory": "/p"}),
        ),
        (
            "afterShellExecution",
            EventName::PostToolUse,
            ToolKind::Shell,
            json!({"command": "make", "working_directory": "/p"}),
        ),
    ] {
        let payload = read(&shell(native));
        let call = payload.event.call().unwrap();
        assert_eq!((payload.name(), call.kind, call.name.as_str()), (event, kind, "Bash"), "{native}");
        assert_eq!(Value::Object(call.input.clone()), input, "{native}");
        assert_eq!(payload.host.event.as_deref().unwrap_or(native), native);
        assert_eq!((payload.session.id.as_deref(), payload.session.cwd.as_deref()), (Some("c"), Some("/p")));
    }
    for (native, fields, kind) in [
        ("beforeReadFile", json!({"file_path": "/p/.env", "content": "A=1"}), ToolKind::Read),
        ("beforeTabFileRead", json!({"file_path": "/p/.env", "content": "A=1"}), ToolKind::Read),
        (
            "afterFileEdit",
            json!({"file_path": "/p/.env", "edits": [{"old_string": "a", "new_string": "b"}]}),
            ToolKind::Edit,
        ),
        ("afterTabFileEdit", json!({"file_path": "/p/.env", "edits": []}), ToolKind::Edit),
    ] {
        let mut all = json!({"conversation_id": "c", "hook_event_name": native, "workspace_roots": ["/p"]});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let payload = read(&all);
        let call = payload.event.call().unwrap();
        assert_eq!((call.kind, call.input["file_path"].as_str()), (kind, Some("/p/.env")), "{native}");
    }
    let opened = read(&json!({"hook_event_name": "workspaceOpen", "workspace_roots": ["/p"]}));
    assert_eq!(opened.name(), EventName::Setup);
}

#[test]
fn complete_answers() {
    for (payload, verdict, expected) in [
        (shell("preToolUse"), Verdict::default(), json!({})),
        (
            shell("preToolUse"),
            Verdict::deny("no"),
            json!({"permission": "deny", "user_message": "h: no", "agent_message": "h: no"}),
        ),
        (
            shell("preToolUse"),
            edit("make -n"),
            json!({"permission": "allow", "updated_input": {"command": "make -n", "working_directory": "/p"}}),
        ),
        (
            shell("beforeShellExecution"),
            Verdict::deny("no"),
            json!({"permission": "deny", "user_message": "h: no", "agent_message": "h: no"}),
        ),
        (shell("beforeShellExecution"), Verdict::allow(), json!({"permission": "allow"})),
        (shell("preToolUse"), Verdict::allow(), json!({})),
        (
            json!({"hook_event_name": "beforeSubmitPrompt", "prompt": "hi"}),
            Verdict::deny("no"),
            json!({"continue": false, "user_message": "h: no"}),
        ),
        (
            json!({"hook_event_name": "sessionStart", "session_id": "c"}),
            Verdict { context: vec!["know".into()], ..Verdict::default() },
            json!({"additional_context": "know"}),
        ),
        (
            json!({"hook_event_name": "stop", "status": "completed", "loop_count": 0}),
            Verdict::deny("go on"),
            json!({"followup_message": "h: go on"}),
        ),
        (
            json!({"hook_event_name": "postToolUse", "tool_name": "MCP:get", "tool_input": {}, "tool_output": "{\"a\":1}"}),
            Verdict { edit: Some(Edit::Output("b".into())), ..Verdict::default() },
            json!({"updated_mcp_tool_output": {"content": [{"type": "text", "text": "b"}]}}),
        ),
    ] {
        assert_eq!(ask(&payload, verdict), expected, "{payload}");
    }
}

/// `preToolUse` takes the word and runs the call. Another event of a command or an MCP tool asks; for other tools there is none.
#[test]
fn cursor_ignores_ask_before_a_tool() {
    let question = || Verdict::ask("sure?");
    assert_eq!(ask(&shell("beforeShellExecution"), question())["permission"], "ask");
    assert_eq!(ask(&shell("preToolUse"), question())["permission"], "ask");
    let mcp = json!({"hook_event_name": "beforeMCPExecution", "tool_name": "get", "tool_input": "{}", "url": "https://x"});
    assert_eq!(ask(&mcp, question())["permission"], "ask");
    for (name, input) in
        [("Write", json!({"file_path": "/p/a"})), ("Delete", json!({"path": "/p/a"})), ("New", json!({}))]
    {
        assert_eq!(ask(&tool(name, &input), question())["permission"], "deny", "{name}");
    }
    let tab = json!({"hook_event_name": "beforeTabFileRead", "file_path": "/p/.env", "content": ""});
    assert_eq!(ask(&tab, question())["permission"], "deny");
    // Every event that has to ask is registered.
    let keys: Vec<&str> = CURSOR.registered(None, &[]).map(|fired| fired.key).collect();
    assert!(keys.contains(&"beforeShellExecution") && keys.contains(&"beforeMCPExecution"), "{keys:?}");
}

/// Only the event about any tool can change a call. A hook that would change it in another one denies it.
#[test]
fn cursor_rewrites_in_one_event_only() {
    let answer = ask(&shell("beforeShellExecution"), edit("make -n"));
    assert_eq!(answer["permission"], "deny");
    assert!(answer["agent_message"].as_str().unwrap().contains("make -n"), "{answer}");
}

#[test]
fn cursor_writes_json_inside_of_json() {
    let payload = read(
        &json!({"hook_event_name": "beforeMCPExecution", "tool_name": "get", "tool_input": "{\"a\": 1}"}),
    );
    let call = payload.event.call().unwrap();
    assert_eq!((call.name.as_str(), call.kind, &call.input["a"]), ("MCP:get", ToolKind::Mcp, &json!(1)));
    // A text that is no JSON cannot be judged, so the event is refused.
    let broken =
        json!({"hook_event_name": "beforeMCPExecution", "tool_name": "get", "tool_input": "{\"a\": "});
    assert!(cursor().decode(broken.to_string().into_bytes(), Some(EventName::PreToolUse)).is_err());
    let after = json!({"hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": {}, "tool_output": "{\"stdout\":\"ok\"}"});
    assert_eq!(read(&after).event.output().unwrap().text(), "ok");
}

/// By default a hook that fails lets the call run, so every entry before a call has the setting against that.
#[test]
fn cursor_fails_open_without_its_setting() {
    let wanted: Vec<Wanted> = CURSOR
        .registered(None, &[])
        .map(|fired| Wanted::new(&CURSOR, None, fired, "/bin/checkrein"))
        .collect();
    let text = install("", &CURSOR, &wanted).unwrap().text;
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["version"], 1);
    for (key, list) in file["hooks"].as_object().unwrap() {
        let is_gate = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeTabFileRead"]
            .contains(&key.as_str());
        assert_eq!(list[0].get("failClosed"), is_gate.then_some(&json!(true)), "{key}");
        // The matcher of some events is compared with the command itself.
        assert_eq!(list[0].get("matcher"), None, "{key}");
    }
    assert_eq!(entries(&text, &CURSOR).unwrap().len(), wanted.len());
}

/// The file is rejected for an event that it does not know, so no other host's name may be in it.
#[test]
fn cursor_gets_no_unknown_event() {
    assert_eq!(CURSOR.event("PreToolUse"), None);
    assert_eq!(CURSOR.event("beforeShellExecution"), Some(EventName::PreToolUse));
}

#[test]
fn cursor_is_not_continued_after_the_user_ended_a_turn() {
    for status in ["aborted", "error"] {
        let stop = json!({"hook_event_name": "stop", "status": status, "loop_count": 0});
        assert_eq!(ask(&stop, Verdict::deny("go on")), json!({}), "{status}");
    }
    let again = read(&json!({"hook_event_name": "stop", "status": "completed", "loop_count": 1}));
    assert_eq!(again.field("stop_hook_active"), Some(&json!(true)));
}

/// Current versions are reported to start the subagent anyway, so the denial is not counted as one.
#[test]
fn cursor_starts_a_subagent_anyway() {
    let start = json!({"hook_event_name": "subagentStart", "subagent_id": "s", "subagent_type": "explore", "task": "x"});
    let (downgraded, answer) = answered(&start, Verdict::deny("no"));
    assert_eq!(answer["permission"], "deny");
    assert!(!downgraded.is_empty());
}

/// A result of a built-in tool stays, whatever a hook says.
#[test]
fn cursor_keeps_a_result() {
    let after = json!({"hook_event_name": "postToolUse", "tool_name": "Shell", "tool_input": {}, "tool_output": "key"});
    let (downgraded, answer) = answered(&after, Verdict::deny("secret"));
    assert_eq!(answer, json!({}));
    assert!(!downgraded.is_empty());
}

#[test]
fn every_gate_is_refused() {
    for (event, key, value) in [
        (Some(EventName::PreToolUse), "permission", json!("deny")),
        (Some(EventName::UserPromptSubmit), "continue", json!(false)),
        (None, "permission", json!("deny")),
        (None, "continue", json!(false)),
    ] {
        let reply = cursor().refuse(event, "broken");
        let answer: Value = serde_json::from_slice(&reply.stdout).unwrap();
        assert_eq!((&answer[key], reply.exit), (&value, 0));
    }
    assert_eq!(cursor().refuse(Some(EventName::SessionStart), "broken").stdout, b"{}\n");
}
