//! Checks whether OpenClaw loads our plugin: all of its files are there, and it is enabled.

use super::RECIPE;
use crate::{
    bridge::Intact,
    doctor::{Content, Doctor, Finding, Seen, Source, flag},
    install::{Comments, parse_with},
};
use std::path::PathBuf;

pub(super) struct Checks;

/// Its settings, in its directory.
const SETTINGS: &str = "openclaw.json";

/// The check of our module itself.
const MODULE: Intact = Intact { switches: &[] };

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        if !sources.iter().any(Source::asks_us) {
            return Vec::new();
        }
        MODULE.findings(agent, sources).into_iter().chain(incomplete(agent)).chain(disabled(agent)).collect()
    }

    fn needed(&self, agent: &Seen<'_>, _: &[Source]) -> Vec<(PathBuf, Content)> {
        agent.directory.map(|directory| (directory.join(SETTINGS), Content::Commented)).into_iter().collect()
    }
}

fn incomplete(agent: &Seen<'_>) -> Option<Finding> {
    let directory = agent.directory?;
    let (name, _) = RECIPE.layout.companions.iter().find(|(name, text)| {
        agent.machine.read(&directory.join(name)).ok().flatten().as_deref() != Some(*text)
    })?;
    let text = format!("{} is not what this version of checkrein writes", directory.join(name).display());
    Some(Finding::problem("file-changed", text, "run `checkrein init --agent openclaw`"))
}

fn disabled(agent: &Seen<'_>) -> Option<Finding> {
    let path = agent.directory?.join(SETTINGS);
    let text = agent.machine.read(&path).ok().flatten().unwrap_or_else(|| "{}".to_owned());
    let Ok(root) = parse_with(&text, Comments::Skipped) else {
        let text = format!("{} is written in a way that we cannot read", path.display());
        return Some(Finding::warning(
            "unreadable",
            text,
            "check that `plugins.entries.checkrein.enabled` is true",
        ));
    };
    let plugins = root.get("plugins");
    let is_off = plugins.and_then(|plugins| flag(plugins.get("enabled")?)) == Some(false);
    let entry = plugins.and_then(|plugins| plugins.get("entries")?.get("checkrein"));
    let is_on = entry.and_then(|entry| flag(entry.get("enabled")?)) == Some(true);
    if is_on && !is_off {
        return None;
    }
    let text = format!("our plugin is not enabled in {}", path.display());
    Some(Finding::problem("not-trusted", text, "run `openclaw plugins enable checkrein`"))
}
