//! Makes a record: copies files and trees into a directory that has no id yet, and gives it its name at the end.
//!
//! Every path is kept whole or not at all. What a path that could not be kept has left is removed again.

use crate::{
    attributes::attributes,
    copy::copy,
    entry::{Entry, Kind, Place, Role, Time, changed, is_plain, modified},
    limits::Limits,
    names::Name,
    not_kept::NotKept,
    record::{Head, MANIFEST, PACK},
    store::{Store, Summary, now},
};
use rustix::{
    fs::{self, AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat},
    io::Errno,
};
use std::{
    collections::BTreeSet,
    ffi::{CStr, OsStr},
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt,
    },
    path::{Path, PathBuf},
    time::Instant,
};

/// Files up to this length share one file of the record.
const SMALL: u64 = 64 * 1024;
/// The bytes of small files that are written at once.
const BUFFER: usize = 1 << 20;
/// The maximum depth of directories.
const DEEPEST: usize = 128;
/// The clock is read once for so many entries.
const STEPS: usize = 16;

/// The treatment of a file or a directory below a path that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Keep it.
    Keep,
    /// Leave it out, with everything below it: its loss costs nothing.
    Skip,
    /// Keep it without anything below it.
    Alone,
    /// Leave out this entry, and look at what is below it.
    Below,
    /// It must not be kept, for this reason, so the path is not kept either.
    Refuse(&'static str),
}

/// A selection among the files below a path.
pub type Selection<'f> = dyn Fn(&Path, bool) -> Take + 'f;

/// A record that is being made.
#[derive(Debug)]
pub struct Keeping<'s> {
    store: &'s Store,
    limits: Limits,
    /// Nothing is created before there is something to keep.
    unfinished: Option<Unfinished>,
    entries: Vec<Entry>,
    seen: BTreeSet<PathBuf>,
    bytes: u64,
    end: Option<Instant>,
}

/// The directory of a record that has no name yet.
#[derive(Debug)]
struct Unfinished {
    directory: PathBuf,
    pack: File,
    /// Bytes of small files that are not written yet.
    pending: Vec<u8>,
    packed: u64,
    own: u64,
}

impl<'s> Keeping<'s> {
    pub(crate) fn new(store: &'s Store, limits: Limits) -> Self {
        Self {
            store,
            limits,
            unfinished: None,
            entries: Vec::new(),
            seen: BTreeSet::new(),
            bytes: 0,
            end: Instant::now().checked_add(limits.time),
        }
    }

    /// Returns what was kept so far.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns true if a path was kept.
    pub fn has(&self, path: &Path) -> bool {
        self.seen.contains(path)
    }

    /// Keeps a file, or a directory with everything below it, as far as `selection` takes it. Returns the number of entries,
    /// which is 0 if nothing is there.
    ///
    /// # Errors
    ///
    /// If it was not kept whole. Then nothing of it is kept.
    pub fn path(&mut self, path: &Path, selection: &Selection<'_>) -> Result<usize, NotKept> {
        let before = self.entries.len();
        let mark = self.mark();
        let kept = self.whole_path(path, selection);
        match kept {
            Ok(()) => Ok(self.entries.len() - before),
            Err(error) => {
                self.take_back(mark);
                Err(error)
            }
        }
    }

    /// Keeps one file, link or directory without anything below it.
    ///
    /// # Errors
    ///
    /// If it was not kept.
    pub fn single(&mut self, path: &Path) -> Result<usize, NotKept> {
        if self.seen.contains(path) {
            return Ok(0);
        }
        self.path(path, &|found, _| if found == path { Take::Alone } else { Take::Skip })
    }

    /// Keeps a file of git, if it is there.
    ///
    /// # Errors
    ///
    /// If it was not kept.
    pub fn of_git(&mut self, path: &Path, role: Role) -> Result<usize, NotKept> {
        let kept = self.single(path)?;
        let start = self.entries.len() - kept;
        for entry in self.entries.iter_mut().skip(start) {
            entry.role = role;
        }
        Ok(kept)
    }

    /// Keeps these bytes as those of a file of git, which need not be there.
    ///
    /// # Errors
    ///
    /// If there are too many, or if they cannot be written.
    pub fn given(&mut self, path: &Path, role: Role, mode: u32, bytes: &[u8]) -> Result<(), NotKept> {
        if self.seen.contains(path) {
            return Ok(());
        }
        if !is_plain(path) {
            return Err(NotKept::Unsupported(path.to_owned()));
        }
        let size = bytes.len() as u64;
        let whole = self.bytes.saturating_add(size);
        if whole > self.limits.bytes {
            return Err(NotKept::TooMuch);
        }
        self.bytes = whole;
        let place = self.unfinished()?.pack_bytes(bytes)?;
        let seconds = i64::try_from(now() / 1_000_000).unwrap_or(0);
        let time = Time { seconds, nanos: 0 };
        let absent = Entry::absent(path.to_owned());
        self.push(Entry {
            kind: Kind::File { size, place },
            role,
            mode,
            modified: time,
            accessed: time,
            ..absent
        })
    }

    /// Keeps all of several things, or nothing of them.
    ///
    /// # Errors
    ///
    /// That of `keep`.
    pub fn all_of<E>(&mut self, keep: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let mark = self.mark();
        let kept = keep(self);
        if kept.is_err() {
            self.take_back(mark);
        }
        kept
    }

    /// Notes that nothing is at a path. Restoring removes what is put there, if it is still the same.
    ///
    /// # Errors
    ///
    /// If there are too many entries.
    pub fn absent(&mut self, path: &Path) -> Result<(), NotKept> {
        if self.seen.contains(path) || !is_plain(path) {
            return Ok(());
        }
        self.push(Entry::absent(path.to_owned()))
    }

    /// Notes that a file of git is not there.
    pub(crate) fn absent_of_git(&mut self, path: &Path, role: Role) -> Result<(), NotKept> {
        self.absent(path)?;
        if let Some(entry) = self.entries.last_mut().filter(|entry| entry.path == *path) {
            entry.role = role;
        }
        Ok(())
    }

    fn whole_path(&mut self, path: &Path, selection: &Selection<'_>) -> Result<(), NotKept> {
        if !is_plain(path) {
            return Err(NotKept::Unsupported(path.to_owned()));
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(NotKept::Unsupported(path.to_owned()));
        };
        let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY;
        let parent = match fs::openat(CWD, parent, flags, Mode::empty()) {
            Ok(parent) => parent,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let name =
            std::ffi::CString::new(name.as_bytes()).map_err(|_| NotKept::Unsupported(path.to_owned()))?;
        match fs::statat(&parent, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => {
                let kind = FileType::from_raw_mode(stat.st_mode);
                self.one(parent.as_fd(), &name, path.to_owned(), kind, selection, 0)
            }
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps one thing in a directory.
    fn one(
        &mut self,
        parent: BorrowedFd<'_>,
        name: &CStr,
        path: PathBuf,
        kind: FileType,
        selection: &Selection<'_>,
        depth: usize,
    ) -> Result<(), NotKept> {
        let is_directory = kind == FileType::Directory;
        let keeps = match selection(&path, is_directory) {
            Take::Keep => true,
            Take::Alone if is_directory => return self.directory_alone(parent, name, &path),
            Take::Alone => true,
            Take::Below => false,
            Take::Skip => return Ok(()),
            Take::Refuse(why) => return Err(NotKept::Refused(path, why)),
        };
        match kind {
            FileType::Directory => self.directory(parent, name, &path, keeps, selection, depth),
            _ if !keeps || self.seen.contains(&path) => Ok(()),
            FileType::RegularFile => self.file(parent, name, path),
            FileType::Symlink => {
                let stat = fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
                let target = fs::readlinkat(parent, name, Vec::new())?.into_bytes();
                self.push(Entry::of(path, Kind::Link(target), &stat))
            }
            FileType::Fifo => {
                let stat = fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
                self.push(Entry::of(path, Kind::Pipe, &stat))
            }
            // It is gone with the process that listens on it.
            FileType::Socket => Ok(()),
            _ => Err(NotKept::Unsupported(path)),
        }
    }

    fn directory(
        &mut self,
        parent: BorrowedFd<'_>,
        name: &CStr,
        path: &Path,
        keeps: bool,
        selection: &Selection<'_>,
        depth: usize,
    ) -> Result<(), NotKept> {
        if depth > DEEPEST {
            return Err(NotKept::TooMany);
        }
        let directory = open_directory(parent, name)?;
        if keeps {
            self.push_directory(&directory, path)?;
        }
        for found in Dir::read_from(&directory)? {
            let found = found?;
            let name = found.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match found.file_type() {
                FileType::Unknown => {
                    let stat = fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW)?;
                    FileType::from_raw_mode(stat.st_mode)
                }
                known => known,
            };
            let path = path.join(OsStr::from_bytes(name.to_bytes()));
            self.one(directory.as_fd(), name, path, kind, selection, depth + 1)?;
        }
        Ok(())
    }

    fn directory_alone(&mut self, parent: BorrowedFd<'_>, name: &CStr, path: &Path) -> Result<(), NotKept> {
        let directory = open_directory(parent, name)?;
        self.push_directory(&directory, path)
    }

    fn push_directory(&mut self, directory: &OwnedFd, path: &Path) -> Result<(), NotKept> {
        if self.seen.contains(path) {
            return Ok(());
        }
        let stat = fs::fstat(directory)?;
        let mut entry = Entry::of(path.to_owned(), Kind::Directory, &stat);
        entry.attributes = attributes(directory.as_fd())?;
        self.push(entry)
    }

    fn file(&mut self, parent: BorrowedFd<'_>, name: &CStr, path: PathBuf) -> Result<(), NotKept> {
        let mut tried = 0;
        loop {
            // Not blocking, in case it became a pipe.
            let flags =
                OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
            let file = File::from(fs::openat(parent, name, flags, Mode::empty())?);
            let stat = fs::fstat(&file)?;
            if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
                return Err(NotKept::Changed);
            }
            let mark = self.mark();
            let attributes = attributes(file.as_fd())?;
            let size = u64::try_from(stat.st_size).unwrap_or(0);
            let place = match self.bytes_of(&file, size) {
                Ok(place) if is_same(&stat, &fs::fstat(&file)?) => place,
                Ok(_) | Err(NotKept::Changed) if tried == 0 => {
                    self.take_back(mark);
                    tried += 1;
                    continue;
                }
                Ok(_) => return Err(NotKept::Changed),
                Err(error) => return Err(error),
            };
            let mut entry = Entry::of(path, Kind::File { size, place }, &stat);
            entry.attributes = attributes;
            return self.push(entry);
        }
    }

    fn bytes_of(&mut self, file: &File, size: u64) -> Result<Place, NotKept> {
        let bytes = self.bytes.saturating_add(size);
        if bytes > self.limits.bytes {
            return Err(NotKept::TooMuch);
        }
        self.bytes = bytes;
        let end = self.end;
        let unfinished = self.unfinished()?;
        if size <= SMALL {
            return unfinished.pack(file, size);
        }
        let number = unfinished.own;
        unfinished.own += 1;
        let own = new_file(&unfinished.directory.join(number.to_string()))?;
        copy(file, &own, size, end)?;
        Ok(Place::Own(number))
    }

    fn push(&mut self, entry: Entry) -> Result<(), NotKept> {
        if self.entries.len() >= self.limits.entries {
            return Err(NotKept::TooMany);
        }
        if self.entries.len() % STEPS == STEPS - 1 && self.end.is_some_and(|end| Instant::now() > end) {
            return Err(NotKept::TooSlow);
        }
        self.seen.insert(entry.path.clone());
        self.entries.push(entry);
        Ok(())
    }

    fn unfinished(&mut self) -> Result<&mut Unfinished, NotKept> {
        let made = match self.unfinished.take() {
            Some(made) => made,
            None => {
                let directory = self.store.unfinished()?;
                let pack = new_file(&directory.join(PACK))?;
                Unfinished { directory, pack, pending: Vec::new(), packed: 0, own: 0 }
            }
        };
        Ok(self.unfinished.insert(made))
    }

    fn mark(&self) -> Mark {
        let unfinished = self.unfinished.as_ref();
        Mark {
            entries: self.entries.len(),
            bytes: self.bytes,
            packed: unfinished.map_or(0, |made| made.packed + made.pending.len() as u64),
            own: unfinished.map_or(0, |made| made.own),
        }
    }

    /// Removes what was kept since a mark.
    fn take_back(&mut self, mark: Mark) {
        for entry in self.entries.drain(mark.entries..) {
            self.seen.remove(&entry.path);
        }
        self.bytes = mark.bytes;
        let Some(unfinished) = &mut self.unfinished else { return };
        for number in mark.own..unfinished.own {
            let _ = std::fs::remove_file(unfinished.directory.join(number.to_string()));
        }
        unfinished.own = mark.own;
        if let Ok(pending) = usize::try_from(mark.packed.saturating_sub(unfinished.packed))
            && mark.packed >= unfinished.packed
        {
            unfinished.pending.truncate(pending);
        } else {
            unfinished.pending.clear();
            // What stays too long is only never read.
            let _ = unfinished.pack.set_len(mark.packed);
            let _ = unfinished.pack.seek(SeekFrom::Start(mark.packed));
            unfinished.packed = mark.packed;
        }
    }

    /// Gives the record its name. `None` if nothing was kept.
    ///
    /// # Errors
    ///
    /// If there is no room, or if it cannot be written. Then there is no record.
    pub fn finish(mut self, head: &Head) -> Result<Option<Summary>, NotKept> {
        if self.entries.is_empty() {
            return Ok(None);
        }
        let made = now();
        let entries = std::mem::take(&mut self.entries);
        let bytes = self.bytes;
        let files = entries.iter().filter(|entry| entry.is_file()).count();
        let git = entries.iter().any(|entry| entry.role != Role::Plain);
        let unfinished = self.unfinished()?;
        unfinished.flush()?;
        let lines: String = entries.iter().map(|entry| entry.line() + "\n").collect();
        let (store, directory) = (self.store, self.unfinished().map(|made| made.directory.clone())?);
        let summary = store.add(&directory, |id| {
            let summary = Summary {
                id: id.to_owned(),
                made,
                files,
                bytes,
                expires: made.saturating_add(u64::try_from(self.limits.life.as_micros()).unwrap_or(u64::MAX)),
                git,
                head: head.clone(),
            };
            let mut manifest = new_file(&directory.join(MANIFEST))?;
            manifest.write_all(format!("{}\n{lines}", summary.line()).as_bytes())?;
            let on_disk = bytes + lines.len() as u64;
            Ok((Name { id: id.to_owned(), made, bytes: on_disk, relied_on: head.relied_on }, summary))
        })?;
        // It has its name now.
        self.unfinished = None;
        Ok(Some(summary))
    }
}

impl Drop for Keeping<'_> {
    fn drop(&mut self) {
        if let Some(unfinished) = &self.unfinished {
            let _ = std::fs::remove_dir_all(&unfinished.directory);
        }
    }
}

impl Unfinished {
    fn pack(&mut self, mut file: &File, size: u64) -> Result<Place, NotKept> {
        let start = self.packed + self.pending.len() as u64;
        let before = self.pending.len();
        let wanted = usize::try_from(size).unwrap_or(0);
        self.pending.resize(before + wanted, 0);
        let mut filled = before;
        while let Some(rest) = self.pending.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match file.read(rest) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        if filled < before + wanted {
            return Err(NotKept::Changed);
        }
        if self.pending.len() >= BUFFER {
            self.flush()?;
        }
        Ok(Place::Pack(start))
    }

    fn pack_bytes(&mut self, bytes: &[u8]) -> Result<Place, NotKept> {
        let start = self.packed + self.pending.len() as u64;
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= BUFFER {
            self.flush()?;
        }
        Ok(Place::Pack(start))
    }

    fn flush(&mut self) -> Result<(), NotKept> {
        self.pack.write_all(&self.pending)?;
        self.packed += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}

/// The state to which a failed path is taken back.
#[derive(Clone, Copy)]
struct Mark {
    entries: usize,
    bytes: u64,
    packed: u64,
    own: u64,
}

fn is_same(before: &Stat, after: &Stat) -> bool {
    before.st_size == after.st_size
        && modified(before) == modified(after)
        && changed(before) == changed(after)
}

pub(crate) fn new_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    std::fs::OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)
}

/// Opens a directory without following a link at its end.
pub(crate) fn open_directory(at: impl AsFd, name: impl rustix::path::Arg) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    fs::openat(at, name, flags, Mode::empty())
}
