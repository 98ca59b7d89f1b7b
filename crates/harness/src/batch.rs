//! The calls of one message.
//!
//! First all are prepared, one after another; then their tools run at the same time, so many at once; the after-hooks
//! come in the order of the message again. So hooks see the same order in every run, however long each tool takes. From
//! a wish to end the turn on nothing starts: no tool, no retry.

use crate::{
    Batch, Handle, Tools,
    life::{End, Life, Ran, Step, run as run_call},
    report::notes_of,
};
use checkrein::{Event, EventName, Stop, ToolCall};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::{sync::Semaphore, task::JoinHandle};

/// A call of the batch after its preparation.
enum Place<T: Tools> {
    Settled(Life<T>, End),
    Ready(Life<T>),
}

/// A call that may be running.
enum Seat<T: Tools> {
    Settled(Life<T>, End),
    Running(Life<T>, Task),
}

/// A task that ends when it is let go.
struct Task(JoinHandle<Ran>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

pub(crate) async fn run<T: Tools>(handle: &Handle<T>, calls: Vec<ToolCall>) -> Batch {
    let mut stop: Option<Stop> = None;
    let mut places = Vec::with_capacity(calls.len());
    for call in calls {
        let mut life = Life::new(handle, call);
        if stop.is_some() {
            places.push(Place::Settled(life, End::not_started(stop.as_ref())));
            continue;
        }
        let step = life.prepare().await;
        stop = stop.or_else(|| life.stop().cloned());
        places.push(match step {
            Step::GoOn => Place::Ready(life),
            Step::Settled(end) => Place::Settled(life, end),
        });
    }

    let slots = Arc::new(Semaphore::new(handle.shared.limit));
    let stopped = Arc::new(AtomicBool::new(stop.is_some()));
    let mut seats = Vec::with_capacity(places.len());
    for place in places {
        seats.push(match place {
            Place::Settled(life, end) => Seat::Settled(life, end),
            Place::Ready(life) if stop.is_some() => Seat::Settled(life, End::not_started(stop.as_ref())),
            Place::Ready(life) => {
                let task = start(handle, life.call(), Arc::clone(&slots), Arc::clone(&stopped));
                Seat::Running(life, task)
            }
        });
    }

    let mut batch = Batch::default();
    for seat in seats {
        let report = match seat {
            Seat::Settled(life, end) => life.end(end),
            Seat::Running(mut life, mut task) => {
                // A task ends without a result only if the whole runtime ends.
                let ran = (&mut task.0).await.unwrap_or(Ran::Cancelled);
                drop(task);
                life.is_stopped_by(stop.as_ref());
                life.complete(ran, Some(&slots)).await
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

/// Starts a call as soon as there is a slot for it, in the order of the message.
fn start<T: Tools>(
    handle: &Handle<T>,
    call: Arc<ToolCall>,
    slots: Arc<Semaphore>,
    stopped: Arc<AtomicBool>,
) -> Task {
    let handle = handle.clone();
    Task(tokio::spawn(async move {
        let slot = tokio::select! {
            biased;
            () = handle.cancel.cancelled() => return Ran::Cancelled,
            slot = slots.acquire() => slot,
        };
        if slot.is_err() || stopped.load(Ordering::Acquire) {
            return Ran::NotStarted;
        }
        run_call(&handle, &call, 1).await
    }))
}

/// Tells the hooks that all calls of the message have ended.
async fn finish<T: Tools>(handle: &Handle<T>, batch: &mut Batch) {
    if !handle.shared.hooks.concern(EventName::PostToolBatch, None) {
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
