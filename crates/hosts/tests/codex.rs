//! Complete answers in Codex's dialect, event by event.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod readers;

use checkrein_core::{Decision, Dispatcher, Edit, Entry, Map, Payload, Role, Verdict, hook_fn};
use insta::assert_snapshot;
use readers::Effect;
use serde_json::{Value, json};

fn map(value: Value) -> Map {
    let Value::Object(map) = value else { panic!("not an object") };
    map
}

/// Returns the answer to `payload` with this hook: stdout, the exit code if it is not 0, and what was downgraded.
fn ask(payload: &Value, verdict: Verdict) -> String {
    let codex = checkrein_hosts::find("codex").unwrap();
    let payload = codex.decode(payload.to_string().into_bytes(), None).unwrap();
    let event = payload.name();
    let mut hooks = Dispatcher::new();
    let hook = hook_fn("h", move |_: &Payload| verdict.clone());
    hooks.add(Entry::new(event, hook).with_may_allow(true));
    let (outcome, reply) = checkrein_hosts::answer(codex, hooks.dispatch(payload));
    let effect = readers::codex(event, &reply);
    assert!(!matches!(effect, Effect::Thrown(_)), "{effect:?}: {reply:?}");
    let mut text = String::from_utf8(reply.stdout).unwrap();
    if reply.exit != 0 {
        text += &format!("exit {}: {}\n", reply.exit, reply.stderr);
    }
    for downgraded in outcome.downgraded {
        text += &format!("downgraded: {downgraded}\n");
    }
    text
}

fn bash(event: &str) -> Value {
    json!({"session_id": "s", "turn_id": "1", "model": "m", "hook_event_name": event, "tool_name": "Bash",
           "tool_input": {"command": "make"}, "tool_use_id": "t"})
}

fn bash_result() -> Value {
    let mut payload = bash("PostToolUse");
    payload["tool_response"] = json!("key=1\n");
    payload
}

fn plain(event: &str) -> Value {
    json!({"session_id": "s", "hook_event_name": event})
}

fn prompt() -> Value {
    json!({"session_id": "s", "turn_id": "1", "hook_event_name": "UserPromptSubmit", "prompt": "hi"})
}

#[test]
fn pre_tool_use() {
    let event = bash("PreToolUse");
    let rewrite = || Edit::MergeInput(map(json!({"command": "make -n"})));
    assert_snapshot!(ask(&event, Verdict::abstain()), @"{}");
    assert_snapshot!(ask(&event, Verdict::deny("no")), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"h: no"}}"#);
    assert_snapshot!(ask(&event, Verdict { decision: Decision::Deny, ..Verdict::default() }), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"blocked by hook `h`"}}"#);
    assert_snapshot!(ask(&event, Verdict::ask("sure?")), @r#"
    {"systemMessage":"Checkrein: hook `h` blocked this call: sure? (this needs the user's confirmation, and this agent cannot ask for it)","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"h: sure? (this needs the user's confirmation, and this agent cannot ask for it)"}}
    downgraded: this host cannot prompt, so `ask` became `deny`
    "#);
    assert_snapshot!(ask(&event, Verdict::allow().with_reason("known")), @"
    {}
    downgraded: an `allow` has no effect here
    ");
    assert_snapshot!(ask(&event, Verdict::edit(rewrite())), @r#"{"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"make -n"}}}"#);
    assert_snapshot!(ask(&event, Verdict { edit: Some(rewrite()), ..Verdict::allow() }), @r#"
    {"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"command":"make -n"}}}
    downgraded: an `allow` has no effect here
    "#);
    assert_snapshot!(ask(&event, Verdict { decision: Decision::Ask, edit: Some(rewrite()), ..Verdict::default() }), @r#"
    {"systemMessage":"Checkrein: hook `h` blocked this call: this needs the user's confirmation, and this agent cannot ask for it","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"h: this needs the user's confirmation, and this agent cannot ask for it"}}
    downgraded: this host cannot prompt, so `ask` became `deny`
    "#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_context("know this")), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"know this"}}"#);
    assert_snapshot!(ask(&event, Verdict::deny("no").with_context("know this")), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"know this","permissionDecision":"deny","permissionDecisionReason":"h: no"}}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_stop("enough")), @r#"
    {"systemMessage":"Checkrein blocked this call: `h` ends the turn: enough","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"checkrein: `h` ends the turn: enough"}}
    downgraded: this host cannot end the turn here, as `h` requested
    "#);
}

/// Of a shell call and of a patch, Codex takes the command and drops the rest.
#[test]
fn a_rewrite_that_codex_would_take_only_in_part_is_a_denial() {
    for tool in ["Bash", "apply_patch"] {
        let mut event = bash("PreToolUse");
        event["tool_name"] = json!(tool);
        let edit = |changes: Value| Verdict::edit(Edit::MergeInput(map(changes)));
        assert!(ask(&event, edit(json!({"command": "x"}))).contains(r#""updatedInput":{"command":"x"}"#));
        assert!(ask(&event, edit(json!({"command": "x", "timeout": 3}))).contains(r#""deny""#));
        assert!(ask(&event, edit(json!({"command": ["x"]}))).contains(r#""deny""#));
        assert!(ask(&event, Verdict::edit(Edit::Input(map(json!({"text": "x"}))))).contains(r#""deny""#));
    }
    let mut event = bash("PreToolUse");
    event["tool_name"] = json!("mcp__notes__add");
    event["tool_input"] = json!({"text": "a", "many": 2});
    let edit = Verdict::edit(Edit::MergeInput(map(json!({"text": "b", "more": 1}))));
    assert_snapshot!(ask(&event, edit), @r#"{"systemMessage":"Checkrein: hook `h` changed this call","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"text":"b","many":2,"more":1}}}"#);
}

#[test]
fn a_denial_after_an_edit_carries_no_input() {
    let codex = checkrein_hosts::find("codex").unwrap();
    let payload = codex.decode(bash("PreToolUse").to_string().into_bytes(), None).unwrap();
    let edit = hook_fn("e", |_: &Payload| Verdict::edit(Edit::MergeInput(map(json!({"command": "x"})))));
    let judge = hook_fn("j", |_: &Payload| Verdict::deny("no"));
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(payload.name(), edit).with_role(Role::Edit));
    hooks.add(Entry::new(payload.name(), judge).with_role(Role::Judge));
    let (_, reply) = checkrein_hosts::answer(codex, hooks.dispatch(payload));
    assert_snapshot!(String::from_utf8(reply.stdout).unwrap(), @r#"{"systemMessage":"Checkrein: hook `j` blocked this call: no","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"j: no"}}"#);
}

#[test]
fn permission_request() {
    let event = bash("PermissionRequest");
    assert_snapshot!(ask(&event, Verdict::deny("no")), @r#"{"systemMessage":"Checkrein: hook `h` blocked this call: no","hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"h: no"}}}"#);
    assert_snapshot!(ask(&event, Verdict::allow().with_context("know this")), @r#"
    {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}
    downgraded: this host cannot pass text to the model here
    "#);
    assert_snapshot!(ask(&event, Verdict::ask("sure?")), @"{}");
    let edit = Edit::MergeInput(map(json!({"command": "make -n"})));
    assert_snapshot!(ask(&event, Verdict { edit: Some(edit), ..Verdict::allow() }), @r#"{"systemMessage":"Checkrein blocked this call: this agent cannot apply a changed input; proposed instead: {\"command\":\"make -n\"}","hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"checkrein: this agent cannot apply a changed input; proposed instead: {\"command\":\"make -n\"}"}}}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_stop("enough")), @r#"
    {"systemMessage":"Checkrein blocked this call: `h` ends the turn: enough","hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"checkrein: `h` ends the turn: enough"}}}
    downgraded: this host cannot end the turn here, as `h` requested
    "#);
}

#[test]
fn post_tool_use() {
    let event = bash_result();
    assert_snapshot!(ask(&event, Verdict::edit(Edit::Output("key=[redacted]".into())).with_reason("removed 1 secret")), @r#"{"systemMessage":"Checkrein: hook `h` changed this output: removed 1 secret","continue":false,"stopReason":"the output was changed by a hook","reason":"key=[redacted]"}"#);
    assert_snapshot!(ask(&event, Verdict::edit(Edit::Output("".into()))), @r#"{"continue":false,"stopReason":"the output was changed by a hook","reason":""}"#);
    assert_snapshot!(ask(&event, Verdict::deny("it holds a key")), @r#"{"systemMessage":"Checkrein: hook `h` withheld this output: it holds a key","decision":"block","reason":"[output withheld]\nh: it holds a key"}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_context("look at the log")), @r#"{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"look at the log"}}"#);
    assert_snapshot!(ask(&event, Verdict::abstain().with_stop("enough")), @"
    {}
    downgraded: this host cannot end the turn here, as `h` requested
    ");
    assert_snapshot!(ask(&event, Verdict::ask("sure?")), @r#"
    {"systemMessage":"Checkrein: hook `h` withheld this output: sure? (this needs the user's confirmation, and this agent cannot ask for it)","decision":"block","reason":"[output withheld]\nh: sure? (this needs the user's confirmation, and this agent cannot ask for it)"}
    downgraded: this host cannot prompt, so `ask` became `deny`
    "#);
}

/// The result of an MCP server has a shape, and its replacement is a text.
#[test]
fn a_result_of_any_shape_is_replaced() {
    let mut event = bash_result();
    event["tool_name"] = json!("mcp__notes__list");
    for response in [json!({"content": [{"type": "text", "text": "key=1"}]}), json!({"rows": 3}), json!(null)]
    {
        event["tool_response"] = response;
        let answer = ask(&event, Verdict::edit(Edit::Output("gone".into())));
        assert_eq!(
            answer.trim(),
            r#"{"continue":false,"stopReason":"the output was changed by a hook","reason":"gone"}"#
        );
        assert!(ask(&event, Verdict::deny("no")).contains("[output withheld]"));
    }
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
fn sessions_and_subagents() {
    assert_snapshot!(ask(&plain("SessionStart"), Verdict::abstain().with_context("governed")), @r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"governed"}}"#);
    assert_snapshot!(ask(&plain("SessionStart"), Verdict::deny("no")), @"
    {}
    downgraded: a denial has no effect here: h: no
    ");
    assert_snapshot!(ask(&plain("SessionStart"), Verdict::abstain().with_stop("enough")), @r#"{"continue":false,"stopReason":"enough"}"#);
    assert_snapshot!(ask(&plain("SessionEnd"), Verdict::abstain().with_context("lost")), @"
    {}
    downgraded: this host cannot pass text to the model here
    ");
    assert_snapshot!(ask(&plain("SubagentStart"), Verdict::deny("no")), @"
    {}
    downgraded: a denial has no effect here: h: no
    ");
}

/// Codex has no limit of its own: an agent whose stop was blocked once may stop.
#[test]
fn ends_of_turns() {
    for event in ["Stop", "SubagentStop"] {
        let mut event = plain(event);
        event["stop_hook_active"] = json!(false);
        let failing = || Verdict::deny("the tests fail");
        assert_eq!(ask(&event, failing()), "{\"decision\":\"block\",\"reason\":\"h: the tests fail\"}\n");
        let ends = "{\"continue\":false,\"stopReason\":\"enough\"}\n";
        assert_eq!(ask(&event, failing().with_stop("enough")), ends);
        event["stop_hook_active"] = json!(true);
        assert_eq!(
            ask(&event, failing()),
            "{}\ndowngraded: a denial has no effect here: h: the tests fail\n"
        );
        assert_eq!(ask(&event, failing().with_stop("enough")), ends);
    }
}

#[test]
fn compactions_and_interruptions() {
    assert_snapshot!(ask(&plain("PreCompact"), Verdict::deny("not now")), @r#"{"continue":false,"stopReason":"h: not now"}"#);
    assert_snapshot!(ask(&plain("PostCompact"), Verdict::abstain().with_stop("enough")), @r#"{"continue":false,"stopReason":"enough"}"#);
    assert_snapshot!(ask(&plain("Interrupt"), Verdict::abstain().with_stop("enough").with_context("lost")), @"
    {}
    downgraded: this host cannot end the turn here, as `h` requested
    downgraded: this host cannot pass text to the model here
    ");
}

#[test]
fn long_texts_are_cut() {
    let answer = ask(&bash("PreToolUse"), Verdict::deny("x".repeat(1 << 20)));
    assert!(answer.len() < 5_000 && answer.contains("characters in total"));
}

/// A tool without arguments.
#[test]
fn no_arguments_are_an_empty_object() {
    let mut event = bash("PreToolUse");
    event["tool_name"] = json!("mcp__notes__list");
    event["tool_input"] = json!(null);
    assert_snapshot!(ask(&event, Verdict::abstain()), @"{}");
}

#[test]
fn unreadable_events_are_refused() {
    let codex = checkrein_hosts::find("codex").unwrap();
    for event in ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "PreCompact"] {
        let event = event.parse().unwrap();
        let effect = readers::codex(event, &codex.refuse(Some(event), "why"));
        assert!(matches!(effect, Effect::Denied(_) | Effect::Ends), "{event}: {effect:?}");
        if event.as_str() != "PreCompact" {
            let effect = readers::codex(event, &codex.refuse(None, "why"));
            assert!(matches!(effect, Effect::Denied(_)), "{event}: {effect:?}");
        }
    }
    for event in
        ["PostToolUse", "SessionStart", "SessionEnd", "Stop", "SubagentStop", "Interrupt", "PostCompact"]
    {
        let event = event.parse().unwrap();
        let effect = readers::codex(event, &codex.refuse(Some(event), "why"));
        assert_eq!(effect, Effect::GoesOn, "{event}");
    }
}

/// Codex fires no event for text that is typed into an open shell, and a judge has to know that.
#[test]
fn typed_input_has_no_event() {
    let decode = |host: &str| {
        let bytes = bash("PreToolUse").to_string().into_bytes();
        checkrein_hosts::find(host).unwrap().decode(bytes, None).unwrap()
    };
    assert!(decode("codex").host.types_unseen);
    assert!(!decode("claude").host.types_unseen);
}
