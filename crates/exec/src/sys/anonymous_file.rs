//! A file without a name, which vanishes with its last descriptor.

use rustix::fd::OwnedFd;
use std::io;

/// Creates the file, in memory.
#[cfg(target_os = "linux")]
pub(crate) fn create() -> io::Result<OwnedFd> {
    use rustix::fs::{MemfdFlags, memfd_create};
    Ok(memfd_create("checkrein-payload", MemfdFlags::CLOEXEC)?)
}

/// Creates a temporary file and unlinks it: there are no memory files here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn create() -> io::Result<OwnedFd> {
    use rustix::fs::{Mode, OFlags, open, unlink};
    use std::{
        hash::{BuildHasher, RandomState},
        process::id,
    };
    // The name is hard to guess, and an existing file is not opened.
    let name = format!("/tmp/checkrein-{}-{:016x}", id(), RandomState::new().hash_one(id()));
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let file = open(&name, flags, Mode::RUSR | Mode::WUSR)?;
    unlink(&name)?;
    Ok(file)
}
