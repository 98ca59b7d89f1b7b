//! Objects of git: each in a file of its own, or many in a pack.

use crate::{
    Objection,
    budget::Budget,
    bytes::{Cursor, Oid, broken, hex, oid_of},
    pack::Packs,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The longest object that is read: trees and commits are short.
pub(crate) const LONGEST: usize = 4 * 1024 * 1024;

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// The objects of a repository.
pub(crate) struct Objects<'a> {
    directory: PathBuf,
    packs: Packs,
    pub(crate) budget: &'a Budget,
}

/// The place of an object.
pub(crate) enum Place {
    /// It has a file of its own.
    Own(PathBuf),
    /// It is in a pack: the file that it would have of its own, and the content of that.
    Packed(PathBuf, Vec<u8>),
}

/// A commit, as far as it counts here.
pub(crate) struct Commit {
    pub(crate) tree: Oid,
    pub(crate) parents: Vec<Oid>,
    /// When it was made, in seconds.
    pub(crate) time: i64,
}

/// An entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    pub(crate) mode: u32,
    pub(crate) name: Vec<u8>,
    pub(crate) oid: Oid,
}

impl TreeEntry {
    pub(crate) const fn is_tree(&self) -> bool {
        self.mode == 0o040_000
    }
}

impl<'a> Objects<'a> {
    pub(crate) fn open(common: &Path, budget: &'a Budget) -> Result<Self, Objection> {
        let directory = common.join("objects");
        let packs = Packs::open(&directory.join("pack"))?;
        Ok(Self { directory, packs, budget })
    }

    /// The kind and the content of an object.
    pub(crate) fn read(&self, oid: &Oid) -> Result<(Kind, Vec<u8>), Objection> {
        self.budget.step()?;
        match self.loose(oid)? {
            Some(found) => Ok(found),
            None => self.packs.read(oid)?.ok_or_else(|| Objection::unknown("an object of git is missing")),
        }
    }

    /// Returns the place of an object, with what its own file has or would have.
    pub(crate) fn place(&self, oid: &Oid) -> Result<Place, Objection> {
        self.budget.step()?;
        let path = self.own_file(oid)?;
        if path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Ok(Place::Own(path));
        }
        let missing = || Objection::unknown("an object of git is missing");
        let (kind, content) = self.packs.read(oid)?.ok_or_else(missing)?;
        Ok(Place::Packed(path, deflated(&own_content(kind, &content))))
    }

    fn own_file(&self, oid: &Oid) -> Result<PathBuf, Objection> {
        let name = hex(oid);
        let (directory, file) = name.split_at_checked(2).ok_or_else(broken)?;
        Ok(self.directory.join(directory).join(file))
    }

    fn loose(&self, oid: &Oid) -> Result<Option<(Kind, Vec<u8>)>, Objection> {
        let path = self.own_file(oid)?;
        let Ok(metadata) = path.symlink_metadata() else { return Ok(None) };
        if !metadata.is_file() || metadata.len() > LONGEST as u64 {
            return Err(broken());
        }
        let bytes = inflate(&fs::read(path)?)?;
        let mut cursor = Cursor::new(&bytes);
        let header = cursor.until(0)?;
        let kind = match header.split(|byte| *byte == b' ').next() {
            Some(b"commit") => Kind::Commit,
            Some(b"tree") => Kind::Tree,
            Some(b"blob") => Kind::Blob,
            Some(b"tag") => Kind::Tag,
            _ => return Err(broken()),
        };
        let length = cursor.len();
        Ok(Some((kind, cursor.take(length)?.to_vec())))
    }

    /// The commit of a name, through tags.
    pub(crate) fn commit(&self, oid: &Oid) -> Result<(Oid, Commit), Objection> {
        /// The maximum length of a chain of tags.
        const TAGS: usize = 5;
        let mut oid = *oid;
        for _ in 0..TAGS {
            let (kind, bytes) = self.read(&oid)?;
            match kind {
                Kind::Commit => return Ok((oid, commit_of(&bytes)?)),
                Kind::Tag => oid = tag_of(&bytes)?,
                Kind::Tree | Kind::Blob => break,
            }
        }
        Err(Objection::unknown("a name of git means no commit"))
    }

    /// The entries of a tree.
    pub(crate) fn tree(&self, oid: &Oid) -> Result<Vec<TreeEntry>, Objection> {
        let (Kind::Tree, bytes) = self.read(oid)? else { return Err(broken()) };
        let mut cursor = Cursor::new(&bytes);
        let mut entries = Vec::new();
        while cursor.len() > 0 {
            self.budget.step()?;
            let mode = std::str::from_utf8(cursor.until(b' ')?).map_err(|_| broken())?;
            let mode = u32::from_str_radix(mode, 8).map_err(|_| broken())?;
            let name = cursor.until(0)?.to_vec();
            entries.push(TreeEntry { mode, name, oid: cursor.oid()? });
        }
        Ok(entries)
    }
}

/// The values of a header of a commit or a tag.
fn header<'a>(bytes: &'a [u8], name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = bytes.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
    let lines = lines.filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter_map(move |line| line.strip_prefix(name)?.strip_prefix(' '))
}

/// The object that a tag names.
pub(crate) fn tag_of(bytes: &[u8]) -> Result<Oid, Objection> {
    header(bytes, "object").next().and_then(oid_of).ok_or_else(broken)
}

/// The parts of a commit.
pub(crate) fn commit_of(bytes: &[u8]) -> Result<Commit, Objection> {
    let tree = header(bytes, "tree").next().and_then(oid_of).ok_or_else(broken)?;
    let parents = header(bytes, "parent").map(oid_of).collect::<Option<_>>().ok_or_else(broken)?;
    let time = header(bytes, "committer").next().and_then(|line| line.rsplit(' ').nth(1)?.parse().ok());
    Ok(Commit { tree, parents, time: time.unwrap_or(i64::MAX) })
}

/// The content of an object's own file before it is compressed.
fn own_content(kind: Kind, content: &[u8]) -> Vec<u8> {
    let word = match kind {
        Kind::Commit => "commit",
        Kind::Tree => "tree",
        Kind::Blob => "blob",
        Kind::Tag => "tag",
    };
    [format!("{word} {}\0", content.len()).as_bytes(), content].concat()
}

/// Puts bytes into the format of compressed ones, without making them shorter: they are kept for some days only.
fn deflated(bytes: &[u8]) -> Vec<u8> {
    /// The maximum length of a piece that is stored unchanged.
    const PIECE: usize = u16::MAX as usize;
    let mut out = vec![0x78, 0x01];
    let mut pieces = bytes.chunks(PIECE).peekable();
    while let Some(piece) = pieces.next() {
        let length = u16::try_from(piece.len()).unwrap_or(u16::MAX);
        out.push(u8::from(pieces.peek().is_none()));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(piece);
    }
    let (mut low, mut high) = (1_u32, 0_u32);
    for byte in bytes {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    out.extend((high << 16 | low).to_be_bytes());
    out
}

/// Opens what is compressed, within bounds.
pub(crate) fn inflate(bytes: &[u8]) -> Result<Vec<u8>, Objection> {
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(bytes, LONGEST).map_err(|_| broken())
}
