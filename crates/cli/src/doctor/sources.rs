//! The files in which an agent looks for hooks, read once.

use super::codex;
use crate::install::{
    agents::{Agent, project},
    write,
};
use checkrein_hosts::install::{Entry, Node, Recipe, check, entries, parse};
use std::path::PathBuf;

/// Whose file it is. The later ones are stronger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Whose {
    /// The person's.
    User,
    /// The project's.
    Project,
    /// The person's for this project.
    Local,
    /// The administrator's.
    Managed,
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
        files.extend(agent.folder.as_ref().map(|folder| (Whose::User, folder.join(recipe.file))));
        if let Some(project) = project() {
            let folder = project.join(recipe.folder);
            // In the home folder the two are one.
            if Some(&folder) != agent.folder.as_ref() {
                files.push((Whose::Project, folder.join(recipe.file)));
            }
            files.extend(recipe.beside.iter().map(|name| (Whose::Local, folder.join(name))));
        }
        files.extend(recipe.managed.iter().map(|path| (Whose::Managed, PathBuf::from(path))));
        let mut sources: Vec<Self> =
            files.into_iter().filter_map(|(whose, path)| Self::read(recipe, whose, path)).collect();
        sources.extend(codex::inline(agent));
        sources
    }

    fn read(recipe: &'static Recipe, whose: Whose, path: PathBuf) -> Option<Self> {
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
