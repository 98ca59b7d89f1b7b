//! `checkrein init --managed --print`: the administrator's files of each agent, for device management.

use super::Snippet;
use crate::{args::Init, exit::ExitStatus, install::program};
use anyhow::bail;
use checkrein_hosts::{
    choice,
    install::{Recipe, Wanted, managed_file, recipes},
};
use std::path::PathBuf;

pub(super) fn print(init: &Init) -> anyhow::Result<ExitStatus> {
    let program = match &init.program {
        Some(program) => program.clone(),
        None => program::stable()?,
    };
    let Some(program) = program.to_str().filter(|program| program.starts_with('/')) else {
        bail!("`--program` needs an absolute path, found `{}`", program.display());
    };
    let files: Vec<Snippet> = chosen(&init.target.agents)?
        .into_iter()
        .map(|recipe| one(recipe, program))
        .collect::<anyhow::Result<_>>()?;
    Snippet::print(&files, init.json);
    if !init.json {
        crate::term::err!(
            "\nThe files must belong to root. They contain only the hooks: merge them with the settings that you already distribute."
        );
    }
    Ok(ExitStatus::Success)
}

/// Returns the named agents, or all that read an administrator's hooks.
fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Recipe>> {
    let able = || recipes().filter(|recipe| !recipe.managed.is_empty());
    if names.is_empty() {
        return Ok(able().collect());
    }
    let one = |name: &String| {
        able().find(|recipe| recipe.host == name).ok_or_else(|| {
            let known = choice(able().map(|recipe| recipe.host));
            anyhow::anyhow!(
                "`{name}` does not read an administrator's hooks, or is not known; expected {known}"
            )
        })
    };
    names.iter().map(one).collect()
}

fn one(recipe: &'static Recipe, program: &str) -> anyhow::Result<Snippet> {
    let wanted: Vec<Wanted> =
        recipe.registered(None, &[]).map(|fired| Wanted::new(recipe, None, fired, program)).collect();
    let on_mac = |path: &&&str| path.starts_with("/Library/");
    let path = recipe
        .managed
        .iter()
        .find(|path| cfg!(target_os = "macos") == on_mac(path))
        .or_else(|| recipe.managed.first())
        .map(PathBuf::from)
        .unwrap_or_default();
    let text = managed_file(recipe, &wanted, program)?;
    Ok(Snippet { agent: recipe.host, title: recipe.title, file: path, text })
}
