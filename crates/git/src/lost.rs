//! Finds the objects that nothing names any more once some names are gone.
//!
//! Both sides are walked from the youngest commit to the oldest, so that the walk ends where they meet. Wrong clocks make the list
//! longer, never shorter: a commit is left out only if a name that stays was seen to reach it.

use crate::{
    Objection,
    bytes::Oid,
    object::{Kind, Objects, TreeEntry, commit_of, tag_of},
};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// The mode of an entry of a tree for a commit of another repository.
const SUBMODULE: u32 = 0o160_000;

/// A commit of the walk.
struct Node {
    tree: Oid,
    parents: Vec<Oid>,
    time: i64,
    stays: bool,
}

/// Calls `found` for every object that `tips` reach and `stays` do not.
pub(crate) fn objects(
    tips: &[Oid],
    stays: &[Oid],
    objects: &Objects<'_>,
    found: &mut dyn FnMut(&Oid) -> Result<(), Objection>,
) -> Result<(), Objection> {
    let mut walk = Walk { objects, nodes: BTreeMap::new(), queue: BinaryHeap::new() };
    for tip in tips {
        walk.start(tip, false, found)?;
    }
    for name in stays {
        walk.start(name, true, found)?;
    }
    walk.run()?;
    let mut copied = BTreeSet::new();
    for (oid, node) in walk.nodes.iter().filter(|(_, node)| !node.stays) {
        found(oid)?;
        let parents = node.parents.iter().filter_map(|parent| walk.nodes.get(parent));
        let bases: Vec<Oid> = parents.map(|parent| parent.tree).collect();
        tree(&node.tree, &bases, objects, &mut copied, found)?;
    }
    Ok(())
}

struct Walk<'w, 'o> {
    objects: &'w Objects<'o>,
    nodes: BTreeMap<Oid, Node>,
    queue: BinaryHeap<(i64, Oid)>,
}

impl Walk<'_, '_> {
    /// Begins at the object of a name: a commit, or a tag of one.
    fn start(
        &mut self,
        oid: &Oid,
        stays: bool,
        found: &mut dyn FnMut(&Oid) -> Result<(), Objection>,
    ) -> Result<(), Objection> {
        /// The maximum length of a chain of tags.
        const TAGS: usize = 5;
        let mut oid = *oid;
        for _ in 0..TAGS {
            if self.nodes.contains_key(&oid) {
                return self.reach(&oid, stays);
            }
            let (kind, bytes) = self.objects.read(&oid)?;
            match kind {
                Kind::Commit => return self.reach(&oid, stays),
                Kind::Tag => {
                    if !stays {
                        found(&oid)?;
                    }
                    oid = tag_of(&bytes)?;
                }
                // A tag of a file or a directory: rare, and only asked about if it goes.
                Kind::Tree | Kind::Blob if stays => return Ok(()),
                Kind::Tree | Kind::Blob => break,
            }
        }
        Err(Objection::unknown("a name of git means no commit"))
    }

    fn reach(&mut self, oid: &Oid, stays: bool) -> Result<(), Objection> {
        if let Some(node) = self.nodes.get_mut(oid) {
            // An object that was reached from a removed name may later be reached from one that stays.
            if stays && !node.stays {
                node.stays = true;
                let time = node.time;
                self.queue.push((time, *oid));
            }
            return Ok(());
        }
        let (Kind::Commit, bytes) = self.objects.read(oid)? else {
            return Err(Objection::unknown("a name of git means no commit"));
        };
        let commit = commit_of(&bytes)?;
        self.queue.push((commit.time, *oid));
        let node = Node { tree: commit.tree, parents: commit.parents, time: commit.time, stays };
        self.nodes.insert(*oid, node);
        Ok(())
    }

    fn run(&mut self) -> Result<(), Objection> {
        let mut done: BTreeSet<(Oid, bool)> = BTreeSet::new();
        while let Some((_, oid)) = self.queue.pop() {
            self.objects.budget.step()?;
            let Some(node) = self.nodes.get(&oid) else { continue };
            let (stays, parents) = (node.stays, node.parents.clone());
            if !done.insert((oid, stays)) {
                continue;
            }
            for parent in parents {
                self.reach(&parent, stays)?;
            }
            // Only commits that stay are left: what they reach stays as well.
            let is_open = |(_, oid): &(i64, Oid)| self.nodes.get(oid).is_some_and(|node| !node.stays);
            if !self.queue.iter().any(is_open) {
                break;
            }
        }
        Ok(())
    }
}

/// Calls `found` for a tree and what is in it, except for what is at the same place in one of the bases: that stays, or is copied for
/// the commit before.
fn tree(
    oid: &Oid,
    bases: &[Oid],
    objects: &Objects<'_>,
    copied: &mut BTreeSet<Oid>,
    found: &mut dyn FnMut(&Oid) -> Result<(), Objection>,
) -> Result<(), Objection> {
    if bases.contains(oid) || !copied.insert(*oid) {
        return Ok(());
    }
    found(oid)?;
    let bases = bases.iter().map(|base| objects.tree(base)).collect::<Result<Vec<_>, _>>()?;
    for entry in objects.tree(oid)? {
        let same = |tree: &Vec<TreeEntry>| tree.iter().find(|known| known.name == entry.name).cloned();
        let before: Vec<TreeEntry> = bases.iter().filter_map(same).collect();
        if entry.mode == SUBMODULE || before.iter().any(|known| known.oid == entry.oid) {
            continue;
        }
        if entry.is_tree() {
            let trees = before.iter().filter(|known| known.is_tree()).map(|known| known.oid);
            tree(&entry.oid, &trees.collect::<Vec<_>>(), objects, copied, found)?;
        } else if copied.insert(entry.oid) {
            found(&entry.oid)?;
        }
    }
    Ok(())
}
