//! Checks the settings that decide if Copilot CLI runs hooks, and whose hooks it also runs.

use crate::{
    claude,
    doctor::{Doctor, Finding, Seen, Source, Whose, flag},
    install::{Comments, Node, entries, parse_with},
};
use std::path::Path;

pub(super) struct Checks;

/// The files of its directory that may disable hooks.
const SETTINGS: &[&str] = &["settings.json", "config.json"];

/// The files of a project's Claude Code settings that it reads too.
const CLAUDE_FILES: &[&str] = &[".claude/settings.json", ".claude/settings.local.json"];

impl Doctor for Checks {
    fn findings(&self, agent: &Seen<'_>, sources: &[Source]) -> Vec<Finding> {
        let mut findings = Vec::new();
        for source in sources.iter().filter(|source| source.whose != Whose::Above) {
            if source.tree().as_ref().is_some_and(is_off) {
                findings.push(disabled(&source.path));
            }
        }
        let files = agent
            .directory
            .into_iter()
            .flat_map(|directory| SETTINGS.iter().map(move |name| directory.join(name)));
        for file in files {
            let text = agent.machine.read(&file).ok().flatten().unwrap_or_default();
            if parse_with(&text, Comments::Skipped).as_ref().is_ok_and(is_off) {
                findings.push(disabled(&file));
            }
        }
        findings.extend(twice(agent));
        findings
    }
}

fn is_off(root: &Node) -> bool {
    root.get("disableAllHooks").and_then(flag) == Some(true)
}

fn disabled(path: &Path) -> Finding {
    let text = format!("hooks are disabled in {}: `disableAllHooks` is set", path.display());
    Finding::problem("all-disabled", text, "remove it")
}

/// Returns a finding if the same call arrives twice, because it also runs the hooks of the project's Claude Code settings.
fn twice(agent: &Seen<'_>) -> Option<Finding> {
    let project = agent.machine.project()?;
    let file = CLAUDE_FILES.iter().map(|name| project.join(name)).find(|file| {
        let text = agent.machine.read(file).ok().flatten().unwrap_or_default();
        entries(&text, &claude::RECIPE).is_ok_and(|entries| !entries.is_empty())
    })?;
    let text =
        format!("Copilot CLI also runs the hooks of {}, so checkrein judges each call twice", file.display());
    Some(Finding::note(
        "asked-twice",
        text,
        "run `checkrein init --user` for Claude Code to have one answer per call",
    ))
}
