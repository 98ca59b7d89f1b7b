//! Verifies the chain: no line was changed, removed, inserted or reordered.
//!
//! What a chain cannot notice by itself: that its end was cut off, and that all of it was written anew. For that the last
//! hash has to be kept elsewhere.

use crate::{
    Forwards, Record, Seal,
    read::open_segments,
    segment::{CURRENT, Head, heads},
};
use checkrein_core::EventId;
use std::{
    fmt,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
};

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of complete lines.
    pub records: u64,
    /// The number of files that contain them.
    pub segments: usize,
    /// The number of the first line. It is more than 1 if older ones were removed for their age.
    pub first: u64,
    /// The last hash.
    pub head: String,
    /// The first break.
    pub broken: Option<Break>,
    /// Events that were denied and whose calls ran all the same.
    pub disobeyed: Vec<EventId>,
}

/// A break of the chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Break {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1 on.
    pub line: u64,
    /// The kind of the break.
    pub kind: BreakKind,
}

/// A kind of break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakKind {
    /// The content of the line is not that of its hash.
    Changed,
    /// A line before this one is missing.
    Removed,
    /// The line does not belong here: it was inserted, or is not in its place.
    Inserted,
    /// The line is not a record.
    Unreadable,
    /// The last line has no end: its writer was killed, or a part of it was removed.
    Cut,
}

impl BreakKind {
    /// Returns the word for it in `--json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Inserted => "inserted",
            Self::Unreadable => "unreadable",
            Self::Cut => "cut",
        }
    }
}

impl fmt::Display for BreakKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Changed => "changed: the content is not that of its hash",
            Self::Removed => "removed: lines before this one are missing",
            Self::Inserted => "inserted or reordered: the line does not follow the one before",
            Self::Unreadable => "unreadable: not a record",
            Self::Cut => "cut: the last line has no end; a process was killed, or a part was removed",
        })
    }
}

/// Verifies the trail in a directory, up to the first break.
///
/// # Errors
///
/// If a file cannot be read.
pub fn verify(directory: &Path) -> io::Result<Report> {
    let mut report = Report::default();
    let mut chain = Chain { heads: heads(directory), last: None };
    let mut calls = Forwards::default();
    for (path, file) in open_segments(directory)? {
        report.segments += 1;
        let mut reader = BufReader::with_capacity(256 * 1024, file);
        let (mut number, mut line) = (0, Vec::new());
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            number += 1;
            let is_current = path.ends_with(CURRENT);
            let found = match line.strip_suffix(b"\n") {
                None if is_current => Err(BreakKind::Cut),
                None => Err(BreakKind::Unreadable),
                Some(line) => chain.check(line).map(|()| line),
            };
            match found {
                Ok(line) => {
                    report.records += 1;
                    if let Some(record) = Record::parse(line) {
                        report.disobeyed.extend(calls.see(&record));
                    }
                }
                Err(kind) => {
                    report.broken = Some(Break { file: path, line: number, kind });
                    chain.tell(&mut report);
                    return Ok(report);
                }
            }
        }
        if let Err(kind) = chain.ends(&path) {
            report.broken = Some(Break { file: path, line: number, kind });
            break;
        }
    }
    chain.tell(&mut report);
    Ok(report)
}

struct Chain {
    heads: Vec<Head>,
    last: Option<Seal>,
}

impl Chain {
    fn check(&mut self, line: &[u8]) -> Result<(), BreakKind> {
        let seal = Seal::of_end(line).ok_or(BreakKind::Unreadable)?;
        if !seal.is_of(line) {
            return Err(BreakKind::Changed);
        }
        if Record::parse(line).is_none() {
            return Err(BreakKind::Unreadable);
        }
        let expected = match self.last {
            Some(last) => last,
            None => self.beginning(&seal)?,
        };
        if seal.prev != expected.hash || seal.n != expected.n.saturating_add(1) {
            return Err(if seal.n > expected.n.saturating_add(1) {
                BreakKind::Removed
            } else {
                BreakKind::Inserted
            });
        }
        self.last = Some(seal);
        Ok(())
    }

    /// Returns what the first line that is left follows: nothing, or a segment that was removed for its age.
    fn beginning(&self, first: &Seal) -> Result<Seal, BreakKind> {
        if first.n == 1 {
            return Ok(Seal::BEGINNING);
        }
        let removed =
            self.heads.iter().filter(|head| head.removed).find(|head| head.n.saturating_add(1) == first.n);
        let hash = removed.and_then(|head| head.hash.as_bytes().try_into().ok());
        let hash = hash.ok_or(BreakKind::Removed)?;
        Ok(Seal { n: first.n - 1, hash, ..Seal::BEGINNING })
    }

    /// Checks a closed segment against the list of heads.
    fn ends(&self, path: &Path) -> Result<(), BreakKind> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(head) = self.heads.iter().find(|head| head.segment == name && !head.removed) else {
            return Ok(());
        };
        match &self.last {
            Some(last) if last.n == head.n && last.hash == *head.hash.as_bytes() => Ok(()),
            Some(last) if last.n < head.n => Err(BreakKind::Removed),
            Some(_) => Err(BreakKind::Inserted),
            None => Err(BreakKind::Removed),
        }
    }

    fn tell(&self, report: &mut Report) {
        if let Some(last) = &self.last {
            report.first = last.n.saturating_add(1).saturating_sub(report.records);
            report.head = String::from_utf8_lossy(&last.hash).into_owned();
        }
    }
}
