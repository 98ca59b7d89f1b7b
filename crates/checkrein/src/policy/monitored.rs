//! A hook under monitor mode: what it would block is recorded, and the call continues.
//!
//! The guard sets aside its own findings by rule. For every other hook this wrapper takes back a denial or a question where that
//! would prevent something; edits, texts for the model and everything after the fact stay.

use crate::builtin::Kept;
use checkrein_core::{Deadline, Decision, Entry, Failure, Hook, OnFailure, Outcome, Payload, Verdict};
use std::sync::Arc;

/// A decision that was only recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonitoredDecision {
    /// The hook.
    pub hook: String,
    /// The decision that it would have made.
    pub decision: Decision,
    /// The reason.
    pub reason: String,
}

/// Puts a hook under monitor mode.
pub(super) fn monitored(entry: Entry, kept: Option<&Kept>) -> Entry {
    let on_failure = entry.failure_rule();
    if !entry.event().is_preventable() {
        return entry;
    }
    let kept = kept.cloned();
    entry.wrap(|hook| Watched { hook, kept, on_failure }).with_on_failure(OnFailure::Ignore)
}

struct Watched {
    hook: Arc<dyn Hook>,
    kept: Option<Kept>,
    /// The decision that a failure would have become.
    on_failure: OnFailure,
}

impl Watched {
    fn record(&self, decision: Decision, reason: String) {
        if let Some(kept) = &self.kept {
            kept.put_monitored(MonitoredDecision { hook: self.hook.name().to_owned(), decision, reason });
        }
    }
}

impl Hook for Watched {
    fn name(&self) -> &str {
        self.hook.name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let verdict = match self.hook.call(payload, deadline) {
            Ok(verdict) => verdict,
            Err(failure) => {
                let decision = self.on_failure.decision();
                if decision > Decision::Allow {
                    self.record(decision, format!("the hook failed: {failure}"));
                }
                return Err(failure);
            }
        };
        match verdict.decision {
            Decision::Abstain | Decision::Allow => Ok(verdict),
            Decision::Ask | Decision::Deny => {
                self.record(verdict.decision, verdict.reason.clone().unwrap_or_default());
                // A call that would not have run has no edit that counts.
                let edit = verdict.edit.filter(|_| verdict.decision == Decision::Ask);
                Ok(Verdict {
                    decision: Decision::Abstain,
                    reason: None,
                    notice: None,
                    stop: None,
                    edit,
                    ..verdict
                })
            }
        }
    }

    fn observe(&self, outcome: &Outcome, deadline: Deadline<'_>) -> Result<(), Failure> {
        self.hook.observe(outcome, deadline)
    }
}
