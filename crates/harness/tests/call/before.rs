//! Validation, edits, judges.

use crate::desk::{builder, handle, map, notes, say, texts};
use checkrein_harness::{
    Edit, Ending, EventName, OnFailure, Payload, Retry, Role, Verdict, checkrein::ToolCall, on,
};
use serde_json::json;
use std::sync::{Arc, Mutex};

fn rewrite(name: &str, input: serde_json::Value) -> checkrein_harness::Registration {
    on(EventName::PreToolUse, name, move |_: &Payload| Verdict::edit(Edit::MergeInput(map(input.clone()))))
        .edit()
}

#[tokio::test]
async fn without_hooks_a_call_just_runs() {
    let (pipeline, log) = builder();
    let report = handle(pipeline).call(say("hello")).await;
    assert_eq!((report.ending, report.output.text()), (Ending::Ran, "hello"));
    assert_eq!((report.attempt, report.call.original, report.notes.len()), (1, None, 0));
    assert_eq!(texts(&log), ["hello"]);
}

#[tokio::test]
async fn an_unknown_tool_and_a_bad_input_never_reach_a_hook() {
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let (pipeline, log) = builder();
    let agent = handle(pipeline.hook(on(EventName::PreToolUse, "count", move |_: &Payload| {
        *count.lock().unwrap() += 1;
        Verdict::abstain()
    })));
    let report = agent.call(ToolCall::new("shout", map(json!({})))).await;
    assert_eq!(
        (report.ending.clone(), report.output.text()),
        (Ending::UnknownTool, "there is no tool `shout`")
    );
    assert!(report.is_error());
    let report = agent.call(ToolCall::new("say", map(json!({"text": 3, "note": []})))).await;
    assert_eq!(report.ending, Ending::InvalidInput);
    assert_eq!(
        report.output.text(),
        "the input does not fit the tool `say`: `text`: 3 is not of type \"string\"; `note`: [] is not of type \
         \"string\""
    );
    assert_eq!((*asked.lock().unwrap(), texts(&log).len()), (0, 0));
}

#[tokio::test]
async fn what_editors_leave_is_what_judges_see_what_runs_and_what_is_reported() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let (pipeline, log) = builder();
    let judge = on(EventName::PreToolUse, "judge", move |payload: &Payload| {
        keep.lock().unwrap().push(payload.event.call().unwrap().text("text").unwrap().to_owned());
        Verdict::abstain()
    });
    // The judge is listed before the editors.
    let pipeline = pipeline
        .hook(judge.judge())
        .hook(rewrite("first", json!({"text": "edited", "note": "n"})))
        .hook(rewrite("second", json!({"text": "edited twice"})));
    let report = handle(pipeline).call(say("hello")).await;
    assert_eq!(report.output.text(), "edited twice");
    assert_eq!(*seen.lock().unwrap(), ["edited twice"]);
    assert_eq!(log.lock().unwrap()[0], json!({"text": "edited twice", "note": "n"}));
    assert_eq!(report.call.input, map(json!({"text": "edited twice", "note": "n"})));
    assert_eq!(report.call.original, Some(map(json!({"text": "hello"}))));
}

#[tokio::test]
async fn an_edit_that_does_not_fit_the_tool_is_not_judged_and_not_run() {
    let asked = Arc::new(Mutex::new(0));
    let count = Arc::clone(&asked);
    let (pipeline, log) = builder();
    let judge = on(EventName::PreToolUse, "judge", move |_: &Payload| {
        *count.lock().unwrap() += 1;
        Verdict::abstain()
    });
    let pipeline = pipeline.hook(judge.judge()).hook(rewrite("clumsy", json!({"text": 7})));
    let report = handle(pipeline).call(say("hello")).await;
    assert_eq!(report.ending, Ending::InvalidInput);
    assert_eq!(
        report.output.text(),
        "blocked by schema: the input as hooks changed it does not fit the tool: `text`: 7 is not of type \"string\""
    );
    assert_eq!((*asked.lock().unwrap(), texts(&log).len()), (0, 0));
}

#[tokio::test]
async fn a_denial_names_its_hook_and_nothing_runs() {
    let (pipeline, log) = builder();
    let deny = on(EventName::PreToolUse, "no-talk", |_: &Payload| {
        Verdict::deny("be quiet").with_context("try listening")
    });
    let after = on(EventName::PostToolUse, "after", |_: &Payload| Verdict::deny("never asked"));
    let report = handle(pipeline.hook(deny.judge()).hook(after)).call(say("hello")).await;
    assert_eq!(
        (report.ending.clone(), report.output.text()),
        (Ending::Denied, "blocked by no-talk: be quiet")
    );
    assert_eq!(notes(&report), ["Reason(Deny) no-talk: be quiet", "Context no-talk: try listening"]);
    assert_eq!(report.for_model(), "blocked by no-talk: be quiet\n[no-talk: try listening]");
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn a_hook_that_panics_denies_and_the_loop_goes_on() {
    let (pipeline, log) = builder();
    let hook = on(EventName::PreToolUse, "broken", |payload: &Payload| -> Verdict {
        if payload.event.call().is_some_and(|call| call.text("text") == Some("boom")) {
            std::panic::resume_unwind(Box::new("ouch"))
        }
        Verdict::abstain()
    });
    let agent = handle(pipeline.hook(hook));
    let report = agent.call(say("boom")).await;
    assert_eq!(report.output.text(), "blocked by broken: the hook failed: panicked: ouch");
    assert_eq!(agent.call(say("hello")).await.ending, Ending::Ran);
    assert_eq!(texts(&log), ["hello"]);
}

#[tokio::test]
async fn an_ignored_failure_is_noted() {
    let (pipeline, _) = builder();
    let hook = on(EventName::PreToolUse, "lazy", |_: &Payload| -> Result<Verdict, _> {
        Err(checkrein_harness::Failure::Other("out of order".into()))
    });
    let report = handle(pipeline.hook(hook.on_failure(OnFailure::Ignore))).call(say("hello")).await;
    assert_eq!(report.ending, Ending::Ran);
    assert_eq!(notes(&report), ["Failure lazy: out of order"]);
}

#[tokio::test]
async fn a_retry_request_before_the_tool_ran_has_no_effect() {
    let (pipeline, log) = builder();
    let hook = on(EventName::PreToolUse, "eager", |_: &Payload| Verdict {
        retry: Some(Retry::Same),
        ..Verdict::abstain()
    });
    assert_eq!(handle(pipeline.hook(hook)).call(say("hello")).await.attempt, 1);
    assert_eq!(texts(&log).len(), 1);
}

#[tokio::test]
async fn the_hooks_are_those_that_were_given() {
    let hook = || on(EventName::PreToolUse, "one", |_: &Payload| Verdict::abstain());
    // What a hook may have changed is compared with the schema of the tool again.
    for (hook, expected) in [
        (hook().judge(), &[("one", Role::Judge)][..]),
        (hook().edit(), &[("schema", Role::Judge), ("one", Role::Edit)]),
        (hook(), &[("schema", Role::Judge), ("one", Role::Plain)]),
    ] {
        let pipeline = builder().0.hook(hook).build().unwrap();
        let hooks = pipeline.dispatcher();
        let names: Vec<_> = hooks.entries().iter().map(|entry| (entry.name(), entry.role())).collect();
        assert_eq!(names, expected);
    }
}
