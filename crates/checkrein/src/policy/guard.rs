//! The step that adds the built-in judge.

use super::{
    ActiveHooks,
    step::{Assembly, Part, Step},
    undo,
};
use crate::{
    approval::{AskSupport, DenialLog},
    builtin::{Guard, NAME},
    config::layer::Unattended,
};

pub(super) const STEP: Step = Step { name: Some(NAME), part: Part::Last, join };

fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let edge = assembly.edge;
    // Building it examines every rule of every layer, and most events do not concern it.
    if !edge.guard || assembly.about.event().is_some_and(|event| !Guard::EVENTS.contains(&event)) {
        return;
    }
    let mut guard = assembly.guard().with_rewrites(assembly.policy.rewrites(None));
    if let (Some(state), Some(asking)) = (assembly.memory(), edge.memory) {
        let memory = DenialLog::new(state, assembly.policy.stack.exception_policy());
        let absence = match assembly.policy.stack.unattended() {
            Unattended::Deny | Unattended::Undoable => edge.absence,
            Unattended::Ask => None,
        };
        guard = guard.remembering(memory.questions(AskSupport::of(asking)).absence(absence));
    }
    if let Some(keeper) = undo::keeper(assembly) {
        guard = guard.keeping(keeper);
    }
    match edge.kept {
        Some(kept) => guard.join_keeping(&mut active.dispatcher, kept),
        None => guard.join(&mut active.dispatcher),
    }
}
