//! The step that adds the active hooks of the layers.

use super::monitored::monitored;
use super::{
    ActiveHooks,
    step::{Assembly, Part, Step},
};
use crate::config::configured::HookStatus;

pub(super) const STEP: Step = Step { name: None, part: Part::Configured, join };

fn join(assembly: &Assembly<'_>, active: &mut ActiveHooks) {
    let mut asked = assembly.rows().iter().filter(|row| row.status == HookStatus::Active).peekable();
    // Most events have no hook, and a setup reads the whole environment.
    if asked.peek().is_some() {
        let setup = assembly.setup();
        let monitors = assembly.policy.stack.monitored();
        asked.for_each(|row| {
            let entry = row.entry(&setup);
            let only_recorded = monitors.covers_all_of(row.config.layer()) && !row.is_required();
            active.dispatcher.add(match only_recorded {
                true => monitored(entry, assembly.edge.kept),
                false => entry,
            });
        });
    }
}
