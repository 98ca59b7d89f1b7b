//! The payload that a hook of one host gets for an event of every host, and the way back of its changes.
//!
//! `corpus/written-for/<host>.jsonl` has the whole payloads. `UPDATE_EXPECTED=1 cargo test -p checkrein-hosts --test foreign`
//! writes them; read the difference.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod calls;

use checkrein_core::{Edit, EventName, Map, Payload, Verdict};
use checkrein_hosts::{
    find,
    foreign::{Foreign, ForeignError, Request, hosts},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

const NOW: u64 = 1_794_768_286_809;

fn decoded(host: &str, payload: &Value, event: EventName) -> Payload {
    let read = find(host).unwrap().decode(payload.to_string().into_bytes(), Some(event));
    read.unwrap_or_else(|error| panic!("{host}: {error}"))
}

/// Returns a call that writes a file, as each host of another spelling sends it.
fn writes() -> Vec<(&'static str, Value)> {
    let call = |event: &str, tool: &str, input: Value| json!({"hook_event_name": event, "session_id": "s", "cwd": "/p", "tool_name": tool, "tool_input": input});
    let ours = json!({"file_path": "/p/a", "content": "one\n"});
    let path = json!({"path": "/p/a", "content": "one\n"});
    let patch = json!({"command": "*** Begin Patch\n*** Add File: a\n+one\n*** Update File: b\n@@\n-one\n+two\n*** End Patch\n"});
    vec![
        ("claude", call("PreToolUse", "Write", ours.clone())),
        ("codex", call("PreToolUse", "apply_patch", patch)),
        ("gemini", call("BeforeTool", "write_file", ours.clone())),
        ("qwen", call("PreToolUse", "write_file", ours.clone())),
        (
            "copilot",
            json!({"sessionId": "s", "cwd": "/p", "toolName": "create", "toolArgs": {"path": "/p/a", "file_text": "one\n"}}),
        ),
        (
            "cline",
            json!({"taskId": "s", "workspaceRoots": ["/p"], "hookName": "tool_call",
                   "tool_call": {"id": "1", "name": "editor", "input": {"path": "/p/a", "new_text": "one\n"}}}),
        ),
        ("pi", call("PreToolUse", "write", path.clone())),
        ("opencode", call("PreToolUse", "write", json!({"filePath": "/p/a", "content": "one\n"}))),
        ("kimi", call("PreToolUse", "Write", path.clone())),
        ("grok", call("PreToolUse", "write", ours.clone())),
        ("hermes", call("pre_tool_call", "write_file", path)),
        ("cursor", call("preToolUse", "Write", ours)),
        ("vscode", call("PreToolUse", "create_file", json!({"filePath": "/p/a", "content": "one\n"}))),
    ]
}

/// Returns one event of each other sort, as Claude Code sends it.
fn others() -> Vec<(EventName, Value)> {
    let with = |event: EventName, fields: Value| {
        let mut all = json!({"session_id": "s", "cwd": "/p", "hook_event_name": event.as_str()});
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        (event, all)
    };
    let call = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
    let mut after = call.clone();
    after["tool_response"] = json!({"stdout": "a\nb\n", "stderr": "", "interrupted": false});
    let mut failed = call;
    failed["error"] = "no such file".into();
    vec![
        with(EventName::PostToolUse, after),
        with(EventName::PostToolUseFailure, failed),
        with(EventName::UserPromptSubmit, json!({"prompt": "hi"})),
        with(EventName::SessionStart, json!({"source": "resume"})),
        with(EventName::SessionEnd, json!({"reason": "other"})),
        with(EventName::Stop, json!({"stop_hook_active": true, "last_assistant_message": "done"})),
        with(EventName::PreCompact, json!({"trigger": "manual"})),
    ]
}

/// Returns every form in which a hook can be written for an event.
fn forms(event: EventName) -> Vec<(String, Foreign)> {
    let keys: &[&str] = match event {
        EventName::PreToolUse => {
            &["cursor:beforeShellExecution", "cursor:beforeReadFile", "copilot:PreToolUse"]
        }
        EventName::PostToolUse => {
            &["cursor:afterShellExecution", "cursor:afterFileEdit", "copilot:PostToolUse"]
        }
        _ => &[],
    };
    let names = hosts().map(|host| host.name().to_owned()).chain(keys.iter().map(|key| (*key).to_owned()));
    names.filter_map(|name| Some((name.clone(), Foreign::parse(&name, event).ok()?))).collect()
}

#[test]
fn every_hook_gets_the_payload_of_its_host() {
    let mut events: Vec<(String, Payload)> = Vec::new();
    for (host, payload) in calls::calls("npm test").into_iter().chain(writes()) {
        events.push((host.to_owned(), decoded(host, &payload, EventName::PreToolUse)));
    }
    for (event, payload) in others() {
        events.push(("claude".to_owned(), decoded("claude", &payload, event)));
    }
    let mut lines: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
    for (from, payload) in &events {
        for (form, foreign) in forms(payload.name()) {
            let file = lines.entry(foreign.host().name().to_owned()).or_default();
            let sent: Vec<Map> =
                foreign.requests(payload, NOW).iter().map(|request| request.fields().clone()).collect();
            file.push_str(&json!({"from": from, "written_for": form, "gets": sent}).to_string());
            file.push('\n');
        }
    }
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/written-for");
    assert_eq!(
        lines.keys().collect::<Vec<_>>(),
        ["claude", "codex", "copilot", "cursor", "gemini", "qwen", "vscode"]
    );
    for (host, found) in lines {
        let path = directory.join(format!("{host}.jsonl"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(&path, &found).unwrap();
        }
        assert_eq!(found, fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
    }
}

/// The names and arguments of the call that a hook of Claude Code gets are the same under every host.
#[test]
fn one_call_is_the_same_call_under_every_host() {
    let claude = Foreign::parse("claude", EventName::PreToolUse).unwrap();
    for (host, payload) in calls::calls("npm test") {
        let payload = decoded(host, &payload, EventName::PreToolUse);
        let requests = claude.requests(&payload, NOW);
        let [request] = requests.as_slice() else { panic!("{host}: {requests:?}") };
        assert_eq!(request.fields()["tool_name"], "Bash", "{host}");
        assert_eq!(request.fields()["tool_input"]["command"], "npm test", "{host}");
    }
    for (host, payload) in writes() {
        let payload = decoded(host, &payload, EventName::PreToolUse);
        let requests = claude.requests(&payload, NOW);
        let fields = requests[0].fields();
        assert_eq!(fields["tool_name"], "Write", "{host}");
        assert_eq!(fields["tool_input"], json!({"file_path": "/p/a", "content": "one\n"}), "{host}");
    }
}

fn rewritten(request: &Request, payload: &Payload, key: &str, value: &str) -> Result<Map, String> {
    let mut input = request.call().unwrap().input.clone();
    input.insert(key.to_owned(), value.into());
    let verdict = request.restore(payload, Verdict::edit(Edit::Input(input)));
    match verdict.map_err(|error| error.to_string())?.edit {
        Some(Edit::Input(input)) => Ok(input),
        other => panic!("{other:?}"),
    }
}

/// A change goes back into the keys that arrived, and what the hook did not see stays.
#[test]
fn a_change_goes_back_into_the_keys_that_arrived() {
    let vscode = json!({"hook_event_name": "PreToolUse", "tool_name": "create_file", "session_id": "s", "cwd": "/p",
                        "tool_input": {"filePath": "/p/a", "content": "one", "mode": 3}});
    let payload = decoded("vscode", &vscode, EventName::PreToolUse);
    for (form, key) in
        [("claude", "content"), ("copilot", "file_text"), ("gemini", "content"), ("cursor", "content")]
    {
        let foreign = Foreign::parse(form, EventName::PreToolUse).unwrap();
        let requests = foreign.requests(&payload, NOW);
        let changed = rewritten(&requests[0], &payload, key, "two").unwrap();
        assert_eq!(
            Value::Object(changed),
            json!({"filePath": "/p/a", "content": "two", "mode": 3}),
            "{form}"
        );
    }
    // A key that is new for the hook's host is new for the other one too, under its name.
    let replace = json!({"hook_event_name": "PreToolUse", "tool_name": "replace_string_in_file", "session_id": "s",
                         "tool_input": {"filePath": "/p/a", "oldString": "x"}});
    let payload = decoded("vscode", &replace, EventName::PreToolUse);
    let copilot = Foreign::parse("copilot", EventName::PreToolUse).unwrap().requests(&payload, NOW);
    let changed = rewritten(&copilot[0], &payload, "new_str", "y").unwrap();
    assert_eq!(Value::Object(changed), json!({"filePath": "/p/a", "oldString": "x", "newString": "y"}));
}

#[test]
fn a_change_that_cannot_go_back_is_an_error_and_no_change_is_none() {
    let patch = &writes()[1].1;
    let payload = decoded("codex", patch, EventName::PreToolUse);
    let requests = Foreign::parse("claude", EventName::PreToolUse).unwrap().requests(&payload, NOW);
    assert_eq!(requests.len(), 2);
    assert!(rewritten(&requests[0], &payload, "content", "two").unwrap_err().contains("apply_patch"));
    let same = Verdict::edit(Edit::Input(requests[0].call().unwrap().input.clone()));
    assert_eq!(requests[0].restore(&payload, same).unwrap().edit, None);
    // Cursor's hooks get the directory of a command. No other host takes one.
    let payload = decoded("gemini", &calls::calls("ls")[3].1, EventName::PreToolUse);
    let requests = Foreign::parse("cursor", EventName::PreToolUse).unwrap().requests(&payload, NOW);
    assert!(rewritten(&requests[0], &payload, "working_directory", "/").is_err());
    assert_eq!(
        rewritten(&requests[0], &payload, "command", "true").unwrap(),
        *json!({"command": "true"}).as_object().unwrap()
    );
}

/// The answers of each host's hooks, as their documentation shows them.
#[test]
fn answers_are_read_in_the_words_of_the_host() {
    let read = |form: &str, event: EventName, answer: Value| {
        let foreign = Foreign::parse(form, event).unwrap();
        Value::Object(foreign.answer(event, &answer.to_string()).unwrap())
    };
    use EventName::{PermissionRequest, PostToolUse, PreToolUse, Stop, UserPromptSubmit};
    for (form, event, answer, expected) in [
        (
            "cursor",
            PreToolUse,
            json!({"permission": "deny", "user_message": "u", "agent_message": "a"}),
            json!({"decision": "deny", "reason": "a", "systemMessage": "u"}),
        ),
        (
            "cursor",
            PreToolUse,
            json!({"permission": "allow", "updated_input": {"command": "x"}}),
            json!({"decision": "allow", "tool_input": {"command": "x"}}),
        ),
        (
            "cursor",
            UserPromptSubmit,
            json!({"continue": false, "user_message": "u"}),
            json!({"decision": "deny", "reason": "u"}),
        ),
        (
            "cursor",
            Stop,
            json!({"followup_message": "go on"}),
            json!({"decision": "deny", "reason": "go on"}),
        ),
        ("cursor", PostToolUse, json!({"additional_context": "c"}), json!({"context": "c"})),
        (
            "copilot",
            PreToolUse,
            json!({"permissionDecision": "allow", "modifiedArgs": {"command": "x"}}),
            json!({"permissionDecision": "allow", "tool_input": {"command": "x"}}),
        ),
        (
            "copilot",
            PermissionRequest,
            json!({"behavior": "deny", "message": "m"}),
            json!({"decision": "deny", "reason": "m"}),
        ),
        (
            "copilot",
            PostToolUse,
            json!({"modifiedResult": {"resultType": "success", "textResultForLlm": "t"}}),
            json!({"tool_output": "t"}),
        ),
        (
            "gemini",
            PreToolUse,
            json!({"hookSpecificOutput": {"hookEventName": "BeforeTool", "tool_input": {"command": "x"}}}),
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse"}, "tool_input": {"command": "x"}}),
        ),
        (
            "codex",
            PostToolUse,
            json!({"continue": false, "stopReason": "short", "reason": "text"}),
            json!({"tool_output": "text"}),
        ),
        (
            "claude",
            PreToolUse,
            json!({"decision": "block", "reason": "r"}),
            json!({"decision": "block", "reason": "r"}),
        ),
    ] {
        assert_eq!(read(form, event, answer), expected, "{form} {event}");
    }
    let progress = "{\"type\":\"progress\",\"message\":\"…\"}\n{\"permissionDecision\":\"deny\"}\n";
    let copilot = Foreign::parse("copilot", PreToolUse).unwrap();
    assert_eq!(copilot.answer(PreToolUse, progress).unwrap().len(), 1);
    assert_eq!(copilot.exit_code(PreToolUse, 1), 2);
    assert_eq!(copilot.exit_code(PostToolUse, 1), 1);
    let gemini = Foreign::parse("gemini", PreToolUse).unwrap();
    assert_eq!([0, 1, 2, 127].map(|code| gemini.exit_code(PreToolUse, code)), [0, 1, 2, 2]);
}

#[test]
fn what_is_no_hook_of_a_host_is_named() {
    let error = |text: &str| Foreign::parse(text, EventName::PreToolUse).unwrap_err();
    assert!(matches!(error("curser"), ForeignError::Host { nearest: Some("cursor"), .. }));
    assert!(matches!(error("pi"), ForeignError::Host { .. }));
    assert!(error("cursor:beforeShell").to_string().contains("has no event `beforeShell`"));
    assert_eq!(error("cursor:stop").to_string(), "`stop` of Cursor is `Stop` here, not `PreToolUse`");
    assert!(Foreign::parse("cursor:beforeReadFile", EventName::PreToolUse).is_ok());
    // Gemini CLI reports a failed call with the same event as any other.
    assert!(Foreign::parse("gemini", EventName::PostToolUseFailure).is_err());
}

/// A hook that runs under its own host gets its own call.
#[test]
fn at_home_nothing_changes() {
    for (host, payload) in calls::calls("npm test").into_iter().chain(writes()) {
        let Ok(foreign) = Foreign::parse(host, EventName::PreToolUse) else { continue };
        let requests = foreign.requests(&decoded(host, &payload, EventName::PreToolUse), NOW);
        let [request] = requests.as_slice() else { panic!("{host}") };
        let fields = request.fields();
        let (name, input) = match host {
            "copilot" => ("toolName", "toolArgs"),
            _ => ("tool_name", "tool_input"),
        };
        assert_eq!(fields[name], payload[name], "{host}");
        let mut seen = fields[input].clone();
        // Cursor's own payload has it already.
        seen.as_object_mut().unwrap().shift_remove("working_directory");
        assert_eq!(seen, payload[input], "{host}");
    }
}
