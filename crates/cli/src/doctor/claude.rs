//! What of Claude Code's settings decides whether hooks run at all.

use super::{
    Finding,
    sources::{Source, Whose},
};
use crate::install::agents::Agent;
use checkrein_hosts::install::Tree;
use serde_json::Value;

pub(crate) fn findings(_: &Agent, sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The strongest file that says anything decides.
    let mut by_strength: Vec<&Source> = sources.iter().collect();
    by_strength.sort_by_key(|source| std::cmp::Reverse(source.whose));
    let off = by_strength.iter().find_map(|source| Some((source, is_set(source, "disableAllHooks")?)));
    if let Some((source, true)) = off {
        let text = format!("{} has `disableAllHooks`: no hook runs", source.path.display());
        findings.push(Finding::problem("all-disabled", text, "take it out"));
    }
    let managed = || sources.iter().filter(|source| source.whose == Whose::Managed);
    if let Some(source) = managed().find(|source| is_set(source, "allowManagedHooksOnly") == Some(true)) {
        let ours = source.entries().is_ok_and(|entries| !entries.is_empty());
        let text = format!("{} allows only the administrator's hooks", source.path.display());
        if !ours {
            findings.push(Finding::problem(
                "managed-only",
                text,
                "have the administrator register checkrein there",
            ));
        }
    }
    for source in managed().filter(|source| is_set(source, "allowManagedHooksOnly") != Some(true)) {
        let text = format!("an administrator's settings are in force: {}", source.path.display());
        findings.push(Finding::note("managed", text, "they are stronger than your own"));
    }
    let project = |source: &&Source| {
        source.whose == Whose::Project && source.entries().is_ok_and(|all| !all.is_empty())
    };
    if let Some(source) = sources.iter().find(project) {
        let text =
            format!("Copilot CLI runs the hooks of {} as well, in another dialect", source.path.display());
        findings.push(Finding::note(
            "read-by-others",
            text,
            "use `checkrein init --user` if both work in this project",
        ));
    }
    findings
}

fn is_set(source: &Source, key: &str) -> Option<bool> {
    match &source.tree()?.get(key)?.value {
        Tree::Other(Value::Bool(set)) => Some(*set),
        Tree::Other(_) | Tree::Object(_) | Tree::Array(_) | Tree::String(_) => None,
    }
}
