//! Puts the parts together: what of a work tree git still has.

use crate::{
    Head, Objection, Others, Question,
    budget::Budget,
    bytes::Oid,
    commits,
    compare::{self, join},
    discover::{self, Found},
    ignore::Rules,
    index::{Cleanliness, Entry, Index},
    object::Objects,
    refs::Refs,
    unknown,
};
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    io::ErrorKind,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// A work tree that is being looked at.
pub(crate) struct WorkTree<'a> {
    pub(crate) found: Found,
    pub(crate) index: Index,
    pub(crate) budget: &'a Budget,
    /// Names that differ only in case are the same.
    pub(crate) folds: bool,
}

/// Objects to a question whose answer is not [`crate::Answer::Kept`].
pub(crate) fn check(question: &Question, home: Option<&Path>, budget: &Budget) -> Result<(), Objection> {
    let tree = WorkTree::open(&question.directory, home, budget)?;
    let scopes = tree.scopes(question)?;
    for scope in &scopes {
        tree.require_no_others(scope, question.others)?;
    }
    if !question.tracked {
        return Ok(());
    }
    let refs = Refs::read(&tree.found, budget)?;
    let objects = Objects::open(&tree.found.common, budget)?;
    let (head, commit) = objects.commit(&refs.head)?;
    for scope in &scopes {
        tree.require_clean(scope)?;
        compare::same(&tree.index, scope, &commit.tree, &objects)?;
    }
    let (target, branch) = match &question.head {
        Head::Stays => (None, false),
        Head::Leaves(name) => (Some(name), false),
        Head::Moves(name) => (Some(name), true),
        Head::Goes => (None, false),
    };
    let target = target.map(|name| commits::resolve(name, &refs, &objects)).transpose()?;
    if let Some(target) = target {
        let (_, next) = objects.commit(&target)?;
        compare::added(b"", Some(&commit.tree), &next.tree, &objects, &mut |path| tree.require_free(path))?;
    }
    require_reached(&head, target, branch && target != Some(head), &question.head, &refs, &objects)
}

/// The commit that is checked out has to be reached by a name that stays.
fn require_reached(
    head: &Oid,
    target: Option<Oid>,
    moves: bool,
    what: &Head,
    refs: &Refs,
    objects: &Objects<'_>,
) -> Result<(), Objection> {
    let own = refs.branch.as_deref();
    if own.is_some() && !moves {
        return Ok(());
    }
    let stays = |name: &str| !moves || own != Some(name);
    let mut names: Vec<Oid> =
        refs.named.iter().filter(|(name, _)| stays(name)).map(|(_, oid)| *oid).collect();
    names.extend(target.filter(|_| *what != Head::Goes && moves));
    if commits::reached(head, &names, objects)? {
        Ok(())
    } else {
        Err(Objection::lost("commits that no other branch, tag or remote has"))
    }
}

impl<'a> WorkTree<'a> {
    pub(crate) fn open(directory: &Path, home: Option<&Path>, budget: &'a Budget) -> Result<Self, Objection> {
        let found = discover::find(&directory.canonicalize()?)?;
        let folds = unknown::check(&found, home)?;
        let index = Index::read(&found.own.join("index"), budget)?;
        Ok(Self { found, index, budget, folds })
    }

    /// The paths of a question, below the top.
    pub(crate) fn scopes(&self, question: &Question) -> Result<Vec<Vec<u8>>, Objection> {
        if question.paths.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        question.paths.iter().map(|path| self.below(path)).collect()
    }

    fn below(&self, path: &Path) -> Result<Vec<u8>, Objection> {
        let outside = || Objection::unknown("a path is outside of the work tree");
        // The last step may be a link, or nothing at all.
        let (parent, name) = (path.parent().ok_or_else(outside)?, path.file_name());
        let known = parent.ancestors().find(|above| above.exists()).ok_or_else(outside)?;
        let missing = parent.strip_prefix(known).map_err(|_| outside())?;
        let mut whole = known.canonicalize()?.join(missing);
        whole.extend(name);
        let below = whole.strip_prefix(&self.found.top).map_err(|_| outside())?;
        let bytes = below.as_os_str().as_bytes().to_vec();
        if below.components().any(|step| step.as_os_str() == ".git" || step.as_os_str() == "..") {
            return Err(outside());
        }
        Ok(bytes)
    }

    pub(crate) fn path(&self, below: &[u8]) -> PathBuf {
        if below.is_empty() { self.found.top.clone() } else { self.found.top.join(OsStr::from_bytes(below)) }
    }

    /// Every tracked file below a path is what the index says, and nothing keeps git from looking at it.
    fn require_clean(&self, scope: &[u8]) -> Result<(), Objection> {
        let mut directories: BTreeSet<&[u8]> = BTreeSet::new();
        self.require_plain(b"")?;
        for entry in self.index.below(scope) {
            self.budget.step()?;
            for (place, _) in entry.path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
                let directory = entry.path.get(..place).unwrap_or_default();
                if directories.insert(directory) {
                    self.require_plain(directory)?;
                }
            }
            let name = || String::from_utf8_lossy(&entry.path).into_owned();
            match self.state(entry)? {
                State::Clean | State::Missing => {}
                State::Changed => return Err(Objection::lost(format!("changes of {}", name()))),
                State::Racy => {
                    return Err(Objection::unknown(format!("{} was written with the index", name())));
                }
            }
        }
        Ok(())
    }

    /// A directory is one, and has no filters.
    fn require_plain(&self, directory: &[u8]) -> Result<(), Objection> {
        let path = self.path(directory);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => unknown::refuse_filters(&path.join(".gitattributes")),
            Ok(_) => {
                let name = String::from_utf8_lossy(directory);
                Err(Objection::lost(format!("{name}, which has taken the place of a directory")))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn state(&self, entry: &Entry) -> Result<State, Objection> {
        const SUBMODULE: u32 = 0o160_000;
        if entry.stage != 0 || entry.is_hidden || entry.mode == SUBMODULE {
            return Ok(State::Changed);
        }
        match self.path(&entry.path).symlink_metadata() {
            Ok(metadata) => Ok(match self.index.is_clean(entry, &metadata) {
                Cleanliness::Clean => State::Clean,
                Cleanliness::Changed => State::Changed,
                Cleanliness::Racy => State::Racy,
            }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(State::Missing),
            Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(State::Changed),
            Err(error) => Err(error.into()),
        }
    }

    /// No file that git does not track goes.
    fn require_no_others(&self, scope: &[u8], others: Others) -> Result<(), Objection> {
        if others == Others::Stay {
            return Ok(());
        }
        if others == Others::Untracked && self.folds {
            return Err(Objection::unknown("ignore rules do not know capital letters here"));
        }
        self.walk(scope, others == Others::All, &mut |path, other| match other {
            Other::Ignored if others != Others::All => Ok(()),
            _ => Err(Objection::lost(format!("{}, which git does not have", String::from_utf8_lossy(path)))),
        })
    }

    /// Calls `found` for each file below a path that git does not track.
    fn walk(&self, scope: &[u8], into_ignored: bool, found: &mut Finder<'_>) -> Result<(), Objection> {
        self.walk_with_directories(scope, into_ignored, &mut |path, other| match other {
            Other::Directory => Ok(()),
            other => found(path, other),
        })
    }

    /// Calls `found` for each file below a path that git does not track, and for each directory without a tracked file.
    pub(crate) fn walk_with_directories(
        &self,
        scope: &[u8],
        into_ignored: bool,
        found: &mut Finder<'_>,
    ) -> Result<(), Objection> {
        let mut rules = Rules::default();
        rules.enter(&self.found.common.join("info/exclude"), b"")?;
        let mut ignored = false;
        // The rules of the directories above, which may ignore all of this.
        let steps = scope.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(place, _)| place);
        let above: Vec<&[u8]> = steps.filter_map(|place| scope.get(..place)).collect();
        let first: [&[u8]; 1] = [b""];
        for directory in first.into_iter().chain(above.iter().copied()).filter(|_| !scope.is_empty()) {
            ignored = ignored || !directory.is_empty() && rules.ignores(directory, true, self.budget)?;
            rules.enter(&self.path(directory).join(".gitignore"), directory)?;
        }
        match self.path(scope).symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {
                ignored = ignored || !scope.is_empty() && rules.ignores(scope, true, self.budget)?;
                let mut walk = Walk { tree: self, rules, into_ignored, found };
                if !scope.is_empty() && self.index.below(scope).is_empty() {
                    (walk.found)(scope, Other::Directory)?;
                }
                if !scope.is_empty() && self.path(scope).join(".git").symlink_metadata().is_ok() {
                    return (walk.found)(scope, Other::Repository);
                }
                walk.directory(scope, ignored)
            }
            Ok(_) => Walk { tree: self, rules, into_ignored, found }.file(scope, ignored),
            Err(_) => Ok(()),
        }
    }

    /// Nothing is on the disk where a commit puts a file.
    fn require_free(&self, path: &[u8]) -> Result<(), Objection> {
        match self.path(path).symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            _ => {
                let name = String::from_utf8_lossy(path).into_owned();
                Err(Objection::lost(format!("{name}, which the other commit replaces")))
            }
        }
    }
}

/// The state of a tracked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Clean,
    /// It is not there: nothing of it can be lost.
    Missing,
    Changed,
    Racy,
}

/// The state of an untracked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Other {
    Untracked,
    Ignored,
    Repository,
    /// A directory in which nothing is tracked.
    Directory,
}

pub(crate) type Finder<'a> = dyn FnMut(&[u8], Other) -> Result<(), Objection> + 'a;

/// A walk through the directories of a work tree.
struct Walk<'a, 'f> {
    tree: &'a WorkTree<'a>,
    rules: Rules,
    into_ignored: bool,
    found: &'f mut Finder<'f>,
}

impl Walk<'_, '_> {
    fn directory(&mut self, path: &[u8], ignored: bool) -> Result<(), Objection> {
        let directory = self.tree.path(path);
        let before = self.rules.enter(&directory.join(".gitignore"), path)?;
        for file in fs::read_dir(&directory)? {
            self.tree.budget.step()?;
            let file = file?;
            let name = file.file_name().into_vec();
            if name == b".git" && path.is_empty() {
                continue;
            }
            let below = join(path, &name);
            if !file.file_type()?.is_dir() {
                self.file(&below, ignored)?;
                continue;
            }
            if file.path().join(".git").symlink_metadata().is_ok() {
                (self.found)(&below, Other::Repository)?;
                continue;
            }
            let ignored = ignored || self.rules.ignores(&below, true, self.tree.budget)?;
            let tracked = !self.tree.index.below(&below).is_empty();
            if tracked || !ignored || self.into_ignored {
                if !tracked {
                    (self.found)(&below, Other::Directory)?;
                }
                self.directory(&below, ignored)?;
            }
        }
        self.rules.leave(before);
        Ok(())
    }

    fn file(&mut self, path: &[u8], ignored: bool) -> Result<(), Objection> {
        if self.tree.index.below(path).iter().any(|entry| entry.path == path) {
            return Ok(());
        }
        let ignored = ignored || self.rules.ignores(path, false, self.tree.budget)?;
        (self.found)(path, if ignored { Other::Ignored } else { Other::Untracked })
    }
}

/// The status of a work tree, file by file, as git would report it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Tracked files that differ from the index, or may.
    pub changed: BTreeSet<String>,
    /// Tracked files that are not there.
    pub missing: BTreeSet<String>,
    /// Files that git does not track.
    pub untracked: BTreeSet<String>,
    /// Those of them that are ignored.
    pub ignored: BTreeSet<String>,
}

/// Lists a work tree, to compare what is read here with what git itself says. Returns why not, if it is not known.
pub fn listing(directory: &Path) -> Result<Listing, String> {
    let budget = Budget::new();
    let list = || -> Result<Listing, Objection> {
        let tree = WorkTree::open(directory, None, &budget)?;
        let mut listing = Listing::default();
        for entry in &tree.index.entries {
            let name = String::from_utf8_lossy(&entry.path).into_owned();
            match tree.state(entry)? {
                State::Clean => {}
                State::Missing => drop(listing.missing.insert(name)),
                State::Changed | State::Racy => drop(listing.changed.insert(name)),
            }
        }
        tree.walk(b"", true, &mut |path, other| {
            let name = String::from_utf8_lossy(path).into_owned();
            match other {
                Other::Ignored => listing.ignored.insert(name),
                Other::Untracked | Other::Repository | Other::Directory => listing.untracked.insert(name),
            };
            Ok(())
        })?;
        Ok(listing)
    };
    list().map_err(|objection| match objection {
        Objection::Lost(why) | Objection::Unknown(why) => why,
    })
}

/// Lists the files of the work tree of a directory that git neither tracks nor ignores, by their whole paths. `None` if that is not
/// known, as the tree is too large. Ignore rules of the user are not obeyed, so that it may be too many.
pub fn untracked(directory: &Path) -> Option<Vec<String>> {
    let budget = Budget::new();
    let found = discover::find(&directory.canonicalize().ok()?).ok()?;
    let file = found.own.join("index");
    // A new repository has none.
    let index = match file.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Index::default(),
        _ => Index::read(&file, &budget).ok()?,
    };
    let tree = WorkTree { found, index, budget: &budget, folds: false };
    let mut paths = Vec::new();
    let walked = tree.walk(b"", false, &mut |path, other| {
        // A repository in the tree is added as one entry, without its files.
        if other == Other::Untracked {
            paths.extend(tree.path(path).to_str().map(str::to_owned));
        }
        Ok(())
    });
    walked.ok().map(|()| paths)
}
