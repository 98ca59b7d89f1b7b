//! A small picture with the figures of a replay and no commands, to share.

use super::summary::Summary;
use anyhow::Context;
use std::{fs::OpenOptions, io::Write, path::Path};

/// Writes a text to a new file. An existing one is never replaced.
pub(super) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    let new = OpenOptions::new().write(true).create_new(true).open(file);
    let mut new = new.with_context(|| format!("cannot create `{}`", file.display()))?;
    new.write_all(text.as_bytes()).with_context(|| format!("cannot write `{}`", file.display()))
}

/// Returns the picture.
pub(super) fn picture(summary: &Summary) -> String {
    let (denied, asked) = (summary.total(|agent| agent.denied), summary.total(|agent| agent.asked));
    let alone = summary.calls - denied - asked;
    let share = if summary.calls == 0 { 100.0 } else { 100.0 * alone as f64 / summary.calls as f64 };
    let days = [&summary.first, &summary.last].map(|time| digits(time));
    let figure = |x: u32, colour: &str, number: u64, label: &str| {
        format!(
            "<text x=\"{x}\" y=\"120\" font-size=\"44\" font-weight=\"700\" fill=\"{colour}\">{number}</text>\
             <text x=\"{x}\" y=\"146\" font-size=\"15\" fill=\"#8b949e\">{label}</text>"
        )
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\" height=\"220\" viewBox=\"0 0 600 220\" \
         font-family=\"system-ui, sans-serif\" role=\"img\" aria-label=\"Figures of a replay\">\
         <rect width=\"600\" height=\"220\" rx=\"14\" fill=\"#0d1117\"/>\
         <text x=\"32\" y=\"52\" font-size=\"20\" font-weight=\"600\" fill=\"#f0f6fc\">Checkrein replay</text>\
         <text x=\"568\" y=\"52\" font-size=\"15\" text-anchor=\"end\" fill=\"#8b949e\">{} to {}</text>\
         {}{}{}\
         <text x=\"32\" y=\"190\" font-size=\"15\" fill=\"#8b949e\">{} calls in {} sessions, \
         {share:.2} % left alone</text></svg>\n",
        days[0],
        days[1],
        figure(32, "#ff7b72", denied, "denied"),
        figure(220, "#d29922", asked, "asked about"),
        figure(408, "#3fb950", alone, "left alone"),
        summary.calls,
        summary.sessions(),
    )
}

/// Returns the day of a time. Only digits and hyphens of a record reach the picture.
fn digits(time: &str) -> String {
    time.chars().take(10).filter(|char| char.is_ascii_digit() || *char == '-').collect()
}
