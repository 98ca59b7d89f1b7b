//! `checkrein uninstall`: restores the agents' files to what they were before `init`.
//!
//! This removes protection, so agents may not run it: a user types the word that the terminal shows, or root has listed
//! the command for scripts.

mod purge;

use crate::{
    args::Uninstall,
    authority::Authority,
    exit::ExitStatus,
    install::{
        self,
        plan::{self, Planned},
        write::Lock,
    },
    term::{data, out, style, wrap::fitted},
};
use anyhow::Context;
use checkrein::{Places, variable};
use purge::Purge;
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(uninstall: &Uninstall, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let state = Places::of(variable).state.context("HOME is not set; cannot find the backup")?;
    let scope = install::scope(&uninstall.target);
    let agents = install::chosen(&uninstall.target)?;
    let plan = || -> Vec<Planned> {
        agents.iter().flat_map(|agent| plan::to_uninstall(agent, scope, &state)).collect()
    };
    let planned = plan();
    match (uninstall.json, uninstall.dry_run) {
        (true, _) => {}
        (false, true) => install::show(&planned),
        (false, false) => install::summary::show(&planned),
    }
    let purge = uninstall.purge.then(|| Purge::of(&state)).transpose()?.filter(|purge| !purge.is_empty());
    if let (Some(purge), false) = (&purge, uninstall.json) {
        purge.show();
    }
    install::complain(&planned);
    let undone = planned.iter().any(|planned| planned.outcome.is_err());
    let changes = planned.iter().any(|planned| planned.change().is_some());
    if !changes && purge.is_none() || uninstall.dry_run {
        let status = |planned: &Planned| match &planned.outcome {
            Err(_) => "broken",
            Ok(None) => "unchanged",
            Ok(Some(_)) => "would be written",
        };
        tell(uninstall, &planned, status, purge.as_ref().map(|purge| purge.as_json("would be removed")));
        return Ok(ExitStatus::success_if(!undone));
    }
    let question = match (&purge, changes) {
        (None, _) => "Agents will no longer be checked. Continue?",
        (Some(_), true) => "Agents will no longer be checked, and all of this is deleted. Continue?",
        (Some(_), false) => "All of this is deleted. Continue?",
    };
    if !authority.confirms(question)? {
        out!("Nothing was written.");
        return Ok(ExitStatus::Failure);
    }
    let failed = write(&planned, plan, &state)?;
    // The backups of the settings are in the state: it stays until every file is restored.
    let is_restored = !undone && failed.is_empty();
    let status = |planned: &Planned| match &planned.outcome {
        Err(_) => "broken",
        Ok(None) => "unchanged",
        Ok(Some(_)) if failed.contains(&planned.path.as_path()) => "not written",
        Ok(Some(_)) => "written",
    };
    let removed = purge.as_ref().map(|purge| remove(purge, is_restored)).transpose()?;
    tell(uninstall, &planned, status, removed);
    Ok(ExitStatus::success_if(is_restored))
}

/// Removes the state, unless settings were not restored. Returns the result as JSON.
fn remove(purge: &Purge, is_restored: bool) -> anyhow::Result<Value> {
    if is_restored {
        purge.remove()?;
        return Ok(purge.as_json("removed"));
    }
    crate::term::err!("checkrein: what it keeps was not removed, because some settings were not restored");
    Ok(purge.as_json("not removed"))
}

/// Writes the changes that were shown. Returns the files that could not be written.
fn write<'a>(
    shown: &'a [Planned],
    plan: impl Fn() -> Vec<Planned>,
    state: &Path,
) -> anyhow::Result<Vec<&'a Path>> {
    let _lock = Lock::take(state)?;
    let mut failed = Vec::new();
    for (shown, now) in shown.iter().zip(plan()) {
        let (Some(change), Some(now)) = (shown.change(), now.change()) else { continue };
        let written = if (&now.before, &now.after) == (&change.before, &change.after) {
            now.write(state).map(drop)
        } else {
            Err(anyhow::anyhow!("the file changed in the meantime; run `checkrein uninstall` again"))
        };
        if let Err(error) = written {
            let path = style::harmless(&shown.path.to_string_lossy());
            crate::term::err!("checkrein: {path}: {}", style::lines(&format!("{error:#}")));
            failed.push(shown.path.as_path());
        }
    }
    Ok(failed)
}

fn tell(
    uninstall: &Uninstall,
    planned: &[Planned],
    status: impl Fn(&Planned) -> &'static str,
    purged: Option<Value>,
) {
    if uninstall.json {
        let files: Vec<Value> =
            planned.iter().map(|planned| install::as_json(planned, status(planned))).collect();
        let mut said = json!({"files": files});
        if let (Some(purged), Some(fields)) = (purged, said.as_object_mut()) {
            fields.insert("state".to_owned(), purged);
        }
        data!("{}", style::json(said));
        return;
    }
    for planned in planned {
        let path = style::harmless(&planned.path.to_string_lossy());
        match status(planned) {
            "unchanged" => out!("{path} has no entries of checkrein"),
            "written" => out!("Removed from {}: {path}", planned.recipe.title),
            "would be written" => {
                out!("Dry run: {path} was not changed.");
            }
            _ => {}
        }
        for line in &planned.handmade {
            out!("{path}:{line} runs checkrein with a custom command; left unchanged");
        }
    }
    if planned.iter().any(|planned| status(planned) == "written") {
        let last = "The program itself can be removed now. If it is removed first, agents block every call or work unchecked.";
        fitted(last, 0).iter().for_each(|line| out!("{line}"));
    }
    if planned.is_empty() {
        out!("No supported agent found.");
    }
    if let Some(status) = purged.as_ref().and_then(|purged| purged.get("status")?.as_str()) {
        out!("Records, permissions, trust and kept copies: {status}.");
    }
}
