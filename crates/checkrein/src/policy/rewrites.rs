//! The step that adds the editor of commands.

use super::{
    ActiveHooks,
    monitored::monitored,
    step::{About, Assembly, Part, Step},
};
use crate::{
    config::layer::Layer,
    rewrites::{Editor, NAME},
};
use checkrein_core::{Entry, EventName, Role};

pub(super) const STEP: Step = Step { name: Some(NAME), part: Part::Last, join };

fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let edge = assembly.edge;
    if !edge.guard || assembly.about.event().is_some_and(|event| event != EventName::PreToolUse) {
        return;
    }
    let rewrites = assembly.policy.rewrites(assembly.memory());
    // Most commands do not concern it, and building a guard examines every rule.
    if let About::Event(payload) = assembly.about
        && !rewrites.concerns(payload)
    {
        return;
    }
    let editor = Editor { rewrites, guard: assembly.guard() };
    let entry = Entry::new(EventName::PreToolUse, editor).with_role(Role::Edit).with_own_voice(true);
    active.dispatcher.add(match assembly.policy.stack.monitored().covers_all_of(Layer::User) {
        true => monitored(entry, edge.kept),
        false => entry,
    });
}
