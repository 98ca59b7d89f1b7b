//! Complete answers for Kimi Code, and the traps of what it reads.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{Dispatcher, Edit, Entry, EventName, Map, Payload, Verdict, hook_fn};
use checkrein_hosts::{
    Reply, find,
    install::{KIMI, Wanted, check, entries, install, uninstall},
};
use serde_json::{Value, json};

fn payload(event: EventName, fields: &Value) -> Payload {
    let mut sent = json!({"hook_event_name": event.as_str(), "session_id": "s", "cwd": "/home/dev/shop"});
    sent.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    find("kimi").unwrap().decode(sent.to_string().into_bytes(), Some(event)).unwrap()
}

fn shell() -> Payload {
    payload(
        EventName::PreToolUse,
        &json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_call_id": "c1"}),
    )
}

fn prompt() -> Payload {
    payload(
        EventName::UserPromptSubmit,
        &json!({"prompt": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}),
    )
}

fn answer(payload: Payload, verdict: Verdict) -> Reply {
    let mut hooks = Dispatcher::new();
    hooks.add(Entry::new(payload.name(), hook_fn("h", move |_: &Payload| verdict.clone())));
    checkrein_hosts::answer(find("kimi").unwrap(), hooks.dispatch(payload)).1
}

#[test]
fn a_denial_before_a_call() {
    let reply = answer(shell(), Verdict::deny("no"));
    assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
    assert_eq!(
        serde_json::from_slice::<Value>(&reply.stdout).unwrap(),
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "h: no",
        }})
    );
    assert_eq!(shell().event.call().unwrap().id.as_deref(), Some("c1"));
}

#[test]
fn kimi_cannot_rewrite_so_the_model_gets_the_proposed_call() {
    let mut input = Map::new();
    input.insert("command".into(), "make test".into());
    let reply = answer(shell(), Verdict { edit: Some(Edit::MergeInput(input)), ..Verdict::default() });
    let said = String::from_utf8(reply.stdout).unwrap();
    assert!(
        said.contains("\"deny\"") && said.contains("make test") && !said.contains("updatedInput"),
        "{said}"
    );
}

#[test]
fn kimi_runs_a_call_that_is_asked_about_so_a_question_is_a_denial() {
    assert!(String::from_utf8(answer(shell(), Verdict::ask("sure?")).stdout).unwrap().contains("\"deny\""));
}

/// Only exit code 2 refuses a prompt, and any text on stdout would become a part of it.
#[test]
fn kimi_gives_every_text_on_stdout_of_a_prompt_to_the_model() {
    assert_eq!(prompt().event.prompt(), Some("one\ntwo"));
    let denied = answer(prompt(), Verdict::deny("no"));
    assert_eq!((denied.stdout.as_slice(), denied.stderr.as_str(), denied.exit), (&b""[..], "h: no\n", 2));
    let silent = answer(prompt(), Verdict::default());
    assert_eq!((silent.stdout.as_slice(), silent.exit), (&b""[..], 0));
    let told = answer(prompt(), Verdict { context: vec!["know this".into()], ..Verdict::default() });
    assert_eq!((told.stdout.as_slice(), told.exit), (&b"know this\n"[..], 0));
    let refused = find("kimi").unwrap().refuse(Some(EventName::UserPromptSubmit), "broken");
    assert_eq!((refused.stdout.as_slice(), refused.stderr.as_str(), refused.exit), (&b""[..], "broken\n", 2));
}

/// A turn that was made to continue once ends the next time.
#[test]
fn a_stop_is_blocked_once() {
    let stop = |active: bool| payload(EventName::Stop, &json!({"stop_hook_active": active}));
    let first = answer(stop(false), Verdict::deny("run the tests"));
    assert_eq!((first.exit, first.stderr.as_str()), (2, "h: run the tests\n"));
    let second = answer(stop(true), Verdict::deny("run the tests"));
    assert_eq!((second.exit, second.stdout.as_slice()), (0, &b""[..]));
}

fn wanted() -> Vec<Wanted> {
    KIMI.registered(None, &[])
        .map(|fired| Wanted::new(&KIMI, None, fired, "/opt/check rein/checkrein"))
        .collect()
}

/// It rejects its settings if a time limit is too long.
#[test]
fn kimi_accepts_600_seconds_at_most() {
    let text = install("", &KIMI, &wanted()).unwrap().text;
    let longest = text.lines().filter_map(|line| line.strip_prefix("timeout = ")?.parse::<u32>().ok()).max();
    assert_eq!(longest, Some(600));
}

/// Our tables come and go, and every other byte stays.
#[test]
fn our_tables_come_and_go() {
    for before in [
        "",
        "telemetry = false\n",
        "telemetry = false",
        "# mine\r\n[loop]\r\nmax = 3 # three\r\n",
        "[[hooks]]\nevent = \"PreToolUse\"\ncommand = \"lint\"\n\n# about the next\n[models.x]\nkey = 'a'\n",
        "[[ hooks ]] # spaced\nevent = 'Stop'\ncommand = 'checkrein hook --host kimi'\n",
        "text = \"\"\"\n[models]\n\"\"\"\n",
    ] {
        let installed = install(before, &KIMI, &wanted()).unwrap().text;
        let ours = entries(&installed, &KIMI).unwrap();
        assert_eq!(
            ours.iter().filter(|entry| !entry.command.is_handmade).count(),
            wanted().len(),
            "{before:?}"
        );
        assert_eq!(install(&installed, &KIMI, &wanted()).unwrap().text, installed, "{before:?}");
        let after = uninstall(&installed, &KIMI, None).unwrap();
        assert_eq!(after.trim_end_matches('\n'), before.trim_end_matches('\n'), "{installed}");
    }
}

#[test]
fn an_entry_of_ours_that_moved_is_fixed_in_place_and_one_too_many_goes() {
    let old = install("", &KIMI, &wanted()).unwrap().text.replace("/opt/check rein/", "/old/");
    let twice = format!("{old}\n{old}\n[other]\nx = 1\n");
    let fixed = install(&twice, &KIMI, &wanted()).unwrap().text;
    let found = entries(&fixed, &KIMI).unwrap();
    assert_eq!(found.len(), wanted().len());
    assert!(found.iter().all(|entry| entry.command.program == "/opt/check rein/checkrein"), "{fixed}");
    assert!(fixed.ends_with("[other]\nx = 1\n"), "{fixed}");
}

/// Hooks in another notation, or a header inside a text, are not edited.
#[test]
fn what_cannot_be_edited_is_an_error() {
    for text in [
        "hooks = [{event = \"Stop\", command = \"x\"}]\n",
        "text = \"\"\"\n[[hooks]]\n\"\"\"\n",
        "hooks = 3\n",
        "a = \n",
    ] {
        assert!(check(text, &KIMI).is_err() && install(text, &KIMI, &wanted()).is_err(), "{text}");
    }
}
