//! The judgement of an event, shared by the hooks that are built for this one event.
//!
//! The editor of commands needs to know where a command runs, which only the guard finds out, and most commands stay as they are.
//! So the guard takes over the judgement if it is about the same call at the same place, and a call is judged once.

use checkrein_core::Payload;
use checkrein_guard::Judgement;
use std::sync::{Arc, Mutex, PoisonError};

/// A slot for one judgement by the built-in rules, and the event that it is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct FirstLook(Arc<Mutex<Option<(Payload, Judgement)>>>);

impl FirstLook {
    pub(super) fn put(&self, payload: &Payload, judgement: &Judgement) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((payload.clone(), judgement.clone()));
    }

    /// Takes the judgement, if it is about this event. Only the first asker gets it: who judges again wants to see what changed.
    pub(super) fn take(&self, payload: &Payload) -> Option<Judgement> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        taken.filter(|(before, _)| before == payload).map(|(_, judgement)| judgement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_core::{Event, Map, ToolCall};

    fn payload(command: &str) -> Payload {
        let mut input = Map::new();
        input.insert("command".into(), command.into());
        Payload::new(Event::PreToolUse { call: ToolCall::new("Bash", input) })
    }

    #[test]
    fn a_judgement_is_shared_once_and_only_for_the_same_call() {
        let look = FirstLook::default();
        look.put(&payload("npm test"), &Judgement::default());
        assert!(look.take(&payload("npm test")).is_some());
        assert!(look.take(&payload("npm test")).is_none());
        look.put(&payload("npm test"), &Judgement::default());
        assert!(look.take(&payload("npm install")).is_none());
        let mut elsewhere = payload("npm test");
        elsewhere.session.cwd = Some("/elsewhere".into());
        look.put(&payload("npm test"), &Judgement::default());
        assert!(look.take(&elsewhere).is_none());
    }
}
