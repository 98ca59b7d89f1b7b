//! Restores a record: each file under another name first, then in one step to its place.
//!
//! Every step of a path is opened without following a link. A file never gets the rights of its owner, and what is in the way is
//! never removed. What is replaced is kept before, so that restoring can be undone like any other call.

use crate::{
    after::{State, digest},
    copy,
    entry::{Entry, Kind, PERMISSIONS, Place, Role, Time},
    keep::{Keeping, open_directory},
    not_kept::NotKept,
    record::{Head, Record},
    status::{Plan, Status},
    store::{Store, Summary},
};
use rustix::{
    fs::{self as sys, AtFlags, Mode, OFlags, Timespec, Timestamps},
    io::Errno,
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::{
        fd::{AsFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
};

/// A path that was not restored because that would lose something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The path.
    pub path: PathBuf,
    /// The reason why it was left alone.
    pub status: Status,
}

/// The result of restoring.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    /// The files and links that are as they were kept again.
    pub restored: Vec<PathBuf>,
    /// The names and other files of git among them.
    pub of_git: usize,
    /// The paths that were changed since.
    pub conflicts: Vec<Conflict>,
    /// The paths that were left out, and why.
    pub skipped: Vec<(PathBuf, String)>,
    /// The record by which this can be undone.
    pub undo: Option<Summary>,
}

/// A choice of what to restore.
pub struct Choice<'f> {
    /// Replaces what was changed since, too.
    pub force: bool,
    /// Returns why a path must not be restored, if that is so.
    pub refuses: &'f dyn Fn(&Path) -> Option<String>,
}

impl std::fmt::Debug for Choice<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Choice").field("force", &self.force).finish_non_exhaustive()
    }
}

impl Plan<'_> {
    /// Puts everything back that is missing or as the call left it.
    ///
    /// # Errors
    ///
    /// If what would be replaced cannot be kept first. Then nothing was changed.
    pub fn restore(&self, store: &Store, head: &Head, choice: &Choice<'_>) -> Result<Restored, NotKept> {
        let _lock = self.record.lock()?;
        let mut result = Restored::default();
        let mut chosen: Vec<(&Entry, Status)> = Vec::new();
        for (entry, status) in self.iter() {
            match status {
                Status::Same => {}
                Status::InTheWay => result.conflict(entry, status),
                Status::Changed if !choice.force => result.conflict(entry, status),
                Status::Missing | Status::AsLeft | Status::Changed => match (choice.refuses)(&entry.path) {
                    Some(why) => result.skipped.push((entry.path.clone(), why)),
                    None => chosen.push((entry, status)),
                },
            }
        }
        if chosen.is_empty() {
            return Ok(result);
        }
        let mut now = store.begin_at_leisure();
        for (entry, status) in &chosen {
            keep_present(&mut now, entry, *status)?;
        }
        result.undo = now.finish(head)?;
        self.put_back(&chosen, choice.force, &mut result);
        if let Some(undo) = &result.undo
            && let Ok(Some(record)) = store.open(&undo.id)
        {
            // Without it every path counts as changed, and undoing this needs `--force`.
            let _ = record.note_after();
        }
        Ok(result)
    }

    fn put_back(&self, chosen: &[(&Entry, Status)], force: bool, result: &mut Restored) {
        let mut directories = Vec::new();
        for (entry, status) in chosen {
            let done = match entry.kind {
                Kind::Absent => continue,
                Kind::Directory => make_directory(self.record, entry).map(|()| directories.push(*entry)),
                _ => self.put_file(entry, *status, force),
            };
            match done {
                Ok(()) if entry.kind == Kind::Directory || entry.role == Role::Object => {}
                Ok(()) => {
                    result.restored.push(entry.path.clone());
                    result.of_git += usize::from(entry.role != Role::Plain);
                }
                Err(Errno::EXIST) => result.conflict(entry, Status::Changed),
                Err(error) => result.skip(entry, error),
            }
        }
        // What is below a directory goes before it.
        for (entry, _) in chosen.iter().rev().filter(|(entry, _)| entry.kind == Kind::Absent) {
            match remove(&entry.path) {
                Ok(()) => result.restored.push(entry.path.clone()),
                Err(Errno::NOTEMPTY | Errno::EXIST) => result.conflict(entry, Status::InTheWay),
                Err(error) => result.skip(entry, error),
            }
        }
        // Filling a directory changes its time.
        for entry in directories.into_iter().rev() {
            let _ = finish_directory(entry);
        }
    }

    fn put_file(&self, entry: &Entry, status: Status, force: bool) -> rustix::io::Result<()> {
        let (parent, name) = open_parent(&entry.path)?;
        let of_git = matches!(entry.role, Role::Name | Role::Index | Role::Git);
        if of_git && is_locked(&parent, name) {
            return Err(Errno::BUSY);
        }
        // Another process may have changed it while the others were restored.
        let before = if status == Status::AsLeft && !force { State::of(entry).ok().flatten() } else { None };
        let unfinished = Unfinished::new(&parent, self.record, entry)?;
        if status == Status::Missing {
            return unfinished.appear(name);
        }
        if before.is_some() && State::of(entry).ok().flatten() != before {
            return Err(Errno::EXIST);
        }
        unfinished.replace(name)
    }
}

impl Record {
    /// Writes a copy of everything below a directory: each path as it is below `base`, or below the root.
    ///
    /// # Errors
    ///
    /// If the directory cannot be created, or is not empty.
    pub fn copy_to(
        &self,
        directory: &Path,
        base: Option<&Path>,
        refuses: &dyn Fn(&Path) -> Option<String>,
    ) -> io::Result<Restored> {
        std::fs::create_dir_all(directory)?;
        if std::fs::read_dir(directory)?.next().is_some() {
            return Err(io::Error::other(format!("`{}` is not empty", directory.display())));
        }
        let directory = directory.canonicalize()?;
        let mut result = Restored::default();
        let mut directories = Vec::new();
        let is_copied = |entry: &&Entry| entry.kind != Kind::Absent && entry.role == Role::Plain;
        for entry in self.entries.iter().filter(is_copied) {
            if let Some(why) = refuses(&entry.path) {
                result.skipped.push((entry.path.clone(), why));
                continue;
            }
            let below = base.and_then(|base| entry.path.strip_prefix(base).ok());
            let below = below.or_else(|| entry.path.strip_prefix("/").ok()).unwrap_or(&entry.path);
            let moved = Entry { path: directory.join(below), ..entry.clone() };
            let done = if entry.kind == Kind::Directory {
                make_directory(self, &moved).map(|()| directories.push(moved.clone()))
            } else {
                let made = open_parent(&moved.path)
                    .and_then(|(parent, name)| Unfinished::new(&parent, self, &moved)?.appear(name));
                made.map(|()| result.restored.push(moved.path.clone()))
            };
            if let Err(error) = done {
                result.skip(&moved, error);
            }
        }
        for entry in directories.iter().rev() {
            let _ = finish_directory(entry);
        }
        Ok(result)
    }
}

impl Restored {
    fn conflict(&mut self, entry: &Entry, status: Status) {
        self.conflicts.push(Conflict { path: entry.path.clone(), status });
    }

    fn skip(&mut self, entry: &Entry, error: Errno) {
        let why = match error {
            Errno::BUSY => "git is at work there".to_owned(),
            Errno::LOOP | Errno::NOTDIR => "a directory above it is a link or a file now".to_owned(),
            error => io::Error::from(error).to_string(),
        };
        self.skipped.push((entry.path.clone(), why));
    }
}

/// Keeps what is at the path of an entry now, so that restoring can be undone.
fn keep_present(now: &mut Keeping<'_>, entry: &Entry, status: Status) -> Result<(), NotKept> {
    let path = &entry.path;
    match (entry.role, status) {
        // One object more is not a change.
        (Role::Object, _) => Ok(()),
        (Role::Plain, Status::Missing) => now.absent(path),
        (Role::Plain, _) => now.single(path).map(drop),
        (Role::Name, Status::AsLeft | Status::Changed) => match checkrein_git::name_at(path) {
            Some(value) => now.given(path, Role::Name, 0o644, format!("{value}\n").as_bytes()),
            None => now.of_git(path, Role::Name).map(drop),
        },
        (role, Status::Missing) => now.absent_of_git(path, role),
        (role, _) => now.of_git(path, role).map(drop),
    }
}

/// Returns true if git, or another process in its place, is about to write a file.
fn is_locked(parent: &OwnedFd, name: &OsStr) -> bool {
    let mut lock = name.to_owned();
    lock.push(".lock");
    sys::statat(parent, &lock, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

/// Opens the directory of a path, step by step, and creates what is missing. No step may be a link.
fn open_parent(path: &Path) -> rustix::io::Result<(OwnedFd, &OsStr)> {
    let (parent, name) = path.parent().zip(path.file_name()).ok_or(Errno::INVAL)?;
    let mut directory = open_directory(sys::CWD, "/")?;
    for step in parent.components() {
        let std::path::Component::Normal(step) = step else { continue };
        directory = match open_directory(&directory, step) {
            Err(Errno::NOENT) => {
                match sys::mkdirat(&directory, step, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error),
                }
                open_directory(&directory, step)?
            }
            other => other?,
        };
    }
    Ok((directory, name))
}

/// The name of what is not complete yet. It is the same each time: what a killed process left has it, and no other process restores
/// this record now.
fn unfinished(record: &Record, entry: &Entry) -> OsString {
    let digest = digest(entry.path.as_os_str().as_bytes());
    OsString::from(format!(".checkrein-undo-{}-{digest}", record.summary.id))
}

/// Makes a directory with its permissions, and those of its owner that are needed to fill it.
fn make_directory(record: &Record, entry: &Entry) -> rustix::io::Result<()> {
    let (parent, name) = open_parent(&entry.path)?;
    if sys::statat(&parent, name, AtFlags::SYMLINK_NOFOLLOW).is_ok() {
        return Ok(());
    }
    // It gets its name with its permissions: a directory that is there counts as restored.
    let unfinished = unfinished(record, entry);
    match sys::mkdirat(&parent, &unfinished, Mode::from_raw_mode(0o700)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error),
    }
    let made = open_directory(&parent, &unfinished)
        .and_then(|directory| sys::fchmod(&directory, mode_of(entry) | Mode::RWXU))
        .and_then(|()| sys::renameat(&parent, &unfinished, &parent, name));
    if made.is_err() {
        let _ = sys::unlinkat(&parent, &unfinished, AtFlags::REMOVEDIR);
    }
    match made {
        // Another process made it.
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(()),
        other => other,
    }
}

/// Gives a directory its permissions and times, once everything is in it.
fn finish_directory(entry: &Entry) -> rustix::io::Result<()> {
    let (parent, name) = open_parent(&entry.path)?;
    let directory = open_directory(&parent, name)?;
    set_attributes(&directory, entry);
    sys::fchmod(&directory, mode_of(entry))?;
    sys::futimens(&directory, &times(entry))
}

fn remove(path: &Path) -> rustix::io::Result<()> {
    let (parent, name) = open_parent(path)?;
    match sys::unlinkat(&parent, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => sys::unlinkat(&parent, name, AtFlags::REMOVEDIR),
        other => other,
    }
}

fn mode_of(entry: &Entry) -> Mode {
    Mode::from_raw_mode((entry.mode & PERMISSIONS) as rustix::fs::RawMode)
}

fn times(entry: &Entry) -> Timestamps {
    let time = |time: Time| Timespec { tv_sec: time.seconds, tv_nsec: time.nanos.into() };
    Timestamps { last_access: time(entry.accessed), last_modification: time(entry.modified) }
}

fn set_attributes(file: impl AsFd, entry: &Entry) {
    for (name, value) in &entry.attributes {
        // Another file system may not have them, and the content matters more.
        let _ = sys::fsetxattr(&file, OsStr::from_bytes(name), value, sys::XattrFlags::empty());
    }
}

/// A file that is complete and has not its own name yet. It is removed unless it gets it.
struct Unfinished<'p> {
    parent: &'p OwnedFd,
    name: OsString,
    done: bool,
}

impl<'p> Unfinished<'p> {
    fn new(parent: &'p OwnedFd, record: &Record, entry: &Entry) -> rustix::io::Result<Self> {
        let name = unfinished(record, entry);
        let made = Self { parent, name, done: false };
        match made.write(record, entry) {
            Err(Errno::EXIST) => {
                sys::unlinkat(parent, &made.name, AtFlags::empty())?;
                made.write(record, entry)?;
            }
            other => other?,
        }
        Ok(made)
    }

    fn write(&self, record: &Record, entry: &Entry) -> rustix::io::Result<()> {
        match &entry.kind {
            Kind::File { size, place } => self.write_file(record, entry, *size, *place),
            Kind::Link(target) => {
                sys::symlinkat(OsStr::from_bytes(target), self.parent, &self.name)?;
                sys::utimensat(self.parent, &self.name, &times(entry), AtFlags::SYMLINK_NOFOLLOW)
            }
            Kind::Pipe => {
                make_pipe(self.parent, &self.name)?;
                // The umask removes permissions when it is made. No other process uses its name yet.
                sys::chmodat(self.parent, &self.name, mode_of(entry), AtFlags::empty())?;
                sys::utimensat(self.parent, &self.name, &times(entry), AtFlags::SYMLINK_NOFOLLOW)
            }
            Kind::Directory | Kind::Absent => Err(Errno::INVAL),
        }
    }

    fn write_file(&self, record: &Record, entry: &Entry, size: u64, place: Place) -> rustix::io::Result<()> {
        let io = |error: io::Error| Errno::from_io_error(&error).unwrap_or(Errno::IO);
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(sys::openat(self.parent, &self.name, flags, Mode::from_raw_mode(0o600))?);
        match place {
            Place::Own(_) => {
                let kept = record.data(place).map_err(io)?;
                copy::copy(&kept, &file, size, None).map_err(|error| match error {
                    NotKept::Io(error) => io(error),
                    _ => Errno::IO,
                })?;
            }
            Place::Pack(_) => {
                io::copy(&mut record.bytes(entry).map_err(io)?, &mut file).map_err(io)?;
            }
        }
        if sys::fstat(&file)?.st_size as u64 != size {
            return Err(Errno::IO);
        }
        set_attributes(&file, entry);
        sys::fchmod(&file, mode_of(entry))?;
        sys::futimens(&file, &times(entry))
    }

    /// Gives the file its name, if nothing has it.
    fn appear(mut self, name: &OsStr) -> rustix::io::Result<()> {
        match without_replacing(self.parent, &self.name, name) {
            Err(Errno::INVAL | Errno::NOSYS) => {
                // The file system cannot do that in one step.
                if sys::statat(self.parent, name, AtFlags::SYMLINK_NOFOLLOW).err() != Some(Errno::NOENT) {
                    return Err(Errno::EXIST);
                }
                sys::renameat(self.parent, &self.name, self.parent, name)?;
            }
            other => other?,
        }
        self.done = true;
        Ok(())
    }

    /// Gives the file its name, which another file has now.
    fn replace(mut self, name: &OsStr) -> rustix::io::Result<()> {
        sys::renameat(self.parent, &self.name, self.parent, name)?;
        self.done = true;
        Ok(())
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        if !self.done {
            let _ = sys::unlinkat(self.parent, &self.name, AtFlags::empty());
        }
    }
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn without_replacing(directory: &OwnedFd, old: &OsStr, new: &OsStr) -> rustix::io::Result<()> {
    sys::renameat_with(directory, old, directory, new, sys::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn without_replacing(_: &OwnedFd, _: &OsStr, _: &OsStr) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}

#[cfg(not(target_vendor = "apple"))]
fn make_pipe(parent: &OwnedFd, name: &OsStr) -> rustix::io::Result<()> {
    sys::mknodat(parent, name, sys::FileType::Fifo, Mode::from_raw_mode(0o600), 0)
}

/// There is no call that makes a pipe in an open directory, and by its path it might be made elsewhere.
#[cfg(target_vendor = "apple")]
fn make_pipe(_: &OwnedFd, _: &OsStr) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}
