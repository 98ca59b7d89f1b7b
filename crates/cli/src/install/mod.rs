//! Shared by `init`, `uninstall` and `doctor`: finds agents and their files, and changes those files.
//!
//! `checkrein_hosts::install` edits the texts. This module handles the disk and the user: it plans a
//! change, shows it as a diff, and writes it only if the file is still what was shown.

pub(crate) mod agents;
pub(crate) mod diff;
pub(crate) mod elf;
pub(crate) mod plan;
pub(crate) mod program;
pub(crate) mod record;
pub(crate) mod summary;
pub(crate) mod write;

use crate::{
    args::Target,
    term::{data, style},
};
use agents::{Agent, Scope};
use anyhow::bail;
use checkrein_hosts::{ALL, choice, install::recipes};
use plan::Planned;
use serde_json::{Value, json};

/// Returns the agents that the command line names, or those that are found here.
pub(crate) fn chosen(target: &Target) -> anyhow::Result<Vec<Agent>> {
    if target.agents.is_empty() {
        return Ok(ALL.iter().filter_map(|host| Agent::look(host)).filter(Agent::is_here).collect());
    }
    let mut chosen: Vec<Agent> = Vec::new();
    for name in &target.agents {
        let Some(agent) = checkrein_hosts::host(name).and_then(Agent::look) else {
            bail!("unknown agent `{name}`, expected {}", choice(recipes().map(|recipe| recipe.host)));
        };
        if !chosen.iter().any(|known| known.recipe.host == agent.recipe.host) {
            chosen.push(agent);
        }
    }
    Ok(chosen)
}

/// Returns whether to change the user's own files or those of the project.
pub(crate) fn scope(target: &Target) -> Scope {
    if target.project { Scope::Project } else { Scope::User }
}

/// Shows the changes to every file.
pub(crate) fn show(planned: &[Planned]) {
    for planned in planned {
        if let Some(change) = planned.change() {
            data!(
                "{}",
                diff::unified(&change.shown_path(), change.before.as_deref(), change.after.as_deref())
            );
        }
    }
}

/// Returns one planned file as JSON.
pub(crate) fn as_json(planned: &Planned, status: &str) -> Value {
    let mut fields = json!({
        "agent": planned.recipe.host,
        "file": planned.path.to_string_lossy(),
        "status": status,
    });
    if let (Some(change), Some(fields)) = (planned.change(), fields.as_object_mut()) {
        let diff = diff::plain(&change.shown_path(), change.before.as_deref(), change.after.as_deref());
        fields.insert("diff".into(), diff.into());
    }
    if let (Err(problem), Some(fields)) = (&planned.outcome, fields.as_object_mut()) {
        fields.insert("problem".into(), problem.as_str().into());
    }
    fields
}

/// Reports why files cannot be changed.
pub(crate) fn complain(planned: &[Planned]) {
    for planned in planned {
        if let Err(problem) = &planned.outcome {
            crate::term::err!(
                "checkrein: {}: {}; the file was not changed",
                style::harmless(&planned.path.to_string_lossy()),
                style::harmless(problem)
            );
        }
    }
}
