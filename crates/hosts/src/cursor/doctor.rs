//! Checks whether a call arrives from another agent's files too: Cursor also runs the hooks of Claude Code's settings.

use crate::{
    claude,
    doctor::{Doctor, Finding, Seen, Source},
};

pub(super) struct Checks;

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<Finding> {
        claude::also_runs(agent).into_iter().collect()
    }
}
