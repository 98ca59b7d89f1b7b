//! `checkrein uninstall`: the agents' files are as they were before `init`.
//!
//! This takes protection away, so that it is not for agents: a user types the word that the terminal shows, or root has
//! named the command for scripts.

use crate::{
    args::Uninstall,
    authority::Authority,
    exit::ExitStatus,
    install::{
        self,
        plan::{self, Planned},
        write::Lock,
    },
    term::{out, style},
};
use anyhow::Context;
use checkrein::{Places, variable};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(uninstall: &Uninstall, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let state =
        Places::of(variable).state.context("there is no home directory (HOME) to find the backup in")?;
    let scope = install::scope(&uninstall.target);
    let agents = install::chosen(&uninstall.target)?;
    let plan = || -> Vec<Planned> {
        agents.iter().filter_map(|agent| plan::to_uninstall(agent, scope, &state)).collect()
    };
    let planned = plan();
    if !uninstall.json {
        install::show(&planned);
    }
    install::complain(&planned);
    let undone = planned.iter().any(|planned| planned.outcome.is_err());
    let changes = planned.iter().any(|planned| planned.change().is_some());
    if !changes || uninstall.dry_run {
        let status = |planned: &Planned| match &planned.outcome {
            Err(_) => "broken",
            Ok(None) => "unchanged",
            Ok(Some(_)) => "would be written",
        };
        tell(uninstall, &planned, status);
        return Ok(ExitStatus::success_if(!undone));
    }
    if !authority.confirms("Checkrein is not asked about anything then. Write this?")? {
        out!("Nothing was written.");
        return Ok(ExitStatus::Failure);
    }
    let failed = write(&planned, plan, &state)?;
    let status = |planned: &Planned| match &planned.outcome {
        Err(_) => "broken",
        Ok(None) => "unchanged",
        Ok(Some(_)) if failed.contains(&planned.path.as_path()) => "not written",
        Ok(Some(_)) => "written",
    };
    tell(uninstall, &planned, status);
    Ok(ExitStatus::success_if(!undone && failed.is_empty()))
}

/// Carries out what was shown, and gives back the files where that did not work.
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
            Err(anyhow::anyhow!("it has changed meanwhile; run `checkrein uninstall` again"))
        };
        if let Err(error) = written {
            let path = style::harmless(&shown.path.to_string_lossy());
            crate::term::err!("checkrein: {path}: {}", style::lines(&format!("{error:#}")));
            failed.push(shown.path.as_path());
        }
    }
    Ok(failed)
}

fn tell(uninstall: &Uninstall, planned: &[Planned], status: impl Fn(&Planned) -> &'static str) {
    if uninstall.json {
        let files: Vec<Value> =
            planned.iter().map(|planned| install::as_json(planned, status(planned))).collect();
        out!("{}", style::json(json!({"files": files})));
        return;
    }
    for planned in planned {
        let path = style::harmless(&planned.path.to_string_lossy());
        match status(planned) {
            "unchanged" => out!("Nothing of checkrein's is in {path}"),
            "written" => out!("{} does not ask checkrein any more: {path}", planned.recipe.title),
            "would be written" => {
                out!("This is what `checkrein uninstall` would write to {path}; nothing was written.");
            }
            _ => {}
        }
        for line in &planned.handmade {
            out!("{path}:{line} starts checkrein in words of your own; it is left as it is");
        }
    }
    if planned.is_empty() {
        out!("No agent is found here.");
    }
}
