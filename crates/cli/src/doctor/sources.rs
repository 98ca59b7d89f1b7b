//! The files in which an agent looks for hooks, read once.

use crate::install::{
    agents::{Agent, project},
    write,
};
use checkrein_hosts::install::{Entry, Node, entries, parse};
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

/// A file that is there.
pub(crate) struct Source {
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
        files.into_iter().filter_map(|(whose, path)| Self::read(whose, path)).collect()
    }

    pub(crate) fn read(whose: Whose, path: PathBuf) -> Option<Self> {
        let text = match write::read(&path) {
            Ok(None) => return None,
            Ok(Some(text)) => Ok(text),
            Err(error) => Err(format!("{error:#}")),
        };
        Some(Self { whose, path, text })
    }

    /// Whether it is JSON, as all but some of an administrator's are.
    pub(crate) fn is_json(&self) -> bool {
        self.path.extension().is_some_and(|end| end == "json")
    }

    /// The entries that start us.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, String> {
        let text = self.text.as_ref().map_err(Clone::clone)?;
        entries(text).map_err(|defect| defect.to_string())
    }

    /// The whole file.
    pub(crate) fn tree(&self) -> Option<Node> {
        parse(self.text.as_ref().ok()?).ok()
    }
}
