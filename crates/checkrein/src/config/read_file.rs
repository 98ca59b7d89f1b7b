//! Reads a configuration file without blocking, whatever kind of file it is.
//!
//! The path may name anything: a pipe without a writer, a device, a directory, a gigabyte. Each is an error with
//! a message of its own, and none may block or fill the memory, because an agent waits for the answer.

use crate::{
    config::{bounds::Bounds, layer::Layer},
    environment::variable,
    trust::{is_of_the_project, real},
};
use rustix::{
    fs::{FileType, Mode, OFlags, Stat},
    io::Errno,
};
use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime},
};

/// The maximum size of a user's file. A thousand hooks need a fifth of it.
pub(crate) const LIMIT: u64 = Bounds::of(Layer::User).file;

/// The error of a configuration file that could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadFileError {
    #[error("the configuration file does not exist")]
    Missing,
    #[error("expected a configuration file, found a symbolic link to nothing")]
    Dangling,
    #[error("expected a file of the project, found a symbolic link that leads out of it")]
    Elsewhere,
    #[error("the configuration file is being written, and cannot be read whole yet")]
    Restless,
    #[error("the configuration file is empty; if that is intentional, delete it or add a comment")]
    Empty,
    #[error("expected a configuration file, found {0}")]
    NotAFile(&'static str),
    #[error("expected a configuration file, found symbolic links that lead in a circle")]
    Circle,
    #[error("the configuration file may not be read: permission denied")]
    Forbidden,
    #[error("the configuration file is larger than {}", shown(*.0))]
    TooLarge(u64),
    #[error("the configuration file cannot be read: {0}")]
    Other(io::Error),
}

/// The time for which a complete file must have been unchanged, so that no process is likely to be in the middle of
/// writing it.
const QUIET: Duration = Duration::from_millis(50);

/// Time without a change for a file that looks unfinished: it is empty, or its last line has no end. An emptied file is about to
/// fill it, and a text that stops in the middle of a line may go on.
const UNFINISHED: Duration = Duration::from_secs(1);

/// The interval of the checks.
const STEP: Duration = Duration::from_millis(10);

/// The maximum time to wait until a file stops changing.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The maximum time for which a recently seen file may be missing.
const AWAY: Duration = Duration::from_millis(200);

/// The bytes of the regular file at `path`, and what it was when they were read.
///
/// An editor may empty the file first and fill it then, and a half of a configuration can be a valid one with fewer
/// hooks. So a file that changed while we read it, or a moment ago, is read again; and one that never comes to rest is
/// an error, because a half of it is not an answer.
pub(crate) fn read_with_state(path: &Path, limit: u64) -> Result<(Vec<u8>, Stat), ReadFileError> {
    let mut last = read_once(path, limit)?;
    if !is_fresh(&last) {
        return Ok(last);
    }
    let begin = Instant::now();
    // The time of a change may come from another clock, so a file that did not change while we looked also counts as
    // old.
    let mut unchanged_since = begin;
    while begin.elapsed() < PATIENCE {
        std::thread::sleep(STEP);
        let again = match read_once(path, limit) {
            // It existed a moment ago, so it is being replaced.
            Err(ReadFileError::Missing) => continue,
            again => again?,
        };
        if state(&again.1) != state(&last.1) {
            unchanged_since = Instant::now();
        }
        last = again;
        if !is_fresh(&last) || unchanged_since.elapsed() >= rest(&last.0) {
            return Ok(last);
        }
    }
    // What was read last may be gone by now.
    read_once(path, limit)?;
    Err(ReadFileError::Restless)
}

/// Reads a file that existed until recently, and may be back in a moment.
pub(crate) fn read_that_was_there(path: &Path, limit: u64) -> Result<(Vec<u8>, Stat), ReadFileError> {
    let begin = Instant::now();
    loop {
        match read_with_state(path, limit) {
            Err(ReadFileError::Missing) if begin.elapsed() < AWAY => std::thread::sleep(STEP),
            other => return other,
        }
    }
}

/// The bytes alone.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, ReadFileError> {
    read_within(path, LIMIT)
}

/// Reads at most `limit` bytes.
pub(crate) fn read_within(path: &Path, limit: u64) -> Result<Vec<u8>, ReadFileError> {
    read_with_state(path, limit).map(|(bytes, _)| bytes)
}

fn shown(limit: u64) -> String {
    match limit / 1024 {
        kib if kib.is_multiple_of(1024) => format!("{} MiB", kib / 1024),
        kib => format!("{kib} KiB"),
    }
}

/// Returns true if a project's configuration is a link to a file outside the project. A foreign repository can
/// contain such a link to anything, and its target is not the project's text.
pub(crate) fn leads_out_of_its_project(path: &Path) -> bool {
    let named = rustix::fs::lstat(path).map(|named| FileType::from_raw_mode(named.st_mode));
    if named != Ok(FileType::Symlink) {
        return false;
    }
    let directory = path.parent().unwrap_or(Path::new("."));
    // If the whole home directory is a repository, its files still do not count as the project's.
    let home = variable("HOME").map(PathBuf::from);
    if home.is_some_and(|home| is_of_the_project(&home, directory)) {
        return !real(path).starts_with(real(directory));
    }
    !is_of_the_project(path, directory)
}

/// Returns true if a file is empty: it has not even a comment that says that this is meant.
pub(crate) fn is_empty_text(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii().is_empty()
}

fn state(stat: &Stat) -> impl PartialEq {
    (
        stat.st_dev,
        stat.st_ino,
        stat.st_size,
        stat.st_mtime,
        stat.st_mtime_nsec,
        stat.st_ctime,
        stat.st_ctime_nsec,
    )
}

/// Returns the time for which a file with these bytes must have been unchanged.
fn rest(bytes: &[u8]) -> Duration {
    if bytes.last() != Some(&b'\n') || is_empty_text(bytes) { UNFINISHED } else { QUIET }
}

/// Returns true if it was changed a moment ago. The time of its content can be set to anything, that of its inode
/// cannot.
fn is_fresh((bytes, stat): &(Vec<u8>, Stat)) -> bool {
    let then = SystemTime::UNIX_EPOCH
        + Duration::new(
            u64::try_from(stat.st_ctime).unwrap_or(0),
            u32::try_from(stat.st_ctime_nsec).unwrap_or(0),
        );
    // A file server's clock may be ahead of ours.
    let age = SystemTime::now().duration_since(then).unwrap_or_else(|ahead| ahead.duration());
    age < rest(bytes)
}

fn read_once(path: &Path, limit: u64) -> Result<(Vec<u8>, Stat), ReadFileError> {
    // Most places have no configuration, and then this is the only question.
    let named = rustix::fs::lstat(path).map_err(unopened)?;
    // Non-blocking, because to open a pipe waits for its other end; without a terminal, because to open one may
    // make it ours.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        // A configuration exists and cannot be read, which differs from having none.
        Err(Errno::NOENT) if FileType::from_raw_mode(named.st_mode) == FileType::Symlink => {
            return Err(ReadFileError::Dangling);
        }
        Err(error) => return Err(unopened(error)),
    };
    // What was opened is asked, not what the path named a moment ago.
    let stat = rustix::fs::fstat(&file).map_err(unopened)?;
    if let Some(other) = other_kind(FileType::from_raw_mode(stat.st_mode)) {
        return Err(ReadFileError::NotAFile(other));
    }
    // The size is only a hint: a file can grow while it is read, and some files report none.
    let hint = u64::try_from(stat.st_size).unwrap_or(0).min(limit);
    let mut bytes = Vec::with_capacity(usize::try_from(hint).unwrap_or(0) + 1);
    (&file).take(limit + 1).read_to_end(&mut bytes).map_err(ReadFileError::Other)?;
    if bytes.len() as u64 > limit {
        return Err(ReadFileError::TooLarge(limit));
    }
    Ok((bytes, rustix::fs::fstat(&file).map_err(unopened)?))
}

fn unopened(error: Errno) -> ReadFileError {
    match error {
        Errno::NOENT | Errno::NOTDIR => ReadFileError::Missing,
        Errno::ACCESS | Errno::PERM => ReadFileError::Forbidden,
        Errno::LOOP => ReadFileError::Circle,
        // What `open` says to a socket.
        Errno::NXIO => ReadFileError::NotAFile("a socket or a device without a driver"),
        error => ReadFileError::Other(error.into()),
    }
}

/// Returns the kind of a file that is not regular.
const fn other_kind(kind: FileType) -> Option<&'static str> {
    match kind {
        FileType::RegularFile => None,
        FileType::Directory => Some("a directory"),
        FileType::Fifo => Some("a FIFO"),
        FileType::Socket => Some("a socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Some("a device"),
        FileType::Symlink | FileType::Unknown => Some("something else"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_is_never_taken_for_the_whole() {
        use std::io::Write;
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    let mut file = File::create(&path).unwrap();
                    for _ in 0..50 {
                        file.write_all(b"half").unwrap();
                        // As a tool does that keeps the times of what it copies.
                        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
                        std::thread::sleep(Duration::from_millis(1));
                    }
                }
            });
            std::thread::sleep(Duration::from_millis(100));
            // A loaded machine may stop the writer for so long that the file is at rest; that is not what is tested.
            let restless = (0..20).any(|_| matches!(read(&path), Err(ReadFileError::Restless)));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(restless);
        });
        assert_eq!(read(&path).unwrap().len(), 200);
    }

    #[test]
    fn what_only_others_meet_has_a_text_too() {
        // A test that runs as root may read everything, so the mapping is tested by itself.
        for (error, text) in [
            (Errno::ACCESS, "the configuration file may not be read: permission denied"),
            (Errno::NOTDIR, "the configuration file does not exist"),
            (Errno::MFILE, "the configuration file cannot be read: Too many open files (os error 24)"),
        ] {
            assert_eq!(unopened(error).to_string(), text);
        }
    }
}
