//! Complete answers for Hermes, the traps of what it reads, and our block in its settings.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{
    Reply, find,
    install::{HERMES, Wanted, check, entries, install, uninstall},
};
use serde_json::{Value, json};

fn decoded(event: &str, fields: &Value) -> Result<Payload, String> {
    let mut sent = json!({"hook_event_name": event, "session_id": "s", "cwd": "/", "tool_name": null, "tool_input": null});
    sent.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let dialect = find("hermes").unwrap();
    dialect.decode(sent.to_string().into_bytes(), HERMES.event(event)).map_err(|error| error.to_string())
}

fn shell() -> Payload {
    let call =
        json!({"tool_name": "terminal", "tool_input": {"command": "make"}, "extra": {"tool_call_id": "c1"}});
    decoded("pre_tool_call", &call).unwrap()
}

fn answer(payload: Payload, verdict: Verdict) -> Reply {
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(payload.name(), hook_fn("h", move |_: &Payload| verdict.clone())));
    checkrein_hosts::answer(find("hermes").unwrap(), hooks.dispatch(payload)).1
}

fn said(reply: &Reply) -> Value {
    serde_json::from_slice(&reply.stdout).unwrap()
}

/// Only JSON on stdout counts, so no denial relies on an exit code.
#[test]
fn hermes_ignores_exit_2() {
    let denied = answer(shell(), Verdict::deny("no"));
    assert_eq!((said(&denied), denied.exit), (json!({"decision": "block", "reason": "h: no"}), 0));
    for event in [None, Some(EventName::PreToolUse)] {
        let refused = find("hermes").unwrap().refuse(event, "broken");
        assert_eq!((said(&refused), refused.exit), (json!({"decision": "block", "reason": "broken"}), 0));
    }
}

#[test]
fn hermes_runs_a_call_that_is_asked_about_so_a_question_is_a_denial() {
    assert_eq!(said(&answer(shell(), Verdict::ask("sure?")))["decision"], "block");
}

#[test]
fn hermes_cannot_rewrite_so_the_model_gets_the_proposed_call() {
    let mut input = Map::new();
    input.insert("command".into(), "make test".into());
    let answer =
        said(&answer(shell(), Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() }));
    assert_eq!(answer["decision"], "block");
    assert!(answer["reason"].as_str().unwrap().contains("make test"));
}

/// Arguments that are no object arrive as null. Such a call cannot be judged.
#[test]
fn a_call_without_arguments_that_we_can_read_is_an_error() {
    decoded("pre_tool_call", &json!({"tool_name": "terminal"})).unwrap_err();
}

#[test]
fn a_prompt_gets_context_and_cannot_be_refused() {
    let prompt = || decoded("pre_llm_call", &json!({"extra": {"user_message": "hi"}})).unwrap();
    assert_eq!(prompt().event.prompt(), Some("hi"));
    let told = answer(prompt(), Verdict { context: vec!["know".into()], ..Verdict::default() });
    assert_eq!(said(&told), json!({"context": "know"}));
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(EventName::UserPromptSubmit, hook_fn("h", |_: &Payload| Verdict::deny("no"))));
    let (outcome, reply) = checkrein_hosts::answer(find("hermes").unwrap(), hooks.dispatch(prompt()));
    assert_eq!(said(&reply), json!({}));
    let says = |line: &String| line.contains("a denial has no effect here");
    assert!(outcome.downgraded.iter().any(says), "{:?}", outcome.downgraded);
}

const PROGRAM: &str = "/opt/it's here/checkrein";

fn wanted() -> Vec<Wanted> {
    HERMES.registered(None, &[]).map(|fired| Wanted::new(&HERMES, None, fired, PROGRAM)).collect()
}

#[test]
fn our_block_comes_and_goes() {
    for before in [
        "",
        "model: {default: x}\n",
        "# mine\r\nmodel:\r\n  default: x\r\n",
        "---\nmodel: x",
        "hooks_auto_accept: false\n",
    ] {
        let installed = install(before, &HERMES, &wanted()).unwrap().text;
        let found = entries(&installed, &HERMES).unwrap();
        assert_eq!(found.len(), wanted().len(), "{installed}");
        assert!(found.iter().all(|entry| !entry.command.is_handmade && entry.command.program == PROGRAM));
        assert!(
            found.iter().all(|entry| HERMES.layout.seconds(&entry.handler).unwrap() <= 300.0),
            "{installed}"
        );
        assert_eq!(install(&installed, &HERMES, &wanted()).unwrap().text, installed);
        let after = uninstall(&installed, &HERMES, None).unwrap();
        assert_eq!(after.trim_end_matches('\n'), before.trim_end_matches('\n'));
        // A new path changes our block and nothing else.
        let old: Vec<Wanted> = HERMES
            .registered(None, &[])
            .map(|fired| Wanted::new(&HERMES, None, fired, "/old/checkrein"))
            .collect();
        let moved = install(&install(before, &HERMES, &old).unwrap().text, &HERMES, &wanted()).unwrap().text;
        assert_eq!(moved, installed);
    }
}

/// We do not parse YAML, so a file with hooks of its own is left alone, and so is one that may be read in another way.
#[test]
fn what_cannot_be_edited_is_an_error() {
    for text in [
        "hooks:\n  pre_tool_call:\n    - command: lint\n",
        "hooks: {}\n",
        "\"hooks\": {}\n",
        "{\"model\": \"x\"}\n",
        "model: x\n---\nmodel: y\n",
        "# Written by `checkrein init`; `checkrein uninstall` removes it.\nhooks:\n",
    ] {
        assert!(check(text, &HERMES).is_err() && install(text, &HERMES, &wanted()).is_err(), "{text}");
        assert_eq!(uninstall(text, &HERMES, None).unwrap(), text);
    }
}

/// An entry that a user added to their own hooks is found, and is theirs.
#[test]
fn a_users_own_entry_is_found() {
    let text = "hooks:\n  pre_tool_call:\n    - matcher: terminal\n      command: '/opt/checkrein hook --host hermes --event PreToolUse'\n";
    let found = entries(text, &HERMES).unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].command.is_handmade && found[0].event == Some(EventName::PreToolUse), "{found:?}");
}
