//! Decides if git still has what a command would take away.
//!
//! Everything is read in process: the index, loose and packed objects, refs, and the ignore rules of the repository. Git is
//! never started, and neither is a filter, a hook or a file system monitor. The configuration is only searched for settings
//! that make the answer unknown; it is never obeyed.
//!
//! The answer is [`Answer::Kept`] only if that is certain. A file whose stat data differs may be unchanged, and a file
//! that was written in the same second as the index may have changed: both count as not kept.

mod budget;
mod bytes;
mod commits;
mod compare;
mod discover;
mod going;
mod ignore;
mod ignored;
mod index;
mod lost;
mod object;
mod pack;
mod refs;
mod status;
mod unknown;

pub use going::{Part, Taken, going, name_at, obstacle, staged};
pub use ignored::Ignored;
pub use status::{Listing, listing, untracked};

use budget::Budget;
use std::path::{Path, PathBuf};

/// The loss that a command would cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// A directory in the work tree.
    pub directory: PathBuf,
    /// The files and directories that go or are replaced; empty for the whole work tree.
    pub paths: Vec<PathBuf>,
    /// True if tracked files are removed or replaced.
    pub tracked: bool,
    /// True if tracked files go whether they were changed or not.
    pub removes: bool,
    /// The other files that are removed or may be replaced.
    pub others: Others,
    /// The change of the commit that is checked out.
    pub head: Head,
}

/// The untracked files that are removed, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// None.
    Stay,
    /// Those that are not ignored.
    Untracked,
    /// All of them.
    All,
}

/// The change of the commit that is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Head {
    /// It stays.
    Stays,
    /// Another commit is checked out; the branch stays where it is.
    Leaves(String),
    /// The branch moves to another commit.
    Moves(String),
    /// The work tree goes, with everything that only its own `HEAD` reaches.
    Goes,
}

/// The answer to a [`Question`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Git has all of it, in a commit that a branch, a tag or a remote reaches.
    Kept,
    /// Something would be lost, and this is what.
    Lost(String),
    /// It is not known, for this reason.
    Unknown(String),
}

/// The reason why no answer is [`Answer::Kept`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Objection {
    Lost(String),
    Unknown(String),
}

impl Objection {
    fn unknown(why: impl Into<String>) -> Self {
        Self::Unknown(why.into())
    }

    fn lost(what: impl Into<String>) -> Self {
        Self::Lost(what.into())
    }
}

/// The error of a file that cannot be read: then nothing is known.
impl From<std::io::Error> for Objection {
    fn from(error: std::io::Error) -> Self {
        Self::Unknown(error.to_string())
    }
}

/// Answers a question. `home` is where the user's own settings of git are looked for.
pub fn ask(question: &Question, home: Option<&Path>) -> Answer {
    match status::check(question, home, &Budget::new()) {
        Ok(()) => Answer::Kept,
        Err(Objection::Lost(what)) => Answer::Lost(what),
        Err(Objection::Unknown(why)) => Answer::Unknown(why),
    }
}

/// A repository that a directory belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkTree {
    /// The top of the work tree.
    pub top: PathBuf,
    /// The directory that holds the objects and branches; shared by all work trees of a repository.
    pub common: PathBuf,
    /// True if it is a further work tree of a repository, and both know each other.
    pub linked: bool,
}

/// Returns the work tree that contains a directory.
pub fn work_tree(directory: &Path) -> Option<WorkTree> {
    let found = discover::find(directory).ok()?;
    Some(WorkTree { top: found.top, common: found.common, linked: found.linked })
}
