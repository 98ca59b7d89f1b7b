//! Checks if the example host runs hooks: a file `off` in its directory, or a variable, disables them.

use crate::doctor::{Doctor, Finding, Seen, Source};

pub(super) struct Checks;

const WITHOUT_HOOKS: &str = "EXAMPLE_WITHOUT_HOOKS";

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<Finding> {
        let off = agent.directory.map(|directory| directory.join("off"));
        let by_file = off.filter(|off| agent.machine.is_file(off)).map(|off| {
            let text = format!("hooks are disabled by {}", off.display());
            Finding::problem("all-disabled", text, "remove the file")
        });
        let by_variable = agent.machine.variable(WITHOUT_HOOKS).map(|_| {
            let text = format!("hooks are disabled in this environment: `{WITHOUT_HOOKS}` is set");
            Finding::problem("all-disabled", text, "unset it")
        });
        by_file.into_iter().chain(by_variable).collect()
    }

    fn switches(&self) -> &'static [&'static str] {
        &[WITHOUT_HOOKS]
    }
}
