//! Lines of processes that could not wait for the lock. Each is a file of its own, which the next writer takes in.
//!
//! The file is complete once it has its name (`ID.line`); until then it is `ID.part`. A mode bit of the current
//! segment tells the next writer that there are some, so that no process has to search for them.

use crate::{
    Line, Store,
    files::{AWAITED, CLOSED},
    store::TrailError,
};
use checkrein_core::SmallSort as _;
use std::{
    fs, io,
    os::fd::BorrowedFd,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// The maximum number of lines that a writer takes in at once.
const MOST: usize = 512;
/// The longest file that is one.
const LONGEST: u64 = 1024 * 1024;
/// The age at which an unfinished file belongs to a process that was killed.
const ABANDONED: Duration = Duration::from_secs(60);

/// The lines that wait, in the order of their ids.
pub(crate) fn waiting(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory.join("pending")).into_iter().flatten().flatten();
    let mut lines: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "line"))
        .collect();
    lines.small_sort();
    lines
}

/// Reads a line that waits, without its line break.
pub(crate) fn read(path: &Path) -> Option<Vec<u8>> {
    let metadata = fs::symlink_metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LONGEST {
        return None;
    }
    fs::read(path).ok()
}

impl Store {
    /// Leaves a line for the next writer.
    pub(crate) fn leave(&self, line: &Line, current: BorrowedFd<'_>) -> Result<(), TrailError> {
        let directory = self.directory.join("pending");
        let (part, whole) =
            (directory.join(format!("{}.part", line.id)), directory.join(format!("{}.line", line.id)));
        let mut open = line.open.clone();
        open.extend_from_slice(b",\"late\":true");
        self.disk.directory(&directory)?;
        let file = self.disk.create_new(&part)?;
        let written = self.disk.write_all(as_fd(&file), &open).and_then(|()| self.disk.rename(&part, &whole));
        if let Err(error) = written {
            let _ = self.disk.remove(&part);
            return Err(error.into());
        }
        // If the segment was closed in the meantime, the next one begins with a look at what waits.
        if crate::store::mode(current)? != CLOSED {
            self.disk.set_mode(current, AWAITED)?;
        }
        Ok(())
    }

    /// Returns the lines that wait, to be appended, and whether there are more.
    pub(crate) fn pending(&self) -> (Vec<(PathBuf, Vec<u8>)>, bool) {
        let mut waiting = waiting(&self.directory);
        let more = waiting.len() > MOST;
        waiting.truncate(MOST);
        let lines = waiting.into_iter().filter_map(|path| {
            let line = read(&path)?;
            // Nothing but an object that is still open may enter the chain.
            let is_object =
                |line: &[u8]| serde_json::from_slice::<checkrein_core::Map>(&closed(line)).is_ok();
            (is_object(&line) && !line.contains(&b'\n')).then_some((path, line))
        });
        (lines.collect(), more)
    }

    /// Removes what killed processes left.
    pub(crate) fn sweep_pending(&self) {
        let now = SystemTime::now();
        for entry in fs::read_dir(self.directory.join("pending")).into_iter().flatten().flatten() {
            let is_part = entry.path().extension().is_some_and(|extension| extension == "part");
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            if is_part && modified.is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age > ABANDONED))
            {
                let _ = self.disk.remove(&entry.path());
            }
        }
    }
}

/// Returns the line of a file as a whole object.
pub(crate) fn closed(open: &[u8]) -> Vec<u8> {
    let mut line = open.to_vec();
    line.push(b'}');
    line
}

fn as_fd(file: &rustix::fd::OwnedFd) -> BorrowedFd<'_> {
    std::os::fd::AsFd::as_fd(file)
}

/// An error that is about the disk and not about the trail.
impl From<io::Error> for TrailError {
    fn from(error: io::Error) -> Self {
        Self::Disk(error)
    }
}
