//! Asking the hooks without holding up the runtime.

use crate::{
    Cancel, ToolSpec, Tools,
    hook::Manner,
    observers::{Observers, Remarks},
    toolbox::called,
};
use checkrein::{
    Deadline, Decision, Dispatcher, Entry, EventName, Failure, Hook, Outcome, Payload, Role, ToolCall,
    Verdict,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::task;

/// The name of our own judge.
const SCHEMA: &str = "schema";

/// Nobody waits for the answer any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cancelled;

pub(crate) struct Hooks {
    dispatcher: Dispatcher,
    /// How many of them are ours, at the beginning of the list.
    ours: usize,
    /// Those that may wait.
    waiting: Vec<Entry>,
    observers: Observers,
}

impl Hooks {
    /// `entries`, in order. With any at all comes a judge that is asked before every other: an input that hooks made
    /// unfit for the tool is not worth judging.
    pub(crate) fn new<T: Tools>(
        entries: Vec<(Entry, Manner)>,
        tools: &Arc<T>,
        retries: Option<u32>,
        remarks: Option<Remarks>,
    ) -> Self {
        let mut dispatcher = Dispatcher::new();
        if let Some(retries) = retries {
            dispatcher = dispatcher.with_retries(retries);
        }
        if entries.iter().any(|(entry, _)| entry.event() == EventName::PreToolUse) {
            let judge = SchemaJudge { tools: Arc::clone(tools) };
            dispatcher.add(Entry::new(EventName::PreToolUse, judge).with_role(Role::Judge));
        }
        let ours = dispatcher.entries().len();
        let mut waiting = Vec::new();
        for (entry, manner) in entries {
            // Observers are shown an event later, wherever they spend their time.
            if manner == Manner::Waits && entry.role() != Role::Observe {
                waiting.push(entry.clone());
            }
            dispatcher.add(entry);
        }
        let observers = Observers::new(dispatcher.clone(), remarks);
        Self { dispatcher, ours, waiting, observers }
    }

    pub(crate) const fn dispatcher(&self) -> &Dispatcher {
        &self.dispatcher
    }

    pub(crate) const fn observers(&self) -> &Observers {
        &self.observers
    }

    /// Whether anybody is to be asked or shown this.
    pub(crate) fn concern(&self, event: EventName, call: Option<&ToolCall>) -> bool {
        self.dispatcher.entries().iter().skip(self.ours).any(|entry| entry.matches(event, call))
    }

    /// Whether it is our own judge that denies: the input does not fit the tool.
    pub(crate) fn denied_by_us(&self, outcome: &Outcome) -> bool {
        outcome.trail.iter().any(|step| step.decision == Decision::Deny && step.index < self.ours)
    }

    /// Whether one of them may wait for something.
    pub(crate) fn wait(&self, event: EventName, call: Option<&ToolCall>) -> bool {
        self.waiting.iter().any(|entry| entry.matches(event, call))
    }

    /// Asks all whom the event concerns. An error says that it was cancelled; what the hooks were doing has ended then.
    /// If none of them [waits](Self::wait), this neither suspends nor is it cancelled.
    pub(crate) async fn ask(&self, payload: Payload, cancel: &Cancel) -> Result<Outcome, Cancelled> {
        let outcome = if self.wait(payload.name(), payload.event.call()) {
            self.ask_elsewhere(payload, cancel).await?
        } else {
            self.dispatcher.decide(payload)
        };
        self.observers.show(&outcome);
        Ok(outcome)
    }

    /// On a thread that may wait.
    async fn ask_elsewhere(&self, payload: Payload, cancel: &Cancel) -> Result<Outcome, Cancelled> {
        if cancel.is_cancelled() {
            return Err(Cancelled);
        }
        let event = payload.event.clone();
        let flag = Arc::new(AtomicBool::new(false));
        // Also set when the caller drops us, so that nobody goes on for a caller who is gone.
        let abandon = Abandon(Arc::clone(&flag));
        let dispatcher = self.dispatcher.clone();
        let mut job = task::spawn_blocking(move || dispatcher.decide_unless(payload, &flag));
        let done = tokio::select! {
            biased;
            () = cancel.cancelled() => {
                drop(abandon);
                // Until here a process may run; from here on none does.
                let _ = job.await;
                return Err(Cancelled);
            }
            done = &mut job => done,
        };
        // A dispatch does not fail. Should the thread be lost all the same, nobody has judged this.
        Ok(done.unwrap_or_else(|error| {
            Outcome::refused(Payload::new(event), format!("the hooks could not be asked: {error}"))
        }))
    }
}

/// Sets a flag when it is dropped.
struct Abandon(Arc<AtomicBool>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Denies an input that hooks made unfit for the tool. One that no hook changed was looked at before.
struct SchemaJudge<T> {
    tools: Arc<T>,
}

impl<T: Tools> Hook for SchemaJudge<T> {
    fn name(&self) -> &str {
        SCHEMA
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some(call) = payload.event.call().filter(|call| call.original.is_some()) else {
            return Ok(Verdict::abstain());
        };
        let spec: Option<&ToolSpec> = self.tools.tool(called(call));
        match spec.map_or(Ok(()), |spec| spec.check(&call.input)) {
            Ok(()) => Ok(Verdict::abstain()),
            Err(why) => {
                Ok(Verdict::deny(format!("the input as hooks changed it does not fit the tool: {why}")))
            }
        }
    }
}
