//! Files and directories that only the user themselves can write: what we believe because it is theirs.

use std::{
    fs::{self, DirBuilder, Metadata, OpenOptions, Permissions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt},
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

/// Makes a directory, and those above it that are not there.
pub(crate) fn directory(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// Whether something is the user's own, and nobody else can use it.
pub(crate) fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0
}

/// A new file that is whole on the disk before anybody is told of it.
pub(crate) fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    file.set_permissions(Permissions::from_mode(mode))?;
    // So that a power failure cannot leave a finished entry with an empty file in it.
    file.sync_all()
}

/// Puts a file in its place as a whole: whoever looks sees the old one or the new one. It need not survive a power failure.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.unfinished", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    let written = file.write_all(bytes).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// What is in a file of ours that is not longer than this; nothing, if it is somebody else's, or no file.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || !is_ours(&metadata) || metadata.len() > most {
        return Err(io::Error::other(format!("`{}` is not a file of yours alone", path.display())));
    }
    fs::read(path)
}
