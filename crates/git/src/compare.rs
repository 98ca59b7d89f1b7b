//! Compares the index with a commit, and two commits with each other.

use crate::{
    Objection,
    bytes::Oid,
    index::Index,
    object::{Objects, TreeEntry},
};
use std::collections::BTreeSet;

/// Requires that the index has below a path exactly what a tree has there.
pub(crate) fn same(index: &Index, path: &[u8], root: &Oid, objects: &Objects<'_>) -> Result<(), Objection> {
    let count = match at(path, root, objects)? {
        None => 0,
        Some(entry) if entry.is_tree() => count_same(index, path, &entry.oid, objects)?,
        Some(entry) => count_file(index, path, &entry)?,
    };
    // Further entries of the index have been added to it.
    if count == index.below(path).len() {
        Ok(())
    } else {
        Err(Objection::lost("files that are staged and not committed"))
    }
}

/// The entry of a tree at a path.
fn at(path: &[u8], root: &Oid, objects: &Objects<'_>) -> Result<Option<TreeEntry>, Objection> {
    let mut entry = TreeEntry { mode: 0o040_000, name: Vec::new(), oid: *root };
    for name in path.split(|byte| *byte == b'/').filter(|name| !name.is_empty()) {
        if !entry.is_tree() {
            return Ok(None);
        }
        let Some(next) = objects.tree(&entry.oid)?.into_iter().find(|entry| entry.name == name) else {
            return Ok(None);
        };
        entry = next;
    }
    Ok(Some(entry))
}

/// Returns the number of entries of the index that a tree has; an objection, if it has others.
fn count_same(index: &Index, path: &[u8], tree: &Oid, objects: &Objects<'_>) -> Result<usize, Objection> {
    if index.has_tree(path, tree) {
        return Ok(index.below(path).len());
    }
    let mut count = 0;
    for entry in objects.tree(tree)? {
        let below = join(path, &entry.name);
        count += if entry.is_tree() {
            count_same(index, &below, &entry.oid, objects)?
        } else {
            count_file(index, &below, &entry)?
        };
    }
    Ok(count)
}

fn count_file(index: &Index, path: &[u8], committed: &TreeEntry) -> Result<usize, Objection> {
    match index.below(path) {
        [known] if known.path == path && known.mode == committed.mode && known.oid == committed.oid => Ok(1),
        _ => Err(Objection::lost(format!("staged changes of {}", String::from_utf8_lossy(path)))),
    }
}

/// The paths that one tree has and another one has not.
pub(crate) fn added(
    path: &[u8],
    old: Option<&Oid>,
    new: &Oid,
    objects: &Objects<'_>,
    found: &mut dyn FnMut(&[u8]) -> Result<(), Objection>,
) -> Result<(), Objection> {
    if old == Some(new) {
        return Ok(());
    }
    let known = old.map(|old| objects.tree(old)).transpose()?.unwrap_or_default();
    for entry in objects.tree(new)? {
        let before = known.iter().find(|known| known.name == entry.name);
        let below = join(path, &entry.name);
        match before {
            Some(before) if entry.is_tree() => {
                let old = before.is_tree().then_some(&before.oid);
                added(&below, old, &entry.oid, objects, found)?;
            }
            None if entry.is_tree() => added(&below, None, &entry.oid, objects, found)?,
            // A directory becomes a file: everything else in it is lost.
            Some(before) if before.is_tree() => found(&below)?,
            Some(_) => {}
            None => found(&below)?,
        }
    }
    Ok(())
}

/// The paths that differ between the index and a tree, or that only one of them has.
pub(crate) fn differing(
    index: &Index,
    tree: &Oid,
    objects: &Objects<'_>,
) -> Result<BTreeSet<Vec<u8>>, Objection> {
    let mut found = BTreeSet::new();
    differing_below(index, b"", tree, objects, &mut found)?;
    Ok(found)
}

fn differing_below(
    index: &Index,
    path: &[u8],
    tree: &Oid,
    objects: &Objects<'_>,
    found: &mut BTreeSet<Vec<u8>>,
) -> Result<(), Objection> {
    if index.has_tree(path, tree) {
        return Ok(());
    }
    let mut names: BTreeSet<Vec<u8>> = BTreeSet::new();
    for entry in objects.tree(tree)? {
        let below = join(path, &entry.name);
        match index.below(&below) {
            [known] if known.path == below && (known.mode, known.oid) == (entry.mode, entry.oid) => {}
            staged if entry.is_tree() && staged.iter().all(|known| known.path != below) => {
                differing_below(index, &below, &entry.oid, objects, found)?;
            }
            staged => {
                found.extend(staged.iter().map(|known| known.path.clone()));
                if entry.is_tree() {
                    differing_below(index, &below, &entry.oid, objects, found)?;
                } else {
                    found.insert(below.clone());
                }
            }
        }
        names.insert(entry.name);
    }
    let start = if path.is_empty() { 0 } else { path.len() + 1 };
    for entry in index.below(path) {
        objects.budget.step()?;
        let rest = entry.path.get(start..).unwrap_or_default();
        let first = rest.split(|byte| *byte == b'/').next().unwrap_or_default();
        if !names.contains(first) {
            found.insert(entry.path.clone());
        }
    }
    Ok(())
}

/// A path and a name below it.
pub(crate) fn join(path: &[u8], name: &[u8]) -> Vec<u8> {
    if path.is_empty() { name.to_vec() } else { [path, b"/", name].concat() }
}
