//! Lists what a command of git would take away, part by part, for a caller that keeps it before the command runs.
//!
//! Nothing is decided here: a list may have more than the command takes, and never less. What is not known makes the whole list an
//! error. Nothing is written, and git is not started.

use crate::{
    Head, Objection, Others, Question,
    budget::Budget,
    bytes::{Oid, hex, oid_of},
    commits,
    compare::differing,
    discover::{self, Found},
    index::inside,
    lost,
    object::{Objects, Place},
    refs::{self, Refs},
    status::{Other, State, WorkTree},
};
use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

/// The maximum number of entries, directories, commits and trees that are looked at.
const ENTRIES: usize = 200_000;
/// The maximum time.
const TIME: Duration = Duration::from_millis(1000);
/// The mode of an entry of the index for another repository.
const SUBMODULE: u32 = 0o160_000;

/// A part of what a command would take away.
#[derive(Debug)]
#[non_exhaustive]
pub enum Part<'p> {
    /// A path of the work tree that git may replace or remove, or at which it may put something. Nothing may be there now.
    Tracked(&'p Path),
    /// A file of the work tree that git does not have.
    Untracked(&'p Path),
    /// A directory of the work tree in which git tracks nothing.
    Directory(&'p Path),
    /// A directory with everything in it.
    Tree(&'p Path),
    /// The index.
    Index(&'p Path),
    /// Another file of git: `HEAD`, or the record of a name's earlier values.
    File(&'p Path),
    /// A name: the file that has it, or would have it, and the object that it means.
    Name(&'p Path, &'p str),
    /// An object that nothing may name any more: the place of its own file, and the content of that file unless it is there.
    Object(&'p Path, Option<Vec<u8>>),
}

/// The things that a command would take away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken<'t> {
    /// Work that is in no commit, and what only the commit that is checked out reaches.
    Work,
    /// Entries of the stash.
    Stash,
    /// A branch or a tag.
    Name(&'t str),
}

type Take<'t> = dyn FnMut(Part<'_>) -> Result<(), String> + 't;

/// Calls `take` with each part of what a command would take away. `gone`: every name that the whole call removes or moves, so that none
/// of them counts as one that keeps a commit.
///
/// # Errors
///
/// If it is not known, or if `take` fails. Then some parts may have been taken already.
pub fn going(
    taken: &Taken<'_>,
    question: &Question,
    gone: &BTreeSet<String>,
    home: Option<&Path>,
    take: &mut Take<'_>,
) -> Result<(), String> {
    let budget = Budget::of(ENTRIES, TIME);
    let mut parts = || match taken {
        Taken::Work => work(question, gone, home, &budget, take),
        Taken::Stash => stash(question, gone, &budget, take),
        Taken::Name(name) => name_of(name, question, gone, &budget, take),
    };
    parts().map_err(|objection| match objection {
        Objection::Lost(why) | Objection::Unknown(why) => why,
    })
}

/// Returns the object that a name means now: the content of its own file, or of the file with all of them.
pub fn name_at(path: &Path) -> Option<String> {
    let directory = path.ancestors().find(|above| above.ends_with("refs"))?.parent()?;
    let name = path.strip_prefix(directory).ok()?.to_str()?;
    refs::value(directory, name).map(|oid| hex(&oid))
}

/// Returns a text that changes if other contents are staged, and not if git only looked at the files again.
pub fn staged(index: &Path) -> Option<String> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let index = crate::index::Index::read(index, &Budget::of(ENTRIES, TIME)).ok()?;
    let mut hasher = DefaultHasher::new();
    for entry in &index.entries {
        (&entry.path, entry.mode, entry.oid, entry.stage, entry.is_hidden).hash(&mut hasher);
    }
    Some(format!("{:016x}", hasher.finish()))
}

fn unknown(text: String) -> Objection {
    Objection::Unknown(text)
}

fn work(
    question: &Question,
    gone: &BTreeSet<String>,
    home: Option<&Path>,
    budget: &Budget,
    take: &mut Take<'_>,
) -> Result<(), Objection> {
    let tree = WorkTree::open(&question.directory, home, budget)?;
    let scopes = tree.scopes(question)?;
    if tree.index.entries.iter().any(|entry| entry.mode == SUBMODULE) {
        return Err(Objection::unknown("there are submodules"));
    }
    if tree.folds {
        return Err(Objection::unknown("names that differ only in case are the same here"));
    }
    if question.tracked {
        tracked(&tree, question, gone, &scopes, take)?;
    }
    if question.head == Head::Goes {
        take(Part::Tree(&tree.found.top)).map_err(unknown)?;
        return take(Part::Tree(&tree.found.own)).map_err(unknown);
    }
    if question.others == Others::Stay {
        return Ok(());
    }
    for scope in &scopes {
        let into_ignored = question.others == Others::All;
        tree.walk_with_directories(scope, into_ignored, &mut |path, other| {
            let path = tree.path(path);
            match other {
                Other::Ignored if !into_ignored => Ok(()),
                Other::Ignored | Other::Untracked => take(Part::Untracked(&path)).map_err(unknown),
                Other::Directory => take(Part::Directory(&path)).map_err(unknown),
                Other::Repository => Err(unknown(format!("`{}` is a repository of its own", path.display()))),
            }
        })?;
    }
    Ok(())
}

/// Takes the tracked files that are replaced or removed, the index, and what the commit that is checked out alone keeps.
fn tracked(
    tree: &WorkTree<'_>,
    question: &Question,
    gone: &BTreeSet<String>,
    scopes: &[Vec<u8>],
    take: &mut Take<'_>,
) -> Result<(), Objection> {
    let refs = Refs::read(&tree.found, tree.budget)?;
    let objects = Objects::open(&tree.found.common, tree.budget)?;
    let (head, commit) = objects.commit(&refs.head)?;
    let target = match &question.head {
        Head::Leaves(name) | Head::Moves(name) => Some(commits::resolve(name, &refs, &objects)?),
        Head::Stays | Head::Goes => None,
    };
    let is_meant = |path: &[u8]| scopes.iter().any(|scope| scope.is_empty() || inside(path, scope));

    // Staged content that is in no commit is only in objects that nothing but the index names.
    let staged = differing(&tree.index, &commit.tree, &objects)?;
    for path in &staged {
        for entry in tree.index.below(path).iter().filter(|entry| entry.path == *path) {
            object(&entry.oid, &objects, take)?;
        }
    }
    // With a target all of the tree goes to it.
    let changes = match target {
        Some(target) => differing(&tree.index, &objects.commit(&target)?.1.tree, &objects)?,
        None => staged,
    };
    // A work tree that goes is kept as a whole.
    if question.head != Head::Goes {
        let mut paths: BTreeSet<Vec<u8>> = changes.into_iter().filter(|path| is_meant(path)).collect();
        // With untracked ones all may be replaced by the files of another commit, which the question does not name.
        let all = question.removes || question.others == Others::All;
        for entry in tree.index.entries.iter().filter(|entry| is_meant(&entry.path)) {
            tree.budget.step()?;
            if all || tree.state(entry)? != State::Clean {
                paths.insert(entry.path.clone());
            }
        }
        for path in &paths {
            take(Part::Tracked(&tree.path(path))).map_err(unknown)?;
        }
    }
    let moves = matches!(question.head, Head::Moves(_));
    let own = refs.branch.as_deref();
    if own.is_none() || moves {
        let leaves = |name: &str| moves && own == Some(name) || goes(name, gone);
        let stays = staying(&refs, |name| !leaves(name));
        let stays = stays.chain(target.filter(|_| own.is_none_or(|own| !goes(own, gone))));
        lost::objects(&[head], &stays.collect::<Vec<_>>(), &objects, &mut |oid| object(oid, &objects, take))?;
    }
    if question.head == Head::Goes {
        return Ok(());
    }
    if let (Some(own), true) = (own, moves) {
        take(Part::Name(&tree.found.common.join(own), &hex(&refs.head))).map_err(unknown)?;
    } else if target.is_some() {
        take(Part::File(&tree.found.own.join("HEAD"))).map_err(unknown)?;
    }
    take(Part::Index(&tree.found.own.join("index"))).map_err(unknown)
}

/// Takes all entries of the stash: git renumbers those that are left.
fn stash(
    question: &Question,
    gone: &BTreeSet<String>,
    budget: &Budget,
    take: &mut Take<'_>,
) -> Result<(), Objection> {
    let found = repository(question)?;
    let none = || Objection::unknown("nothing is stashed");
    let top = refs::value(&found.common, "refs/stash").ok_or_else(none)?;
    let log = found.common.join("logs/refs/stash");
    let text = fs::read(&log)?;
    let mut tips = BTreeSet::from([top]);
    for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        budget.step()?;
        let new = line.split(|byte| *byte == b' ').nth(1).and_then(|oid| std::str::from_utf8(oid).ok());
        tips.insert(new.and_then(oid_of).ok_or_else(|| Objection::unknown("the stash cannot be read"))?);
    }
    let refs = Refs::read(&found, budget)?;
    let objects = Objects::open(&found.common, budget)?;
    let stays: Vec<Oid> = staying(&refs, |name| !goes(name, gone)).collect();
    let tips: Vec<Oid> = tips.into_iter().collect();
    lost::objects(&tips, &stays, &objects, &mut |oid| object(oid, &objects, take))?;
    take(Part::File(&log)).map_err(unknown)?;
    take(Part::Name(&found.common.join("refs/stash"), &hex(&top))).map_err(unknown)
}

/// Takes a branch or a tag of this name, or both.
fn name_of(
    name: &str,
    question: &Question,
    gone: &BTreeSet<String>,
    budget: &Budget,
    take: &mut Take<'_>,
) -> Result<(), Objection> {
    let found = repository(question)?;
    let refs = Refs::read(&found, budget)?;
    let objects = Objects::open(&found.common, budget)?;
    let named: Vec<(&String, &Oid)> = refs.named.iter().filter(|(full, _)| is_named(full, name)).collect();
    if named.is_empty() {
        return Err(Objection::unknown("there is no such branch or tag"));
    }
    let tips: Vec<Oid> = named.iter().map(|(_, oid)| **oid).collect();
    let stays: Vec<Oid> = staying(&refs, |other| !is_named(other, name) && !goes(other, gone)).collect();
    lost::objects(&tips, &stays, &objects, &mut |oid| object(oid, &objects, take))?;
    for (full, oid) in named {
        let log = found.common.join("logs").join(full);
        if log.symlink_metadata().is_ok() {
            take(Part::File(&log)).map_err(unknown)?;
        }
        take(Part::Name(&found.common.join(full), &hex(oid))).map_err(unknown)?;
    }
    Ok(())
}

fn repository(question: &Question) -> Result<Found, Objection> {
    let found = discover::find(&question.directory.canonicalize()?)?;
    crate::unknown::check(&found, None)?;
    Ok(found)
}

/// The objects of the names that stay.
fn staying<'r>(refs: &'r Refs, stays: impl Fn(&str) -> bool + 'r) -> impl Iterator<Item = Oid> + 'r {
    refs.named.iter().filter(move |(name, _)| stays(name)).map(|(_, oid)| *oid)
}

fn goes(full: &str, gone: &BTreeSet<String>) -> bool {
    gone.iter().any(|name| is_named(full, name))
}

/// Returns true if a short or a full name means a branch or a tag.
fn is_named(full: &str, name: &str) -> bool {
    full == name || ["refs/heads/", "refs/tags/"].iter().any(|kind| full.strip_prefix(kind) == Some(name))
}

/// Takes an object: its own file, or the content that such a file would have.
fn object(oid: &Oid, objects: &Objects<'_>, take: &mut Take<'_>) -> Result<(), Objection> {
    match objects.place(oid)? {
        Place::Own(path) => take(Part::Object(&path, None)).map_err(unknown),
        Place::Packed(path, content) => take(Part::Object(&path, Some(content))).map_err(unknown),
    }
}

/// Returns the nearest thing above a path that is no directory, below `top`: it has to make room for the path.
pub fn obstacle(path: &Path, top: &Path) -> Option<PathBuf> {
    let below = path.strip_prefix(top).ok()?;
    let mut at = top.to_owned();
    for step in below.parent()?.components() {
        at.push(step);
        match at.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Some(at),
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(_) => return Some(at),
        }
    }
    None
}
