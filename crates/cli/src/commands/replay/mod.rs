//! `checkrein replay`: judges the calls that agents made in the past, from the records that they keep themselves.
//!
//! It works before anything is installed, and it changes nothing: no hook runs, no approval code is made, no agent's file is
//! written. Records are hostile input, so they are read and judged in child processes under limits (`worker.rs`), and this process
//! only counts.

mod card;
mod pool;
mod records;
mod report;
mod sources;
mod summary;
mod want;
mod worker;

pub(super) use report::nothing;
pub(super) use summary::{Call, Summary};
pub(super) use want::Want;
pub(super) use worker::Setup;
pub(crate) use worker::{WORKER, work};

use super::report::html;
use crate::{
    args::{History, Replay},
    exit::ExitStatus,
    term::{err, out, style},
};
use anyhow::{Context, bail};
use checkrein::Policy;
use checkrein_hosts::OURS;
use pool::{Answer, Pool};
use std::{
    collections::HashSet,
    io::{IsTerminal, Write, stderr},
    path::Path,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// The script of the page.
pub(super) const SCRIPT: &str = include_str!("page.js");

pub(crate) fn run(arguments: &Replay) -> anyhow::Result<ExitStatus> {
    // A broken policy is an error here and now, and not one for each call.
    let policy = arguments.policy.as_deref().map(absolute).transpose()?;
    let against = arguments.against.as_deref().map(absolute).transpose()?;
    let setup = Setup {
        policy,
        against,
        compares: arguments.policy.is_some(),
        whole: arguments.json,
        ..Setup::default()
    };
    let summary = read(&arguments.history, setup, !arguments.json, &mut |call| {
        if arguments.json {
            report::call(call);
        }
    })?;
    finish(arguments, &summary)
}

/// Reads the history and hands over every call, once. Returns the figures.
pub(super) fn read(
    history: &History,
    setup: Setup,
    shows_progress: bool,
    take: &mut dyn FnMut(&Call),
) -> anyhow::Result<Summary> {
    let started = Instant::now();
    let since = since(&history.since)?;
    let sources = sources::find(history.agent.as_deref(), history.path.as_deref(), since)?;
    let all_of_trail = history.agent.as_deref() == Some(OURS.name());
    let setup = Setup { since: timestamp(since), all_of_trail, ..setup };
    let mut summary = Summary { files: sources.len() as u64, ..Summary::default() };
    let mut progress = Progress::new(shows_progress, sources.len());
    let mut seen: HashSet<[u8; 16]> = HashSet::new();
    Pool::new(setup)?.run(&sources, |answer| match answer {
        Answer::Call(call) => {
            // A session that continues another one repeats its calls.
            if seen.insert(call.identity()) {
                take(&call);
                summary.add(&call);
            }
        }
        Answer::End(end) => {
            summary.end(&end);
            progress.file(summary.calls);
        }
        Answer::Failed(source, reason) => {
            summary.failed.push(format!("{}: {reason}", source.file.display()));
            progress.file(summary.calls);
        }
    })?;
    progress.clear();
    summary.seconds = started.elapsed().as_secs_f64();
    Ok(summary)
}

/// Names the files that could not be read, the first of them.
pub(super) fn name_failed(summary: &Summary) {
    for failed in summary.failed.iter().take(5) {
        err!("checkrein: not read: {}", style::one_line(failed));
    }
}

fn finish(arguments: &Replay, summary: &Summary) -> anyhow::Result<ExitStatus> {
    if arguments.json {
        report::end(summary);
    } else {
        report::table(summary, arguments);
    }
    name_failed(summary);
    if let Some(file) = &arguments.card {
        card::write(file, &card::picture(summary))?;
    }
    if let Some(file) = &arguments.html {
        card::write(file, &html::page("Checkrein replay", SCRIPT, &summary.to_json()))?;
    }
    for file in [&arguments.card, &arguments.html].into_iter().flatten().filter(|_| !arguments.json) {
        out!("Written: {}", style::harmless(&file.display().to_string()));
    }
    // Two policies that judge the same history differently are a finding for CI.
    Ok(ExitStatus::success_if(summary.failed.is_empty() && summary.changes.is_empty()))
}

/// Returns the absolute path of a policy that can be read and is not broken.
fn absolute(file: &Path) -> anyhow::Result<std::path::PathBuf> {
    let whole = file.canonicalize().with_context(|| format!("cannot read `{}`", file.display()))?;
    if let Err(problems) = Policy::of_file(&whole) {
        bail!("{}", problems.for_user(stderr().is_terminal()));
    }
    Ok(whole)
}

/// Returns the moment that a span such as `30d` before now begins; everything for `all`.
fn since(span: &str) -> anyhow::Result<SystemTime> {
    if span == "all" {
        return Ok(UNIX_EPOCH);
    }
    let wrong = || format!("`{span}` is not a time span\n\nhint: write `12h`, `30d`, `8w` or `all`");
    let unit = span.chars().last().with_context(wrong)?;
    let count: u64 = span.strip_suffix(unit).and_then(|count| count.parse().ok()).with_context(wrong)?;
    let seconds = match unit {
        'h' => 3600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        _ => bail!(wrong()),
    };
    let span = Duration::from_secs(count.saturating_mul(seconds));
    Ok(SystemTime::now().checked_sub(span).unwrap_or(UNIX_EPOCH))
}

/// Returns a moment as agents write it, so that times can be compared as texts.
fn timestamp(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let day = checkrein::guard::Day::of_seconds(seconds);
    let rest = seconds % 86_400;
    format!("{day}T{:02}:{:02}:{:02}Z", rest / 3600, rest % 3600 / 60, rest % 60)
}

/// A line on stderr that shows how far it is, at a terminal only.
struct Progress {
    shown: bool,
    files: usize,
    done: usize,
    last: Instant,
}

impl Progress {
    fn new(wanted: bool, files: usize) -> Self {
        Self { shown: wanted && stderr().is_terminal(), files, done: 0, last: Instant::now() }
    }

    fn file(&mut self, calls: u64) {
        self.done += 1;
        if self.shown && self.last.elapsed() > Duration::from_millis(100) {
            self.last = Instant::now();
            // Progress that cannot be shown is not a reason to stop.
            let line = format!("\r\x1b[K{} of {} sessions, {calls} calls", self.done, self.files);
            let _ = stderr().write_all(line.as_bytes());
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = stderr().write_all(b"\r\x1b[K");
        }
    }
}
