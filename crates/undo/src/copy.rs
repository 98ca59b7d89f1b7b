//! Copies the bytes of one file: as a clone that shares its blocks where the file system can, otherwise without its holes.

use crate::not_kept::NotKept;
use rustix::{
    fs::{self, SeekFrom},
    io::Errno,
};
use std::{
    fs::File,
    io::{Read, Write},
    os::fd::BorrowedFd,
    time::Instant,
};

/// The bytes that are copied between two looks at the clock.
const PIECE: u64 = 8 << 20;

/// Copies `size` bytes into an empty file.
pub(crate) fn copy(from: &File, to: &File, size: u64, end: Option<Instant>) -> Result<(), NotKept> {
    use std::os::fd::AsFd;
    if clone(from.as_fd(), to.as_fd()) {
        return Ok(());
    }
    let mut start = 0;
    while start < size {
        let (data, hole) = match next_data(from, start, size) {
            Some(found) => found,
            None => break,
        };
        copy_range(from, to, data, hole, end)?;
        start = hole;
    }
    Ok(fs::ftruncate(to, size)?)
}

#[cfg(target_os = "linux")]
fn clone(from: BorrowedFd<'_>, to: BorrowedFd<'_>) -> bool {
    fs::ioctl_ficlone(to, from).is_ok()
}

/// Apple's system clones only into a name that does not exist yet.
#[cfg(not(target_os = "linux"))]
fn clone(_: BorrowedFd<'_>, _: BorrowedFd<'_>) -> bool {
    false
}

/// Returns the next range that is not a hole.
fn next_data(file: &File, start: u64, size: u64) -> Option<(u64, u64)> {
    match fs::seek(file, SeekFrom::Data(start)) {
        Ok(data) if data < size => {
            let hole = fs::seek(file, SeekFrom::Hole(data)).unwrap_or(size);
            Some((data, hole.min(size)))
        }
        // Only a hole is left.
        Ok(_) | Err(Errno::NXIO) => None,
        // The file system does not know holes.
        Err(_) => Some((start, size)),
    }
}

fn copy_range(from: &File, to: &File, start: u64, end: u64, until: Option<Instant>) -> Result<(), NotKept> {
    let mut at = start;
    while at < end {
        if until.is_some_and(|until| Instant::now() > until) {
            return Err(NotKept::TooSlow);
        }
        let piece = (end - at).min(PIECE);
        let copied = match in_kernel(from, to, at, piece) {
            Some(copied) => copied?,
            None => by_hand(from, to, at, piece)?,
        };
        if copied == 0 {
            return Err(NotKept::Changed);
        }
        at += copied;
    }
    Ok(())
}

/// Lets the kernel copy. `None` if it cannot between these two files.
#[cfg(target_os = "linux")]
fn in_kernel(from: &File, to: &File, at: u64, length: u64) -> Option<Result<u64, NotKept>> {
    let (mut source, mut target) = (at, at);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    match fs::copy_file_range(from, Some(&mut source), to, Some(&mut target), length) {
        Ok(copied) => Some(Ok(copied as u64)),
        Err(Errno::XDEV | Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM) => None,
        Err(error) => Some(Err(error.into())),
    }
}

#[cfg(not(target_os = "linux"))]
fn in_kernel(_: &File, _: &File, _: u64, _: u64) -> Option<Result<u64, NotKept>> {
    None
}

fn by_hand(mut from: &File, mut to: &File, at: u64, length: u64) -> Result<u64, NotKept> {
    fs::seek(from, SeekFrom::Start(at))?;
    fs::seek(to, SeekFrom::Start(at))?;
    let mut bytes = vec![0; usize::try_from(length.min(1 << 20)).unwrap_or(0)];
    let read = from.read(&mut bytes)?;
    to.write_all(bytes.get(..read).unwrap_or_default())?;
    Ok(read as u64)
}
