//! `checkrein log`: shows what agents asked for and what was answered, and verifies the trail.

use crate::{
    args::{Log, Records},
    exit::ExitStatus,
    policy,
    term::{
        data, err, out, style,
        wrap::{columns, stdout_width},
    },
};
use anyhow::{Context, anyhow};
use checkrein::{
    Decision, Session,
    trail::{self, Backwards, Filter, Honored, Newest, Record, Stored},
};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The longest name of a tool in a table: a server may call its tools what it likes.
const LONGEST_NAME: usize = 40;

/// The longest summary in a table.
const LONGEST: usize = 200;

/// The time after which `--follow` looks again for new records.
const PERIOD: Duration = Duration::from_millis(300);

pub(crate) fn run(log: &Log) -> anyhow::Result<ExitStatus> {
    let directory = directory()?;
    if log.verify {
        return verify(&directory, log.json);
    }
    let filter = filter(&log.records)?;
    let most = if log.limit == 0 { usize::MAX } else { log.limit };
    let shown = match newest(&directory, &filter, most) {
        Ok(shown) => shown,
        Err(error) => return Ok(unreadable(&directory, &error)),
    };
    if shown.is_empty() && !log.follow && !log.json {
        err!("checkrein: {}", nothing(&directory));
    }
    for (stored, honored) in &shown {
        show(stored, *honored, log.json);
    }
    if log.follow {
        let last =
            shown.iter().filter_map(|(stored, _)| stored.record.as_ref()).filter_map(|record| record.n).max();
        follow(&directory, &filter, last, log.json)?;
    }
    Ok(ExitStatus::Success)
}

/// Returns the directory of the user's trail.
pub(crate) fn directory() -> anyhow::Result<PathBuf> {
    let places = policy::places(None, &Session::default());
    let state = places.state.ok_or_else(|| anyhow!("HOME is not set, so there is no trail"))?;
    Ok(trail::directory(&state))
}

/// Reports a trail that cannot be read.
pub(crate) fn unreadable(directory: &Path, error: &std::io::Error) -> ExitStatus {
    err!(
        "checkrein: cannot read the trail in `{}`: {error}",
        style::harmless(&directory.display().to_string())
    );
    ExitStatus::Impossible
}

/// Says that there is nothing to show.
pub(crate) fn nothing(directory: &Path) -> String {
    match directory.exists() {
        true => "no record matches".to_owned(),
        false => "nothing was recorded yet; agents that call checkrein leave a record of each event (`checkrein init`)".to_owned(),
    }
}

/// Returns the filter that the options describe.
pub(crate) fn filter(records: &Records) -> anyhow::Result<Filter> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
    let now = u64::try_from(now).unwrap_or(u64::MAX);
    let since =
        records.since.as_deref().map(|text| trail::since(text, now)).transpose().context("`--since`")?;
    let all = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];
    let wanted = |decision: &Decision| records.decision.iter().any(|word| word == decision.as_str());
    Ok(Filter {
        since,
        session: records.session.clone(),
        agent: records.agent.clone(),
        decisions: all.into_iter().filter(wanted).collect(),
        rule: records.rule.clone(),
    })
}

/// Returns the newest records that are wanted, the oldest of them first.
pub(crate) fn newest(
    directory: &Path,
    filter: &Filter,
    most: usize,
) -> std::io::Result<Vec<(Stored, Honored)>> {
    let mut found = Vec::new();
    let mut later = Backwards::default();
    for stored in Newest::open(directory)? {
        let stored = stored?;
        let Some(record) = &stored.record else { continue };
        if filter.is_past(record) || found.len() >= most {
            break;
        }
        let honored = later.see(record);
        if filter.wants(record) {
            found.push((stored, honored));
        }
    }
    found.reverse();
    Ok(found)
}

/// Shows new records until the user stops it.
fn follow(directory: &Path, filter: &Filter, mut last: Option<u64>, json: bool) -> anyhow::Result<()> {
    loop {
        std::thread::sleep(PERIOD);
        let mut new = Vec::new();
        for stored in Newest::open(directory)? {
            let stored = stored?;
            match stored.record.as_ref().and_then(|record| record.n) {
                Some(n) if last.is_some_and(|last| n <= last) => break,
                // A line that waits to be taken in has no number yet, and comes again with one.
                Some(n) => new.push((n, stored)),
                None => {}
            }
        }
        for (n, stored) in new.into_iter().rev() {
            last = Some(n);
            if stored.record.as_ref().is_some_and(|record| filter.wants(record)) {
                show(&stored, Honored::Unknown, json);
            }
        }
    }
}

fn show(stored: &Stored, honored: Honored, json: bool) {
    let Some(record) = &stored.record else { return };
    if json {
        let line = String::from_utf8_lossy(&stored.line);
        let open = line.strip_suffix('}').unwrap_or(&line);
        // A line that waits to be taken into the chain has no line before it yet.
        let prev = if record.n.is_none() { ",\"prev\":null" } else { "" };
        let line = format!("{open}{prev},\"honored\":\"{}\"}}", honored.as_str());
        data!("{}", checkrein::sanitize::json(line));
    } else {
        out!("{}", row(record, honored));
    }
}

/// Formats a record in one line, or in two where the terminal is narrow.
fn row(record: &Record, honored: Honored) -> String {
    let time = trail::format_time(record.id.micros());
    let time = time.get(..19).unwrap_or(&time).replace('T', " ");
    let what = record.text("summary").or(record.tool()).unwrap_or_default();
    let rules = record.texts("rules").collect::<Vec<_>>().join(", ");
    let head = format!(
        "{}  {}  {:<8} {}  {:<16}",
        style::dim(&time),
        record.id,
        style::harmless(record.host().unwrap_or("-")),
        padded(&decision(record), "would deny".len()),
        checkrein::sanitize::one_line(record.tool().unwrap_or(record.event()), LONGEST_NAME),
    );
    let mut rest = style::harmless(&checkrein::sanitize::one_line(what, LONGEST));
    if !rules.is_empty() {
        rest.push_str(&format!("  {}", style::dim(&style::harmless(&format!("[{rules}]")))));
    }
    if honored == Honored::No || record.is("alarm") {
        rest.push_str("  \x1b[31mTHE HOST DID NOT OBEY\x1b[0m");
    }
    let fits = stdout_width().is_none_or(|width| columns(&head) + 1 + columns(&rest) <= width);
    if fits { format!("{head} {rest}") } else { format!("{}\n    {rest}", head.trim_end()) }
}

/// Adds spaces to a text with colors.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{:1$}", "", width.saturating_sub(columns(text)))
}

/// Returns the decision in one or two words.
pub(crate) fn decision(record: &Record) -> String {
    let (colour, word) = match record.decision {
        Decision::Deny if record.is("monitor") => ("\x1b[33m", "would deny"),
        Decision::Ask if record.is("monitor") => ("\x1b[33m", "would ask"),
        Decision::Deny => ("\x1b[31m", "denied"),
        Decision::Ask => ("\x1b[33m", "asked"),
        _ if record.is("edited") => ("\x1b[36m", "edited"),
        Decision::Allow => ("\x1b[32m", "allowed"),
        Decision::Abstain => ("\x1b[32m", "ok"),
    };
    format!("{colour}{word}\x1b[0m")
}

fn verify(directory: &Path, json: bool) -> anyhow::Result<ExitStatus> {
    let report = match trail::verify(directory) {
        Ok(report) => report,
        Err(error) => return Ok(unreadable(directory, &error)),
    };
    let disobeyed: Vec<String> = report.disobeyed.iter().map(ToString::to_string).collect();
    let is_whole = report.broken.is_none() && disobeyed.is_empty();
    if json {
        let broken = report.broken.as_ref().map(|broken| {
            json!({"file": broken.file.display().to_string(), "line": broken.line, "kind": broken.kind.as_str()})
        });
        let report = json!({
            "records": report.records,
            "segments": report.segments,
            "first": report.first,
            "head": report.head,
            "break": broken,
            "disobeyed": disobeyed,
        });
        data!("{}", style::json(report));
        return Ok(ExitStatus::success_if(is_whole));
    }
    let counted =
        format!("{} in {}", many(report.records, "record"), many(report.segments as u64, "segment"));
    match &report.broken {
        Some(broken) => {
            let file = style::harmless(&broken.file.display().to_string());
            out!("{file}:{}: {}", broken.line, broken.kind);
            out!("{counted} before it are whole");
        }
        None => {
            out!(
                "whole: {counted}, numbers {} to {}",
                report.first,
                report.first + report.records.max(1) - 1
            );
        }
    }
    if !report.head.is_empty() {
        out!("head: {}", report.head);
    }
    for id in &disobeyed {
        out!("\x1b[31mthe host ran a call that was denied\x1b[0m: checkrein why {id}");
    }
    Ok(ExitStatus::success_if(is_whole))
}

/// Formats a number of things.
pub(crate) fn many(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
