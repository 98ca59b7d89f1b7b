//! `checkrein scan`: finds secrets in files, in standard input, in what is staged, and in the history of a repository.
//!
//! No value is ever printed: a finding has a place, a kind, a tag under the key of this machine, and a fingerprint for baselines.

mod baseline;
mod git;
mod locate;
mod report;
mod walk;

use crate::{args::Scan, exit::ExitStatus, policy, term::err, term::style};
use anyhow::{Context, bail};
use baseline::Baseline;
use checkrein::SmallSort as _;
use checkrein::secrets::{Class, Redactor};
use locate::Located;
use report::Format;
use std::{
    io::{IsTerminal, Read, stderr, stdin},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// The state that every thread of a scan shares.
pub(crate) struct Job {
    redactor: Redactor,
    least: Class,
    baseline: Baseline,
    found: Mutex<Vec<Located>>,
    problems: Mutex<Vec<String>>,
    texts: AtomicU64,
    bytes: AtomicU64,
    suppressed: AtomicU64,
    progress: Option<Mutex<Instant>>,
}

impl Job {
    /// Scans one text that is called `path` and begins with this line, and keeps what is found.
    fn text(&self, path: &str, blob: Option<&str>, line: usize, text: &[u8]) {
        let findings = self.redactor.scanner().scan(text);
        let wanted = findings.iter().filter(|finding| finding.kind.class() >= self.least);
        let mut lines = locate::Lines::new(text, line);
        let located: Vec<Located> = wanted
            .map(|finding| lines.locate(path, blob, finding, &self.redactor))
            .filter(|located| !located.is_marked)
            .collect();
        let (known, new): (Vec<Located>, Vec<Located>) =
            located.into_iter().partition(|located| self.baseline.has(&located.fingerprint));
        self.suppressed.fetch_add(known.len() as u64, Ordering::Relaxed);
        self.found.lock().unwrap_or_else(PoisonError::into_inner).extend(new);
        self.count(text.len());
    }

    fn count(&self, bytes: usize) {
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
        let texts = self.texts.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(last) = &self.progress else { return };
        // The thread that has the lock writes; the others go on.
        let Ok(mut last) = last.try_lock() else { return };
        if last.elapsed() > Duration::from_millis(100) {
            *last = Instant::now();
            let megabytes = self.bytes.load(Ordering::Relaxed) / 1_000_000;
            // Progress that cannot be shown is not a reason to stop.
            let _ = std::io::Write::write_all(
                &mut stderr(),
                format!("\r{texts} texts, {megabytes} MB").as_bytes(),
            );
        }
    }

    /// Keeps what could not be scanned: it is reported, and the exit code says so.
    fn problem(&self, problem: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }
}

pub(crate) fn run(arguments: &Scan) -> anyhow::Result<ExitStatus> {
    let baseline = Baseline::read(arguments.baseline.as_deref())?;
    let places = policy::places(None, &checkrein::Session::default());
    let job = Job {
        redactor: checkrein::secrets::redactor(places.state.as_deref())
            .context("cannot make the key for tags: /dev/urandom cannot be read")?,
        least: if arguments.sure { Class::Prefix } else { Class::Generic },
        baseline,
        found: Mutex::default(),
        problems: Mutex::default(),
        texts: AtomicU64::new(0),
        bytes: AtomicU64::new(0),
        suppressed: AtomicU64::new(0),
        progress: (stderr().is_terminal() && !arguments.json).then(|| Mutex::new(Instant::now())),
    };
    let here = [PathBuf::from(".")];
    let paths: &[PathBuf] = if arguments.paths.is_empty() { &here } else { &arguments.paths };
    match paths {
        _ if arguments.staged => git::staged(&job)?,
        _ if arguments.history => git::history(&job)?,
        [path] if path == Path::new("-") => {
            let mut text = Vec::new();
            stdin().read_to_end(&mut text).context("cannot read standard input")?;
            job.text("-", None, 1, &text);
        }
        paths => {
            if let Some(missing) = paths.iter().find(|path| !path.exists()) {
                bail!("`{}` does not exist", missing.display());
            }
            walk::walk(paths, arguments.no_ignore, &job);
        }
    }
    finish(arguments, job)
}

fn finish(arguments: &Scan, job: Job) -> anyhow::Result<ExitStatus> {
    if job.progress.is_some() {
        // Over what the progress line has written.
        let _ = std::io::Write::write_all(&mut stderr(), b"\r\x1b[K");
    }
    let mut found = job.found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.small_sort_by(|a, b| (&a.path, a.line, a.column).cmp(&(&b.path, b.line, b.column)));
    let format = match arguments {
        Scan { json: true, .. } => Format::Json,
        Scan { sarif: true, .. } => Format::Sarif,
        Scan { print_baseline: true, .. } => Format::Baseline,
        _ => Format::Text,
    };
    report::print(format, &found)?;
    let problems = job.problems.into_inner().unwrap_or_else(PoisonError::into_inner);
    for problem in &problems {
        err!("checkrein: {}", style::one_line(problem));
    }
    if matches!(format, Format::Text) {
        let (texts, suppressed) = (job.texts.into_inner(), job.suppressed.into_inner());
        err!("{}", report::summary(found.len(), texts, suppressed));
    }
    // A text that could not be read may have anything in it.
    let is_clean = found.is_empty() && problems.is_empty();
    Ok(ExitStatus::success_if(is_clean || arguments.print_baseline))
}
