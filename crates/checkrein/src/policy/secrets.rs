//! The step that adds the hooks about secrets.

use super::{
    ActiveHooks,
    monitored::monitored,
    step::{Assembly, Part, Step},
};
use crate::{
    config::layer::Layer,
    secrets::{NAME, Secrets, settings::PromptRule},
};
use checkrein_core::EventName;

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
        reports_end: edge.reports_end,
        program: if edge.own_program { crate::builtin::running() } else { None },
        prompt: stack.secrets_prompt(),
        output: stack.secrets_output(),
        handles: stack.secret_handles(),
        exceptions: if edge.own_program { stack.exceptions() } else { Vec::new() },
    };
    let monitors = stack.monitored();
    let of_prompts = if stack.is_managed(|settings| settings.secrets.prompt == PromptRule::Deny) {
        Layer::Managed
    } else {
        Layer::User
    };
    let event = assembly.about.event();
    secrets.join(event.as_ref().map_or(Secrets::EVENTS, std::slice::from_ref), |entry| {
        let layer = if entry.event() == EventName::UserPromptSubmit { of_prompts } else { Layer::User };
        active.dispatcher.add(match monitors.covers_all_of(layer) {
            true => monitored(entry, assembly.edge.kept),
            false => entry,
        });
    });
}
