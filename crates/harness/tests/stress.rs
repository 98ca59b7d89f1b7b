//! Stress test: many batches of many agents at once, on several threads, some cancelled half-way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    Cancel, Edit, Ending, EventName, Map, Output, Payload, Pipeline, Report, Running, Session, ToolError,
    ToolSpec, Tools, Verdict, checkrein::ToolCall, on, on_async,
};
use serde_json::json;
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
};

const AGENTS: usize = 40;
const BATCHES: usize = 5;
const CALLS: usize = 12;

#[derive(Default)]
struct Counted {
    spec: Option<Arc<ToolSpec>>,
    running: Arc<AtomicI64>,
}

/// Decrements the counter even if it is dropped half-way.
struct Presence(Arc<AtomicI64>);

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Tools for Counted {
    fn tool(&self, _: &str) -> Option<Arc<ToolSpec>> {
        self.spec.clone()
    }

    async fn run(&self, call: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        self.running.fetch_add(1, Ordering::SeqCst);
        let _presence = Presence(Arc::clone(&self.running));
        let number = call.input["number"].as_u64().unwrap();
        for _ in 0..number % 7 {
            tokio::task::yield_now().await;
        }
        match number % 5 {
            0 => Err("five".into()),
            1 => std::panic::resume_unwind(Box::new("one")),
            _ => Ok(call.input["marked"].to_string().into()),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn nothing_is_lost_doubled_or_mixed_up() {
    let running = Arc::new(AtomicI64::new(0));
    let tools = Counted { spec: Some(ToolSpec::unchecked("count").into()), running: Arc::clone(&running) };
    let records: Arc<Mutex<HashMap<String, usize>>> = Arc::default();
    let keep = Arc::clone(&records);
    let mark = on(EventName::PreToolUse, "mark", |payload: &Payload| {
        let id = payload.event.call().unwrap().id.clone().unwrap();
        let mut marked = Map::new();
        marked.insert("marked".into(), id.into());
        Verdict::edit(Edit::MergeInput(marked))
    });
    let later = on_async(EventName::PostToolUse, "later", async |payload: &Payload| {
        tokio::task::yield_now().await;
        let call = payload.event.call().unwrap();
        // The output belongs to the call.
        let text = payload.event.output().unwrap().text();
        assert_eq!(text, json!(call.id).to_string());
        Verdict::abstain()
    });
    let deny = on(EventName::PreToolUse, "deny", |payload: &Payload| {
        match payload.event.call().unwrap().input["number"].as_u64() {
            Some(number) if number % 11 == 3 => Verdict::deny("three of eleven"),
            _ => Verdict::abstain(),
        }
    });
    let pipeline = Pipeline::builder(tools)
        .limit(5)
        .hook(mark.edit())
        .hook(deny.judge())
        .hook(later)
        .record(move |report: &Report| {
            *keep.lock().unwrap().entry(report.call.id.clone().unwrap()).or_default() += 1;
        })
        .build()
        .unwrap();
    let agents: Vec<_> = (0..AGENTS)
        .map(|agent| {
            let handle = pipeline.handle(Session::default()).child(format!("agent-{agent}"));
            tokio::spawn(async move {
                let mut begun = Vec::new();
                for batch in 0..BATCHES {
                    let calls: Vec<ToolCall> = (0..CALLS)
                        .map(|number| {
                            let id = format!("{agent}/{batch}/{number}");
                            let input = json!({"number": number + batch}).as_object().unwrap().clone();
                            ToolCall { id: Some(id), ..ToolCall::new("count", input) }
                        })
                        .collect();
                    let ids: Vec<_> = calls.iter().map(|call| call.id.clone()).collect();
                    let cancel = Cancel::new();
                    let handle = handle.with_cancel(&cancel);
                    let reports = if (agent + batch) % 4 == 0 {
                        let (reports, ()) = tokio::join!(handle.batch(calls), async {
                            for _ in 0..agent * 3 {
                                tokio::task::yield_now().await;
                            }
                            cancel.cancel();
                        });
                        reports
                    } else {
                        let reports = handle.batch(calls).await;
                        assert!(reports.reports.iter().all(|report| report.ending != Ending::Cancelled));
                        reports
                    };
                    let found: Vec<_> = reports.reports.iter().map(|report| report.call.id.clone()).collect();
                    assert_eq!(found, ids);
                    begun.extend(ids.into_iter().flatten());
                }
                begun
            })
        })
        .collect();
    let mut all = Vec::new();
    for agent in agents {
        all.extend(agent.await.unwrap());
    }
    assert_eq!(all.len(), AGENTS * BATCHES * CALLS);
    let records = records.lock().unwrap();
    for id in &all {
        assert_eq!(records.get(id), Some(&1), "{id}");
    }
    assert_eq!(records.len(), all.len());
    assert_eq!(running.load(Ordering::SeqCst), 0, "tools still run");
}
