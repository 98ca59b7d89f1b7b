//! The files below the given paths, scanned on every core. Files that git ignores are left out, unless the user says
//! otherwise.

use super::Job;
use checkrein_git::Ignored;
use checkrein_secrets::Stream;
use std::{
    fs::{self, DirEntry, File},
    io::{self, Read, Seek, SeekFrom},
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Condvar, Mutex, PoisonError},
    thread,
};

/// A larger file is scanned in pieces.
const LARGE: u64 = 64 << 20;
/// The bytes around a finding in a large file that are read again, to find its line.
const AROUND: u64 = 1 << 16;

pub(super) fn walk(paths: &[PathBuf], no_ignore: bool, job: &Job) {
    let queue = Queue { job, waiting: Mutex::default(), changed: Condvar::new() };
    for path in paths {
        // A path that the user names is scanned whatever the rules say, and a link is followed.
        match path.canonicalize() {
            Ok(real) if real.is_dir() => {
                let rules = (!no_ignore).then(|| Ignored::at(&real));
                queue.add([Entry { shown: path.clone(), real, rules: Rules::Here(rules) }]);
            }
            Ok(_) => file(path, job),
            Err(error) => job.problem(format!("cannot read `{}`: {error}", path.display())),
        }
    }
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| queue.work());
        }
    });
}

/// A file or directory to scan.
struct Entry {
    /// The path as the user is shown it.
    shown: PathBuf,
    /// The path without links.
    real: PathBuf,
    rules: Rules,
}

/// The ignore rules for an entry; `None` if the user wants none.
enum Rules {
    /// The rules in this directory.
    Here(Option<Ignored>),
    /// The rules in the directory above this one.
    Above(Option<Ignored>),
    /// None: it is a file.
    File,
}

/// The entries that wait for a thread.
#[derive(Default)]
struct Waiting {
    entries: Vec<Entry>,
    /// The threads that are at work, and may add entries.
    busy: usize,
}

struct Queue<'a> {
    job: &'a Job,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Queue<'_> {
    fn add(&self, entries: impl IntoIterator<Item = Entry>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).entries.extend(entries);
        self.changed.notify_all();
    }

    /// Scans entries until none is left and nothing can add one.
    fn work(&self) {
        while let Some(entry) = self.next() {
            let _busy = Busy(self);
            match entry.rules {
                Rules::File => file(&entry.shown, self.job),
                Rules::Here(_) | Rules::Above(_) => self.directory(&entry),
            }
        }
    }

    fn next(&self) -> Option<Entry> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(entry) = waiting.entries.pop() {
                waiting.busy += 1;
                return Some(entry);
            }
            if waiting.busy == 0 {
                return None;
            }
            waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn directory(&self, directory: &Entry) {
        let children = match fs::read_dir(&directory.shown).and_then(Iterator::collect::<io::Result<Vec<_>>>)
        {
            Ok(children) => children,
            Err(error) => {
                return self.job.problem(format!("cannot read `{}`: {error}", directory.shown.display()));
            }
        };
        let has_git = children.iter().any(|child| child.file_name() == ".git");
        let rules = match &directory.rules {
            Rules::Here(rules) => rules.clone(),
            Rules::Above(rules) => rules.as_ref().map(|rules| rules.below(&directory.real, has_git)),
            Rules::File => None,
        };
        let entries = children.iter().filter_map(|child| self.entry(directory, child, rules.as_ref()));
        self.add(entries.collect::<Vec<_>>());
    }

    /// Returns what is to be scanned of a child. A repository's own objects are for `--history`, and a link is not followed.
    fn entry(&self, directory: &Entry, child: &DirEntry, rules: Option<&Ignored>) -> Option<Entry> {
        let name = child.file_name();
        let (shown, real) = (directory.shown.join(&name), directory.real.join(&name));
        let kind = match child.file_type() {
            Ok(kind) => kind,
            Err(error) => {
                self.job.problem(format!("cannot read `{}`: {error}", shown.display()));
                return None;
            }
        };
        let is_scanned = name != ".git" && (kind.is_dir() || kind.is_file());
        if !is_scanned || rules.is_some_and(|rules| rules.ignores(&real, kind.is_dir())) {
            return None;
        }
        let rules = if kind.is_dir() { Rules::Above(rules.cloned()) } else { Rules::File };
        Some(Entry { shown, real, rules })
    }
}

/// A thread at work. If it panics, the others still end.
struct Busy<'a>(&'a Queue<'a>);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).busy -= 1;
        self.0.changed.notify_all();
    }
}

fn file(path: &Path, job: &Job) {
    if let Err(error) = scan(path, job) {
        job.problem(format!("cannot read `{}`: {error}", path.display()));
    }
}

fn scan(path: &Path, job: &Job) -> io::Result<()> {
    let name = path.strip_prefix("./").unwrap_or(path).to_string_lossy();
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    if size > LARGE {
        return large(&mut file, &name, job);
    }
    let mut text = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    file.read_to_end(&mut text)?;
    if is_binary(&text) {
        job.count(text.len());
    } else {
        job.text(&name, None, 1, &text);
    }
    Ok(())
}

/// Returns whether a text is binary: it has a zero byte near its beginning, and is not UTF-16.
pub(super) fn is_binary(text: &[u8]) -> bool {
    let start = text.get(..8_000).unwrap_or(text);
    let zeros = start.iter().filter(|byte| **byte == 0).count();
    zeros > 0 && zeros * 3 < start.len() && !matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
}

/// Scans a large file in pieces, and scans the text around what was found again, with the numbers of its lines.
fn large(file: &mut File, name: &str, job: &Job) -> io::Result<()> {
    let mut stream = Stream::new(job.redactor.scanner());
    let mut findings = Vec::new();
    let mut piece = vec![0; 1 << 20];
    // Where each piece begins, and how many lines come before it.
    let mut starts = vec![(0_u64, 1_usize)];
    let (mut at, mut line) = (0, 1);
    loop {
        let length = file.read(&mut piece)?;
        let Some(read) = piece.get(..length).filter(|read| !read.is_empty()) else { break };
        at += length as u64;
        line += read.iter().filter(|byte| **byte == b'\n').count();
        starts.push((at, line));
        findings.extend(stream.push(read));
    }
    findings.extend(stream.finish());
    let mut done = 0;
    for finding in findings {
        let (start, end) = (finding.range.start as u64, finding.range.end as u64);
        if start < done {
            continue;
        }
        let before = start.saturating_sub(AROUND);
        let (from, line) = starts.iter().rev().find(|(from, _)| *from <= before).copied().unwrap_or((0, 1));
        let mut around = Vec::new();
        file.seek(SeekFrom::Start(from))?;
        file.by_ref().take(end + AROUND - from).read_to_end(&mut around)?;
        done = end + AROUND;
        job.text(name, None, line, &around);
    }
    job.count(usize::try_from(at).unwrap_or(usize::MAX));
    Ok(())
}
