//! Closed segments: their names, how the current one becomes one, and how old ones go.

use crate::{
    Seal, Store,
    files::CLOSED,
    line::{SEAL, START},
};
use checkrein_core::SmallSort as _;
use std::{
    fs::{self, File},
    io,
    os::{fd::BorrowedFd, unix::fs::FileExt},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The name of the segment that is appended to.
pub(crate) const CURRENT: &str = "current.jsonl";
/// The name of the list of heads.
pub(crate) const HEADS: &str = "heads.jsonl";

/// Returns the closed segments, the oldest first, with their numbers.
pub(crate) fn closed(directory: &Path) -> Vec<(u64, PathBuf)> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<(u64, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let number = name.to_str()?.strip_prefix("segment-")?.strip_suffix(".jsonl")?;
            Some((number.parse().ok()?, entry.path()))
        })
        .collect();
    found.small_sort();
    found
}

/// Returns the seal of the last whole line of a file, and where that line ends.
pub(crate) fn last_seal(file: &impl FileExt, size: u64) -> io::Result<Option<(Seal, u64)>> {
    // Usually the file ends with a whole line.
    let length = size.min(SEAL as u64);
    let mut end = [0; SEAL];
    let end = end.get_mut(..usize::try_from(length).unwrap_or_default()).unwrap_or_default();
    file.read_exact_at(end, size - length)?;
    if let Some(seal) = end.strip_suffix(b"\n").and_then(Seal::of_end) {
        return Ok(Some((seal, size)));
    }
    let mut all = vec![0; usize::try_from(size).unwrap_or_default()];
    file.read_exact_at(&mut all, 0)?;
    let mut text = all.as_slice();
    while let Some(at) = text.iter().rposition(|byte| *byte == b'\n') {
        text = text.get(..at).unwrap_or_default();
        if let Some(seal) = Seal::of_end(text) {
            return Ok(Some((seal, at as u64 + 1)));
        }
    }
    Ok(None)
}

/// One line of the list of heads: the state of the chain at the end of a segment. It has what a signature needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) segment: String,
    pub(crate) n: u64,
    pub(crate) hash: String,
    /// True if the segment was removed for its age or for the total size.
    pub(crate) removed: bool,
}

/// Reads the list of heads. A line that cannot be read is left out.
pub(crate) fn heads(directory: &Path) -> Vec<Head> {
    let text = fs::read_to_string(directory.join(HEADS)).unwrap_or_default();
    let head = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(Head {
            segment: value.get("segment")?.as_str()?.to_owned(),
            n: value.get("n")?.as_u64()?,
            hash: value.get("hash")?.as_str()?.to_owned(),
            removed: value.get("removed")?.as_bool()?,
        })
    };
    text.lines().filter_map(head).collect()
}

impl Store {
    /// Returns the seal that the first line of a new segment continues.
    pub(crate) fn inherited(&self) -> io::Result<Seal> {
        for (_, path) in closed(&self.directory).iter().rev() {
            let file = File::open(path)?;
            if let Some((seal, _)) = last_seal(&file, file.metadata()?.len())? {
                return Ok(seal);
            }
        }
        // Everything may have been removed for its age.
        let last = heads(&self.directory).into_iter().max_by_key(|head| head.n);
        Ok(last.map_or(Seal::BEGINNING, |head| {
            let hash = head.hash.as_bytes().try_into().unwrap_or(START);
            Seal { n: head.n, prev: START, hash }
        }))
    }

    /// Closes the current segment, whose lock is held, and removes old ones.
    pub(crate) fn close_current(&self, current: BorrowedFd<'_>, last: Option<Seal>) -> io::Result<()> {
        // First the mode: a process that waits for this lock sees that it is too late.
        self.disk.set_mode(current, CLOSED)?;
        let number = closed(&self.directory).last().map_or(1, |(number, _)| number + 1);
        let name = format!("segment-{number:08}.jsonl");
        self.disk.rename(&self.current(), &self.directory.join(&name))?;
        // What follows is housekeeping: if it does not happen now, it happens at the next change of segments.
        if let Some(seal) = last {
            let _ = self.add_head(&name, seal, false);
        }
        let _ = self.remove_old();
        self.sweep_pending();
        self.forget_denied();
        Ok(())
    }

    fn add_head(&self, segment: &str, seal: Seal, removed: bool) -> io::Result<()> {
        let hash = String::from_utf8_lossy(&seal.hash).into_owned();
        let head = serde_json::json!({"segment": segment, "n": seal.n, "hash": hash, "removed": removed});
        let file = self.disk.open(&self.directory.join(HEADS))?;
        self.disk.write_all(std::os::fd::AsFd::as_fd(&file), format!("{head}\n").as_bytes())
    }

    /// Removes segments that are too old, and the oldest while all together are too long.
    pub(crate) fn remove_old(&self) -> io::Result<()> {
        let segments = closed(&self.directory);
        let sizes: Vec<u64> =
            segments.iter().map(|(_, path)| path.metadata().map_or(0, |metadata| metadata.len())).collect();
        let mut whole: u64 = sizes.iter().sum::<u64>() + self.retention.segment;
        for ((_, path), size) in segments.iter().zip(sizes) {
            let modified = path.metadata()?.modified()?;
            let age = SystemTime::now().duration_since(modified).unwrap_or_default();
            if whole <= self.retention.bytes && age <= self.retention.age {
                break;
            }
            let file = File::open(path)?;
            // First the head: the chain must not seem to begin in the middle.
            if let Some((seal, _)) = last_seal(&file, size)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                self.add_head(&name, seal, true)?;
            }
            self.disk.remove(path)?;
            whole = whole.saturating_sub(size);
        }
        Ok(())
    }
}
