//! The index: which files git tracks, and what the disk said of them when git last looked.

use crate::{
    Objection,
    budget::Budget,
    bytes::{Cursor, OID, Oid, broken},
    compare::join,
};
use std::{collections::BTreeMap, fs, os::unix::fs::MetadataExt, path::Path};

/// The longest index that is read.
const LONGEST: u64 = 16 * 1024 * 1024;
/// The maximum depth of directories.
const DEEPEST: usize = 128;

/// An entry of the index for one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    pub(crate) mode: u32,
    pub(crate) oid: Oid,
    pub(crate) stat: Stat,
    /// Not zero: a merge has not decided on it.
    pub(crate) stage: u8,
    /// Git is told not to look at the file, or has only been told of it.
    pub(crate) is_hidden: bool,
}

/// The state of a file on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stat {
    ctime: (u32, u32),
    mtime: (u32, u32),
    inode: u32,
    uid: u32,
    gid: u32,
    size: u32,
}

impl Stat {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "git keeps the low 32 bits")]
    fn of(metadata: &fs::Metadata) -> Self {
        Self {
            ctime: (metadata.ctime() as u32, metadata.ctime_nsec() as u32),
            mtime: (metadata.mtime() as u32, metadata.mtime_nsec() as u32),
            inode: metadata.ino() as u32,
            uid: metadata.uid(),
            gid: metadata.gid(),
            size: metadata.len() as u32,
        }
    }
}

/// All of it.
#[derive(Default)]
pub(crate) struct Index {
    /// Sorted by path.
    pub(crate) entries: Vec<Entry>,
    /// The trees of directories in which nothing was staged since git last wrote them.
    trees: BTreeMap<Vec<u8>, Oid>,
    /// The second in which it was written.
    written: i64,
}

impl Index {
    /// Reads the index of a work tree.
    pub(crate) fn read(path: &Path, budget: &Budget) -> Result<Self, Objection> {
        let metadata = path.symlink_metadata()?;
        if !metadata.is_file() || metadata.len() > LONGEST {
            return Err(Objection::unknown("the index is too long"));
        }
        let bytes = fs::read(path)?;
        let mut cursor = Cursor::new(&bytes);
        if cursor.take(4)? != b"DIRC" {
            return Err(broken());
        }
        let version = cursor.u32()?;
        if !(2..=4).contains(&version) {
            return Err(Objection::unknown("the index has a newer format"));
        }
        let count = usize::try_from(cursor.u32()?).map_err(|_| broken())?;
        budget.allows(count)?;
        let mut entries: Vec<Entry> = Vec::with_capacity(count);
        for _ in 0..count {
            budget.step()?;
            let before = entries.last().map(|entry| entry.path.as_slice()).unwrap_or_default();
            let entry = entry(&mut cursor, version, before)?;
            entries.push(entry);
        }
        let trees = extensions(&mut cursor)?;
        Ok(Self { entries, trees, written: metadata.mtime() })
    }

    /// Returns true if a directory of the index is known to be this tree.
    pub(crate) fn has_tree(&self, path: &[u8], tree: &Oid) -> bool {
        self.trees.get(path) == Some(tree)
    }

    /// The entries of a path and of everything below it.
    pub(crate) fn below(&self, path: &[u8]) -> &[Entry] {
        if path.is_empty() {
            return &self.entries;
        }
        let is_inside = |entry: &Entry| inside(&entry.path, path);
        // Paths with this prefix are adjacent; `a.b` is between `a` and `a/b`.
        let from = self.entries.partition_point(|entry| entry.path.as_slice() < path);
        let rest = self.entries.get(from..).unwrap_or_default();
        let length = rest.partition_point(|entry| entry.path.starts_with(path));
        let near = rest.get(..length).unwrap_or_default();
        let start = near.iter().position(is_inside).unwrap_or(near.len());
        let end = near.iter().rposition(is_inside).map_or(start, |last| last + 1);
        near.get(start..end).unwrap_or_default()
    }

    /// Compares a file with the index, by its state on disk.
    pub(crate) fn is_clean(&self, entry: &Entry, metadata: &fs::Metadata) -> Cleanliness {
        let kind = match entry.mode >> 12 {
            0o10 => metadata.is_file() && (entry.mode & 0o100 != 0) == (metadata.mode() & 0o100 != 0),
            0o12 => metadata.file_type().is_symlink(),
            _ => false,
        };
        if !kind || Stat::of(metadata) != entry.stat {
            return Cleanliness::Changed;
        }
        // Written in the same second: it may have changed after git looked.
        if metadata.mtime() >= self.written { Cleanliness::Racy } else { Cleanliness::Clean }
    }
}

/// The result of comparing a file with the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cleanliness {
    Clean,
    Changed,
    Racy,
}

/// Returns true if a path is another one or is below it.
pub(crate) fn inside(path: &[u8], above: &[u8]) -> bool {
    above.is_empty()
        || path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.first() == Some(&b'/'))
}

fn entry(cursor: &mut Cursor<'_>, version: u32, before: &[u8]) -> Result<Entry, Objection> {
    let start = cursor.len();
    let ctime = (cursor.u32()?, cursor.u32()?);
    let mtime = (cursor.u32()?, cursor.u32()?);
    let _device = cursor.u32()?;
    let inode = cursor.u32()?;
    let mode = cursor.u32()?;
    let (uid, gid, size) = (cursor.u32()?, cursor.u32()?, cursor.u32()?);
    let oid = cursor.oid()?;
    let flags = cursor.u16()?;
    let further = if flags & 0x4000 != 0 { cursor.u16()? } else { 0 };
    let path = if version == 4 {
        let removed = usize::try_from(cursor.offset()?).map_err(|_| broken())?;
        let kept =
            before.len().checked_sub(removed).and_then(|kept| before.get(..kept)).ok_or_else(broken)?;
        let added = cursor.until(0)?;
        [kept, added].concat()
    } else {
        let path = cursor.until(0)?.to_vec();
        // Padded to a multiple of eight bytes; one byte of the padding has been read already.
        let taken = start.checked_sub(cursor.len()).ok_or_else(broken)?;
        cursor.take((8 - taken % 8) % 8)?;
        path
    };
    let stage = u8::try_from(flags >> 12 & 3).map_err(|_| broken())?;
    // `assume-unchanged`; `skip-worktree` and `intent-to-add`.
    let is_hidden = flags & 0x8000 != 0 || further & 0x6000 != 0;
    let stat = Stat { ctime, mtime, inode, uid, gid, size };
    Ok(Entry { path, mode, oid, stat, stage, is_hidden })
}

/// Reads the extensions after the entries: those with upper-case names are only caches; others change what the
/// entries mean. Returns the trees that one of the caches knows.
fn extensions(cursor: &mut Cursor<'_>) -> Result<BTreeMap<Vec<u8>, Oid>, Objection> {
    let mut known = BTreeMap::new();
    while cursor.len() > OID {
        let name = cursor.take(4)?;
        let length = usize::try_from(cursor.u32()?).map_err(|_| broken())?;
        let content = cursor.take(length)?;
        if !name.first().is_some_and(u8::is_ascii_uppercase) {
            return Err(Objection::unknown("the index is split or sparse"));
        }
        if name == b"TREE" {
            let mut content = Cursor::new(content);
            while content.len() > 0 {
                trees(&mut content, b"", &mut known, DEEPEST)?;
            }
        }
    }
    Ok(known)
}

/// One directory of the cache of trees, and those in it. A count below zero says that something was staged in it.
fn trees(
    cursor: &mut Cursor<'_>,
    above: &[u8],
    known: &mut BTreeMap<Vec<u8>, Oid>,
    depth: usize,
) -> Result<(), Objection> {
    let path = join(above, cursor.until(0)?);
    let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok().and_then(|text| text.parse::<i64>().ok());
    let entries = number(cursor.until(b' ')?).ok_or_else(broken)?;
    let inner = number(cursor.until(b'\n')?).filter(|inner| *inner >= 0 && depth > 0).ok_or_else(broken)?;
    if entries >= 0 {
        known.insert(path.clone(), cursor.oid()?);
    }
    for _ in 0..inner {
        trees(cursor, &path, known, depth - 1)?;
    }
    Ok(())
}
