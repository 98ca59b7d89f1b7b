//! Open confirmations: one of our commands shows a word at a terminal and waits until the user types it.
//!
//! Until then, a program that reads the terminal could read the word. So the command creates a marker that the guard can
//! see, `<state>/confirming-<pid>`, and holds a lock on it. The system releases the lock however the command ends: a marker
//! without a lock is stale and ignored.

use super::secure_fs;
use rustix::fs::{FlockOperation, flock};
use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
};

/// Prefix of the names of markers.
const MARKER: &str = "confirming-";

/// Returns the path of the marker of the process `id`.
fn marker(state: &Path, id: u32) -> PathBuf {
    state.join(format!("{MARKER}{id}"))
}

/// An open confirmation of this process, until it is dropped.
#[derive(Debug)]
pub struct Confirming {
    marker: PathBuf,
    _lock: File,
}

impl Confirming {
    /// Marks a confirmation as open.
    ///
    /// # Errors
    ///
    /// If the marker cannot be created. Nothing may be asked then, since the guard would not know.
    pub fn open(state: &Path) -> io::Result<Self> {
        secure_fs::directory(state)?;
        let marker = marker(state, std::process::id());
        match fs::remove_file(&marker) {
            // Left by a process that had our id and was killed.
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let lock = secure_fs::create_new(&marker)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { marker, _lock: lock })
    }
}

impl Drop for Confirming {
    fn drop(&mut self) {
        // If it stays, it has no lock and is ignored.
        let _ = fs::remove_file(&self.marker);
    }
}

/// Returns true if any of our commands waits for a word right now.
pub fn is_confirming(state: &Path) -> bool {
    let Ok(entries) = fs::read_dir(state) else { return false };
    let names = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(MARKER));
    names.into_iter().any(|entry| is_held(&entry.path()))
}

fn is_held(marker: &Path) -> bool {
    // Opening a pipe would block, and a link could lead anywhere.
    if !marker.symlink_metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let Ok(file) = File::open(marker) else { return false };
    flock(&file, FlockOperation::NonBlockingLockShared) == Err(rustix::io::Errno::WOULDBLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confirmation_is_open_until_it_is_over() {
        let directory = tempfile::tempdir().unwrap();
        let state = directory.path().join("state");
        assert!(!is_confirming(&state));
        let open = Confirming::open(&state).unwrap();
        assert!(is_confirming(&state));
        drop(open);
        assert!(!is_confirming(&state));
        assert_eq!(fs::read_dir(&state).unwrap().count(), 0);
    }

    #[test]
    fn markers_of_killed_processes_are_ignored() {
        let directory = tempfile::tempdir().unwrap();
        for id in [1, std::process::id()] {
            fs::write(marker(directory.path(), id), "").unwrap();
        }
        assert!(!is_confirming(directory.path()));
        let open = Confirming::open(directory.path()).unwrap();
        assert!(is_confirming(directory.path()));
        drop(open);
        assert!(!is_confirming(directory.path()));
    }
}
