//! The operations that change the disk, through one small trait, so that tests can stop a process between any two of them
//! and after any byte.

use rustix::{
    fd::{BorrowedFd, OwnedFd},
    fs::{AtFlags, CWD, Mode, OFlags},
    io::Errno,
};
use std::{fmt::Debug, fs, io, path::Path};

/// The disk, or something that fails like one.
pub(crate) trait Disk: Debug + Send + Sync {
    /// Is called before every operation that changes something. An error means that the process was killed here.
    fn step(&self) -> io::Result<()> {
        Ok(())
    }

    /// Writes as much as it can.
    fn write(&self, file: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(file, bytes)?)
    }
}

/// The disk of this machine.
#[derive(Debug)]
pub(crate) struct RealDisk;

impl Disk for RealDisk {}

/// The mode of a file that is appended to.
pub(crate) const OPEN: Mode = Mode::RUSR.union(Mode::WUSR);
/// The mode of a file that is appended to, while lines of other processes wait to be taken in.
pub(crate) const AWAITED: Mode = Mode::RWXU;
/// The mode of a closed segment.
pub(crate) const CLOSED: Mode = Mode::RUSR;

impl dyn Disk {
    /// Opens a file to read it and to append to it, and creates it if there is none.
    pub(crate) fn open(&self, path: &Path) -> io::Result<OwnedFd> {
        self.step()?;
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::open(path, flags, OPEN)?)
    }

    /// Creates a file that is not there yet.
    pub(crate) fn create_new(&self, path: &Path) -> io::Result<OwnedFd> {
        self.step()?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::open(path, flags, OPEN)?)
    }

    /// Writes all bytes at the end of a file.
    pub(crate) fn write_all(&self, file: BorrowedFd<'_>, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.write(file, bytes) {
                Ok(0) => return Err(Errno::NOSPC.into()),
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    pub(crate) fn truncate(&self, file: BorrowedFd<'_>, length: u64) -> io::Result<()> {
        self.step()?;
        Ok(rustix::fs::ftruncate(file, length)?)
    }

    pub(crate) fn set_mode(&self, file: BorrowedFd<'_>, mode: Mode) -> io::Result<()> {
        self.step()?;
        Ok(rustix::fs::fchmod(file, mode)?)
    }

    pub(crate) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step()?;
        fs::rename(from, to)
    }

    /// Creates a directory that only the user can use. It may be there already.
    pub(crate) fn directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        match rustix::fs::mkdir(path, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        fs::remove_file(path)
    }

    /// Removes an empty directory.
    pub(crate) fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.step()?;
        Ok(rustix::fs::unlinkat(CWD, path, AtFlags::REMOVEDIR)?)
    }
}
