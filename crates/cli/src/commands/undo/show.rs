//! Shows what was kept, and how it differs from what is there now.

use super::{summary_to_json, time, what};
use crate::{
    exit::ExitStatus,
    term::{data, out, style},
};
use anyhow::Context;
use checkrein::{
    sanitize,
    undo::{Entry, Kind, Plan, Record, Role, Status},
};
use serde_json::{Value, json};
use similar::TextDiff;
use std::{fs, io::Read};

/// The longest file of which a difference is shown.
const LONGEST: u64 = 256 * 1024;
/// The maximum number of differences.
const MOST: usize = 50;

pub(super) fn show(record: &Record, as_json: bool) -> anyhow::Result<ExitStatus> {
    let plan = Plan::of(record).context("the files cannot be compared")?;
    let summary = &record.summary;
    if as_json {
        let mut report = summary_to_json(summary);
        let entries = plan.iter().map(|(entry, status)| {
            json!({"path": entry.path.to_string_lossy(), "kind": kind(entry), "status": word(status)})
        });
        if let Some(report) = report.as_object_mut() {
            report.insert("entries".to_owned(), entries.collect::<Vec<Value>>().into());
            report.insert("left_out".to_owned(), json!(summary.head.left_out));
        }
        data!("{}", style::json(report));
        return Ok(ExitStatus::Success);
    }
    out!(
        "{}: {}, kept as of {}, until {}",
        summary.id,
        what(summary),
        time(summary.made),
        time(summary.expires)
    );
    out!("  {}", style::one_line(&summary.head.summary));
    for why in &summary.head.left_out {
        out!("  not kept: {}", style::one_line(why));
    }
    for (entry, status) in plan.iter() {
        out!("  {}: {} ({})", word(status), style::harmless(&entry.path.to_string_lossy()), kind(entry));
    }
    let different = plan.iter().filter(|(_, status)| matches!(status, Status::AsLeft | Status::Changed));
    for (entry, _) in different.take(MOST) {
        if let Some(difference) = difference(record, entry) {
            data!("\n{}", difference);
        }
    }
    Ok(ExitStatus::Success)
}

const fn kind(entry: &Entry) -> &'static str {
    match entry.role {
        Role::Plain => {}
        Role::Object => return "object of git",
        Role::Name => return "name of git",
        Role::Index => return "index of git",
        Role::Git => return "file of git",
    }
    match entry.kind {
        Kind::File { .. } => "file",
        Kind::Directory => "directory",
        Kind::Link(_) => "link",
        Kind::Pipe => "pipe",
        Kind::Absent => "nothing",
    }
}

const fn word(status: Status) -> &'static str {
    match status {
        Status::Missing => "missing",
        Status::Same => "as kept",
        Status::AsLeft => "changed by the call",
        Status::Changed => "changed since",
        Status::InTheWay => "something else is there",
    }
}

/// Returns how a file that is there now differs from the kept one, if both are texts.
fn difference(record: &Record, entry: &Entry) -> Option<String> {
    let (Kind::File { size, .. }, Role::Plain) = (&entry.kind, entry.role) else { return None };
    let size = *size;
    let metadata = fs::symlink_metadata(&entry.path).ok()?;
    if size > LONGEST || !metadata.is_file() || metadata.len() > LONGEST {
        return None;
    }
    let mut kept = String::new();
    record.bytes(entry).ok()?.read_to_string(&mut kept).ok()?;
    let now = fs::read_to_string(&entry.path).ok()?;
    let name = style::harmless(&entry.path.to_string_lossy());
    let difference = TextDiff::from_lines(&now, &kept);
    let text =
        difference.unified_diff().header(&format!("{name} (now)"), &format!("{name} (kept)")).to_string();
    Some(sanitize::json(text))
}
