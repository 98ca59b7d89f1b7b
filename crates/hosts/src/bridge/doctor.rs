//! The check that a file of ours is as this version writes it.

use crate::{
    doctor::{Doctor, Finding, Seen, Source},
    install::is_intact,
};

/// The checks of a host whose files are ours as a whole.
pub(crate) struct Intact {
    /// The variables that make the agent start without our file.
    pub(crate) switches: &'static [&'static str],
}

impl Doctor for Intact {
    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        let changed = sources.iter().filter(|source| {
            let is_changed = |text: &String| !is_intact(text, agent.recipe);
            source.asks_us() && source.text.as_ref().is_ok_and(is_changed)
        });
        let finding = |source: &Source| {
            Finding::problem(
                "file-changed",
                format!("{} is not what this version of checkrein writes", source.path.display()),
                format!("run `checkrein init --agent {}`", agent.recipe.host),
            )
        };
        changed.map(finding).chain(switched_off(agent, self.switches)).collect()
    }

    fn switches(&self) -> &'static [&'static str] {
        self.switches
    }
}

fn switched_off(agent: &Seen<'_>, switches: &[&str]) -> Vec<Finding> {
    let is_set = |name: &&&str| agent.machine.variable(name).is_some_and(|value| !value.is_empty());
    let finding = |name: &&str| {
        let text = format!("`{name}` is set, so {} starts without hooks", agent.recipe.title);
        Finding::problem("all-disabled", text, format!("unset `{name}`"))
    };
    switches.iter().filter(is_set).map(finding).collect()
}
