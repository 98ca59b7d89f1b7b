//! The files below the given paths, scanned on every core. What git ignores is left out, unless the user says otherwise.

use super::Job;
use checkrein_secrets::Stream;
use ignore::{WalkBuilder, WalkState};
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

/// A larger file is scanned in pieces.
const LARGE: u64 = 64 << 20;
/// The bytes around a finding in a large file that are read again, to find its line.
const AROUND: u64 = 1 << 16;

pub(super) fn walk(paths: &[PathBuf], no_ignore: bool, job: &Job) {
    let mut paths = paths.iter();
    let Some(first) = paths.next() else { return };
    let mut walk = WalkBuilder::new(first);
    for path in paths {
        walk.add(path);
    }
    // Secrets are in hidden files above all. A repository's own objects are for `--history`.
    walk.hidden(false)
        .git_ignore(!no_ignore)
        .ignore(!no_ignore)
        .git_exclude(!no_ignore)
        .git_global(!no_ignore);
    walk.filter_entry(|entry| entry.file_name() != ".git" || entry.depth() == 0);
    walk.build_parallel().run(|| {
        Box::new(|entry| {
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => file(entry.path(), job),
                Ok(_) => {}
                Err(error) => job.problem(error.to_string()),
            }
            WalkState::Continue
        })
    });
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
