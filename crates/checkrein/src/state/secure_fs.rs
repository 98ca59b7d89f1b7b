//! Files and directories that only the user can read and write.

use rustix::fs::{FlockOperation, flock};
use std::{
    fs::{self, DirBuilder, Metadata, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// Creates a directory, and missing ones above it.
pub(crate) fn directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Returns true if a directory above this one exists, apart from the root.
pub(crate) fn is_below_something(path: &Path) -> bool {
    path.ancestors().any(|above| above.parent().is_some() && above.is_dir())
}

/// Returns true if the user owns this, and no one else has access.
pub(crate) fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0
}

/// Returns true if this is a directory that the user owns, and to which no one else has access.
pub(crate) fn is_our_directory(directory: &Path) -> bool {
    fs::symlink_metadata(directory).is_ok_and(|metadata| metadata.is_dir() && is_ours(&metadata))
}

/// Returns the error for a directory that is not private.
pub(crate) fn not_ours(directory: &Path) -> io::Error {
    let shown = directory.display();
    io::Error::other(format!("`{shown}` must be a directory of yours that nobody else can use (chmod 700)"))
}

/// Creates a private directory if it does not exist, and locks it: waits until no other process has it locked. The lock ends
/// with the file.
pub(crate) fn lock(directory: &Path) -> io::Result<fs::File> {
    self::directory(directory)?;
    if !is_our_directory(directory) {
        return Err(not_ours(directory));
    }
    let lock = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(directory.join("lock"))?;
    loop {
        match flock(&lock, FlockOperation::LockExclusive) {
            Err(rustix::io::Errno::INTR) => {}
            locked => return locked.map(|()| lock).map_err(io::Error::from),
        }
    }
}

/// Lists what is in a directory of ours. A directory that others can use counts as empty.
pub(crate) fn entries(directory: &Path) -> Vec<PathBuf> {
    if !is_our_directory(directory) {
        return Vec::new();
    }
    fs::read_dir(directory)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default()
}

/// Creates an empty file, or fails if there is one. Of several processes, one succeeds.
pub(crate) fn create_new(path: &Path) -> io::Result<fs::File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Writes a new file and waits until it is on disk.
pub(crate) fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = create_new(path)?;
    file.write_all(bytes)?;
    file.set_permissions(Permissions::from_mode(mode))?;
    // A power failure must not leave a finished entry with an empty file in it.
    file.sync_all()
}

/// Creates a file with its content, or fails if there is one. Of several processes, one succeeds, and none sees it without
/// the content.
pub(crate) fn create_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
    replace(&unfinished, bytes)?;
    let created = fs::hard_link(&unfinished, path);
    let _ = fs::remove_file(&unfinished);
    created
}

/// Replaces a file atomically: readers see the old one or the new one. It need not survive a power failure.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.unfinished", std::process::id()));
    let mut file = create_new(&unfinished)?;
    let written = file.write_all(bytes).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Reads a file of ours. It is an error if it is longer than `most`, if others have access, or if it is not a file.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || !is_ours(&metadata) || metadata.len() > most {
        return Err(io::Error::other(format!("`{}` is not a file of yours alone", path.display())));
    }
    fs::read(path)
}
