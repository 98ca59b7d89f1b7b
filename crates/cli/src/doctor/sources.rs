//! The files in which an agent looks for hooks, read once.

use super::{codex, plugins};
use crate::install::{
    agents::{Agent, project},
    write,
};
use checkrein_hosts::install::{Entry, Node, Recipe, check, entries, parse};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Whose file it is. The later ones are stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Whose {
    /// The project's, but not read: the agent is started in a directory below.
    Above,
    /// A plugin's.
    Plugin,
    /// The user's.
    User,
    /// The project's.
    Project,
    /// The user's for this project.
    Local,
    /// The administrator's.
    Managed,
}

/// The files that an administrator lays beside `managed-settings.json`, in a directory of the same name with `.d`, in the
/// order in which they count.
fn drop_ins(managed: &Path) -> Vec<PathBuf> {
    if managed.file_name().is_none_or(|name| name != "managed-settings.json") {
        return Vec::new();
    }
    let directory = managed.with_extension("d");
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_hidden =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let mut files: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "json") && !is_hidden(path))
        .collect();
    files.sort();
    files
}

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Hooks as JSON.
    Hooks,
    /// Hooks in the middle of something else, brought into the same form; the lines are lost.
    Inline,
    /// Something else.
    Other,
}

/// A file that is there.
pub(crate) struct Source {
    pub(crate) form: Form,
    pub(crate) recipe: &'static Recipe,
    pub(crate) whose: Whose,
    pub(crate) path: PathBuf,
    /// Its text, or why it cannot be read.
    pub(crate) text: Result<String, String>,
}

impl Source {
    /// Every file of `agent` that is there.
    pub(crate) fn all(agent: &Agent) -> Vec<Self> {
        let recipe = agent.recipe;
        let mut files = Vec::new();
        files.extend(agent.directory.as_ref().map(|directory| (Whose::User, directory.join(recipe.file))));
        if let Some(project) = project() {
            let directory = project.join(recipe.directory);
            let here =
                std::env::current_dir().ok().filter(|here| recipe.host == "claude" && *here != project);
            // In the home directory the two are one.
            if Some(&directory) != agent.directory.as_ref() {
                let whose = if here.is_some() { Whose::Above } else { Whose::Project };
                files.push((whose, directory.join(recipe.file)));
            }
            // Claude Code reads the settings of the directory that it is started in, and not those above.
            let directory = here.map_or(directory, |here| {
                let directory = here.join(recipe.directory);
                files.push((Whose::Project, directory.join(recipe.file)));
                directory
            });
            files.extend(recipe.beside.iter().map(|name| (Whose::Local, directory.join(name))));
        }
        for path in recipe.managed.iter().map(PathBuf::from) {
            let beside = drop_ins(&path);
            files.extend([path].into_iter().chain(beside).map(|path| (Whose::Managed, path)));
        }
        let mut sources: Vec<Self> =
            files.into_iter().filter_map(|(whose, path)| Self::read(recipe, whose, path)).collect();
        match recipe.host {
            "codex" => sources.extend(codex::inline(agent)),
            _ => {
                let plugins = plugins::sources(agent, &sources);
                sources.extend(plugins);
            }
        }
        sources
    }

    pub(super) fn read(recipe: &'static Recipe, whose: Whose, path: PathBuf) -> Option<Self> {
        let text = match write::read(&path) {
            Ok(None) => return None,
            Ok(Some(text)) => Ok(text),
            Err(error) => Err(format!("{error:#}")),
        };
        let form = if path.extension().is_some_and(|end| end == "json") { Form::Hooks } else { Form::Other };
        Some(Self { form, recipe, whose, path, text })
    }

    /// Whether it holds hooks that we can read.
    pub(crate) fn has_hooks(&self) -> bool {
        match self.form {
            Form::Hooks | Form::Inline => true,
            Form::Other => false,
        }
    }

    /// The entries that start us; or why the agent throws the file away, with every hook in it.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, String> {
        let text = self.text.as_ref().map_err(Clone::clone)?;
        let read = check(text, self.recipe).and_then(|()| entries(text));
        read.map_err(|defect| defect.to_string())
    }

    /// The whole file.
    pub(crate) fn tree(&self) -> Option<Node> {
        parse(self.text.as_ref().ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_an_administrators_settings_counts_in_order() {
        let directory = std::env::temp_dir().join(format!("checkrein-drop-ins-{}", std::process::id()));
        let managed = directory.join("managed-settings.json");
        fs::create_dir_all(directory.join("managed-settings.d")).unwrap();
        for name in ["20-b.json", "10-a.json", ".hidden.json", "notes.txt"] {
            fs::write(directory.join("managed-settings.d").join(name), "{}").unwrap();
        }
        let found: Vec<PathBuf> = drop_ins(&managed);
        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, ["10-a.json", "20-b.json"]);
        assert_eq!(drop_ins(&directory.join("hooks.json")), Vec::<PathBuf>::new());
        fs::remove_dir_all(directory).unwrap();
    }
}
