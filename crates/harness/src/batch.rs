//! Runs the calls of one message.
//!
//! The calls are prepared one after another. Then their tools run concurrently, up to the limit. The after-hooks run
//! in the order of the message again, so hooks see the same order in every run, however long each tool takes. After
//! a request to end the turn nothing starts: no tool and no retry.
//!
//! A judge that looks at files judges what they are when it looks. So a call with such a judge does not run next to
//! one that may change them, and is judged again if one has run since.

use crate::{
    Batch, Call, Handle, Tools,
    call::{CallRun, End, Next, Ran, RanFor, Step, run as run_call},
    report::notes_of,
};
use checkrein_core::{Event, EventName, Stop};
use std::time::Duration;
use tokio::{task::JoinSet, time::timeout};

/// The time in which a cancelled tool must return control. A tool that only waits for something returns at once.
const GRACE: Duration = Duration::from_millis(250);

/// A call of the batch, on its way to its report.
enum Slot<T: Tools> {
    /// It will not run.
    Settled(CallRun<T>, End),
    /// It may run.
    Ready(CallRun<T>),
    Running(CallRun<T>),
    /// It ran, and its after-hooks have not been called.
    Ran(CallRun<T>, RanFor),
    /// Its report is made.
    Reported,
}

/// The calls of a message while they run.
struct Running<'a, T: Tools> {
    handle: &'a Handle<T>,
    slots: Vec<Slot<T>>,
    tools: JoinSet<(usize, RanFor)>,
    batch: Batch,
}

pub(crate) async fn run<T: Tools>(handle: &Handle<T>, calls: Vec<Call>) -> Batch {
    let mut batch = if tokio::runtime::Handle::try_current().is_err() {
        let reports = calls.into_iter().map(|call| CallRun::new(handle, call).end(End::without_runtime()));
        Batch { reports: reports.collect(), ..Batch::default() }
    } else if handle.shared.serial {
        one_by_one(handle, calls).await
    } else {
        Running::prepare(handle, calls).await.finish().await
    };
    tell(handle, &mut batch).await;
    batch
}

/// Judges, runs and reports each call before the next is judged.
async fn one_by_one<T: Tools>(handle: &Handle<T>, calls: Vec<Call>) -> Batch {
    let mut batch = Batch::default();
    for call in calls {
        let call_run = CallRun::new(handle, call);
        let report = match &batch.stop {
            Some(stop) => call_run.end(End::not_started(Some(stop))),
            None => call_run.whole().await,
        };
        batch.stop = batch.stop.take().or_else(|| report.stop.clone());
        batch.reports.push(report);
    }
    batch
}

impl<'a, T: Tools> Running<'a, T> {
    /// Prepares the calls one after another.
    async fn prepare(handle: &'a Handle<T>, calls: Vec<Call>) -> Self {
        let mut running = Self {
            handle,
            slots: Vec::with_capacity(calls.len()),
            tools: JoinSet::new(),
            batch: Batch::default(),
        };
        for call in calls {
            let mut call_run = CallRun::new(handle, call);
            let step = match &running.batch.stop {
                Some(stop) => Step::Settled(End::not_started(Some(stop))),
                None => call_run.prepare().await,
            };
            running.stop_by(call_run.stop().cloned());
            call_run.wait();
            running.slots.push(match step {
                Step::Settled(end) => Slot::Settled(call_run, end),
                Step::GoOn => Slot::Ready(call_run),
            });
        }
        running
    }

    /// Runs everything. A finished call is reported as soon as those before it are, and before another one starts, so
    /// that its hooks can end the turn in time.
    async fn finish(mut self) -> Batch {
        loop {
            while let Some(ended) = self.tools.try_join_next() {
                self.ended(ended);
            }
            if self.batch.reports.len() == self.slots.len() {
                return self.batch;
            }
            if self.report_next().await || self.start_next().await {
                continue;
            }
            let cancel = &self.handle.cancel;
            tokio::select! {
                biased;
                () = cancel.cancelled() => self.cancel().await,
                ended = self.tools.join_next() => match ended {
                    Some(ended) => self.ended(ended),
                    // Nothing runs, nothing can start: not reachable, and a loop without end would be worse.
                    None => self.abandon(),
                },
            }
        }
    }

    /// Reports the next call in the order of the message, if it is done. A call that is retried is ready again.
    async fn report_next(&mut self) -> bool {
        let index = self.batch.reports.len();
        let Some(slot) = self.slots.get_mut(index) else { return false };
        let report = match std::mem::replace(slot, Slot::Reported) {
            Slot::Settled(call_run, end) => call_run.end(end),
            Slot::Ran(mut call_run, ran) => {
                call_run.end_turn(self.batch.stop.as_ref());
                match call_run.complete(ran).await {
                    Next::Done(report) => report,
                    Next::Again(mut call_run) => {
                        call_run.wait();
                        self.put(index, Slot::Ready(*call_run));
                        return true;
                    }
                }
            }
            other => {
                *slot = other;
                return false;
            }
        };
        self.stop_by(report.stop.clone());
        self.batch.reports.push(report);
        true
    }

    /// Starts the first call that is ready, or settles it. Returns false if there is none, or if it has to wait.
    async fn start_next(&mut self) -> bool {
        let ready = self.slots.iter().position(|slot| matches!(slot, Slot::Ready(_)));
        let Some(index) = ready.filter(|index| self.has_room_for(*index)) else { return false };
        let Some(slot) = self.slots.get_mut(index) else { return false };
        let Slot::Ready(mut call_run) = std::mem::replace(slot, Slot::Reported) else { return false };
        let step = match &self.batch.stop {
            Some(stop) => Step::Settled(End::not_started(Some(stop))),
            None if self.handle.cancel.is_cancelled() => Step::Settled(End::cancelled()),
            None => call_run.confirm().await,
        };
        self.stop_by(call_run.stop().cloned());
        let end = match step {
            Step::Settled(end) => Some(end),
            Step::GoOn => self.batch.stop.as_ref().map(|stop| End::not_started(Some(stop))),
        };
        if let Some(end) = end {
            self.put(index, Slot::Settled(call_run, end));
            return true;
        }
        if call_run.changes_world() {
            self.outdate();
        }
        call_run.start();
        let (handle, call, attempt) = (self.handle.clone(), call_run.call(), call_run.attempt());
        let span = call_run.span();
        self.tools.spawn(async move { (index, span.within(run_call(&handle, &call, attempt)).await) });
        self.put(index, Slot::Running(call_run));
        true
    }

    /// Returns true if the call at `index` may run next to those that run now.
    fn has_room_for(&self, index: usize) -> bool {
        let running: Vec<&CallRun<T>> = self
            .slots
            .iter()
            .filter_map(|slot| if let Slot::Running(other) = slot { Some(other) } else { None })
            .collect();
        let Some(Slot::Ready(call_run)) = self.slots.get(index) else { return false };
        let (depends, changes) = (call_run.depends_on_world(), call_run.changes_world());
        running.len() < self.handle.shared.limit
            && !running
                .iter()
                .any(|other| depends && other.changes_world() || changes && other.depends_on_world())
    }

    /// Makes the calls that have not started look at the world again before they do.
    fn outdate(&mut self) {
        for slot in &mut self.slots {
            if let Slot::Ready(call_run) = slot
                && call_run.depends_on_world()
            {
                call_run.outdate();
            }
        }
    }

    fn ended(&mut self, ended: Result<(usize, RanFor), tokio::task::JoinError>) {
        match ended {
            Ok((index, ran)) => self.ran(index, ran),
            // A task has no result only if the whole runtime shuts down.
            Err(_) => self.abandon(),
        }
    }

    fn ran(&mut self, index: usize, ran: RanFor) {
        let Some(slot) = self.slots.get_mut(index) else { return };
        match std::mem::replace(slot, Slot::Reported) {
            Slot::Running(call_run) => *slot = Slot::Ran(call_run, ran),
            other => *slot = other,
        }
    }

    /// Ends all tools that run. A tool that can be cancelled is, with everything that it started; one that blocks its
    /// thread is left behind.
    async fn cancel(&mut self) {
        let all = async {
            while let Some(ended) = self.tools.join_next().await {
                self.ended(ended);
            }
        };
        // An error means that something is left.
        let _ = timeout(GRACE, all).await;
        self.abandon();
    }

    /// Goes on without the tools that run.
    fn abandon(&mut self) {
        self.tools = JoinSet::new();
        for index in 0..self.slots.len() {
            self.ran(index, RanFor::no_time(Ran::Cancelled));
        }
    }

    fn stop_by(&mut self, stop: Option<Stop>) {
        if self.batch.stop.is_none() {
            self.batch.stop = stop;
        }
    }

    fn put(&mut self, index: usize, slot: Slot<T>) {
        if let Some(place) = self.slots.get_mut(index) {
            *place = slot;
        }
    }
}

/// Tells the hooks that all calls of the message have finished.
async fn tell<T: Tools>(handle: &Handle<T>, batch: &mut Batch) {
    if !handle.shared.hooks.list().concerns(EventName::PostToolBatch, None) {
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
