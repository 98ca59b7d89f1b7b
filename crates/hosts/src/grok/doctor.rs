//! Checks whether a call arrives twice: Grok Build also runs the hooks of the user's Claude Code settings.

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
