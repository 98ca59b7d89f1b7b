//! Finds the test files to run: those that are named, or those next to the active configuration.

use anyhow::{Context, bail};
use checkrein::SmallSort as _;
use checkrein::{
    Layer, LayeredConfig,
    cases::{PROJECT_DIRECTORY, TEST_SUFFIX},
};
use std::path::{Path, PathBuf};

/// A test file, and who selected it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) chosen: Chosen,
}

/// The party that selected a test file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Chosen {
    /// A user named it, or it is next to the user's or the administrator's configuration.
    ByUser,
    /// It belongs to a project, so it may not choose hooks to run: those are not trusted.
    ByProject,
}

/// Returns the files that the command line names: files, and all test files below directories.
pub(super) fn named(arguments: &[PathBuf]) -> anyhow::Result<Vec<Found>> {
    let mut files = Vec::new();
    for argument in arguments {
        if !argument.is_dir() {
            files.push(argument.clone());
            continue;
        }
        let before = files.len();
        below(argument, &mut files)?;
        if files.len() == before {
            bail!("there is no `*{TEST_SUFFIX}` file below `{}`", argument.display());
        }
    }
    Ok(files.into_iter().map(|path| Found { path, chosen: Chosen::ByUser }).collect())
}

/// Returns every test file next to a configuration of `stack`, and in a project also those below its
/// `.checkrein`. Their paths are relative to `here`, so that they are shown as a user would type them.
pub(super) fn next_to(stack: &LayeredConfig, here: &Path) -> anyhow::Result<Vec<Found>> {
    let mut found: Vec<Found> = Vec::new();
    for config in stack.configs() {
        let mut files = Vec::new();
        for (path, kind) in entries(config.directory())? {
            if kind == Kind::Test {
                files.push(path);
            }
        }
        let chosen = match config.layer() {
            Layer::Managed | Layer::User | Layer::Flag => Chosen::ByUser,
            Layer::Project => {
                let ours = config.directory().join(PROJECT_DIRECTORY);
                if ours.is_dir() {
                    below(&ours, &mut files)?;
                }
                Chosen::ByProject
            }
        };
        for path in files {
            let path = path.strip_prefix(here).map_or_else(|_| path.clone(), Path::to_owned);
            match found.iter_mut().find(|known| known.path == path) {
                Some(known) => known.chosen = known.chosen.min(chosen),
                None => found.push(Found { path, chosen }),
            }
        }
    }
    Ok(found)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Directory,
    Test,
}

/// Returns the directories and test files of a directory, by name. Links to directories are not followed:
/// they may form a loop.
fn entries(directory: &Path) -> anyhow::Result<Vec<(PathBuf, Kind)>> {
    let unread = || format!("cannot read the directory `{}`", directory.display());
    let mut entries = Vec::new();
    for entry in directory.read_dir().with_context(unread)? {
        let entry = entry.with_context(unread)?;
        if entry.file_type().with_context(unread)?.is_dir() {
            entries.push((entry.path(), Kind::Directory));
        } else if entry.file_name().to_string_lossy().ends_with(TEST_SUFFIX) {
            entries.push((entry.path(), Kind::Test));
        }
    }
    entries.small_sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(entries)
}

/// Collects every test file below `directory`.
fn below(directory: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    // A work list instead of recursion: a hostile directory tree may be deeper than our stack.
    let mut left = vec![(directory.to_owned(), Kind::Directory)];
    while let Some((path, kind)) = left.pop() {
        match kind {
            Kind::Test => files.push(path),
            Kind::Directory => left.extend(entries(&path)?.into_iter().rev()),
        }
    }
    Ok(())
}
