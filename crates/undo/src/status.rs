//! Compares a record with what is on the disk now.

use crate::{
    after::State,
    entry::{Entry, Kind, PERMISSIONS, Role},
    record::Record,
};
use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::{MetadataExt, OpenOptionsExt},
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
            let now = State::of(entry)?;
            statuses.push(match (now, after) {
                (None, _) if entry.kind == Kind::Absent => Status::Same,
                (None, _) => Status::Missing,
                (Some(now), after) => {
                    let is_left = after.flatten().is_some_and(|left| now == left);
                    match (is_same(record, entry)?, is_left) {
                        (Likeness::Equal, _) | (Likeness::Younger, false) => Status::Same,
                        (Likeness::Younger, true) => Status::AsLeft,
                        (Likeness::Other, _) if is_in_the_way(entry)? => Status::InTheWay,
                        (Likeness::Other, true) => Status::AsLeft,
                        (Likeness::Other, false) => Status::Changed,
                    }
                }
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
    // A name may have its value elsewhere.
    let is_directory = fs::symlink_metadata(&entry.path).is_ok_and(|metadata| metadata.is_dir());
    Ok(match entry.kind {
        Kind::Directory => !is_directory,
        Kind::Absent => false,
        Kind::File { .. } | Kind::Link(_) | Kind::Pipe => is_directory,
    })
}

/// The comparison of a path with what was kept of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    /// It is the same.
    Equal,
    /// It is the same but for its time.
    Younger,
    /// It is something else.
    Other,
}

impl Likeness {
    const fn equal_if(same: bool) -> Self {
        if same { Self::Equal } else { Self::Other }
    }
}

/// Compares what is at a path with what was kept.
fn is_same(record: &Record, entry: &Entry) -> io::Result<Likeness> {
    match entry.role {
        Role::Object => return Ok(Likeness::Equal),
        Role::Name if matches!(entry.kind, Kind::File { .. }) => {
            let mut kept = String::new();
            record.bytes(entry)?.read_to_string(&mut kept)?;
            let now = checkrein_git::name_at(&entry.path);
            return Ok(Likeness::equal_if(now.as_deref() == Some(kept.trim())));
        }
        Role::Plain | Role::Name | Role::Index | Role::Git => {}
    }
    let now = fs::symlink_metadata(&entry.path)?;
    let same = match &entry.kind {
        Kind::Absent => false,
        Kind::Directory => return Ok(Likeness::equal_if(now.is_dir())),
        Kind::Link(target) => {
            use std::os::unix::ffi::OsStrExt;
            now.is_symlink() && fs::read_link(&entry.path)?.as_os_str().as_bytes() == target.as_slice()
        }
        Kind::Pipe => {
            use std::os::unix::fs::FileTypeExt;
            now.file_type().is_fifo()
        }
        Kind::File { size, .. } => {
            now.is_file()
                && now.len() == *size
                && now.mode() & PERMISSIONS == entry.mode
                && has_bytes(&entry.path, &mut record.bytes(entry)?)?
        }
    };
    let is_as_old =
        (now.mtime(), now.mtime_nsec()) == (entry.modified.seconds, i64::from(entry.modified.nanos));
    Ok(match (same, is_as_old || entry.role != Role::Plain) {
        (false, _) => Likeness::Other,
        (true, true) => Likeness::Equal,
        (true, false) => Likeness::Younger,
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
