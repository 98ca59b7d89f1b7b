//! The rules of other projects that contain a target of a call which is made elsewhere.
//!
//! A project's rules are about the project, and not about where an agent happens to be. So the configuration of every
//! project that a call touches is looked for, and its rules hold for the targets in it.

use crate::config::{
    Config,
    layer::Layer,
    layered::LayeredConfig,
    paths::{PROJECT_FILE, Places},
    problem::ConfigError,
};
use checkrein_core::SmallSort as _;
use checkrein_guard::{Effect, Judgement, Rule, Target};
use std::path::{Path, PathBuf};

/// Maximum number of directories that are looked at for one call.
const MOST: usize = 32;

/// The projects whose rules hold anyway, and the home directory, in which no project is looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    known: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl Neighbours {
    /// Creates a search that leaves out the projects of these files.
    pub(crate) fn new(known: Vec<PathBuf>, home: Option<PathBuf>) -> Self {
        Self { known, home }
    }

    /// Returns the rules of every other project that the call touches, with its directory. A broken file of one is an error:
    /// its rules are not known.
    pub(crate) fn rules(
        &self,
        judgement: &Judgement,
        cwd: Option<&str>,
    ) -> Result<Vec<(PathBuf, Vec<Rule>)>, ConfigError> {
        let mut files: Vec<PathBuf> = Vec::new();
        for directory in self.directories(judgement, cwd) {
            let places = Places { home: self.home.clone(), ..Places::default() }.project(&directory);
            files.extend(places.projects.into_iter().filter(|file| !self.known.contains(file)));
        }
        files.small_sort();
        files.dedup();
        let mut found = Vec::new();
        for file in &files {
            let Some(config) = Config::load_if_there(Layer::Project, file)? else { continue };
            let directory = config.directory().to_owned();
            // A stranger's rules are reported in our words, as those of the session's own project are.
            found.push((directory, LayeredConfig::new(vec![config], None).rules()));
        }
        Ok(found)
    }

    /// Returns the directories of the targets, but for those in the working directory, whose projects are known.
    fn directories(&self, judgement: &Judgement, cwd: Option<&str>) -> Vec<PathBuf> {
        let cwd = cwd.map(Path::new);
        let mut found: Vec<PathBuf> = Vec::new();
        for path in judgement.effects.iter().filter_map(path_of) {
            // A project in a subdirectory has rules of its own, which also hold for calls made above it.
            let is_near = cwd.is_some_and(|cwd| path.parent() == Some(cwd) || path == cwd);
            let Some(directory) = path.parent().filter(|_| !is_near) else { continue };
            // A project that is a target itself counts as well.
            let directory = if path.join(PROJECT_FILE).exists() { path } else { directory };
            if found.len() < MOST && !found.iter().any(|known| known == directory) {
                found.push(directory.to_owned());
            }
        }
        found
    }
}

/// Returns true if the target of an effect is in a directory.
pub(super) fn is_in(effect: &Effect, directory: &Path) -> bool {
    path_of(effect).is_some_and(|path| path.starts_with(directory))
}

/// Returns the path that an effect is about, if it is known.
fn path_of(effect: &Effect) -> Option<&Path> {
    match &effect.target {
        Target::Path(spot) if spot.path.starts_with('/') && !spot.path.contains('\u{2026}') => {
            Some(Path::new(spot.path.as_str()))
        }
        Target::Path(_) | Target::Nothing | Target::Host(_) | Target::Name(_) => None,
    }
}
