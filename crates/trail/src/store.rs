//! Appends lines: one lock, one read of the end, one write.

use crate::{
    Line, Seal,
    files::{AWAITED, CLOSED, Disk, OPEN, RealDisk},
    segment::{CURRENT, last_seal},
};
use rustix::{
    fd::OwnedFd,
    fs::{FileType, FlockOperation, Mode, Stat},
    io::Errno,
};
use std::{
    fs::{self, File},
    io::{self, ErrorKind},
    os::fd::{AsFd, BorrowedFd},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The time for which a line waits for the lock. Then it goes to a file of its own.
const PATIENCE: Duration = Duration::from_millis(5);
/// The maximum number of times that others may close the segment while one process tries to append.
const ATTEMPTS: usize = 16;

/// When a line has to be on the disk itself, and not only in the memory of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sync {
    /// Never: a line survives the end of any process, but not a power failure.
    #[default]
    Off,
    /// For denials.
    Deny,
    /// For every line.
    All,
}

/// The time for which lines are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// The age at which a segment is removed.
    pub age: Duration,
    /// The length of all segments together.
    pub bytes: u64,
    /// The length at which a segment is closed.
    pub segment: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { age: Duration::from_secs(30 * 24 * 3600), bytes: 128 << 20, segment: 8 << 20 }
    }
}

/// The reason why a line was not appended.
#[derive(Debug, thiserror::Error)]
pub enum TrailError {
    /// The disk is full, or cannot be written.
    #[error("{0}")]
    Disk(io::Error),
    /// The directory or the file belongs to another user, or is not what it should be.
    #[error("`{0}` is not a file of yours alone")]
    NotOurs(PathBuf),
    /// Other processes closed the segment again and again.
    #[error("other processes change the trail all the time")]
    Busy,
}

/// The trail of a machine, to append to.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) directory: PathBuf,
    pub(crate) retention: Retention,
    sync: Sync,
    pub(crate) disk: &'static dyn Disk,
}

/// A lock on the trail, which ends when this is dropped or the process ends.
#[derive(Debug)]
pub struct Held(#[allow(dead_code, reason = "it is held, not used")] Option<OwnedFd>);

impl Store {
    /// The trail in a directory, which is made when the first line is appended.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            retention: Retention::default(),
            sync: Sync::default(),
            disk: &RealDisk,
        }
    }

    /// Sets how long lines are kept.
    #[must_use]
    pub const fn with_retention(mut self, retention: Retention) -> Self {
        self.retention = retention;
        self
    }

    /// Sets when a line has to be on the disk itself.
    #[must_use]
    pub const fn with_sync(mut self, sync: Sync) -> Self {
        self.sync = sync;
        self
    }

    #[cfg(test)]
    pub(crate) fn on(mut self, disk: &'static dyn Disk) -> Self {
        self.disk = disk;
        self
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub(crate) fn current(&self) -> PathBuf {
        self.directory.join(CURRENT)
    }

    /// Appends a line. It waits for other processes for at most five milliseconds; after that the line is in a file of its
    /// own, which the next one takes in. When this returns without an error, the line is kept.
    ///
    /// # Errors
    ///
    /// If the line is not kept.
    pub fn append(&self, line: &Line) -> Result<Held, TrailError> {
        for _ in 0..ATTEMPTS {
            let Some(file) = self.open()? else { continue };
            if !is_locked(&file)? {
                self.leave(line, file.as_fd())?;
                return Ok(Held(None));
            }
            if let Some(()) = self.append_locked(line, &file)? {
                return Ok(Held(Some(file)));
            }
        }
        Err(TrailError::Busy)
    }

    /// Opens the current segment. `None` if that has to be tried again.
    fn open(&self) -> Result<Option<OwnedFd>, TrailError> {
        match self.disk.open(&self.current()) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.make_directory()?;
                Ok(None)
            }
            // It is being closed; or the process that closed it was killed half-way.
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                let file = File::open(self.current()).map_err(|_| error)?;
                let file = OwnedFd::from(file);
                if is_locked(&file)? && self.is_current(&file)? && mode(file.as_fd())? == CLOSED {
                    self.close(&file)?;
                }
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Creates the directory. On a network file system it is a link to one on this machine, where locks work.
    fn make_directory(&self) -> Result<(), TrailError> {
        if let Some(parent) = self.directory.parent() {
            // A home directory that does not exist is not ours to make.
            let exists = parent.ancestors().any(|above| above.parent().is_some() && above.is_dir());
            if !exists {
                return Err(io::Error::from(ErrorKind::NotFound).into());
            }
            std::os::unix::fs::DirBuilderExt::mode(&mut fs::DirBuilder::new(), 0o700)
                .recursive(true)
                .create(parent)?;
            if crate::is_network(parent) {
                return self.make_elsewhere();
            }
        }
        Ok(self.disk.directory(&self.directory)?)
    }

    fn make_elsewhere(&self) -> Result<(), TrailError> {
        let user = rustix::process::geteuid().as_raw();
        let local = PathBuf::from(format!("/var/tmp/checkrein-{user}"));
        self.disk.directory(&local)?;
        let metadata = fs::symlink_metadata(&local)?;
        if !metadata.is_dir() || !is_private(&rustix::fs::lstat(&local).map_err(io::Error::from)?) {
            return Err(TrailError::NotOurs(local));
        }
        let local = local.join("trail");
        self.disk.directory(&local)?;
        self.disk.step()?;
        match std::os::unix::fs::symlink(&local, &self.directory) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Appends under the lock. `None` if the file is no longer the current segment.
    fn append_locked(&self, line: &Line, file: &OwnedFd) -> Result<Option<()>, TrailError> {
        let stat = rustix::fs::fstat(file).map_err(io::Error::from)?;
        // A file of another user that only they can use would not have been opened.
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile || stat.st_mode & 0o077 != 0 {
            return Err(TrailError::NotOurs(self.current()));
        }
        let mode = Mode::from_raw_mode(stat.st_mode);
        // Only the process that holds the lock closes a segment. One that is closed and still has its name was left
        // by a process that was killed.
        if mode != OPEN && !self.is_current(file)? {
            return Ok(None);
        }
        if mode == CLOSED {
            self.close(file)?;
            return Ok(None);
        }
        let size = u64::try_from(stat.st_size).unwrap_or_default();
        let tail = match size {
            0 => None,
            _ => last_seal(&Positioned(file.as_fd()), size)?,
        };
        let (seal, end) = match tail {
            Some((seal, end)) => (Some(seal), end),
            None => (None, 0),
        };
        // The end of a line whose writer was killed, so it was not acknowledged. Text with a line break stays,
        // whatever it is: it may be evidence.
        let mut kept = size;
        if end < size {
            kept = last_line_end(file, size)?;
            if kept < size {
                self.disk.truncate(file.as_fd(), kept)?;
            }
        }
        if kept > 0 && self.is_over(&stat, kept) {
            self.close_current(file.as_fd(), seal)?;
            return Ok(None);
        }
        let seal = match seal {
            Some(seal) => seal,
            None => self.inherited()?,
        };
        self.write(line, file, seal, (kept, size - kept), mode == AWAITED || size == 0)?;
        Ok(Some(()))
    }

    /// Writes a line, and before it those that wait.
    fn write(
        &self,
        line: &Line,
        file: &OwnedFd,
        mut seal: Seal,
        (start, dropped): (u64, u64),
        takes_in: bool,
    ) -> Result<(), TrailError> {
        let mut buffer = Vec::with_capacity(line.open.len() + 256);
        let (mut taken, mut more) = (Vec::new(), false);
        if takes_in {
            // Before looking: a line that arrives after that sets it again.
            self.disk.set_mode(file.as_fd(), OPEN)?;
            (taken, more) = self.pending();
            for (_, waiting) in &taken {
                seal = seal.add(waiting, &mut buffer);
            }
        }
        match dropped {
            0 => seal.add(&line.open, &mut buffer),
            _ => {
                let mut open = line.open.clone();
                open.extend_from_slice(format!(",\"dropped\":{dropped}").as_bytes());
                seal.add(&open, &mut buffer)
            }
        };
        let mut written = self.disk.write_all(file.as_fd(), &buffer);
        let is_synced = self.sync == Sync::All || self.sync == Sync::Deny && line.is_denial;
        if written.is_ok() && is_synced {
            written = sync_data(file);
        }
        if let Err(error) = written {
            // Half a line would be recognised, but why leave it.
            let _ = self.disk.truncate(file.as_fd(), start);
            if takes_in {
                let _ = self.disk.set_mode(file.as_fd(), AWAITED);
            }
            return Err(error.into());
        }
        for (path, _) in &taken {
            // If it stays, it is taken in twice, and readers see its id.
            let _ = self.disk.remove(path);
        }
        if more {
            let _ = self.disk.set_mode(file.as_fd(), AWAITED);
        }
        Ok(())
    }

    /// Closes a segment whose closing was not finished.
    fn close(&self, file: &OwnedFd) -> Result<(), TrailError> {
        let size = rustix::fs::fstat(file).map_err(io::Error::from)?.st_size;
        let last = last_seal(&Positioned(file.as_fd()), u64::try_from(size).unwrap_or_default())?;
        Ok(self.close_current(file.as_fd(), last.map(|(seal, _)| seal))?)
    }

    /// Returns whether a segment is long enough, or of another day.
    fn is_over(&self, stat: &Stat, size: u64) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let last = u64::try_from(stat.st_mtime).unwrap_or_default();
        size >= self.retention.segment || last / 86_400 < now / 86_400
    }

    /// Returns whether an open file is the one that has the name of the current segment.
    fn is_current(&self, file: &OwnedFd) -> io::Result<bool> {
        let open = rustix::fs::fstat(file)?;
        match rustix::fs::lstat(self.current()) {
            Ok(named) => Ok(named.st_dev == open.st_dev && named.st_ino == open.st_ino),
            Err(Errno::NOENT) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

fn euid() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn is_private(stat: &Stat) -> bool {
    stat.st_uid == euid() && stat.st_mode & 0o077 == 0
}

/// The mode of an open file.
pub(crate) fn mode(file: BorrowedFd<'_>) -> io::Result<Mode> {
    Ok(Mode::from_raw_mode(rustix::fs::fstat(file)?.st_mode))
}

/// Takes the lock, and waits for it a moment. Returns false if another process has it for longer.
fn is_locked(file: &OwnedFd) -> io::Result<bool> {
    let mut until = None;
    loop {
        match rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(true),
            Err(Errno::WOULDBLOCK | Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let now = Instant::now();
        if now >= *until.get_or_insert(now + PATIENCE) {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Reads at positions of a borrowed file.
struct Positioned<'a>(BorrowedFd<'a>);

impl std::os::unix::fs::FileExt for Positioned<'_> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Ok(rustix::io::pread(self.0, buffer, offset)?)
    }

    fn write_at(&self, _: &[u8], _: u64) -> io::Result<usize> {
        Err(ErrorKind::Unsupported.into())
    }
}

/// Returns where the last line ends that has a line break.
fn last_line_end(file: &OwnedFd, size: u64) -> io::Result<u64> {
    let mut all = vec![0; usize::try_from(size).unwrap_or_default()];
    std::os::unix::fs::FileExt::read_exact_at(&Positioned(file.as_fd()), &mut all, 0)?;
    Ok(all.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1))
}

/// Writes the content of a file to the disk.
#[cfg(not(target_os = "macos"))]
fn sync_data(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::fs::fdatasync(file)?)
}

/// Writes the content of a file to the disk. On macOS `fsync` leaves it in the cache of the drive.
#[cfg(target_os = "macos")]
fn sync_data(file: impl AsFd) -> io::Result<()> {
    Ok(rustix::fs::fcntl_fullfsync(file)?)
}
