//! Judges the content of a script that a tool writes.
//!
//! To write a script is not to run it, so what would be denied is asked about: a user who reads it may well want it. A part
//! of a file does not say what its variables are, and a file does not say with which arguments it is called. What depends on
//! those is not a reason to ask. A script that cannot be read is one: length and broken syntax are ways to hide something. A
//! part of a file may be broken, since its ends are not seen.

use super::{
    combine,
    kept_commands::{RunForm, RunRow},
    reading::{Language, Reading, reading},
};
use crate::{Action, CallContext, Judgement, World};
use serde_json::Value;

/// The maximum number of commands of one file that are judged.
const MOST: usize = 500;

/// Judges the commands in a file, if that is worth a question. `action` says if it is the whole file.
pub(super) fn judged(
    action: Action,
    path: &str,
    content: &str,
    place: &CallContext,
    world: &dyn World,
) -> Option<Judgement> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let content = content.trim_start_matches('\u{feff}');
    if let Some(row) =
        RunRow::of(path).filter(|row| !matches!(row.form, RunForm::Shell | RunForm::Make | RunForm::Just))
    {
        let commands = row.commands(content);
        let whole = action == Action::Write && !row.elsewhere;
        return commands.iter().take(MOST).find_map(|command| {
            let mut reading = reading(Language::Shell, command, place, world);
            if row.elsewhere {
                reading.forget_files();
            }
            answer(&reading, whole)
        });
    }
    if name.ends_with(".ipynb")
        && let Some(cells) = cells(content)
    {
        let mut sources = cells.iter().filter_map(|source| Some((Language::named("python")?, source)));
        return sources
            .find_map(|(language, source)| answer(&reading(language, source, place, world), false));
    }
    // What `bats` reads as a test is a function.
    let tests = name.ends_with(".bats").then(|| bats(content));
    let content = tests.as_deref().unwrap_or(content);
    let language = Language::of_file(path, content)?;
    answer(&reading(language, content, place, world), action == Action::Write)
}

/// Judges a file that a command writes as one that a tool writes. Here the text is only known in part, so that what cannot be
/// read is not a reason to ask.
pub(crate) fn written_script(
    path: &str,
    content: &str,
    place: &CallContext,
    world: &dyn World,
) -> Option<Judgement> {
    let found = judged(Action::Write, path, content, place, world)?;
    found.findings.iter().any(|finding| finding.rule.id == combine::SCRIPT).then_some(found)
}

/// Returns the judgement of a text that is run later.
pub(super) fn answer(reading: &Reading, whole: bool) -> Option<Judgement> {
    if let Some(finding) = reading.denied() {
        return Some(combine::script(&finding.rule));
    }
    if reading.too_much {
        return Some(combine::unread_script("it is too long or too deep to be read"));
    }
    if reading.broken && whole {
        return Some(combine::unread_script("a quote, a bracket or a here-document in it has no end"));
    }
    None
}

/// The programs in the cells of a notebook; nothing, if it is a part of one.
fn cells(content: &str) -> Option<Vec<String>> {
    let notebook: Value = serde_json::from_str(content).ok()?;
    let cells = notebook.get("cells")?.as_array()?;
    let programs = cells.iter().filter(|cell| cell.get("cell_type").and_then(Value::as_str) == Some("code"));
    let source = |cell: &Value| match cell.get("source") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    };
    Some(programs.map(source).collect())
}

/// The tests of `bats` as functions of a shell.
fn bats(content: &str) -> String {
    let line = |(number, line): (usize, &str)| {
        if line.starts_with("@test ") && line.trim_end().ends_with('{') {
            format!("test_{number}() {{\n")
        } else {
            format!("{line}\n")
        }
    };
    content.lines().enumerate().map(line).collect()
}

/// The texts after a colon in a part of a JSON file, however it is laid out. The first and the last may be cut off.
pub(super) fn values(content: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = content;
    while let Some((_, after)) = rest.split_once(':').filter(|_| found.len() < 500) {
        rest = after;
        let Some(quoted) = after.trim_start().strip_prefix('"') else { continue };
        let mut escaped = false;
        let end = quoted.find(|char| {
            let ends = char == '"' && !escaped;
            escaped = char == '\\' && !escaped;
            ends
        });
        let (text, after) = end.map_or((quoted, ""), |end| quoted.split_at(end));
        rest = after;
        found.extend(serde_json::from_str::<String>(&format!("\"{text}\"")).ok());
    }
    found
}
