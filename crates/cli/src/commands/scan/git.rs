//! Reads what is staged, and everything that a repository has ever had, through `git cat-file --batch`.

use super::{Job, walk};
use anyhow::{Context, bail};
use std::{
    collections::HashMap,
    io::{BufRead, BufReader, BufWriter, Read, Write},
    process::{Child, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};

/// A larger object is not a source.
const LARGE: usize = 64 << 20;

/// A blob, and a path that it had.
struct Blob {
    name: String,
    path: String,
}

/// Git without what a repository's settings could make it run.
fn git() -> Command {
    let mut git = Command::new("git");
    git.args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-pager"]);
    git.stdin(Stdio::null()).env("GIT_OPTIONAL_LOCKS", "0");
    git
}

fn output(arguments: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = git().args(arguments).output().context("cannot start `git`")?;
    if !output.status.success() {
        bail!(
            "`git {}` failed: {}",
            arguments.first().unwrap_or(&""),
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(output.stdout)
}

/// An error outside of a repository, where git explains its options at length instead.
fn is_repository() -> anyhow::Result<()> {
    output(&["rev-parse", "--git-dir"]).map(drop)
}

/// Scans the files that are staged, as they are staged.
pub(super) fn staged(job: &Job) -> anyhow::Result<()> {
    is_repository()?;
    let changes = output(&[
        "diff",
        "--cached",
        "--raw",
        "-z",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--diff-filter=ACMT",
    ])?;
    let mut fields = changes.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut blobs = Vec::new();
    // `:mode mode blob blob status`, then the path.
    while let (Some(change), Some(path)) = (fields.next(), fields.next()) {
        if let Some(name) = change.split(' ').nth(3) {
            blobs.push(Blob { name: name.to_owned(), path: path.into_owned() });
        }
    }
    scan(&blobs, false, job)
}

/// Scans every blob of the history, once.
pub(super) fn history(job: &Job) -> anyhow::Result<()> {
    let objects = output(&["rev-list", "--objects", "--all"])?;
    let lines = objects.split(|byte| *byte == b'\n').map(String::from_utf8_lossy);
    let blobs = lines.filter_map(|line| {
        let (name, path) = line.split_once(' ')?;
        // A tree at the top has no path.
        (!path.is_empty()).then(|| Blob { name: name.to_owned(), path: path.to_owned() })
    });
    scan(&blobs.collect::<Vec<_>>(), true, job)
}

fn scan(blobs: &[Blob], is_history: bool, job: &Job) -> anyhow::Result<()> {
    let mut reader = git()
        .args(["cat-file", "--batch", "--buffer"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start `git`")?;
    let read = thread::scope(|scope| read(&mut reader, blobs, is_history, job, scope));
    let status = reader.wait().context("cannot wait for `git`")?;
    read?;
    if !status.success() {
        bail!("`git cat-file` failed");
    }
    Ok(())
}

/// Feeds the names of the blobs to git, and what it answers to the threads that scan.
fn read<'s>(
    reader: &mut Child,
    blobs: &'s [Blob],
    is_history: bool,
    job: &'s Job,
    scope: &'s thread::Scope<'s, '_>,
) -> anyhow::Result<()> {
    let (Some(names), Some(answers)) = (reader.stdin.take(), reader.stdout.take()) else {
        bail!("cannot communicate with `git`");
    };
    scope.spawn(move || {
        let mut names = BufWriter::new(names);
        // If git has ended, the end of its answers says so.
        let _ =
            blobs.iter().try_for_each(|blob| writeln!(names, "{}", blob.name)).and_then(|()| names.flush());
    });
    let (send, receive) = mpsc::sync_channel::<(String, String, Vec<u8>)>(64);
    let receive = Arc::new(Mutex::new(receive));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..threads {
        let receive = Arc::clone(&receive);
        scope.spawn(move || {
            loop {
                let next = receive.lock().unwrap_or_else(PoisonError::into_inner).recv();
                let Ok((name, path, text)) = next else { break };
                job.text(&path, is_history.then_some(name.as_str()), 1, &text);
            }
        });
    }
    forward(BufReader::new(answers), blobs, job, &send)
}

/// Reads the contents that git answers with, and sends those that are text to the threads that scan.
fn forward(
    mut answers: BufReader<ChildStdout>,
    blobs: &[Blob],
    job: &Job,
    send: &mpsc::SyncSender<(String, String, Vec<u8>)>,
) -> anyhow::Result<()> {
    let paths: HashMap<&str, &str> =
        blobs.iter().map(|blob| (blob.name.as_str(), blob.path.as_str())).collect();
    let mut line = String::new();
    loop {
        line.clear();
        if answers.read_line(&mut line).context("cannot read from `git`")? == 0 {
            return Ok(());
        }
        // `name type size`, the content, and a line break.
        let mut words = line.split_whitespace();
        let (name, kind, size) =
            (words.next().unwrap_or_default(), words.next().unwrap_or_default(), words.next());
        let Some(size) = size.and_then(|size| size.parse::<usize>().ok()) else {
            job.problem(format!("git has no object `{name}`"));
            continue;
        };
        let is_text = kind == "blob" && size <= LARGE;
        let mut content = Vec::with_capacity(if is_text { size } else { 0 });
        let mut limited = answers.by_ref().take(size as u64);
        let read = match is_text {
            true => limited.read_to_end(&mut content).map(drop),
            false => std::io::copy(&mut limited, &mut std::io::sink()).map(drop),
        };
        read.context("cannot read from `git`")?;
        answers.read_line(&mut String::new()).context("cannot read from `git`")?;
        if kind == "blob" && !is_text {
            job.problem(format!("`{name}` is too large to be scanned"));
        }
        if is_text && !walk::is_binary(&content) {
            let path = paths.get(name).copied().unwrap_or(name).to_owned();
            if send.send((name.to_owned(), path, content)).is_err() {
                bail!("a thread of the scan has ended");
            }
        }
    }
}
