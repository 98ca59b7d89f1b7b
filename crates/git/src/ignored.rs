//! The ignore rules for a walk over directories, which may be shared by threads.

use crate::{
    discover,
    ignore::{self, Rule},
};
use std::{
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The rules that hold in one directory: its own, and those of the directories above.
///
/// Rules of `.gitignore` and `info/exclude` hold inside a repository, those of `.ignore` everywhere. A rule that cannot be read, or
/// takes too long, ignores nothing: a walk then sees a file too many, and never one too few.
#[derive(Clone)]
pub struct Ignored(Arc<Level>);

struct Level {
    above: Option<Ignored>,
    /// The directory that the rules are relative to: the top of the repository, or where the walk began.
    top: Arc<PathBuf>,
    /// True below the top of a repository.
    in_repository: bool,
    rules: Vec<Rule>,
}

impl Ignored {
    /// Returns the rules in a directory where a walk begins, with those of the directories above it in the same repository. Every
    /// path of the walk is given to the other functions as it is below this one, which has no links in it.
    pub fn at(directory: &Path) -> Self {
        let Ok(found) = discover::find(directory) else { return Self::top(directory, None) };
        let between: Vec<&Path> = directory.ancestors().take_while(|above| *above != found.top).collect();
        let top = Self::top(&found.top, Some(&found.common));
        between.into_iter().rev().fold(top, |rules, below| rules.enter(below))
    }

    /// Returns the rules in a directory inside this one. A repository inside another, which has a `.git`, has only its own rules.
    #[must_use]
    pub fn below(&self, directory: &Path, has_git: bool) -> Self {
        let found = has_git.then(|| discover::find(directory).ok()).flatten();
        match found.filter(|found| found.top == directory) {
            Some(found) => Self::top(directory, Some(&found.common)),
            None => self.enter(directory),
        }
    }

    /// Returns true if an entry of this directory is ignored. The directory itself is not.
    pub fn ignores(&self, path: &Path, is_directory: bool) -> bool {
        let mut level = Some(self);
        while let Some(Self(here)) = level {
            let Ok(relative) = path.strip_prefix(here.top.as_path()) else { return false };
            let relative = relative.as_os_str().as_bytes();
            let found = here.rules.iter().rev().find(|rule| rule.matches(relative, is_directory) == Ok(true));
            if let Some(rule) = found {
                return !rule.is_negated();
            }
            level = here.above.as_ref();
        }
        false
    }

    fn top(directory: &Path, common: Option<&Path>) -> Self {
        let exclude = common.map(|common| common.join("info/exclude"));
        let weakest = exclude.and_then(|file| ignore::rules(&file, b"").ok()).unwrap_or_default();
        let top = Arc::new(directory.to_owned());
        let in_repository = common.is_some();
        Self(Arc::new(Level { above: None, top, in_repository, rules: weakest })).enter(directory)
    }

    /// Adds the rules in a directory to those above it.
    fn enter(&self, directory: &Path) -> Self {
        let here = &self.0;
        let base = directory.strip_prefix(here.top.as_path()).unwrap_or(Path::new(""));
        let names: &[&str] = if here.in_repository { &[".gitignore", ".ignore"] } else { &[".ignore"] };
        let rules: Vec<Rule> = names
            .iter()
            .filter_map(|name| ignore::rules(&directory.join(name), base.as_os_str().as_bytes()).ok())
            .flatten()
            .collect();
        if rules.is_empty() {
            return self.clone();
        }
        let (top, in_repository) = (Arc::clone(&here.top), here.in_repository);
        Self(Arc::new(Level { above: Some(self.clone()), top, in_repository, rules }))
    }
}
