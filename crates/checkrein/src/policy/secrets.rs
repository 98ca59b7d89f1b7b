//! The step that adds the hooks about secrets.

use super::{
    ActiveHooks,
    step::{Assembly, Part, Step},
};
use crate::secrets::{NAME, Secrets};

pub(super) const STEP: Step = Step { name: Some(NAME), part: Part::Last, join };

fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let edge = assembly.edge;
    if !edge.guard || assembly.about.event().is_some_and(|event| !Secrets::EVENTS.contains(&event)) {
        return;
    }
    let stack = &assembly.policy.stack;
    let secrets = Secrets {
        state: assembly.policy.state.clone(),
        remembers: assembly.memory().is_some(),
        program: if edge.own_program { crate::builtin::running() } else { None },
        prompt: stack.secrets_prompt(),
        output: stack.secrets_output(),
        exceptions: if edge.own_program { stack.exceptions() } else { Vec::new() },
    };
    match assembly.about.event() {
        Some(event) => secrets.join(&[event], &mut active.dispatcher),
        None => secrets.join(Secrets::EVENTS, &mut active.dispatcher),
    }
}
