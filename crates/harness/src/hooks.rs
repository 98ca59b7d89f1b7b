//! Calls the hooks without blocking the runtime.
//!
//! The list of hooks can change while the pipeline runs. A call works with the list as it was when the call began, so
//! that a hook which saw a call before it ran also sees its result.

use crate::{
    Cancel, HookError, NO_RUNTIME, Registration,
    hook::{Blocking, Hooked},
    observers::Observers,
    spans,
};
use checkrein_core::{Decision, Dispatcher, Entry, EventName, Outcome, Payload, Role, ToolCall};
use std::sync::{
    Arc, Mutex, PoisonError, RwLock,
    atomic::{AtomicBool, Ordering},
};
use tokio::{runtime, task};

/// The error for a caller that cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// The hooks of a pipeline.
pub(crate) struct Hooks {
    parts: Mutex<Parts>,
    current: RwLock<Arc<HookList>>,
    observers: Arc<Observers>,
}

/// The hooks by origin, in the order in which they are called.
pub(crate) struct Parts {
    /// The judge of the pipeline itself; added if there is a hook that may change the input of a call.
    pub(crate) schema: Entry,
    /// Built-in hooks before the others.
    pub(crate) first: Vec<Hooked>,
    /// The hooks that were added.
    pub(crate) own: Vec<Hooked>,
    /// Built-in hooks after the others.
    pub(crate) last: Vec<Hooked>,
    /// The settings of the dispatcher, without hooks.
    pub(crate) settings: Dispatcher,
}

impl Hooks {
    pub(crate) fn new(parts: Parts, observers: Observers) -> Self {
        let observers = Arc::new(observers);
        let current = RwLock::new(Arc::new(HookList::new(&parts, &observers)));
        Self { parts: Mutex::new(parts), current, observers }
    }

    /// Returns the list as it is now.
    pub(crate) fn list(&self) -> Arc<HookList> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn observers(&self) -> &Observers {
        &self.observers
    }

    /// Adds a hook after those that were added before.
    pub(crate) fn add(&self, hook: Registration) -> Result<(), HookError> {
        let hooked = hook.into_hooked()?;
        self.change(|own| own.push(hooked));
        Ok(())
    }

    /// Removes the added hooks of this name and returns how many there were. Built-in hooks stay.
    pub(crate) fn remove(&self, name: &str) -> usize {
        let mut removed = 0;
        self.change(|own| {
            let before = own.len();
            own.retain(|hooked| hooked.entry.name() != name);
            removed = before - own.len();
        });
        removed
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Hooked>)) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut parts.own);
        let list = Arc::new(HookList::new(&parts, &self.observers));
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = list;
    }
}

/// A list of hooks that does not change.
pub(crate) struct HookList {
    dispatcher: Dispatcher,
    /// The number of hooks of the pipeline itself, at the beginning of the list.
    ours: usize,
    /// For each hook, if it may block the thread on which it is called.
    blocks: Vec<bool>,
    /// For each hook, if it judges calls by something other than their input.
    looks: Vec<bool>,
    has_observers: bool,
    /// True if something keeps, shows or times what the hooks answer.
    is_watched: bool,
    observers: Arc<Observers>,
}

/// The hooks that an event concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concerned {
    /// None.
    None,
    /// Only hooks that compute.
    Computing,
    /// At least one that may block.
    Blocking,
}

impl HookList {
    fn new(parts: &Parts, observers: &Arc<Observers>) -> Self {
        let Parts { schema, first, own, last, settings } = parts;
        let all = || first.iter().chain(own).chain(last);
        let mut dispatcher = settings.clone();
        let edits = |entry: &Entry| {
            entry.event() == EventName::PreToolUse && matches!(entry.role(), Role::Edit | Role::Plain)
        };
        if all().any(|hooked| edits(&hooked.entry)) {
            dispatcher.add(schema.clone());
        }
        let ours = dispatcher.entries().len();
        let mut blocks = vec![false; ours];
        let mut looks = vec![false; ours];
        for Hooked { entry, blocking, sees_world } in all() {
            // Observers are shown an event later, on their own task.
            let decides = entry.role() != Role::Observe;
            let judges = matches!(entry.role(), Role::Judge | Role::Plain);
            blocks.push(*blocking != Blocking::Never && decides);
            looks.push(*sees_world && judges && entry.event() == EventName::PreToolUse);
            dispatcher.add(entry.clone());
        }
        let has_observers = all().any(|hooked| hooked.entry.role() == Role::Observe);
        let is_watched = has_observers || observers.kept.0.is_some() || dispatcher.is_timed();
        Self { dispatcher, ours, blocks, looks, has_observers, is_watched, observers: Arc::clone(observers) }
    }

    pub(crate) const fn dispatcher(&self) -> &Dispatcher {
        &self.dispatcher
    }

    /// Returns which hooks the event concerns.
    pub(crate) fn concerned(&self, event: EventName, call: Option<&ToolCall>) -> Concerned {
        let mut concerned = Concerned::None;
        let hooks = self.dispatcher.entries().iter().zip(&self.blocks).skip(self.ours);
        for (entry, blocks) in hooks {
            if entry.matches(event, call) {
                if *blocks {
                    return Concerned::Blocking;
                }
                concerned = Concerned::Computing;
            }
        }
        concerned
    }

    /// Returns true if the event concerns any hook.
    pub(crate) fn concerns(&self, event: EventName, call: Option<&ToolCall>) -> bool {
        self.concerned(event, call) != Concerned::None
    }

    /// Returns true if a judge of the call looks at something other than the call.
    pub(crate) fn look_at_world(&self, call: &ToolCall) -> bool {
        let mut hooks = self.dispatcher.entries().iter().zip(&self.looks);
        hooks.any(|(entry, looks)| *looks && entry.matches(EventName::PreToolUse, Some(call)))
    }

    /// Returns true if the hook at `index` is called again by [`judge_again`](Self::judge_again).
    pub(crate) fn looks(&self, index: usize) -> bool {
        self.looks.get(index).copied().unwrap_or_default()
    }

    /// Returns true if the judge of the pipeline itself denied: the input does not fit the tool.
    pub(crate) fn denied_by_us(&self, outcome: &Outcome) -> bool {
        outcome.trail.iter().any(|step| step.decision == Decision::Deny && step.index < self.ours)
    }

    /// Calls the hooks that the event concerns, in the task of the caller. None of them may block.
    pub(crate) fn ask_now(&self, payload: Payload) -> Outcome {
        let outcome = self.dispatcher.decide(self.observers.kept.identified(payload));
        self.show(outcome)
    }

    /// Works like [`ask_now`](Self::ask_now), for a caller that does not look at the steps of judges without an opinion.
    /// They are left out if no other reader looks at them either.
    pub(crate) fn ask_briefly(&self, payload: Payload) -> Outcome {
        if self.is_watched {
            return self.ask_now(payload);
        }
        self.dispatcher.decide_briefly(payload)
    }

    /// Calls the hooks that the event concerns on a blocking thread. An error means that the caller cancelled.
    pub(crate) async fn ask_elsewhere(
        &self,
        payload: Payload,
        cancel: &Cancel,
    ) -> Result<Outcome, Cancelled> {
        let payload = self.observers.kept.identified(payload);
        let outcome = self.elsewhere(payload, cancel, Dispatcher::decide_unless).await?;
        Ok(self.show(outcome))
    }

    /// Calls all hooks that the event concerns. An error means that the caller cancelled.
    pub(crate) async fn ask(&self, payload: Payload, cancel: &Cancel) -> Result<Outcome, Cancelled> {
        match self.concerned(payload.name(), payload.event.call()) {
            Concerned::Blocking => self.ask_elsewhere(payload, cancel).await,
            Concerned::Computing | Concerned::None => Ok(self.ask_now(payload)),
        }
    }

    /// Calls the judges again that look at the world, except for those in `editors`, which changed the input.
    pub(crate) async fn judge_again(
        &self,
        payload: Payload,
        editors: &[usize],
        cancel: &Cancel,
    ) -> Result<Outcome, Cancelled> {
        let again: Vec<bool> =
            self.looks.iter().enumerate().map(|(index, looks)| *looks && !editors.contains(&index)).collect();
        self.elsewhere(payload, cancel, move |dispatcher, payload, abandoned| {
            dispatcher
                .judge_again(payload, abandoned, |index, _| again.get(index).copied().unwrap_or_default())
        })
        .await
    }

    /// Works on a blocking thread until the caller cancels. Everything that the hooks started has stopped by then,
    /// except for functions that cannot be stopped and are abandoned.
    async fn elsewhere(
        &self,
        payload: Payload,
        cancel: &Cancel,
        work: impl FnOnce(&Dispatcher, Payload, &AtomicBool) -> Outcome + Send + 'static,
    ) -> Result<Outcome, Cancelled> {
        if cancel.is_cancelled() {
            return Err(Cancelled);
        }
        let Ok(runtime) = runtime::Handle::try_current() else {
            return Ok(Outcome::refused(payload, NO_RUNTIME));
        };
        let event = payload.event.clone();
        let flag = Arc::new(AtomicBool::new(false));
        // Also set when the caller drops this future, so that no hook continues for a caller that is gone.
        let abandon = Abandon(Arc::clone(&flag));
        let dispatcher = self.dispatcher.clone();
        let mut job: task::JoinHandle<Outcome> =
            runtime.spawn_blocking(spans::carry(move || work(&dispatcher, payload, &flag)));
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

    /// Keeps a record of the outcome, shows it to observers, and returns what the caller gets.
    fn show(&self, outcome: Outcome) -> Outcome {
        let (outcome, remark) = self.observers.kept.keep(outcome);
        if let Some(remark) = remark {
            self.observers.remark(&remark);
        }
        if self.has_observers {
            self.observers.show(&self.dispatcher, &outcome);
        }
        outcome
    }
}

/// Sets a flag when it is dropped.
struct Abandon(Arc<AtomicBool>);

impl Drop for Abandon {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
