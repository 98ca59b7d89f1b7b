//! A confirmation that is open: a command of ours shows a word at a terminal and waits for it.
//!
//! As long as it waits, whoever reads that terminal could read the word. So the command leaves a marker that the guard can
//! see, `<state>/confirming-<pid>`, and holds a lock on it. The system takes the lock back however the command ends: a marker
//! without a lock is stale and counts for nothing.

use crate::private;
use rustix::fs::{FlockOperation, flock};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// How the names of markers start.
const MARKER: &str = "confirming-";

/// The marker of the process `id`, in the directory of our state.
fn marker(state: &Path, id: u32) -> PathBuf {
    state.join(format!("{MARKER}{id}"))
}

/// An open confirmation of this process. It is over when this is dropped.
#[derive(Debug)]
pub struct Confirming {
    marker: PathBuf,
    _lock: File,
}

impl Confirming {
    /// Says that a confirmation is open.
    ///
    /// # Errors
    ///
    /// If the marker cannot be made: then nothing may be asked, since the guard would not know.
    pub fn open(state: &Path) -> io::Result<Self> {
        private::directory(state)?;
        let marker = marker(state, std::process::id());
        match fs::remove_file(&marker) {
            // Of a process that had our number and was killed.
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let lock = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&marker)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Self { marker, _lock: lock })
    }
}

impl Drop for Confirming {
    fn drop(&mut self) {
        // Without its lock it counts for nothing.
        let _ = fs::remove_file(&self.marker);
    }
}

/// Whether any command of ours waits for a word right now.
pub fn is_confirming(state: &Path) -> bool {
    let Ok(entries) = fs::read_dir(state) else { return false };
    let names = entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(MARKER));
    names.into_iter().any(|entry| is_held(&entry.path()))
}

fn is_held(marker: &Path) -> bool {
    // No pipe, which would wait, and no link.
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
    fn what_a_killed_process_left_counts_for_nothing() {
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
