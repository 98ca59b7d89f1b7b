//! The dispatcher beyond merging: late answers, judging again, crashed functions, results that turn.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{
    Decision, Dispatcher, Edit, Entry, Event, EventName, Failure, Hook, Map, OnFailure, Outcome, Payload,
    ResultKind, Role, ToolCall, Verdict, hook_fn,
};
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::sleep,
    time::Duration,
};

fn map(value: serde_json::Value) -> Map {
    let serde_json::Value::Object(map) = value else { panic!("not an object: {value}") };
    map
}

fn call() -> ToolCall {
    ToolCall::new("Bash", map(json!({"command": "ls"})))
}

fn before() -> Payload {
    Payload::new(Event::PreToolUse { call: call() })
}

fn after() -> Payload {
    Payload::new(Event::PostToolUse { call: call(), output: "text".into() })
}

fn failed() -> Payload {
    Payload::new(Event::PostToolUseFailure { call: call(), error: "text".into() })
}

fn function(event: EventName, hook: impl Hook + 'static) -> Entry {
    Entry::new(event, hook).with_in_process(true)
}

fn with(entry: Entry) -> Dispatcher {
    let mut hooks = Dispatcher::new();
    hooks.add(entry);
    hooks
}

#[test]
fn a_late_answer_counts_as_late_whatever_it_says() {
    let timeout = Duration::from_millis(20);
    for verdict in [Verdict::abstain(), Verdict::allow(), Verdict::ask("?")] {
        let slow = hook_fn("slow", move |_: &Payload| {
            sleep(Duration::from_millis(60));
            verdict.clone()
        });
        let outcome = with(function(EventName::PreToolUse, slow).with_timeout(timeout)).dispatch(before());
        assert_eq!(outcome.decision, Decision::Deny);
        assert_eq!(outcome.trail[0].failure, Some(Failure::TimedOut { after: timeout }));
    }
    let quick = hook_fn("quick", |_: &Payload| Verdict::abstain());
    let outcome = with(function(EventName::PreToolUse, quick).with_timeout(timeout)).dispatch(before());
    assert_eq!(outcome.trail[0].failure, None);
}

/// A limit of a quarter of a second or more is checked with another clock.
#[test]
fn a_late_answer_is_late_under_a_long_limit_too() {
    let timeout = Duration::from_millis(250);
    for (millis, decision) in [(0, Decision::Abstain), (300, Decision::Deny)] {
        let hook = hook_fn("slow", move |_: &Payload| {
            sleep(Duration::from_millis(millis));
            Verdict::abstain()
        });
        let outcome = with(function(EventName::PreToolUse, hook).with_timeout(timeout)).dispatch(before());
        assert_eq!(outcome.decision, decision, "{millis} ms");
    }
}

#[test]
fn a_session_is_shared_until_one_payload_changes_it() {
    let first = before();
    let mut second = first.clone();
    assert!(std::ptr::eq(&raw const *first.session, &raw const *second.session));
    second.session.id = Some("other".into());
    assert_eq!(first.session.id, None);
    assert_eq!(second.session.id.as_deref(), Some("other"));
}

#[test]
fn only_the_late_hook_is_late() {
    let mut hooks = Dispatcher::new();
    for (name, millis) in [("a", 0), ("b", 60), ("c", 0)] {
        let hook = hook_fn(name, move |_: &Payload| {
            sleep(Duration::from_millis(millis));
            Verdict::abstain()
        });
        let entry = function(EventName::SessionStart, hook).with_timeout(Duration::from_millis(20));
        hooks.add(entry);
    }
    let outcome = hooks.dispatch(Payload::new(Event::Other(EventName::SessionStart)));
    let late: Vec<&str> =
        outcome.trail.iter().filter(|step| step.failure.is_some()).map(|step| outcome.hook(step)).collect();
    assert_eq!(late, ["b"]);
}

#[test]
fn judging_again_calls_the_selected_judges_and_edits_nothing() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut hooks = Dispatcher::new();
    for (name, role) in
        [("edits", Role::Edit), ("plain", Role::Plain), ("judge", Role::Judge), ("watch", Role::Observe)]
    {
        let seen = Arc::clone(&calls);
        let hook = hook_fn(name, move |_: &Payload| {
            seen.fetch_add(1, Ordering::Relaxed);
            match name {
                "plain" => Verdict::rewrite(map(json!({"command": "ls -l"}))),
                "judge" => Verdict::ask("sure?"),
                _ => Verdict::abstain(),
            }
        });
        hooks.add(Entry::new(EventName::PreToolUse, hook).with_role(role));
    }
    let never = AtomicBool::new(false);
    let again = |which: fn(usize) -> bool| -> Outcome {
        hooks.judge_again(before(), &never, move |index, _| which(index))
    };
    let outcome = again(|_| true);
    assert_eq!(calls.load(Ordering::Relaxed), 2, "the plain hook and the judge");
    assert_eq!(outcome.decision, Decision::Ask);
    assert_eq!(outcome.payload.event.call().unwrap().text("command"), Some("ls"));
    assert_eq!(outcome.reasons().len(), 2);
    let outcome = again(|index| index == 2);
    assert_eq!(outcome.reasons().len(), 1);
    assert_eq!(again(|_| false).decision, Decision::Abstain);
}

#[test]
fn a_function_that_crashes_after_the_tool_withholds_the_result() {
    let crash = || hook_fn("crash", |_: &Payload| -> Verdict { panic!("no") });
    for (event, payload) in [
        (EventName::PostToolUse, after as fn() -> Payload),
        (EventName::PostToolUseFailure, failed as fn() -> Payload),
    ] {
        let decision = |entry: Entry| with(entry).dispatch(payload()).decision;
        let function = || Entry::new(event, crash()).with_in_process(true);
        assert_eq!(decision(function()), Decision::Deny, "{event}");
        assert_eq!(decision(function().with_role(Role::Observe)), Decision::Abstain, "{event}");
        assert_eq!(decision(function().with_on_failure(OnFailure::Ignore)), Decision::Abstain, "{event}");
        // A command without a role, such as a formatter, withholds nothing.
        assert_eq!(decision(Entry::new(event, crash())), Decision::Abstain, "{event}");
    }
    let stop = Entry::new(EventName::Stop, crash()).with_in_process(true);
    let outcome = with(stop).dispatch(Payload::new(Event::Other(EventName::Stop)));
    assert_eq!(outcome.decision, Decision::Abstain, "a crashed hook must not keep an agent from stopping");
}

#[test]
fn a_result_turns_into_an_error_and_back_by_the_last_editor() {
    let turns = |event, kinds: &[ResultKind], role| {
        let mut hooks = Dispatcher::new();
        for kind in kinds.iter().copied() {
            let hook = hook_fn("turn", move |_: &Payload| Verdict::abstain().with_result(kind));
            hooks.add(Entry::new(event, hook).with_role(role));
        }
        hooks
    };
    let (success, error) = (ResultKind::Success, ResultKind::Error);
    let outcome = turns(EventName::PostToolUseFailure, &[success], Role::Edit).dispatch(failed());
    assert_eq!(outcome.result, Some(success));
    let outcome = turns(EventName::PostToolUse, &[error, success, error], Role::Edit).dispatch(after());
    assert_eq!(outcome.result, Some(error));
    // A judge cannot, and there is nothing to turn before a tool ran.
    let outcome = turns(EventName::PostToolUse, &[error], Role::Judge).dispatch(after());
    assert!(matches!(outcome.trail[0].failure, Some(Failure::EditNotAllowed(_))), "{outcome:?}");
    assert_eq!(outcome.result, None);
    let outcome = turns(EventName::PreToolUse, &[success], Role::Edit).dispatch(before());
    assert_eq!((outcome.decision, outcome.result), (Decision::Deny, None));
}

#[test]
fn hooks_edit_what_goes_to_a_model_and_what_comes_back() {
    let request = hook_fn("request", |_: &Payload| Verdict::rewrite(map(json!({"temperature": 0}))));
    let response = hook_fn("response", |payload: &Payload| {
        let text = payload.event.output().unwrap().text().replace("hunter2", "-");
        Verdict::edit(Edit::Output(text.into()))
    });
    let mut hooks = with(Entry::new(EventName::PreModelRequest, request));
    hooks.add(Entry::new(EventName::PostModelResponse, response));
    let outcome = hooks.dispatch(Payload::new(Event::ModelRequest { request: map(json!({"model": "m"})) }));
    assert_eq!(outcome.payload.event.request(), Some(&map(json!({"model": "m", "temperature": 0}))));
    assert!(outcome.is_edited());
    let outcome = hooks.dispatch(Payload::new(Event::ModelResponse { response: "it is hunter2".into() }));
    assert_eq!(outcome.payload.event.output().unwrap().text(), "it is -");
}
