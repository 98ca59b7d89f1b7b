//! The ways in which hooks and tools can be written.

use crate::desk::{builder, handle, map, say, texts};
use checkrein_harness::{
    BuildError, Ending, EventName, Failure, Output, Payload, Pipeline, Running, Session, ToolCall, ToolError,
    ToolInput, ToolSpec, Toolbox, Verdict, after, after_async, before, before_async, checkrein, failed,
    failed_async, on, on_async, tool_fn,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    rc::Rc,
    sync::{Arc, Mutex},
    time::Duration,
};

#[derive(Debug, Deserialize, Serialize)]
struct Say {
    text: String,
}

impl ToolInput for Say {
    const TOOL: &'static str = "say";
}

/// A hook as a plain function.
fn no_shouting(call: &ToolCall<'_, Say>) -> Verdict {
    if call.input.text.contains('!') { Verdict::deny("do not shout") } else { Verdict::abstain() }
}

/// A hook as an `async fn`. Its future need not be `Send`.
async fn ask_elsewhere(call: &ToolCall<'_, Say>) -> Result<Verdict, Failure> {
    let text = Rc::new(call.input.text.clone());
    tokio::time::sleep(Duration::from_millis(1)).await;
    if text.contains('?') {
        call.rewrite(&Say { text: "no questions".into() })
    } else {
        Ok(Verdict::abstain())
    }
}

#[tokio::test]
async fn functions_closures_and_async_functions_are_hooks() {
    let (pipeline, log) = builder();
    let pipeline = pipeline
        .hook(before("no-shouting", no_shouting).judge())
        .hook(before_async("ask-elsewhere", ask_elsewhere).edit())
        .hook(after("lower", |_: &ToolCall<'_, Say>, output: &Output| {
            Verdict::edit(checkrein_harness::Edit::Output(output.text().to_lowercase().into()))
        }))
        .hook(after_async("praise", async |call: &ToolCall<'_, Say>, _: &Output| {
            tokio::task::yield_now().await;
            Verdict::abstain().with_context(format!("attempt {}", call.attempt()))
        }))
        .hook(failed("note", |_: &ToolCall<'_, Say>, error: &Output| {
            Verdict::abstain().with_context(error.text())
        }))
        .hook(failed_async("note-too", async |_: &ToolCall<'_, Say>, _: &Output| {
            Verdict::abstain().with_context("2")
        }));
    let agent = handle(pipeline);
    assert_eq!(agent.call(say("Hi!")).await.output.text(), "blocked by no-shouting: do not shout");
    let report = agent.call(say("HI?")).await;
    assert_eq!(report.for_model(), "no questions\n[praise: attempt 1]");
    assert_eq!(agent.call(say("fail OH")).await.for_model(), "OH\n[note: OH]\n[note-too: 2]");
    assert_eq!(texts(&log), ["no questions", "fail OH"]);
}

#[tokio::test]
async fn a_typed_rewrite_keeps_the_fields_that_the_type_does_not_know() {
    let (pipeline, log) = builder();
    let agent = handle(pipeline.hook(before("upper", |call: &ToolCall<'_, Say>| {
        assert_eq!(call.original().len(), 2);
        call.rewrite(&Say { text: call.input.text.to_uppercase() })
    })));
    let call = checkrein::ToolCall::new("say", map(json!({"text": "a", "note": "stays"})));
    let _ = agent.call(call).await;
    assert_eq!(log.lock().unwrap()[0], json!({"text": "A", "note": "stays"}));
}

#[derive(Deserialize)]
struct Other {
    #[expect(dead_code, reason = "only whether it is there counts")]
    number: u64,
}

impl ToolInput for Other {
    const TOOL: &'static str = "say";
}

#[tokio::test]
async fn a_hook_that_cannot_read_a_call_denies_it() {
    let agent = handle(builder().0.hook(before("confused", |_: &ToolCall<'_, Other>| Verdict::abstain())));
    let report = agent.call(say("hello")).await;
    assert_eq!(report.ending, Ending::Denied);
    assert_eq!(
        report.output.text(),
        "blocked by confused: the hook failed: cannot read the input of `say`: missing field `number`"
    );
}

#[tokio::test]
async fn an_async_hook_that_takes_too_long_is_given_up_and_denies() {
    let (pipeline, log) = builder();
    let slow =
        on_async(EventName::PreToolUse, "slow", async |_: &Payload| std::future::pending::<Verdict>().await);
    let agent = handle(pipeline.hook(slow.timeout(Duration::from_millis(200))));
    let report = agent.call(say("hello")).await;
    assert_eq!(report.output.text(), "blocked by slow: the hook failed: timed out after 0.2 s");
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn an_async_hook_that_panics_denies() {
    let broken = on_async(EventName::PreToolUse, "broken", async |_: &Payload| -> Verdict {
        tokio::task::yield_now().await;
        std::panic::resume_unwind(Box::new("oh"))
    });
    let report = handle(builder().0.hook(broken)).call(say("hello")).await;
    assert_eq!(report.output.text(), "blocked by broken: the hook failed: panicked: oh");
}

/// Uses one worker thread: if the hook blocked it, nothing else could run, and the hook waits for exactly that.
#[tokio::test(flavor = "current_thread")]
async fn a_waiting_hook_does_not_hold_up_the_runtime() {
    let (pipeline, _) = builder();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let blocking = on(EventName::PreToolUse, "blocking", move |_: &Payload| {
        let heard = wait.lock().unwrap().recv_timeout(Duration::from_secs(60));
        if heard.is_ok() { Verdict::abstain() } else { Verdict::deny("the runtime stood still") }
    });
    let agent = handle(pipeline.hook(blocking.waits().timeout(Duration::from_secs(60))));
    let (report, ()) = tokio::join!(agent.call(say("hello")), async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        go.send(()).unwrap();
    });
    assert_eq!(report.ending, Ending::Ran, "{report:?}");
}

#[tokio::test]
async fn observers_are_shown_what_was_decided_and_change_nothing() {
    let (pipeline, _) = builder();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let remarks = Arc::new(Mutex::new(Vec::new()));
    let (keep, say_it) = (Arc::clone(&seen), Arc::clone(&remarks));
    let watch = on(EventName::PreToolUse, "watch", move |payload: &Payload| {
        keep.lock().unwrap().push(payload.event.call().unwrap().text("text").unwrap().to_owned());
        Verdict::deny("who asks an observer?")
    });
    let broken = on(EventName::PreToolUse, "broken", |_: &Payload| -> Result<Verdict, Failure> {
        Err(Failure::Other("no film".into()))
    });
    let pipeline = pipeline
        .hook(watch.observe())
        .hook(broken.observe())
        .remarks(move |text: &str| say_it.lock().unwrap().push(text.to_owned()))
        .build()
        .unwrap();
    let agent = pipeline.handle(Session::default());
    for text in ["a", "b", "c"] {
        assert_eq!(agent.call(say(text)).await.ending, Ending::Ran);
    }
    pipeline.settle().await;
    assert_eq!(*seen.lock().unwrap(), ["a", "b", "c"]);
    assert_eq!(*remarks.lock().unwrap(), ["hook `broken` failed: no film"; 3]);
}

#[derive(Deserialize)]
struct Add {
    a: i64,
    b: i64,
}

async fn add(input: Add, running: Running) -> Result<String, ToolError> {
    assert_eq!(running.attempt, 1);
    Ok((input.a + input.b).to_string())
}

#[tokio::test]
async fn functions_are_tools() {
    let number = json!({"type": "integer"});
    let schema = json!({"type": "object", "required": ["a", "b"], "properties": {"a": number, "b": number}});
    let tools = Toolbox::new()
        .with(tool_fn(ToolSpec::new("add", schema).unwrap().with_description("adds"), add))
        .with(tool_fn(ToolSpec::unchecked("odd"), |input: Add, _| async move {
            Ok((input.a - input.b).to_string())
        }));
    let names: Vec<_> =
        tools.specs().iter().map(|spec| (spec.name().to_owned(), spec.description().to_owned())).collect();
    assert_eq!(names, [("add".to_owned(), "adds".to_owned()), ("odd".to_owned(), String::new())]);
    let agent = Pipeline::builder(tools).build().unwrap().handle(Session::default());
    let call = |name: &str, input| checkrein::ToolCall::new(name, map(input));
    assert_eq!(agent.call(call("add", json!({"a": 2, "b": 3}))).await.output.text(), "5");
    assert_eq!(agent.call(call("odd", json!({"a": 2, "b": 3}))).await.output.text(), "-1");
    let report = agent.call(call("odd", json!({"a": 2}))).await;
    assert_eq!(report.output.text(), "invalid input: missing field `b`");
}

#[test]
fn what_cannot_be_meant_is_no_pipeline() {
    let (pipeline, _) = builder();
    let wrong = on(EventName::PreToolUse, "wrong", |_: &Payload| Verdict::abstain()).only(&["Edit|Write"]);
    let error = pipeline.hook(wrong).build().unwrap_err();
    assert!(matches!(error, BuildError::Pattern(_)));
    assert_eq!(
        error.to_string(),
        "invalid tool pattern in hook `wrong`: `Edit|Write` contains `|`; write a list of names, or \
         `/Edit|Write/` for a regular expression"
    );
    let error = ToolSpec::new("t", json!({"type": "no such type"})).unwrap_err().to_string();
    assert!(error.starts_with("invalid schema of tool `t`: "), "{error}");
}
