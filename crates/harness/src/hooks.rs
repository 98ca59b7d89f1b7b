//! Calls the hooks without blocking the runtime.

use crate::{
    Cancel, ToolSpec, Tools,
    hook::Blocking,
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

/// The name of the built-in schema judge.
const SCHEMA: &str = "schema";

/// The error for a caller that cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cancelled;

pub(crate) struct Hooks {
    dispatcher: Dispatcher,
    /// The number of built-in hooks at the beginning of the list.
    ours: usize,
    /// The hooks that may block.
    waiting: Vec<Entry>,
    observers: Observers,
}

impl Hooks {
    /// Creates the list of `entries`, in order. If there are any, a schema judge comes before every other judge: an
    /// input that hooks made invalid for the tool is not worth judging.
    pub(crate) fn new<T: Tools>(
        entries: Vec<(Entry, Blocking)>,
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
        for (entry, blocking) in entries {
            // Observers are shown an event later, on their own task.
            if blocking == Blocking::Possible && entry.role() != Role::Observe {
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

    /// Returns true if the event concerns any hook.
    pub(crate) fn concerns(&self, event: EventName, call: Option<&ToolCall>) -> bool {
        self.dispatcher.entries().iter().skip(self.ours).any(|entry| entry.matches(event, call))
    }

    /// Returns true if the schema judge denied: the input does not fit the tool.
    pub(crate) fn denied_by_us(&self, outcome: &Outcome) -> bool {
        outcome.trail.iter().any(|step| step.decision == Decision::Deny && step.index < self.ours)
    }

    /// Returns true if one of the concerned hooks may block.
    pub(crate) fn may_block(&self, event: EventName, call: Option<&ToolCall>) -> bool {
        self.waiting.iter().any(|entry| entry.matches(event, call))
    }

    /// Calls all hooks that the event concerns. An error means that the caller cancelled; everything the hooks
    /// started has stopped by then. If no hook [may block](Self::may_block), this neither suspends nor is cancelled.
    pub(crate) async fn ask(&self, payload: Payload, cancel: &Cancel) -> Result<Outcome, Cancelled> {
        let outcome = if self.may_block(payload.name(), payload.event.call()) {
            self.ask_elsewhere(payload, cancel).await?
        } else {
            self.dispatcher.decide(payload)
        };
        self.observers.show(&outcome);
        Ok(outcome)
    }

    /// Calls the hooks on a blocking thread.
    async fn ask_elsewhere(&self, payload: Payload, cancel: &Cancel) -> Result<Outcome, Cancelled> {
        if cancel.is_cancelled() {
            return Err(Cancelled);
        }
        let event = payload.event.clone();
        let flag = Arc::new(AtomicBool::new(false));
        // Also set when the caller drops this future, so that no hook continues for a caller that is gone.
        let abandon = Abandon(Arc::clone(&flag));
        let dispatcher = self.dispatcher.clone();
        let mut job = task::spawn_blocking(move || dispatcher.decide_unless(payload, &flag));
        let done = tokio::select! {
            biased;
            () = cancel.cancelled() => {
                drop(abandon);
                // Until here a process may run; after it none does.
                let _ = job.await;
                return Err(Cancelled);
            }
            done = &mut job => done,
        };
        // A dispatch does not fail. If the thread is lost nevertheless, no hook has judged the event.
        Ok(done.unwrap_or_else(|error| {
            Outcome::refused(Payload::new(event), format!("the hooks could not be called: {error}"))
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

/// Denies an input that hooks made invalid for the tool. An input that no hook changed was validated before.
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
