//! Complete answers in VS Code's dialect, event by event, and the traps of this host. All of it is from its documentation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, Edit, Entry, Map, Payload, ToolKind, Verdict, hook_fn};
use checkrein_hosts::{
    Dialect,
    install::{COPILOT, VSCODE, Wanted, install},
};
use serde_json::{Value, json};

fn vscode() -> &'static dyn Dialect {
    checkrein_hosts::find("vscode").unwrap()
}

fn read(payload: &Value) -> Payload {
    vscode().decode(payload.to_string().into_bytes(), None).unwrap()
}

fn answered(payload: &Value, verdict: Verdict) -> (Vec<String>, Value) {
    let payload = read(payload);
    let mut hooks = Dispatcher::new();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    hooks.add(Entry::new(payload.name(), hook).with_may_allow(true));
    let (outcome, reply) = checkrein_hosts::answer(vscode(), hooks.dispatch(payload));
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    let downgraded = outcome.downgraded.iter().map(ToString::to_string).collect();
    (downgraded, serde_json::from_slice(&reply.stdout).unwrap())
}

fn call(tool: &str, input: &Value) -> Value {
    json!({"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-11-18T10:00:00Z", "cwd": "/p",
           "tool_name": tool, "tool_input": input, "tool_use_id": "t"})
}

fn shell() -> Value {
    call("run_in_terminal", &json!({"command": "make", "explanation": "build"}))
}

#[test]
fn complete_answers() {
    let mut input = Map::new();
    input.insert("command".into(), "make -n".into());
    let nested = |fields: Value| {
        let mut all = json!({"hookEventName": "PreToolUse"});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"hookSpecificOutput": all})
    };
    for (payload, verdict, expected) in [
        (shell(), Verdict::default(), json!({})),
        (shell(), Verdict::allow(), nested(json!({"permissionDecision": "allow"}))),
        (
            shell(),
            Verdict::ask("sure?"),
            nested(json!({"permissionDecision": "ask", "permissionDecisionReason": "h: sure?"})),
        ),
        (
            shell(),
            Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() },
            nested(json!({"updatedInput": {"command": "make -n", "explanation": "build"}})),
        ),
        (
            json!({"hook_event_name": "SessionStart", "source": "new"}),
            Verdict { context: vec!["know".into()], ..Verdict::default() },
            json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "know"}}),
        ),
        (
            json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"}),
            Verdict::deny("no"),
            json!({"continue": false, "stopReason": "h: no"}),
        ),
        (
            json!({"hook_event_name": "Stop", "stop_hook_active": false}),
            Verdict::deny("go on"),
            json!({"decision": "block", "reason": "h: go on",
                   "hookSpecificOutput": {"hookEventName": "Stop", "decision": "block", "reason": "h: go on"}}),
        ),
    ] {
        let mut answer = answered(&payload, verdict).1;
        // What the user is told is not a part of the decision.
        answer.as_object_mut().unwrap().remove("systemMessage");
        assert_eq!(answer, expected, "{payload}");
    }
    let denied = answered(&shell(), Verdict::deny("no")).1;
    assert_eq!(denied["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(denied["hookSpecificOutput"]["permissionDecisionReason"], "h: no");
}

/// It calls every hook for every tool, with names and keys of its own.
#[test]
fn vscode_ignores_matchers() {
    for (tool, input, kind) in [
        ("run_in_terminal", json!({"command": "make"}), ToolKind::Shell),
        ("runTerminalCommand", json!({"command": "make"}), ToolKind::Shell),
        ("create_file", json!({"filePath": "/p/a", "content": "x"}), ToolKind::Write),
        ("createFile", json!({"filePath": "/p/a", "content": "x"}), ToolKind::Write),
        (
            "replace_string_in_file",
            json!({"filePath": "/p/a", "oldString": "a", "newString": "b"}),
            ToolKind::Edit,
        ),
        ("editFiles", json!({"files": ["a"]}), ToolKind::Edit),
        ("read_file", json!({"filePath": "/p/a"}), ToolKind::Read),
        ("unheard_of", json!({}), ToolKind::Other),
    ] {
        let payload = read(&call(tool, &input));
        assert_eq!(payload.event.call().unwrap().kind, kind, "{tool}");
    }
    // No entry relies on one.
    let wanted: Vec<Wanted> = VSCODE
        .registered(None, &[])
        .map(|fired| Wanted::new(&VSCODE, None, fired, "/bin/checkrein"))
        .collect();
    let text = install("", &VSCODE, &wanted).unwrap().text;
    assert!(!text.contains("matcher"), "{text}");
}

/// A `stopReason` ends the turn even without `continue: false`.
#[test]
fn vscode_ends_a_turn_for_a_bare_stop_reason() {
    for payload in [shell(), json!({"hook_event_name": "Stop"}), json!({"hook_event_name": "SessionStart"})] {
        for verdict in [Verdict::deny("no"), Verdict::ask("sure?"), Verdict::allow()] {
            let answer = answered(&payload, verdict).1;
            assert_eq!(answer.get("stopReason"), None, "{answer}");
            assert_eq!(answer.get("continue"), None, "{answer}");
        }
    }
}

/// It knows no limit of its own for a stop that is always blocked.
#[test]
fn vscode_does_not_loop_at_a_stop() {
    for event in ["Stop", "SubagentStop"] {
        let again = json!({"hook_event_name": event, "stop_hook_active": true});
        assert_eq!(answered(&again, Verdict::deny("go on")).1, json!({}), "{event}");
    }
}

/// A denial after a tool adds its reason, and the result stays.
#[test]
fn vscode_keeps_a_result() {
    let mut after = shell();
    after["hook_event_name"] = "PostToolUse".into();
    after["tool_response"] = "key".into();
    let (downgraded, answer) = answered(&after, Verdict::deny("secret"));
    assert_eq!(answer["decision"], "block");
    assert!(!downgraded.is_empty());
}

/// Copilot CLI reads the same directory, so the two files differ in name.
#[test]
fn vscode_and_copilot_have_files_of_their_own() {
    assert_eq!(VSCODE.directory, COPILOT.directory);
    assert_ne!(VSCODE.file, COPILOT.file);
    // Its directory says nothing about whether it is installed.
    assert!(!VSCODE.signs.is_empty());
}
