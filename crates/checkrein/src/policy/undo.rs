//! The step of undo: the guard's keeper before a call, and an observer after it.

use super::{
    ActiveHooks,
    step::{Assembly, Part, Step},
};
use crate::{
    config::layer::Unattended,
    undo::{AfterCall, Keeper, NAME},
};
use checkrein_core::{Entry, Role};

pub(super) const STEP: Step = Step { name: Some(NAME), part: Part::Last, join };

/// Returns the keeper for this caller, if it wants one and the configuration has not switched it off.
pub(super) fn keeper(assembly: &Assembly<'_>) -> Option<Keeper> {
    let state = assembly.policy.state.as_deref().filter(|_| assembly.edge.undo)?;
    let settings = assembly.policy.stack.undo();
    if !settings.keeps {
        return None;
    }
    let mut keeper = Keeper::new(state, settings, assembly.edge.kept.cloned());
    keeper.relaxes_unattended = assembly.policy.stack.unattended() == Unattended::Undoable;
    Some(keeper)
}

/// Adds what looks at the files after a call.
fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let event = assembly.about.event();
    let events = AfterCall::EVENTS.into_iter().filter(|own| event.is_none_or(|event| event == *own));
    for event in events {
        let state = assembly
            .policy
            .state
            .clone()
            .filter(|_| assembly.edge.undo && assembly.policy.stack.undo().keeps);
        if let Some(state) = state {
            active.dispatcher.add(Entry::new(event, AfterCall { state }).with_role(Role::Observe));
        }
    }
}
