//! Deadlines and cancellation hold for functions that know of neither.

use crate::desk::{builder, handle, say, texts};
use checkrein_harness::{
    Cancel, Decision, Ending, Entry, EventName, Failure, NoteKind, OnFailure, Payload, Verdict,
    checkrein_core::{Deadline, Hook},
    on,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Longer than any test may take.
const LONG: Duration = Duration::from_secs(30);

/// Long enough for any machine, and much shorter than [`LONG`].
const SOON: Duration = Duration::from_secs(10);

/// A function that waits until it is released.
fn stuck(release: &Arc<AtomicBool>) -> impl Fn(&Payload) -> Verdict + Send + Sync + 'static {
    let release = Arc::clone(release);
    move |_: &Payload| {
        let began = Instant::now();
        while !release.load(Ordering::SeqCst) && began.elapsed() < LONG {
            std::thread::sleep(Duration::from_millis(5));
        }
        Verdict::abstain()
    }
}

#[tokio::test]
async fn a_function_that_waits_too_long_is_abandoned() {
    let release = Arc::default();
    let (pipeline, log) = builder();
    let hook = on(EventName::PreToolUse, "stuck", stuck(&release)).waits().timeout(Duration::from_millis(50));
    let began = Instant::now();
    let report = handle(pipeline.hook(hook)).call(say("hello")).await;
    release.store(true, Ordering::SeqCst);
    assert!(began.elapsed() < SOON);
    assert_eq!(report.ending, Ending::Denied);
    assert!(report.output.text().contains("timed out after 50 ms"), "{}", report.output.text());
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn a_late_answer_of_a_function_that_computes_counts_as_late() {
    let (pipeline, log) = builder();
    let slow = on(EventName::PreToolUse, "slow", |_: &Payload| {
        std::thread::sleep(Duration::from_millis(80));
        Verdict::allow()
    });
    let report = handle(pipeline.hook(slow.timeout(Duration::from_millis(20)))).call(say("hello")).await;
    assert_eq!(report.ending, Ending::Denied);
    assert!(report.output.text().contains("timed out"), "{}", report.output.text());
    assert!(texts(&log).is_empty());
}

#[tokio::test]
async fn a_cancelled_call_does_not_wait_for_a_function_that_is_stuck() {
    let release = Arc::default();
    let cancel = Cancel::new();
    let hook = on(EventName::PreToolUse, "stuck", stuck(&release)).waits().timeout(LONG);
    let agent = handle(builder().0.hook(hook)).with_cancel(&cancel);
    let began = Instant::now();
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancel.cancel();
    };
    let (report, ()) = tokio::join!(agent.call(say("hello")), canceller);
    release.store(true, Ordering::SeqCst);
    assert_eq!(report.ending, Ending::Cancelled);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_batch_does_not_wait_for_a_tool_that_blocks_its_thread() {
    use checkrein_harness::{Running, Session, ToolError, ToolSpec, Toolbox, tool_fn};
    let release = Arc::<AtomicBool>::default();
    let free = Arc::clone(&release);
    let block = move |_: serde_json::Value, _: Running| {
        let free = Arc::clone(&free);
        async move {
            let began = Instant::now();
            while !free.load(Ordering::SeqCst) && began.elapsed() < LONG {
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok::<_, ToolError>("done")
        }
    };
    let tools = Toolbox::new().with(tool_fn(ToolSpec::unchecked("block"), block));
    let cancel = Cancel::new();
    let pipeline = checkrein_harness::Pipeline::builder(tools).build().unwrap();
    let agent = pipeline.handle(Session::default()).with_cancel(&cancel);
    let began = Instant::now();
    let canceller = tokio::spawn({
        let cancel = cancel.clone();
        async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            cancel.cancel();
        }
    });
    let batch = agent.batch([checkrein_harness::call("block", serde_json::json!({}))]).await;
    release.store(true, Ordering::SeqCst);
    canceller.await.unwrap();
    assert_eq!(batch.reports[0].ending, Ending::Cancelled);
    assert!(began.elapsed() < SOON);
}

#[tokio::test]
async fn an_observer_that_is_stuck_does_not_keep_the_others_from_seeing() {
    let release = Arc::default();
    let seen = Arc::new(AtomicBool::new(false));
    let keep = Arc::clone(&seen);
    let (pipeline, _) = builder();
    let pipeline = pipeline
        .hook(
            on(EventName::PreToolUse, "stuck", stuck(&release))
                .waits()
                .observe()
                .timeout(Duration::from_millis(50)),
        )
        .hook(
            on(EventName::PreToolUse, "sees", move |_: &Payload| {
                keep.store(true, Ordering::SeqCst);
                Verdict::abstain()
            })
            .observe(),
        )
        .build()
        .unwrap();
    let agent = pipeline.handle(checkrein_harness::Session::default());
    assert_eq!(agent.call(say("hello")).await.ending, Ending::Ran);
    let began = Instant::now();
    pipeline.settle().await;
    release.store(true, Ordering::SeqCst);
    assert!(seen.load(Ordering::SeqCst) && began.elapsed() < SOON);
}

#[tokio::test]
async fn a_panic_on_another_thread_is_a_failure_with_its_message() {
    let hook = on(EventName::PreToolUse, "broken", |_: &Payload| -> Verdict { panic!("of its own") }).waits();
    let report = handle(builder().0.hook(hook)).call(say("hello")).await;
    assert_eq!(report.ending, Ending::Denied);
    assert!(report.output.text().contains("panicked: of its own"), "{}", report.output.text());
}

/// A hook of the engine's own trait that stops by itself when the caller is gone.
struct Polite(Arc<AtomicBool>);

impl Hook for Polite {
    fn name(&self) -> &str {
        "polite"
    }

    fn call(&self, _: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let end = deadline.start();
        while Instant::now() < end {
            if deadline.is_abandoned() {
                self.0.store(true, Ordering::SeqCst);
                return Err(Failure::Abandoned);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Err(Failure::TimedOut { after: deadline.limit() })
    }
}

#[tokio::test]
async fn a_hook_that_stops_by_itself_has_stopped_when_the_call_is_reported() {
    let stopped = Arc::new(AtomicBool::new(false));
    let entry = Entry::new(EventName::PreToolUse, Polite(Arc::clone(&stopped))).with_timeout(LONG);
    let cancel = Cancel::new();
    let agent = handle(builder().0.hook(entry)).with_cancel(&cancel);
    let canceller = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        cancel.cancel();
    };
    let (report, ()) = tokio::join!(agent.call(say("hello")), canceller);
    assert_eq!(report.ending, Ending::Cancelled);
    assert!(stopped.load(Ordering::SeqCst));
}

#[tokio::test]
async fn a_function_that_crashes_after_the_tool_withholds_its_result() {
    let crash = |event| on(event, "redact", |_: &Payload| -> Verdict { panic!("no") });
    let (after, failed) = (EventName::PostToolUse, EventName::PostToolUseFailure);
    for (hook, text, withheld) in [
        (crash(after), "secret", true),
        (crash(failed), "fail secret", true),
        (crash(after).waits(), "secret", true),
        (crash(after).on_failure(OnFailure::Ignore), "secret", false),
        (crash(after).observe(), "secret", false),
    ] {
        let about = format!("{hook:?}");
        let report = handle(builder().0.hook(hook)).call(say(text)).await;
        assert_eq!(report.withheld, withheld, "{about}");
        assert_eq!(report.output.text().contains("secret"), !withheld, "{about}: {}", report.output.text());
        assert!(report.has_run(), "{about}");
        if withheld {
            assert!(report.notes_of(NoteKind::Reason(Decision::Deny)).any(|note| note.hook == "redact"));
        }
    }
}
