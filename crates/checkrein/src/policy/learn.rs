//! The step of the memory of failures: a line before a call, and an observer after it.

use super::{
    ActiveHooks,
    step::{About, Assembly, Part, Step},
};
use crate::learn::{Adviser, Learner, Learning, NAME, concerns};
use checkrein_core::{Entry, EventName, OnFailure, Role};

pub(super) const STEP: Step = Step { name: Some(NAME), part: Part::Last, join };

fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let settings = assembly.policy.stack.learning();
    let (true, Some(state)) = (settings.on, assembly.memory()) else { return };
    let wants = |event: EventName| assembly.about.event().is_none_or(|about| about == event);
    let learning =
        || Learning { policy: assembly.policy.clone(), state: state.to_owned(), days: settings.days };
    let is_shell = |about: About<'_>| match about {
        About::Event(payload) => concerns(payload),
        About::Everything => true,
    };
    if wants(EventName::PreToolUse) && is_shell(assembly.about) {
        // What it has to say is never worth a call.
        let entry = Entry::new(EventName::PreToolUse, Adviser(learning())).with_role(Role::Judge);
        active.dispatcher.add(entry.with_on_failure(OnFailure::Ignore));
    }
    for event in Learner::EVENTS.into_iter().filter(|event| wants(*event)) {
        active.dispatcher.add(Entry::new(event, Learner(learning())).with_role(Role::Observe));
    }
}
