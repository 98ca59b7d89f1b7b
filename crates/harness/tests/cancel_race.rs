//! Stress test: cancellation at every moment of a call, and no wake-up is lost.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    Approval, Approver, Cancel, Ending, EventName, Payload, Pipeline, Report, Request, Running, Session,
    ToolError, ToolSpec, Toolbox, Verdict, call, on, on_async, tool_fn,
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::time::timeout;

/// Long enough for any machine, and shorter than everything that waits here.
const PATIENCE: Duration = Duration::from_secs(20);

/// The timeout of hooks and tools. Whatever ends before was cancelled.
const LONG: Duration = Duration::from_secs(300);

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_wake_up_is_lost() {
    for round in 0..5_000 {
        let cancel = Cancel::new();
        let waiters: Vec<_> = (0..3)
            .map(|_| {
                let cancel = cancel.clone();
                tokio::spawn(async move { cancel.cancelled().await })
            })
            .collect();
        if round % 3 == 0 {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
        for waiter in waiters {
            timeout(PATIENCE, waiter).await.expect("a wake-up was lost").unwrap();
        }
    }
}

/// An approver who never answers.
struct Away;

impl Approver for Away {
    async fn approve(&self, _: &Request<'_>) -> Approval {
        std::future::pending().await
    }
}

/// Counts what is in progress, also if it is dropped half-way.
struct Presence(Arc<AtomicI64>);

impl Presence {
    fn new(count: &Arc<AtomicI64>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A pipeline in which a call can hang in a hook before, in the approval, in the tool, or in a hook after.
fn pipeline(busy: &Arc<AtomicI64>, records: &Arc<Mutex<Vec<Ending>>>) -> Pipeline<Toolbox> {
    let at = |payload: &Payload, place: &str| {
        payload.event.call().and_then(|call| call.text("hang")).is_some_and(|hang| hang == place)
    };
    let (tool_busy, hook_busy) = (Arc::clone(busy), Arc::clone(busy));
    let work = move |input: Value, _: Running| {
        let presence = Presence::new(&tool_busy);
        async move {
            if input["hang"] == "tool" {
                std::future::pending::<()>().await;
            }
            drop(presence);
            match input["hang"] == "retry" {
                true => Err::<String, ToolError>("once more".into()),
                false => Ok("done".into()),
            }
        }
    };
    let keep = Arc::clone(records);
    Pipeline::builder(Toolbox::new().with(tool_fn(ToolSpec::unchecked("work"), work)))
        .hook(
            on_async(EventName::PreToolUse, "before", async move |payload: &Payload| {
                if at(payload, "before") {
                    let _presence = Presence::new(&hook_busy);
                    std::future::pending::<()>().await;
                }
                Verdict::abstain()
            })
            .timeout(LONG),
        )
        .hook(on(EventName::PreToolUse, "ask", move |payload: &Payload| match at(payload, "approval") {
            true => Verdict::ask("may it?"),
            false => Verdict::abstain(),
        }))
        .hook(on(EventName::PostToolUseFailure, "again", |_: &Payload| Verdict::retry()))
        .hook(
            on_async(EventName::PostToolUse, "after", async move |payload: &Payload| {
                if at(payload, "after") {
                    std::future::pending::<()>().await;
                }
                Verdict::abstain()
            })
            .timeout(LONG),
        )
        .approver(Away)
        .tool_timeout(LONG)
        .limit(3)
        .record(move |report: &Report| keep.lock().unwrap().push(report.ending.clone()))
        .build()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cancelled_batch_returns_with_one_report_for_each_call_wherever_it_was() {
    // A call that hangs while it is prepared keeps the others from starting, so half of the rounds have none.
    const PLACES: [&str; 6] = ["nowhere", "retry", "tool", "after", "before", "approval"];
    let busy = Arc::new(AtomicI64::new(0));
    let records = Arc::new(Mutex::new(Vec::new()));
    let pipeline = pipeline(&busy, &records);
    let rounds = 120;
    for round in 0..rounds {
        let cancel = Cancel::new();
        let agent = pipeline.handle(Session::default()).with_cancel(&cancel);
        let some = if round % 2 == 0 { &PLACES[..4] } else { &PLACES[..] };
        let places = (0..4).map(|index| some[(round / 2 + index) % some.len()]);
        let calls: Vec<_> = places.map(|place| call("work", json!({"hang": place}))).collect();
        let canceller = tokio::spawn(async move {
            for _ in 0..round % 17 {
                tokio::task::yield_now().await;
            }
            tokio::time::sleep(Duration::from_micros((round as u64 * 397) % 20_000)).await;
            cancel.cancel();
        });
        let batch = timeout(PATIENCE, agent.batch(calls)).await.expect("the cancellation was not seen");
        canceller.await.unwrap();
        assert_eq!(batch.reports.len(), 4);
        for report in &batch.reports {
            assert!(
                matches!(report.ending, Ending::Cancelled | Ending::Ran | Ending::Failed(_)),
                "{:?}",
                report.ending
            );
            let cancelled = report.ending == Ending::Cancelled;
            assert_eq!(
                report.output.text() == "cancelled",
                cancelled,
                "no result of a cancelled call is shown"
            );
        }
    }
    timeout(PATIENCE, async {
        while busy.load(Ordering::SeqCst) != 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("something still runs");
    let records = records.lock().unwrap();
    assert_eq!(records.len(), rounds * 4, "one record for each call");
    let cancelled = records.iter().filter(|ending| **ending == Ending::Cancelled).count();
    assert!(cancelled > rounds && cancelled < records.len(), "{cancelled} of {}", records.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_batch_that_is_dropped_at_any_moment_leaves_nothing_and_records_everything() {
    let busy = Arc::new(AtomicI64::new(0));
    let records = Arc::new(Mutex::new(Vec::new()));
    let pipeline = pipeline(&busy, &records);
    let rounds = 60;
    let mut prepared = 0;
    for round in 0..rounds {
        let agent = pipeline.handle(Session::default());
        let calls = ["tool", "before", "nowhere"].map(|place| call("work", json!({"hang": place})));
        let limit = Duration::from_micros((round as u64 * 53) % 3_000);
        prepared += usize::from(timeout(limit, agent.batch(calls)).await.is_err());
    }
    assert_eq!(prepared, rounds, "none of them can finish");
    timeout(PATIENCE, async {
        while busy.load(Ordering::SeqCst) != 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await
    .expect("something still runs");
    assert!(records.lock().unwrap().iter().all(|ending| *ending == Ending::Cancelled));
}
