//! Kills between any two operations and after any byte, full disks, and locks that others hold.

use super::{ids, line, records, small, whole};
use crate::{Line, Retention, Store, TrailError, files::Disk};
use rustix::{fd::BorrowedFd, fs::FlockOperation, io::Errno};
use std::{
    fs, io,
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

/// A disk on which a process gets so far and no further: one unit for each operation, and one for each byte.
#[derive(Debug)]
struct Killed {
    left: AtomicUsize,
}

impl Killed {
    fn after(units: usize) -> &'static Self {
        Box::leak(Box::new(Self { left: AtomicUsize::new(units) }))
    }

    fn take(&self, wanted: usize) -> usize {
        let left = self.left.load(Ordering::Relaxed);
        let taken = wanted.min(left);
        self.left.store(left - taken, Ordering::Relaxed);
        taken
    }
}

impl Disk for Killed {
    fn step(&self) -> io::Result<()> {
        if self.take(1) == 1 { Ok(()) } else { Err(io::Error::other("killed")) }
    }

    fn write(&self, file: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.take(bytes.len());
        rustix::io::write(file, &bytes[..taken])?;
        if taken == bytes.len() { Ok(taken) } else { Err(io::Error::other("killed")) }
    }
}

/// Appends until the process is killed, and returns what was acknowledged.
fn append_until_killed(store: &Store, count: usize) -> Vec<Line> {
    (0..count).map(|_| line()).take_while(|line| store.append(line).is_ok()).collect()
}

/// Wherever a process is killed, everything that was acknowledged is there once, in order, and the next process goes on.
#[test]
fn a_kill_at_any_byte_loses_nothing_that_was_acknowledged() {
    let mut survived = 0;
    // Six lines with two changes of segments take some 5000 units; the last round is not killed at all.
    for units in (0..1_700).chain((1_700..5_600).step_by(29)) {
        let directory = tempfile::tempdir().unwrap();
        let store = small(directory.path());
        store.append(&line()).unwrap();
        let before = ids(&store);
        let acknowledged = append_until_killed(&store.clone().on(Killed::after(units)), 6);
        survived += usize::from(acknowledged.len() == 6);
        let last = line();
        store.append(&last).unwrap();
        let kept = ids(&store);
        let told: Vec<_> = acknowledged.iter().map(Line::id).collect();
        let expected = [before, told, vec![last.id()]].concat();
        let missing: Vec<_> = expected.iter().filter(|id| !kept.contains(id)).collect();
        assert!(missing.is_empty(), "{units}: {missing:?}");
        // A line that was written and not acknowledged may be there as well.
        assert!(kept.len() <= expected.len() + 1, "{units}");
        assert!(kept.is_sorted() && kept.windows(2).all(|pair| pair[0] != pair[1]), "{units}");
        whole(&store);
    }
    assert!(survived > 0, "the last rounds are long enough to change segments");
}

/// A kill also loses no line that cannot wait for the lock.
#[test]
fn a_kill_while_a_line_waits_loses_nothing_that_was_acknowledged() {
    for units in 0..900 {
        let directory = tempfile::tempdir().unwrap();
        let store = small(directory.path());
        store.append(&line()).unwrap();
        let lock = fs::File::open(store.current()).unwrap();
        rustix::fs::flock(&lock, FlockOperation::LockExclusive).unwrap();
        let waits = line();
        // One unit opens the file, so that the rest is about the line that waits.
        let acknowledged = store.clone().on(Killed::after(units + 1)).append(&waits).is_ok();
        drop(lock);
        let taker = line();
        let taken = store.clone().on(Killed::after(units * 2)).append(&taker).is_ok();
        let last = line();
        store.append(&last).unwrap();
        let kept = ids(&store);
        assert!(!acknowledged || kept.contains(&waits.id()), "{units}");
        assert!(!taken || kept.contains(&taker.id()), "{units}");
        assert!(kept.contains(&last.id()), "{units}");
        let mut once = kept.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), kept.len(), "{units}");
        whole(&store);
    }
}

#[test]
fn a_line_does_not_wait_long_and_is_taken_in() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    store.append(&line()).unwrap();
    let lock = fs::File::open(store.current()).unwrap();
    rustix::fs::flock(&lock, FlockOperation::LockExclusive).unwrap();
    let late = [line(), line()];
    let started = Instant::now();
    for line in &late {
        store.append(line).unwrap();
    }
    // Two times five milliseconds, on a machine that may be busy.
    assert!(started.elapsed() < Duration::from_secs(2));
    // Readers see them at once.
    assert_eq!(ids(&store)[1..], late.each_ref().map(Line::id));
    assert_eq!(whole(&store).records, 1);
    drop(lock);
    let last = line();
    store.append(&last).unwrap();
    assert_eq!(ids(&store)[1..], [late[0].id(), late[1].id(), last.id()]);
    assert_eq!(whole(&store).records, 4);
    assert_eq!(fs::read_dir(store.directory().join("pending")).unwrap().count(), 0);
    assert!(records(&store)[1].is("late") && !records(&store)[3].is("late"));
}

/// A line that was taken in and could not be removed is taken in again; readers show it once.
#[test]
fn a_line_that_was_taken_in_twice_is_shown_once() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path()).with_retention(Retention::default());
    store.append(&line()).unwrap();
    let lock = fs::File::open(store.current()).unwrap();
    rustix::fs::flock(&lock, FlockOperation::LockExclusive).unwrap();
    let late = line();
    store.append(&late).unwrap();
    let pending = store.directory().join(format!("pending/{}.line", late.id()));
    let copy = fs::read(&pending).unwrap();
    drop(lock);
    store.append(&line()).unwrap();
    fs::write(&pending, copy).unwrap();
    let current = fs::File::open(store.current()).unwrap();
    rustix::fs::fchmod(&current, crate::files::AWAITED).unwrap();
    store.append(&line()).unwrap();
    assert_eq!(whole(&store).records, 5);
    assert_eq!(ids(&store).len(), 4);
    assert_eq!(crate::Newest::open(store.directory()).unwrap().count(), 4);
}

/// A disk that is full after some bytes.
#[derive(Debug)]
struct Full {
    left: AtomicUsize,
}

impl Disk for Full {
    fn write(&self, file: BorrowedFd<'_>, bytes: &[u8]) -> io::Result<usize> {
        let left = self.left.load(Ordering::Relaxed);
        let taken = bytes.len().min(left);
        self.left.store(left - taken, Ordering::Relaxed);
        if taken == 0 {
            return Err(Errno::NOSPC.into());
        }
        Ok(rustix::io::write(file, &bytes[..taken])?)
    }
}

#[test]
fn a_full_disk_is_an_error_and_leaves_no_half_line() {
    for left in (0..line().open.len()).step_by(7) {
        let directory = tempfile::tempdir().unwrap();
        let store = small(directory.path());
        store.append(&line()).unwrap();
        let full = Box::leak(Box::new(Full { left: AtomicUsize::new(left) }));
        let error = store.clone().on(full).append(&line()).unwrap_err();
        assert!(
            matches!(&error, TrailError::Disk(error) if error.kind() == io::ErrorKind::StorageFull),
            "{error}"
        );
        assert_eq!(whole(&store).records, 1);
        store.append(&line()).unwrap();
        assert_eq!(whole(&store).records, 2);
    }
}

/// A file of another kind is not appended to.
#[test]
fn only_a_file_of_ours_is_appended_to() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    fs::create_dir(store.directory()).unwrap();
    std::os::unix::fs::symlink("/dev/null", store.current()).unwrap();
    assert!(store.append(&line()).is_err());
    fs::remove_file(store.current()).unwrap();
    fs::create_dir(store.current()).unwrap();
    assert!(store.append(&line()).is_err());
}

/// A line break at the end of something unreadable is not a reason to remove it: it may be evidence.
#[test]
fn what_cannot_be_read_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let store = small(directory.path());
    store.append(&line()).unwrap();
    let mut text = fs::read(store.current()).unwrap();
    text.extend_from_slice(b"something else\n");
    fs::write(store.current(), &text).unwrap();
    store.append(&line()).unwrap();
    assert!(fs::read(store.current()).unwrap().starts_with(&text));
    let broken = crate::verify(store.directory()).unwrap().broken.unwrap();
    assert_eq!((broken.line, broken.kind), (2, crate::BreakKind::Unreadable));
}
