//! What of this user's setup goes into the cage: paths and texts. What is left out of them is decided in `checkrein-live`.

use crate::{
    doctor::{
        claude::WITHOUT_HOOKS,
        codex,
        plugins::{self, MANIFEST},
        sources::{Form, Source, Whose},
    },
    install::{
        agents::{Agent, project},
        write,
    },
};
use checkrein::variable;
use checkrein_live::{self as live, Own, OwnFile};
use std::{
    env,
    path::{Path, PathBuf},
};

/// The setup of `agent`, if it is known where one would be.
pub(super) fn own(agent: &Agent, checkrein: &Path) -> Option<Own> {
    let sources = Source::all(agent);
    let cwd = env::current_dir().ok()?;
    let directory = agent.directory.clone()?;
    let is_named = variable(agent.recipe.variable).is_some_and(|path| Path::new(&path) == directory);
    let switches = WITHOUT_HOOKS.iter().filter_map(|name| {
        let value = variable(name).filter(|_| agent.recipe.host == "claude")?;
        Some(((*name).to_owned(), value.into_string().ok()?))
    });
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

/// Every file that decides whether hooks run.
fn files(agent: &Agent, sources: &[Source]) -> Vec<OwnFile> {
    let mut files: Vec<OwnFile> = Vec::new();
    let mut add = |path: &Path, text: Option<String>, form| {
        if files.iter().all(|file| file.path != path) {
            files.push(OwnFile { path: path.to_owned(), text, form });
        }
    };
    for source in sources.iter().filter(|source| source.form != Form::Inline) {
        let form = match (source.form, agent.recipe.host) {
            (Form::Other, _) => live::Form::Toml,
            (_, "codex") => live::Form::Hooks,
            _ => live::Form::Settings,
        };
        // Of a plugin as it lies there: its directory has a name of its own in it.
        let text = if source.whose == Whose::Plugin { read(&source.path) } else { source.text.clone().ok() };
        add(&source.path, text, form);
        // A plugin without its name is none.
        if source.whose == Whose::Plugin && has_ours(source) {
            for root in source.path.ancestors().filter(|root| root.join(MANIFEST).is_file()).take(1) {
                add(&root.join(MANIFEST), read(&root.join(MANIFEST)), live::Form::Settings);
            }
        }
    }
    match agent.recipe.host {
        "codex" => {
            for (_, path) in codex::configurations(agent).iter().filter(|(_, path)| path.is_file()) {
                add(path, read(path), live::Form::Toml);
            }
        }
        _ => {
            for list in plugins::lists(agent) {
                add(&list, read(&list), live::Form::Plain);
            }
        }
    }
    files
}

fn read(path: &Path) -> Option<String> {
    write::read(path).ok().flatten()
}

fn has_ours(source: &Source) -> bool {
    source.entries().is_ok_and(|entries| !entries.is_empty())
}

/// What is started: the agent and what it needs from `PATH`, our program, and the programs of our entries.
fn programs(agent: &Agent, sources: &[Source], checkrein: &Path) -> Vec<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let entries = sources.iter().filter(|source| source.has_hooks()).flat_map(|source| {
        source.entries().unwrap_or_default().into_iter().map(|entry| PathBuf::from(entry.command.program))
    });
    let programs = agent.program.iter().cloned().chain([checkrein.to_owned()]).chain(entries);
    programs.chain(env::split_paths(&path)).filter(|program| program.is_absolute()).collect()
}
