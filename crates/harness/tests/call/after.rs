//! Results, failures, retries, tool overrides.

use crate::desk::{builder, handle, map, notes, say, texts};
use checkrein_harness::{
    Cause, Edit, Ending, EventName, Output, Payload, Registration, Retry, Verdict, answer, answer_async,
    checkrein::ToolCall, on,
};
use serde_json::json;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

fn redact(event: EventName) -> Registration {
    on(event, "redact", |payload: &Payload| {
        let text = payload.event.output().unwrap().text();
        Verdict::edit(Edit::Output(text.replace("s3cret", "[redacted]").into()))
            .with_reason("removed a secret")
    })
    .edit()
}

fn retry(with: serde_json::Value) -> Registration {
    on(EventName::PostToolUseFailure, "again", move |_: &Payload| Verdict {
        retry: Some(Retry::With(map(with.clone()))),
        ..Verdict::abstain()
    })
}

#[tokio::test]
async fn results_and_failures_are_redacted() {
    let pipeline =
        builder().0.hook(redact(EventName::PostToolUse)).hook(redact(EventName::PostToolUseFailure));
    let agent = handle(pipeline);
    let report = agent.call(say("key s3cret")).await;
    assert_eq!((report.ending, report.output.text()), (Ending::Ran, "key [redacted]"));
    let report = agent.call(say("fail no s3cret here")).await;
    assert_eq!(report.ending, Ending::Failed(Cause::Error));
    assert_eq!(report.output.text(), "no [redacted] here");
    assert_eq!(notes(&report), ["Reason(Abstain) redact: removed a secret"]);
}

#[tokio::test]
async fn a_denied_result_is_withheld() {
    let deny = |event| on(event, "keeper", |_: &Payload| Verdict::deny("it holds a key"));
    let pipeline = builder().0.hook(deny(EventName::PostToolUse)).hook(deny(EventName::PostToolUseFailure));
    let agent = handle(pipeline);
    for text in ["s3cret", "fail s3cret"] {
        let report = agent.call(say(text)).await;
        assert!(report.withheld && report.is_error() && report.has_run());
        assert_eq!(report.output.text(), "withheld by keeper: it holds a key");
    }
}

#[tokio::test]
async fn after_hooks_are_shown_what_ran() {
    let (pipeline, _) = builder();
    let shown = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&shown);
    let pipeline = pipeline
        .hook(on(EventName::PreToolUse, "rewrite", |_: &Payload| {
            Verdict::edit(Edit::MergeInput(map(json!({"text": "new"}))))
        }))
        .hook(on(EventName::PostToolUse, "watch", move |payload: &Payload| {
            let call = payload.event.call().unwrap();
            keep.lock().unwrap().push((call.input.clone(), call.original.clone(), payload.attempt));
            Verdict::abstain()
        }));
    let _ = handle(pipeline).call(say("old")).await;
    let (new, old) = (map(json!({"text": "new"})), map(json!({"text": "old"})));
    assert_eq!(*shown.lock().unwrap(), [(new, Some(old), 1)]);
}

#[tokio::test]
async fn a_tool_that_hangs_or_panics_is_a_failure_that_hooks_see() {
    let (pipeline, _) = builder();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let watch = on(EventName::PostToolUseFailure, "watch", move |payload: &Payload| {
        keep.lock().unwrap().push(payload.event.output().unwrap().text().to_owned());
        Verdict::abstain()
    });
    let agent = handle(pipeline.hook(watch).tool_timeout(Duration::from_millis(30)));
    let report = agent.call(say("hang")).await;
    assert_eq!(report.ending, Ending::Failed(Cause::TimedOut));
    let report = agent.call(say("panic")).await;
    assert_eq!(report.ending, Ending::Failed(Cause::Panicked));
    assert_eq!(
        *seen.lock().unwrap(),
        ["the tool timed out after 0.03 s", "the tool panicked: the tool's own panic"]
    );
}

#[tokio::test]
async fn a_retry_goes_the_whole_way_again_and_counts() {
    let (pipeline, log) = builder();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&seen);
    let pipeline = pipeline
        .hook(on(EventName::PreToolUse, "watch", move |payload: &Payload| {
            let call = payload.event.call().unwrap();
            keep.lock().unwrap().push((payload.attempt, call.text("text").unwrap().to_owned()));
            Verdict::abstain()
        }))
        .hook(retry(json!({"text": "better"})));
    let report = handle(pipeline).call(say("fail badly")).await;
    assert_eq!((report.ending, report.attempt, report.output.text()), (Ending::Ran, 2, "better"));
    assert_eq!(*seen.lock().unwrap(), [(1, "fail badly".to_owned()), (2, "better".to_owned())]);
    assert_eq!(report.call.original, Some(map(json!({"text": "fail badly"}))));
    assert_eq!(texts(&log), ["fail badly", "better"]);
}

#[tokio::test]
async fn there_is_one_retry_and_at_most_three() {
    for (retries, runs) in [(None, 2), (Some(0), 1), (Some(2), 3), (Some(9), 4)] {
        let (pipeline, log) = builder();
        let pipeline = retries.into_iter().fold(pipeline, |pipeline, retries| pipeline.retries(retries));
        let report = handle(pipeline.hook(retry(json!({})))).call(say("fail again")).await;
        assert_eq!((texts(&log).len(), report.attempt), (runs, u32::try_from(runs).unwrap()), "{retries:?}");
        assert_eq!(report.ending, Ending::Failed(Cause::Error));
    }
}

#[tokio::test]
async fn a_replaced_text_survives_a_refused_retry() {
    let replace = || {
        on(EventName::PostToolUseFailure, "kind", |_: &Payload| {
            Verdict::edit(Edit::Output("it did not work".into()))
        })
    };
    let (pipeline, log) = builder();
    let guard = on(EventName::PreToolUse, "guard", |payload: &Payload| {
        match payload.event.call().and_then(|call| call.text("text")) {
            Some("evil") => Verdict::deny("not that"),
            _ => Verdict::abstain(),
        }
    });
    let pipeline = pipeline.hook(guard.judge()).hook(replace()).hook(retry(json!({"text": "evil"})));
    let report = handle(pipeline).call(say("fail badly")).await;
    assert_eq!((report.ending.clone(), report.attempt), (Ending::Failed(Cause::Error), 1));
    assert_eq!(report.output.text(), "it did not work");
    assert_eq!(
        notes(&report),
        [
            "Reason(Deny) guard: not that",
            "Context checkrein: the retry was refused: blocked by guard: not that"
        ]
    );
    assert_eq!(texts(&log), ["fail badly"]);
    // The schema and the maximum number of attempts can prevent a retry as well.
    let (pipeline, _) = builder();
    let report =
        handle(pipeline.hook(replace()).hook(retry(json!({"text": 3})))).call(say("fail badly")).await;
    assert_eq!((report.output.text(), report.attempt), ("it did not work", 1));
    let (pipeline, _) = builder();
    let report = handle(pipeline.hook(replace()).hook(retry(json!({})))).call(say("fail badly")).await;
    assert_eq!((report.output.text(), report.attempt), ("it did not work", 2));
}

#[tokio::test]
async fn a_stop_refuses_a_retry_and_drops_nothing() {
    let (pipeline, log) = builder();
    let stop = on(EventName::PostToolUseFailure, "stop", |_: &Payload| {
        Verdict::abstain().with_stop("enough").with_context("look at the log")
    });
    let pipeline = pipeline.hook(stop).hook(retry(json!({}))).hook(redact(EventName::PostToolUseFailure));
    let report = handle(pipeline).call(say("fail s3cret")).await;
    assert_eq!(report.stop.as_ref().map(|stop| stop.reason.as_str()), Some("enough"));
    assert_eq!(report.output.text(), "[redacted]");
    assert_eq!(notes(&report), ["Reason(Abstain) redact: removed a secret", "Context stop: look at the log"]);
    assert_eq!(texts(&log).len(), 1);
}

#[tokio::test]
async fn a_hook_may_answer_in_the_tools_place() {
    let (pipeline, log) = builder();
    let cache = answer("cache", |call: &ToolCall| match call.text("text") {
        Some("known") => Some(Output::from("s3cret from the cache")),
        _ => None,
    });
    let agent = handle(pipeline.answer(cache.only(&["say"])).hook(redact(EventName::PostToolUse)));
    let report = agent.call(say("known")).await;
    assert_eq!(report.ending, Ending::AnsweredBy("cache".into()));
    assert_eq!(report.output.text(), "[redacted] from the cache");
    assert!(!report.is_error() && !report.has_run());
    assert_eq!(agent.call(say("unknown")).await.ending, Ending::Ran);
    assert_eq!(texts(&log), ["unknown"]);
}

#[tokio::test]
async fn an_answer_is_judged_like_a_run_and_its_failure_runs_nothing() {
    let (pipeline, _) = builder();
    let cache = || answer("cache", |_: &ToolCall| Some("secret".into()));
    let deny = on(EventName::PreToolUse, "deny", |_: &Payload| Verdict::deny("no"));
    assert_eq!(handle(pipeline.answer(cache()).hook(deny)).call(say("x")).await.ending, Ending::Denied);
    let (pipeline, log) = builder();
    let broken = answer_async("dry-run", |_| async { Err("no simulator".into()) });
    let report = handle(pipeline.answer(broken).answer(cache())).call(say("x")).await;
    assert_eq!((report.ending.clone(), report.output.text()), (Ending::Failed(Cause::Error), "no simulator"));
    let (pipeline, log_too) = builder();
    let panics = answer("dry-run", |_: &ToolCall| std::panic::resume_unwind(Box::new("oh")));
    assert_eq!(
        handle(pipeline.answer(panics)).call(say("x")).await.output.text(),
        "the override `dry-run` panicked: oh"
    );
    assert!(texts(&log).is_empty() && texts(&log_too).is_empty());
}
