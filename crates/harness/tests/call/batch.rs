//! Several calls of one message: order, concurrency, stop.

use crate::desk::{builder, handle, say, texts};
use checkrein_harness::{
    Ending, EventName, Output, Payload, Pipeline, Registration, Running, Session, ToolError, ToolSpec, Tools,
    Verdict, checkrein::ToolCall, on,
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::Barrier;

fn text_of(payload: &Payload) -> &str {
    payload.event.call().and_then(|call| call.text("text")).unwrap_or("-")
}

fn stop(event: EventName, at: &'static str) -> Registration {
    on(event, "stop", move |payload: &Payload| {
        let verdict = Verdict::abstain().with_context("kept");
        if text_of(payload) == at { verdict.with_stop("enough") } else { verdict }
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn hooks_come_in_the_order_of_the_message_whatever_the_tools_do() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let keep = |event: EventName| {
        let log = Arc::clone(&log);
        on(event, "watch", move |payload: &Payload| {
            log.lock().unwrap().push(format!("{event} {}", text_of(payload)));
            Verdict::abstain()
        })
    };
    let (pipeline, _) = builder();
    let pipeline = pipeline
        .hook(keep(EventName::PreToolUse))
        .hook(keep(EventName::PostToolUse))
        .hook(keep(EventName::PostToolUseFailure));
    let batch = handle(pipeline).batch(vec![say("wait"), say("fail b"), say("c")]).await;
    let found: Vec<_> = batch.reports.iter().map(|report| report.output.text().to_owned()).collect();
    assert_eq!(found, ["wait", "b", "c"]);
    assert_eq!(
        *log.lock().unwrap(),
        [
            "PreToolUse wait",
            "PreToolUse fail b",
            "PreToolUse c",
            "PostToolUse wait",
            "PostToolUseFailure fail b",
            "PostToolUse c"
        ]
    );
}

/// A tool that finishes only when a given number of calls run at once, and one that counts them.
struct Meeting {
    spec: Arc<ToolSpec>,
    together: Option<Barrier>,
    now: AtomicUsize,
    most: Arc<AtomicUsize>,
}

impl Meeting {
    fn of(together: Option<usize>) -> (Self, Arc<AtomicUsize>) {
        let most = Arc::new(AtomicUsize::new(0));
        let meeting = Self {
            spec: ToolSpec::unchecked("meet").into(),
            together: together.map(Barrier::new),
            now: AtomicUsize::new(0),
            most: Arc::clone(&most),
        };
        (meeting, most)
    }
}

impl Tools for Meeting {
    fn tool(&self, _: &str) -> Option<Arc<ToolSpec>> {
        Some(Arc::clone(&self.spec))
    }

    async fn run(&self, _: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        if let Some(together) = &self.together {
            together.wait().await;
        } else {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        self.now.fetch_sub(1, Ordering::SeqCst);
        Ok("met".into())
    }
}

fn meetings(count: usize) -> Vec<ToolCall> {
    (0..count).map(|_| ToolCall::new("meet", Default::default())).collect()
}

#[tokio::test]
async fn tools_run_at_the_same_time() {
    let (meeting, _) = Meeting::of(Some(4));
    let agent = Pipeline::builder(meeting).limit(4).build().unwrap().handle(Session::default());
    // This would hang if the calls ran one after another.
    let batch = agent.batch(meetings(8)).await;
    assert!(batch.reports.iter().all(|report| report.ending == Ending::Ran));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_more_than_the_limit_at_once() {
    for limit in [1, 3] {
        let (meeting, most) = Meeting::of(None);
        let agent = Pipeline::builder(meeting).limit(limit).build().unwrap().handle(Session::default());
        let batch = agent.batch(meetings(20)).await;
        assert_eq!(batch.reports.len(), 20);
        assert!(most.load(Ordering::SeqCst) <= limit);
    }
}

#[tokio::test]
async fn a_stop_before_the_tools_starts_none_of_them() {
    let (pipeline, log) = builder();
    let batch = handle(pipeline.hook(stop(EventName::PreToolUse, "b")))
        .batch(vec![say("a"), say("b"), say("c")])
        .await;
    assert!(texts(&log).is_empty());
    assert!(batch.reports.iter().all(|report| report.ending == Ending::NotStarted), "{batch:?}");
    assert_eq!(batch.stop.as_ref().unwrap().reason, "enough");
    assert_eq!(batch.reports[2].output.text(), "not started: stop ended the turn: enough");
    // Calls whose hooks ran keep their notes; no hook ran for the third.
    let contexts: Vec<usize> = batch.reports.iter().map(|report| report.notes.len()).collect();
    assert_eq!(contexts, [1, 1, 0]);
}

#[tokio::test]
async fn a_stop_after_a_tool_starts_no_further_one_and_keeps_everything() {
    let (pipeline, log) = builder();
    let redact = on(EventName::PostToolUse, "redact", |_: &Payload| {
        Verdict::edit(checkrein_harness::Edit::Output("[redacted]".into()))
    });
    // One at a time, so that the third has not started when the after-hooks of the first run.
    let pipeline = pipeline.limit(1).hook(stop(EventName::PostToolUse, "a")).hook(redact);
    let batch = handle(pipeline).batch(vec![say("a"), say("wait"), say("c"), say("d")]).await;
    assert_eq!(batch.stop.unwrap().reason, "enough");
    let endings: Vec<_> = batch.reports.iter().map(|report| report.ending.clone()).collect();
    assert_eq!(endings[0], Ending::Ran);
    assert_eq!(endings[3], Ending::NotStarted);
    assert_eq!(texts(&log).len(), endings.iter().filter(|ending| **ending == Ending::Ran).count());
    for report in batch.reports.iter().filter(|report| report.ending == Ending::Ran) {
        assert_eq!((report.output.text(), report.notes.len()), ("[redacted]", 1));
    }
}

#[tokio::test]
async fn a_retry_waits_for_a_slot_and_keeps_the_order() {
    let (pipeline, log) = builder();
    let again = on(EventName::PostToolUseFailure, "again", |_: &Payload| Verdict {
        retry: Some(checkrein_harness::Retry::Same),
        ..Verdict::abstain()
    });
    let batch = handle(pipeline.limit(1).hook(again)).batch(vec![say("flaky"), say("b"), say("flaky")]).await;
    let found: Vec<_> = batch.reports.iter().map(|report| (report.output.text(), report.attempt)).collect();
    assert_eq!(found, [("flaky", 2), ("b", 1), ("flaky", 2)]);
    assert_eq!(texts(&log).len(), 5);
}

#[tokio::test]
async fn hooks_get_an_event_after_the_batch() {
    let (pipeline, _) = builder();
    let ids = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&ids);
    let over = on(EventName::PostToolBatch, "over", move |payload: &Payload| {
        keep.lock().unwrap().push(payload.field("tool_use_ids").unwrap().to_string());
        Verdict::abstain().with_context("well done").with_stop("that is all")
    });
    let batch = handle(pipeline.hook(over)).batch(vec![say("a"), say("fail b")]).await;
    assert_eq!(*ids.lock().unwrap(), [r#"["a","fail b"]"#]);
    assert_eq!((batch.notes.len(), batch.stop.unwrap().reason.as_str()), (1, "that is all"));
}

#[tokio::test]
async fn an_empty_batch_is_an_empty_answer() {
    let batch = handle(builder().0).batch(Vec::<ToolCall>::new()).await;
    assert!(batch.reports.is_empty() && batch.stop.is_none());
}

#[tokio::test]
async fn a_stop_of_an_after_hook_holds_back_what_has_not_started() {
    for limit in [1, 2] {
        let (pipeline, log) = builder();
        let agent = handle(pipeline.hook(stop(EventName::PostToolUse, "a")).limit(limit));
        let batch = agent.batch([say("a"), say("wait"), say("c"), say("d")]).await;
        let started = texts(&log);
        assert_eq!(started, ["a", "wait"][..limit], "limit {limit}");
        let endings: Vec<&Ending> = batch.reports.iter().map(|report| &report.ending).collect();
        assert!(endings[..limit].iter().all(|ending| **ending == Ending::Ran), "{endings:?}");
        assert!(endings[limit..].iter().all(|ending| **ending == Ending::NotStarted), "{endings:?}");
        assert_eq!(batch.stop.unwrap().reason, "enough");
    }
}

#[tokio::test]
async fn a_stop_of_another_call_refuses_a_retry() {
    let (pipeline, log) = builder();
    let judged = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&judged);
    let watch = on(EventName::PreToolUse, "watch", move |_: &Payload| {
        count.fetch_add(1, Ordering::SeqCst);
        Verdict::abstain()
    });
    let again = on(EventName::PostToolUseFailure, "again", |_: &Payload| Verdict {
        retry: Some(checkrein_harness::Retry::Same),
        ..Verdict::abstain()
    });
    let pipeline = pipeline.hook(watch).hook(stop(EventName::PostToolUse, "a")).hook(again).limit(2);
    let batch = handle(pipeline).batch([say("a"), say("flaky")]).await;
    // Both started together, so only the second attempt is held back, and it is not even judged.
    assert!(matches!(batch.reports[1].ending, Ending::Failed(_)), "{batch:?}");
    assert_eq!((batch.reports[1].attempt, judged.load(Ordering::SeqCst)), (1, 2));
    assert_eq!(texts(&log).len(), 2);
    assert_eq!(batch.stop.unwrap().reason, "enough");
}
