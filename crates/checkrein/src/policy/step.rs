//! The ordered list of the steps that assemble the hooks for an event.
//!
//! To add a built-in, write a file next to this one with a `STEP` in it, and give it a row in [`STEPS`]. Nothing else
//! names it: the program, the harness and Python use this list, and no layer can disable a step.

use super::{ActiveHooks, Edge, Policy, guard, hooks, learn, rewrites, secrets, skipped, undo};
use crate::builtin::{FirstLook, Guard};
use crate::config::{
    build::Setup,
    configured::ConfiguredHook,
    layered::LayeredConfig,
    problem::{ConfigError, Problem},
};
use checkrein_core::{EventName, Payload};
use std::{cell::OnceCell, path::Path};

/// Every step, in the order in which its hooks are asked among those of the same role.
pub(super) const STEPS: &[Step] =
    &[hooks::STEP, skipped::STEP, rewrites::STEP, secrets::STEP, guard::STEP, undo::STEP, learn::STEP];

/// One step.
pub(super) struct Step {
    /// The name of its own hook, which no layer can disable. The steps about the hooks of layers have none.
    pub(super) name: Option<&'static str>,
    /// Its position among the caller's own hooks.
    pub(super) part: Part,
    /// Adds what it has to say about an event.
    pub(super) join: fn(&Assembly<'_>, &mut ActiveHooks),
}

/// The position of a step among the hooks of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Before all of them: it prepares what they see.
    First,
    /// The position of the configuration among them.
    Configured,
    /// After all of them: it judges what they have made of a call, or watches.
    Last,
}

/// The subject of an assembly.
#[derive(Clone, Copy)]
pub(super) enum About<'a> {
    /// The hooks that one event needs.
    Event(&'a Payload),
    /// The hooks that any event may need.
    Everything,
}

impl<'a> About<'a> {
    /// The event, if it is about one.
    pub(super) fn event(self) -> Option<EventName> {
        match self {
            Self::Event(payload) => Some(payload.name()),
            Self::Everything => None,
        }
    }

    /// Returns true if a hook may be concerned. Without an event the call is not known yet.
    pub(super) fn concerns(self, row: &ConfiguredHook<'_>) -> bool {
        match self {
            Self::Event(payload) => row.covers(payload.event.call()),
            Self::Everything => true,
        }
    }
}

/// The facts that every step works with.
pub(super) struct Assembly<'a> {
    pub(super) policy: &'a Policy,
    pub(super) about: About<'a>,
    pub(super) edge: &'a Edge<'a>,
    rows: OnceCell<Vec<ConfiguredHook<'a>>>,
    first_look: FirstLook,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(policy: &'a Policy, about: About<'a>, edge: &'a Edge<'a>) -> Self {
        Self { policy, about, edge, rows: OnceCell::new(), first_look: FirstLook::default() }
    }

    /// Returns the guard of the policy. If all hooks are for one event, they share one judgement of it.
    pub(super) fn guard(&self) -> Guard {
        let guard = self.policy.guard();
        match self.about {
            About::Event(_) => guard.sharing(self.first_look.clone()),
            About::Everything => guard,
        }
    }

    /// The configured hooks of the event, or of all.
    pub(super) fn rows(&self) -> &[ConfiguredHook<'a>] {
        self.rows.get_or_init(|| self.policy.stack.rows(self.about.event()))
    }

    /// Returns the setup that hooks are built with.
    pub(super) fn setup(&self) -> Setup {
        (self.edge.setup)()
    }

    /// The directory for what is remembered, if anything is.
    pub(super) fn memory(&self) -> Option<&'a Path> {
        self.edge.memory.and(self.policy.state.as_deref())
    }
}

/// Refuses layers that want to disable built-in hooks: their author must learn that it has no effect.
pub(super) fn stays(stack: &LayeredConfig) -> Result<(), ConfigError> {
    let mut problems: Option<ConfigError> = None;
    for config in stack.configs() {
        for name in STEPS.iter().filter_map(|step| step.name) {
            if !config.content.settings.disable.iter().any(|disabled| disabled == name) {
                continue;
            }
            let text =
                format!("disable: `{name}` is built in and cannot be disabled; remove it from the list");
            let more = ConfigError::from(Problem::of_file(config.path(), text)).of_layer(config.layer());
            match &mut problems {
                Some(problems) => problems.append(more),
                None => problems = Some(more),
            }
        }
    }
    problems.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A caller puts its own hooks between the parts, so a step must not come after one of a later part.
    #[test]
    fn the_list_is_in_the_order_of_its_parts() {
        assert!(STEPS.is_sorted_by_key(|step| step.part));
    }

    #[test]
    fn no_two_steps_have_the_same_name() {
        let mut names: Vec<&str> = STEPS.iter().filter_map(|step| step.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.contains(&"guard"));
    }
}
