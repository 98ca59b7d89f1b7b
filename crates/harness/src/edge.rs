//! The edge of the pipeline: what is kept of a decided event before its caller gets the answer.

use checkrein_core::{EventId, Outcome, Payload};
use std::sync::Arc;

/// A durable record of decided events.
pub(crate) trait Keeper: Send + Sync {
    /// Returns a new id for an event.
    fn id(&self) -> EventId;

    /// Keeps the record of an event. The error says why it is not kept.
    fn keep(&self, outcome: &Outcome) -> Result<(), String>;

    /// Returns whether an event is denied if its record cannot be kept.
    fn is_required(&self) -> bool;
}

/// The record of a pipeline, if it has one.
#[derive(Clone, Default)]
pub(crate) struct Kept(pub(crate) Option<Arc<dyn Keeper>>);

impl Kept {
    /// Gives an event its id before the hooks see it, so that a denial can name it.
    pub(crate) fn identified(&self, mut payload: Payload) -> Payload {
        if let Some(keeper) = &self.0 {
            payload.id = Some(keeper.id());
        }
        payload
    }

    /// Keeps the record of an event, and returns what its caller gets, with a remark if it is not kept.
    pub(crate) fn keep(&self, outcome: Outcome) -> (Outcome, Option<String>) {
        let Some(keeper) = &self.0 else { return (outcome, None) };
        let Err(error) = keeper.keep(&outcome) else { return (outcome, None) };
        let why = format!("the record of this event was not kept: {error}");
        if keeper.is_required() && outcome.payload.name().is_preventable() {
            let reason = format!("the administrator requires a record of every event, but {why}");
            return (Outcome::refused(outcome.payload, reason), Some(why));
        }
        (outcome, Some(why))
    }
}

#[cfg(feature = "guard")]
impl Keeper for checkrein::trail::Trail {
    fn id(&self) -> EventId {
        Self::id(self)
    }

    fn keep(&self, outcome: &Outcome) -> Result<(), String> {
        let alarm = self.is_alarm(&outcome.payload);
        let decided = checkrein::trail::Decided { alarm, ..checkrein::trail::Decided::new(outcome) };
        self.append(&decided).map(drop).map_err(|error| error.to_string())
    }

    fn is_required(&self) -> bool {
        Self::is_required(self)
    }
}
