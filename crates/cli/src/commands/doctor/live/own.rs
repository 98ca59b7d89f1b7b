//! Collects this user's setup for the sandbox: paths and contents. `checkrein-live` decides what to omit.

use crate::{
    commands::doctor::sources,
    install::{
        agents::{Agent, project},
        write,
    },
};
use checkrein::variable;
use checkrein_hosts::doctor::{Content, Form, Source, Whose};
use checkrein_live::{Own, OwnFile};
use std::{
    env,
    path::{Path, PathBuf},
};

/// Returns the setup of `agent`, if its location is known.
pub(super) fn own(agent: &Agent, checkrein: &Path) -> Option<Own> {
    let sources = sources::all(agent);
    let cwd = env::current_dir().ok()?;
    let directory = agent.directory.clone()?;
    let named = directory.ancestors().nth(Path::new(agent.recipe.below_variable).components().count());
    let is_named = variable(agent.recipe.variable).is_some_and(|path| Some(Path::new(&path)) == named);
    let switches = agent
        .host
        .doctor
        .switches()
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), variable(name)?.into_string().ok()?)));
    Some(Own {
        home: PathBuf::from(variable("HOME")?),
        project: project()?,
        cwd,
        directory,
        is_named,
        files: files(agent, &sources),
        programs: programs(agent, &sources, checkrein),
        switches: switches.collect(),
    })
}

/// Returns every file that decides whether hooks run.
fn files(agent: &Agent, sources: &[Source]) -> Vec<OwnFile> {
    let mut files: Vec<OwnFile> = Vec::new();
    let mut add = |path: &Path, text: Option<String>, form| {
        if files.iter().all(|file| file.path != path) {
            files.push(OwnFile { path: path.to_owned(), text, form });
        }
    };
    for source in sources.iter().filter(|source| source.form != Form::Inline) {
        let form = if source.form == Form::Other { Content::Toml } else { agent.recipe.content };
        // A plugin's file as it is on disk: it contains the name of its own directory.
        let text = if source.whose == Whose::Plugin { read(&source.path) } else { source.text.clone().ok() };
        add(&source.path, text, form);
    }
    for (path, form) in agent.host.doctor.needed(&sources::seen(agent), sources) {
        add(&path, read(&path), form);
    }
    files
}

fn read(path: &Path) -> Option<String> {
    write::read(path).ok().flatten()
}

/// Returns the programs that will start: the agent and what it needs from `PATH`, our program, and the
/// programs of our entries.
fn programs(agent: &Agent, sources: &[Source], checkrein: &Path) -> Vec<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let entries = sources.iter().filter(|source| source.has_hooks()).flat_map(|source| {
        source.entries().unwrap_or_default().into_iter().map(|entry| PathBuf::from(entry.command.program))
    });
    let programs = agent.program.iter().cloned().chain([checkrein.to_owned()]).chain(entries);
    programs.chain(env::split_paths(&path)).filter(|program| program.is_absolute()).collect()
}
