//! Finds the work tree and git's files.

use crate::Objection;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A work tree, and where git keeps what belongs to it.
pub(crate) struct Found {
    pub(crate) top: PathBuf,
    /// Its own directory: index and `HEAD`.
    pub(crate) own: PathBuf,
    /// The directory that all work trees share: objects and branches.
    pub(crate) common: PathBuf,
    pub(crate) linked: bool,
}

/// The longest file that names a directory.
const LINE: u64 = 4096;

/// Finds the work tree of a directory as git does: the nearest directory upward that has a `.git`.
pub(crate) fn find(directory: &Path) -> Result<Found, Objection> {
    let has_git = |above: &&Path| above.join(".git").symlink_metadata().is_ok();
    let top =
        directory.ancestors().find(has_git).ok_or_else(|| Objection::unknown("there is no repository"))?;
    let git = top.join(".git");
    let kind = git.symlink_metadata()?;
    if kind.is_dir() {
        return Ok(Found { top: top.to_owned(), own: git.clone(), common: git, linked: false });
    }
    if !kind.is_file() {
        return Err(Objection::unknown("`.git` is a link"));
    }
    // A further work tree, or a submodule.
    let text = line(&git)?;
    let own = text.strip_prefix("gitdir: ").ok_or_else(|| Objection::unknown("`.git` names no directory"))?;
    let own = plain(&top.join(own))?;
    let common = match line(&own.join("commondir")) {
        Ok(common) => plain(&own.join(common))?,
        Err(_) => return Err(Objection::unknown("it is a submodule")),
    };
    // Both have to know each other: a file that anybody can write is not a proof.
    let back = line(&own.join("gitdir"))?;
    if plain(&own.join(back))? != plain(&git)? {
        return Err(Objection::unknown("the repository does not know this work tree"));
    }
    Ok(Found { top: top.to_owned(), own, common, linked: true })
}

/// The first line of a short file.
pub(crate) fn line(path: &Path) -> Result<String, Objection> {
    let metadata = path.symlink_metadata()?;
    if !metadata.is_file() || metadata.len() > LINE {
        return Err(Objection::unknown("a file of git is too long"));
    }
    Ok(fs::read_to_string(path)?.lines().next().unwrap_or_default().to_owned())
}

fn plain(path: &Path) -> Result<PathBuf, Objection> {
    Ok(path.canonicalize()?)
}
