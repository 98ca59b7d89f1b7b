//! Checks whether a call arrives twice: Grok Build also runs the hooks of the user's Claude Code settings.

use crate::{
    claude,
    doctor::{Doctor, Finding, Seen, Source},
    install::entries,
};

pub(super) struct Checks;

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<Finding> {
        twice(agent).into_iter().collect()
    }
}

fn twice(agent: &Seen<'_>) -> Option<Finding> {
    let home = agent.directory?.parent()?;
    let file = home.join(claude::RECIPE.directory).join(claude::RECIPE.file);
    let text = agent.machine.read(&file).ok().flatten().unwrap_or_default();
    entries(&text, &claude::RECIPE).ok().filter(|entries| !entries.is_empty())?;
    let text =
        format!("Grok Build also runs the hooks of {}, so checkrein judges each call twice", file.display());
    Some(Finding::note(
        "asked-twice",
        text,
        "nothing needs to be done: the decision is the same, and the call is recorded once",
    ))
}
