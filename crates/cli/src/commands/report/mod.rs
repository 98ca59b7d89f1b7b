//! `checkrein report --html FILE`: one page with everything, which needs no server and no network.

pub(crate) mod html;

use crate::{
    args::Report,
    commands::{log, stats},
    exit::ExitStatus,
    term::{err, out, style},
};
use serde_json::{Value, json};
use std::fs;

const SCRIPT: &str = include_str!("page.js");

pub(crate) fn run(report: &Report) -> anyhow::Result<ExitStatus> {
    let directory = log::directory()?;
    let filter = log::filter(&report.records)?;
    let read = || Ok((log::newest(&directory, &filter, report.limit)?, stats::count(&directory, &filter)?));
    let (newest, counted) = match read() {
        Ok(read) => read,
        Err(error) => return Ok(log::unreadable(&directory, &error)),
    };
    let records: Vec<Value> = newest
        .into_iter()
        .filter_map(|(stored, honored)| {
            let mut fields = stored.record?.fields;
            fields.insert("honored".into(), honored.as_str().into());
            // The page does not show them, and the page is passed on.
            for name in ["prev", "hash", "digest", "final_digest", "input"] {
                fields.shift_remove(name);
            }
            Some(Value::Object(fields))
        })
        .collect();
    let count = records.len();
    let data = json!({"records": records, "stats": counted.json(), "version": env!("CARGO_PKG_VERSION")});
    if let Err(error) = fs::write(&report.html, html::page("Checkrein report", SCRIPT, &data)) {
        err!("checkrein: cannot write `{}`: {error}", style::harmless(&report.html.display().to_string()));
        return Ok(ExitStatus::Impossible);
    }
    let file = style::harmless(&report.html.display().to_string());
    out!("Written: {file}, with {}", log::many(count as u64, "event"));
    Ok(ExitStatus::Success)
}
