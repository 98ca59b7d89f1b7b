//! The files in which an agent looks for hooks, read once.

use crate::install::{
    agents::{Agent, project},
    write,
};
use checkrein::SmallSort as _;
use checkrein::variable;
use checkrein_hosts::doctor::{Machine, Seen, Source, Whose};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

/// This machine.
pub(super) struct Disk;

impl Machine for Disk {
    fn read(&self, path: &Path) -> Result<Option<String>, String> {
        write::read(path).map_err(|error| format!("{error:#}"))
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn real(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| path.to_owned())
    }

    fn variable(&self, name: &str) -> Option<OsString> {
        variable(name)
    }

    fn project(&self) -> Option<PathBuf> {
        project()
    }
}

/// Returns an agent as its checks see it.
pub(super) fn seen(agent: &Agent) -> Seen<'_> {
    let Agent { recipe, version, directory, .. } = agent;
    Seen { recipe, version: *version, directory: directory.as_deref(), machine: &Disk }
}

/// Returns the administrator's drop-in files: in a directory of the same name with `.d`, in the order in
/// which they count.
fn drop_ins(managed: &Path) -> Vec<PathBuf> {
    let directory = managed.with_extension("d");
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "json") && !is_hidden(path))
        .collect();
    files.small_sort();
    files
}

/// Returns every existing file of `agent`.
pub(super) fn all(agent: &Agent) -> Vec<Source> {
    let recipe = agent.recipe;
    let mut files = Vec::new();
    let mut add = |whose, directory: &Path| {
        files.extend(recipe.files().iter().map(|file| (whose, directory.join(file))));
    };
    if let Some(directory) = &agent.directory {
        add(Whose::User, directory);
    }
    if let Some(project) = project().filter(|_| !recipe.project.is_empty()) {
        let directory = project.join(recipe.project);
        let here = std::env::current_dir().ok().filter(|here| recipe.reads_here && *here != project);
        // In the home directory both are the same.
        if Some(&directory) != agent.directory.as_ref() {
            let whose = if here.is_some() { Whose::Above } else { Whose::Project };
            add(whose, &directory);
        }
        let directory = here.map_or(directory, |here| {
            let directory = here.join(recipe.project);
            add(Whose::Project, &directory);
            directory
        });
        files.extend(recipe.beside.iter().map(|name| (Whose::Local, directory.join(name))));
    }
    for path in recipe.managed.iter().map(PathBuf::from) {
        let beside = if recipe.has_drop_ins { drop_ins(&path) } else { Vec::new() };
        files.extend([path].into_iter().chain(beside).map(|path| (Whose::Managed, path)));
    }
    let mut sources: Vec<Source> =
        files.into_iter().filter_map(|(whose, path)| Source::read(&Disk, recipe, whose, path)).collect();
    let more = agent.host.doctor.more_sources(&seen(agent), &sources);
    sources.extend(more);
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_administrators_drop_in_files_count_in_order() {
        let directory = std::env::temp_dir().join(format!("checkrein-drop-ins-{}", std::process::id()));
        let managed = directory.join("managed-settings.json");
        fs::create_dir_all(directory.join("managed-settings.d")).unwrap();
        for name in ["20-b.json", "10-a.json", ".hidden.json", "notes.txt"] {
            fs::write(directory.join("managed-settings.d").join(name), "{}").unwrap();
        }
        let found: Vec<PathBuf> = drop_ins(&managed);
        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["10-a.json", "20-b.json"]);
        fs::remove_dir_all(directory).unwrap();
    }
}
