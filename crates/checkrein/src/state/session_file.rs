//! Files with one fact about a session, such as when its last prompt came.

use super::{prune, secure_fs};
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

/// Maximum number of files in a directory, and how long they are kept.
const MOST: usize = 200;
const LIFE: Duration = Duration::from_secs(2 * 24 * 3600);

/// Returns the directory of the times of prompts.
pub fn prompts(state: &Path) -> PathBuf {
    state.join("prompts")
}

/// Returns the directory of the last greetings.
pub fn greetings(state: &Path) -> PathBuf {
    state.join("greetings")
}

/// Returns the directory of what sessions were suggested.
pub(crate) fn suggested(state: &Path) -> PathBuf {
    state.join("suggested")
}

/// Returns true the first time that it is called for a fact. Of many processes at once, one gets true. A fact that cannot be kept is new
/// each time.
pub(crate) fn is_first(directory: &Path, fact: &str) -> bool {
    let file = directory.join(name_of(fact));
    if file.symlink_metadata().is_ok() {
        return false;
    }
    let create = || -> io::Result<()> {
        secure_fs::directory(directory)?;
        prune(directory, MOST, LIFE);
        fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&file).map(drop)
    };
    create().is_ok_and(|()| true) || file.symlink_metadata().is_err()
}

/// Returns a name of a file for an id, which comes from outside.
pub fn name_of(id: &str) -> String {
    Sha256::digest(id.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Sets the time of a file to now, and creates it if it is missing.
///
/// # Errors
///
/// If the file cannot be written, or if others can write its directory.
pub fn touch(file: &Path) -> io::Result<()> {
    write(file, b"")
}

/// Replaces the content of a file, and creates it if it is missing.
///
/// # Errors
///
/// If the file cannot be written, or if others can write its directory.
pub fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(directory) = file.parent() {
        if !file.exists() {
            secure_fs::directory(directory)?;
            prune(directory, MOST, LIFE);
        }
        if !secure_fs::is_our_directory(directory) {
            return Err(secure_fs::not_ours(directory));
        }
    }
    secure_fs::replace(file, bytes)?;
    fs::metadata(file).map(drop)
}
