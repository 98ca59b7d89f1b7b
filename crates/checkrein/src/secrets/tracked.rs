//! The files that git tracks, read from the index of the repository.
//!
//! The index is read here and not through `git`: a repository's own settings can make `git` start programs, and this is asked about
//! files that an agent is working on.

use std::{
    collections::HashSet,
    fs,
    path::{Component, Path, PathBuf},
};

/// The largest index that is read.
const MOST: u64 = 256 * 1024 * 1024;

/// The tracked files of the repositories that were asked about.
#[derive(Debug, Default)]
pub(crate) struct Tracked {
    indexes: Vec<(PathBuf, Option<HashSet<Vec<u8>>>)>,
}

impl Tracked {
    /// Returns true if git tracks a file. A repository whose index cannot be read tracks nothing.
    pub(crate) fn has(&mut self, path: &Path) -> bool {
        let path = plain(path);
        let Some(root) = path.ancestors().skip(1).find(|above| above.join(".git").symlink_metadata().is_ok())
        else {
            return false;
        };
        let Some(name) =
            path.strip_prefix(root).ok().and_then(Path::to_str).map(|name| name.as_bytes().to_vec())
        else {
            return false;
        };
        if !self.indexes.iter().any(|(known, _)| known == root) {
            let names =
                directory(root).and_then(|git| bytes(&git.join("index"))).and_then(|index| names(&index));
            self.indexes.push((root.to_owned(), names));
        }
        let known = self.indexes.iter().find(|(known, _)| known == root);
        known.and_then(|(_, names)| names.as_ref()).is_some_and(|names| names.contains(&name))
    }
}

/// A path without `.` and `..`, and with links in its directories followed where they exist.
fn plain(path: &Path) -> PathBuf {
    let real = |path: &Path| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    real(path).unwrap_or_else(|| {
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(plain.pop()),
                part => plain.push(part),
            }
        }
        plain
    })
}

/// The directory of a repository's own files. In a worktree, `.git` is a file that names it.
fn directory(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    Some(root.join(text.strip_prefix("gitdir:")?.trim()))
}

fn bytes(path: &Path) -> Option<Vec<u8>> {
    let is_small = path.metadata().ok()?.len() <= MOST;
    if is_small { fs::read(path).ok() } else { None }
}

/// The names in an index of version 2, 3 or 4.
fn names(index: &[u8]) -> Option<HashSet<Vec<u8>>> {
    let number = |at: usize| index.get(at..at + 4)?.first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    if index.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    // Names of the index have no bound but its length.
    let mut names = HashSet::with_capacity(count.min(1 << 20) as usize);
    let (mut at, mut previous) = (12, Vec::new());
    // Forty bytes of times, numbers and modes, and then the digest: SHA-1, as almost everywhere.
    const DIGEST: usize = 20;
    for _ in 0..count {
        let flags_at = at + 40 + DIGEST;
        let flags =
            index.get(flags_at..flags_at + 2)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))?;
        let name_at = flags_at + if version >= 3 && flags & 0x4000 != 0 { 4 } else { 2 };
        if version == 4 {
            // The name is what it shares with the one before, and the rest.
            let (dropped, used) = variable(index.get(name_at..)?)?;
            let rest = index.get(name_at + used..)?;
            let end = rest.iter().position(|byte| *byte == 0)?;
            previous.truncate(previous.len().checked_sub(dropped)?);
            previous.extend_from_slice(rest.get(..end)?);
            at = name_at + used + end + 1;
            names.insert(previous.clone());
        } else {
            let rest = index.get(name_at..)?;
            let end = rest.iter().position(|byte| *byte == 0)?;
            names.insert(rest.get(..end)?.to_vec());
            // An entry is filled up to a multiple of eight, with at least one zero.
            at += (name_at - at + end) / 8 * 8 + 8;
        }
    }
    Some(names)
}

/// A number of variable length, as in packs, and how many bytes it has.
fn variable(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().take(8).enumerate() {
        value = (value << 7) | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, at + 1));
        }
        value += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn git(directory: &Path, arguments: &[&str]) {
        let status = Command::new("git").args(arguments).current_dir(directory).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }

    #[test]
    fn the_index_says_what_is_tracked() {
        for version in ["2", "4"] {
            let directory = tempfile::tempdir().unwrap();
            git(directory.path(), &["init", "-q"]);
            let all = ["a", "src/main.rs", "src/main.rst", "src/deep/er/x.txt", "z é.txt"];
            for name in all.iter().chain(&["other"]) {
                let path = directory.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, name).unwrap();
            }
            git(directory.path(), &["add", "--", "a", "src", "z é.txt"]);
            git(directory.path(), &["update-index", "--index-version", version]);
            let mut tracked = Tracked::default();
            for name in all {
                assert!(tracked.has(&directory.path().join(name)), "version {version}: {name}");
            }
            for name in ["other", "src", "src/main", "none", "../a"] {
                assert!(!tracked.has(&directory.path().join(name)), "version {version}: {name}");
            }
            assert!(tracked.has(&directory.path().join("src/../src/./main.rs")));
        }
    }

    #[test]
    fn a_broken_index_tracks_nothing() {
        for text in [&b""[..], b"DIRC", b"DIRC\0\0\0\x02\0\0\0\xff", b"DIRC\0\0\0\x09\0\0\0\x01"] {
            assert_eq!(names(text), None);
        }
    }
}
