//! Compares a record with what is on the disk now.

use crate::{
    after::State,
    entry::{Entry, Kind},
    record::Record,
};
use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

/// The present state of a kept path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is not there: it can be restored.
    Missing,
    /// It is as it was kept: there is nothing to do.
    Same,
    /// It is as the call left it: it can be replaced.
    AsLeft,
    /// It was changed after the call, or it is not known who changed it.
    Changed,
    /// Something else is there that restoring would have to remove: a directory in place of a file, or the reverse.
    InTheWay,
}

/// A record compared with the disk.
#[derive(Clone, Debug)]
pub struct Plan<'r> {
    /// The record.
    pub record: &'r Record,
    /// The status of each of its entries.
    pub statuses: Vec<Status>,
}

impl<'r> Plan<'r> {
    /// Compares a record with the disk. Nothing is changed.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn of(record: &'r Record) -> io::Result<Self> {
        let after = record.after();
        let mut statuses = Vec::with_capacity(record.entries.len());
        for (entry, after) in record.entries.iter().zip(after) {
            let now = State::of(&entry.path)?;
            statuses.push(match (now, after) {
                (None, _) if entry.kind == Kind::Absent => Status::Same,
                (None, _) => Status::Missing,
                (Some(_), _) if is_same(record, entry)? => Status::Same,
                (Some(_), _) if is_in_the_way(entry)? => Status::InTheWay,
                (Some(now), Some(Some(left))) if now == left => Status::AsLeft,
                (Some(_), _) => Status::Changed,
            });
        }
        Ok(Self { record, statuses })
    }

    /// Returns the entries with their statuses.
    pub fn iter(&self) -> impl Iterator<Item = (&'r Entry, Status)> + '_ {
        self.record.entries.iter().zip(self.statuses.iter().copied())
    }
}

fn is_in_the_way(entry: &Entry) -> io::Result<bool> {
    let is_directory = fs::symlink_metadata(&entry.path)?.is_dir();
    Ok(match entry.kind {
        Kind::Directory => !is_directory,
        Kind::Absent => false,
        Kind::File { .. } | Kind::Link(_) | Kind::Pipe => is_directory,
    })
}

/// Returns true if a path is as it was kept.
fn is_same(record: &Record, entry: &Entry) -> io::Result<bool> {
    let now = fs::symlink_metadata(&entry.path)?;
    Ok(match &entry.kind {
        Kind::Absent => false,
        Kind::Directory => now.is_dir(),
        Kind::Link(target) => {
            use std::os::unix::ffi::OsStrExt;
            now.is_symlink() && fs::read_link(&entry.path)?.as_os_str().as_bytes() == target.as_slice()
        }
        Kind::Pipe => {
            use std::os::unix::fs::FileTypeExt;
            now.file_type().is_fifo()
        }
        Kind::File { size, .. } => {
            now.is_file() && now.len() == *size && has_bytes(&entry.path, &mut record.bytes(entry)?)?
        }
    })
}

/// Returns true if a file has these bytes.
fn has_bytes(path: &Path, kept: &mut impl Read) -> io::Result<bool> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    let mut now = File::options().read(true).custom_flags(flags).open(path)?;
    let (mut left, mut right) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let (kept, now) = (fill(kept, &mut left)?, fill(&mut now, &mut right)?);
        if left.get(..kept) != right.get(..now) {
            return Ok(false);
        }
        if kept == 0 {
            return Ok(true);
        }
    }
}

fn fill(file: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while let Some(rest) = piece.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
