//! The store: all records, and the room that they take.

use crate::{
    keep::{Keeping, new_file},
    limits::{GRACE, Limits, RECORDS},
    names::{self, Name},
    not_kept::NotKept,
    record::{Head, Record},
};
use rustix::{fs::FlockOperation, io::Errno};
use std::{
    fs::{self, DirBuilder, File},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The beginning of the names of records that are not finished.
const UNFINISHED: &str = "unfinished-";
/// The time after which a record that is not finished is the remains of a killed process.
const ABANDONED: Duration = Duration::from_secs(3600);
/// The maximum time to wait for another process that adds a record.
const WAIT: Duration = Duration::from_millis(300);

/// The store of records. Its directory is the user's alone.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    limits: Limits,
}

/// The summary of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The id.
    pub id: String,
    /// When it was made, in microseconds since 1970.
    pub made: u64,
    /// The number of files and links in it.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// When it is removed, in microseconds since 1970.
    pub expires: u64,
    /// True if it has something of a repository in it.
    pub git: bool,
    /// The call.
    pub head: Head,
}

impl Store {
    /// The store in a directory, which is created when something is kept.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), limits: Limits::default() }
    }

    /// Sets other bounds.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the bounds.
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns its directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Begins a record.
    pub fn begin(&self) -> Keeping<'_> {
        Keeping::new(self, self.limits)
    }

    /// Begins a record without a limit of time, for a user who waits.
    pub fn begin_at_leisure(&self) -> Keeping<'_> {
        Keeping::new(self, Limits { time: Duration::from_secs(3600), ..self.limits })
    }

    /// Returns the summaries of all records, the newest first.
    pub fn list(&self) -> Vec<Summary> {
        let mut names = self.names();
        names.sort_by(|left, right| (right.made, &right.id).cmp(&(left.made, &left.id)));
        let summary = |name: &Name| Record::summary_in(&self.directory.join(name.directory()));
        names.iter().filter_map(summary).collect()
    }

    /// Opens a record. `None` if there is none with this id.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn open(&self, id: &str) -> io::Result<Option<Record>> {
        let found = self.names().into_iter().find(|name| name.id == id);
        found.map(|name| Record::open(self.directory.join(name.directory()))).transpose()
    }

    /// Removes a record. Returns false if there is none with this id.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub fn forget(&self, id: &str) -> io::Result<bool> {
        let Some(found) = self.names().into_iter().find(|name| name.id == id) else { return Ok(false) };
        self.remove(&found)?;
        Ok(true)
    }

    /// Removes every record whose time is over, and what killed processes left. Returns the ids.
    ///
    /// # Errors
    ///
    /// If the store cannot be locked.
    pub fn prune(&self) -> io::Result<Vec<String>> {
        if !self.directory.exists() {
            return Ok(Vec::new());
        }
        let _lock = self.lock()?;
        self.sweep();
        let now = now();
        let expired = self.names().into_iter().filter(|name| name.age(now) > self.limits.life);
        Ok(expired.filter(|name| self.remove(name).is_ok()).map(|name| name.id).collect())
    }

    fn names(&self) -> Vec<Name> {
        if !self.is_ours() {
            return Vec::new();
        }
        let Ok(found) = fs::read_dir(&self.directory) else { return Vec::new() };
        found.flatten().filter_map(|found| Name::read(found.file_name().to_str()?)).collect()
    }

    fn is_ours(&self) -> bool {
        let own = rustix::process::geteuid().as_raw();
        fs::symlink_metadata(&self.directory)
            .is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == own && metadata.mode() & 0o077 == 0)
    }

    /// Creates the directory of a record that is not finished.
    pub(crate) fn unfinished(&self) -> io::Result<PathBuf> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
        if !self.is_ours() {
            let shown = self.directory.display();
            return Err(io::Error::other(format!(
                "`{shown}` must be a directory of yours that nobody else can use (chmod 700)"
            )));
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{UNFINISHED}{}-{number}-{}", std::process::id(), names::random_id()?);
        let directory = self.directory.join(name);
        DirBuilder::new().mode(0o700).create(&directory)?;
        Ok(directory)
    }

    /// Makes room for a record and gives it its name.
    pub(crate) fn add<T>(
        &self,
        unfinished: &Path,
        write: impl FnOnce(&str) -> Result<(Name, T), NotKept>,
    ) -> Result<T, NotKept> {
        let _lock = self.lock()?;
        self.sweep();
        let names = self.names();
        let id = loop {
            let id = names::random_id()?;
            if names.iter().all(|name| name.id != id) {
                break id;
            }
        };
        let (name, made) = write(&id)?;
        self.make_room(names, name.bytes)?;
        fs::rename(unfinished, self.directory.join(name.directory()))?;
        Ok(made)
    }

    /// Removes what is too old, and the oldest ones until there is room.
    fn make_room(&self, mut names: Vec<Name>, bytes: u64) -> Result<(), NotKept> {
        let now = now();
        names.retain(|name| name.age(now) <= self.limits.life || self.remove(name).is_err());
        names.sort_by_key(|name| name.made);
        let mut used: u64 = names.iter().map(|name| name.bytes).sum();
        let mut count = names.len();
        let mut oldest = names.iter().filter(|name| !name.relied_on && name.age(now) > GRACE);
        while used.saturating_add(bytes) > self.limits.store || count >= RECORDS {
            let name = oldest.next().ok_or(NotKept::Full)?;
            self.remove(name)?;
            used = used.saturating_sub(name.bytes);
            count -= 1;
        }
        Ok(())
    }

    /// Removes a record: first its name, so that no process sees half of it.
    fn remove(&self, name: &Name) -> io::Result<()> {
        let going = self.directory.join(format!("{UNFINISHED}going-{}", name.directory()));
        fs::rename(self.directory.join(name.directory()), &going)?;
        fs::remove_dir_all(going)
    }

    /// Removes what killed processes left.
    fn sweep(&self) {
        let Ok(found) = fs::read_dir(&self.directory) else { return };
        for found in found.flatten() {
            let is_old = || {
                let modified = found.metadata().and_then(|metadata| metadata.modified());
                modified
                    .is_ok_and(|then| SystemTime::now().duration_since(then).is_ok_and(|age| age > ABANDONED))
            };
            if found.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) && is_old() {
                // Another process may do the same.
                let _ = fs::remove_dir_all(found.path());
            }
        }
    }

    /// Locks the list of records.
    fn lock(&self) -> io::Result<File> {
        let path = self.directory.join("lock");
        let file = match new_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => File::open(&path)?,
            other => other?,
        };
        let end = Instant::now() + WAIT;
        loop {
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(file),
                Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < end => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Returns the time in microseconds since 1970.
pub(crate) fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_micros()).unwrap_or(u64::MAX)
}
