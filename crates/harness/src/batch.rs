//! Runs the calls of one message.
//!
//! The calls are prepared one after another. Then their tools run concurrently, up to the limit. The after-hooks run
//! in the order of the message again, so hooks see the same order in every run, however long each tool takes. After
//! a request to end the turn nothing starts: no tool and no retry.

use crate::{
    Batch, Handle, Tools,
    call::{CallRun, End, Ran, Step, run as run_call},
    report::notes_of,
};
use checkrein::{Event, EventName, Stop, ToolCall};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::{sync::Semaphore, task::JoinHandle};

/// A prepared call of the batch.
enum Slot<T: Tools> {
    Settled(CallRun<T>, End),
    Running(CallRun<T>, Task),
}

/// A task that is aborted when it is dropped.
struct Task(JoinHandle<Ran>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(crate) async fn run<T: Tools>(handle: &Handle<T>, calls: Vec<ToolCall>) -> Batch {
    let mut stop: Option<Stop> = None;
    let mut prepared = Vec::with_capacity(calls.len());
    for call in calls {
        let mut call_run = CallRun::new(handle, call);
        if stop.is_some() {
            prepared.push((call_run, Step::Settled(End::not_started(stop.as_ref()))));
            continue;
        }
        let step = call_run.prepare().await;
        stop = stop.or_else(|| call_run.stop().cloned());
        prepared.push((call_run, step));
    }

    let permits = Arc::new(Semaphore::new(handle.shared.limit));
    let stopped = Arc::new(AtomicBool::new(stop.is_some()));
    let mut slots = Vec::with_capacity(prepared.len());
    for (call_run, step) in prepared {
        slots.push(match step {
            Step::Settled(end) => Slot::Settled(call_run, end),
            Step::GoOn if stop.is_some() => Slot::Settled(call_run, End::not_started(stop.as_ref())),
            Step::GoOn => {
                let task = start(handle, call_run.call(), Arc::clone(&permits), Arc::clone(&stopped));
                Slot::Running(call_run, task)
            }
        });
    }

    let mut batch = Batch::default();
    for slot in slots {
        let report = match slot {
            Slot::Settled(call_run, end) => call_run.end(end),
            Slot::Running(mut call_run, mut task) => {
                // A task has no result only if the whole runtime shuts down.
                let ran = (&mut task.0).await.unwrap_or(Ran::Cancelled);
                drop(task);
                call_run.is_stopped_by(stop.as_ref());
                call_run.complete(ran, Some(&permits)).await
            }
        };
        if stop.is_none() && report.stop.is_some() {
            stop.clone_from(&report.stop);
            stopped.store(true, Ordering::Release);
        }
        batch.reports.push(report);
    }
    batch.stop = stop;
    finish(handle, &mut batch).await;
    batch
}

/// Starts a call as soon as a permit is free, in the order of the message.
fn start<T: Tools>(
    handle: &Handle<T>,
    call: Arc<ToolCall>,
    permits: Arc<Semaphore>,
    stopped: Arc<AtomicBool>,
) -> Task {
    let handle = handle.clone();
    Task(tokio::spawn(async move {
        let permit = tokio::select! {
            biased;
            () = handle.cancel.cancelled() => return Ran::Cancelled,
            permit = permits.acquire() => permit,
        };
        if permit.is_err() || stopped.load(Ordering::Acquire) {
            return Ran::NotStarted;
        }
        run_call(&handle, &call, 1).await
    }))
}

/// Tells the hooks that all calls of the message have finished.
async fn finish<T: Tools>(handle: &Handle<T>, batch: &mut Batch) {
    if !handle.shared.hooks.concerns(EventName::PostToolBatch, None) {
        return;
    }
    let mut payload = handle.payload(Event::Other(EventName::PostToolBatch));
    let ids = batch.reports.iter().filter_map(|report| report.call.id.clone()).collect::<Vec<_>>();
    payload.extra.insert("tool_use_ids".into(), ids.into());
    if let Some(outcome) = handle.ask(payload).await {
        batch.notes = notes_of(&outcome);
        batch.stop = batch.stop.take().or_else(|| outcome.stop.clone());
    }
}
