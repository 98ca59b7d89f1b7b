//! Captures the guard's judgement, for callers that show more than the verdict.

use super::Guard;
use crate::policy::MonitoredDecision;
use checkrein_core::{Deadline, Failure, Hook, Payload, Verdict};
use checkrein_guard::{Judgement, World};
use std::sync::{Arc, Mutex, PoisonError};

/// A slot for the guard's last judgement, and for what other hooks would have decided without monitor mode.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    judgement: Arc<Mutex<Option<Judgement>>>,
    monitored: Arc<Mutex<Vec<MonitoredDecision>>>,
    undo: Arc<Mutex<Option<String>>>,
}

impl Kept {
    /// Takes the last judgement; `None` if the guard was not called since the last time, or had nothing to judge.
    pub fn take(&self) -> Option<Judgement> {
        // A panic elsewhere cannot have left half a judgement: it is put here whole.
        self.judgement.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, judgement: Judgement) {
        *self.judgement.lock().unwrap_or_else(PoisonError::into_inner) = Some(judgement);
    }

    /// Takes what hooks would have decided since the last call.
    pub fn take_monitored(&self) -> Vec<MonitoredDecision> {
        std::mem::take(&mut *self.monitored.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes the id of the record for undo that was made since the last call.
    pub fn take_undo(&self) -> Option<String> {
        self.undo.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn put_undo(&self, id: String) {
        *self.undo.lock().unwrap_or_else(PoisonError::into_inner) = Some(id);
    }

    pub(crate) fn put_monitored(&self, decision: MonitoredDecision) {
        self.monitored.lock().unwrap_or_else(PoisonError::into_inner).push(decision);
    }
}

/// The guard with somewhere to leave it.
#[derive(Clone, Debug)]
pub(super) struct Keeping<W> {
    pub(super) guard: Guard<W>,
    pub(super) kept: Kept,
}

impl<W: World + Send + Sync> Hook for Keeping<W> {
    fn name(&self) -> &str {
        self.guard.name()
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let Some((judgement, broken)) = self.guard.judged(payload) else { return Ok(Verdict::abstain()) };
        let verdict = self.guard.answer(payload, &judgement, broken);
        self.kept.put(judgement);
        verdict
    }
}
