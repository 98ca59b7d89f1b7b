//! The trail of a Python process: off until the application turns it on.

use checkrein::{
    Outcome, Payload, Places, Policy,
    trail::{Decided, Trail},
    variable,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// The records of a dispatcher.
#[derive(Default)]
pub(crate) struct Keeper {
    trail: Option<Arc<Trail>>,
    is_on: AtomicBool,
}

impl Clone for Keeper {
    fn clone(&self) -> Self {
        Self { trail: self.trail.clone(), is_on: AtomicBool::new(self.is_on()) }
    }
}

impl Keeper {
    /// The trail of a policy; without a state directory of its own, the user's.
    pub(crate) fn of(policy: &Policy) -> Self {
        let trail = match policy.state() {
            Some(_) => Trail::of(policy),
            None => Places::of(variable).state.and_then(|state| Trail::at(&state, policy.stack().trail())),
        };
        Self { trail: trail.map(Arc::new), is_on: AtomicBool::new(false) }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.is_on.load(Ordering::Relaxed)
    }

    /// Turns it on. Returns false if there is no trail: the configuration says so, or there is no state directory.
    pub(crate) fn turn_on(&self) -> bool {
        self.is_on.store(self.trail.is_some(), Ordering::Relaxed);
        self.trail.is_some()
    }

    fn active(&self) -> Option<&Trail> {
        self.trail.as_deref().filter(|_| self.is_on())
    }

    /// Gives an event its id before the hooks see it, so that a denial can name it.
    pub(crate) fn identified(&self, mut payload: Payload) -> Payload {
        if let Some(trail) = self.active() {
            payload.id = Some(trail.id());
        }
        payload
    }

    /// Keeps the record of an event before its caller gets the answer. If it is not kept, the outcome says so; where the
    /// administrator requires it, that is a denial.
    pub(crate) fn keep(&self, mut outcome: Outcome) -> Outcome {
        let Some(trail) = self.active() else { return outcome };
        let alarm = trail.is_alarm(&outcome.payload);
        if alarm {
            outcome.notify(checkrein::trail::alarm(&outcome.payload));
        }
        let Err(error) = trail.append(&Decided { alarm, ..Decided::new(&outcome) }) else { return outcome };
        let why = format!("the record of this event was not kept: {error}");
        if trail.is_required() && outcome.payload.name().is_preventable() {
            let reason = format!("the administrator requires a record of every event, but {why}");
            return Outcome::refused(outcome.payload, reason);
        }
        outcome.notify(why);
        outcome
    }
}
