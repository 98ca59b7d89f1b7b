//! Our entries in a TOML file: `[[hooks]]` tables of our own, at its end.
//!
//! A user's text stays as it is: we add tables, change a value of a table of ours, and remove tables of ours. The places of
//! the tables are found by their headers and compared with what a TOML parser reads, so a header inside a text, or hooks
//! that are written in another way, are an error and not a wrong edit.

use super::{
    command::Command,
    entry::{Entry, Installed, Wanted},
    recipe::Recipe,
    tree::SyntaxError,
};
use crate::toml_to_json;
use serde_json::{Map, Value as Json, json};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The key of the list of tables.
const HOOKS: &str = "hooks";

/// The header of a table.
const HEADER: &str = "[[hooks]]";

/// A table of the list: its text, and its fields.
struct Table {
    /// The place of its lines, from the header to its last value.
    span: Range<usize>,
    fields: Map<String, Json>,
}

/// Returns the entries of a file that call checkrein, in order.
pub(super) fn entries(text: &str, recipe: &Recipe) -> Result<Vec<Entry>, SyntaxError> {
    let tables = tables(text)?;
    let found = tables.iter().enumerate().filter_map(|(group, table)| {
        let key = table.fields.get("event")?.as_str()?.to_owned();
        let command = command(table)?;
        Some(Entry {
            event: recipe.event(&key),
            key,
            group,
            index: 0,
            matcher: table.fields.get("matcher").and_then(Json::as_str).map(str::to_owned),
            command,
            handler: Json::Object(table.fields.clone()),
            line: SyntaxError::at(text, table.span.start, "").line,
        })
    });
    Ok(found.collect())
}

/// Returns `text` with every one of `wanted`.
pub(super) fn install(text: &str, recipe: &Recipe, wanted: &[Wanted]) -> Result<Installed, SyntaxError> {
    let mut new = text.to_owned();
    for wanted in wanted {
        let tables = tables(&new)?;
        let mut ours = tables.iter().filter(|table| is_ours(table, recipe) && is_about(table, wanted));
        let fields = fields(recipe, wanted);
        match (ours.next(), ours.next()) {
            (Some(_), Some(second)) => {
                // Two programs of ours would both be asked.
                let gap = with_gap(&new, second);
                new.replace_range(gap, "");
                new = install(&new, recipe, std::slice::from_ref(wanted))?.text;
            }
            (Some(table), None)
                if fields.iter().all(|(key, value)| table.fields.get(*key) == Some(value)) => {}
            (Some(table), None) => new.replace_range(table.span.clone(), written(&fields).trim_end()),
            (None, _) => {
                let gap = if new.is_empty() {
                    ""
                } else if new.ends_with('\n') {
                    "\n"
                } else {
                    "\n\n"
                };
                new.push_str(gap);
                new.push_str(&written(&fields));
            }
        }
    }
    // Reading it again shows that nothing else changed.
    if others(&new, recipe)? != others(text, recipe)? {
        return Err(SyntaxError::at(
            text,
            0,
            "the hooks of this file are written in a way that we cannot extend",
        ));
    }
    Ok(Installed { text: new, made: Vec::new() })
}

/// Returns `text` without our tables.
pub(super) fn uninstall(text: &str, recipe: &Recipe) -> Result<String, SyntaxError> {
    let mut new = text.to_owned();
    for table in tables(text)?.iter().rev().filter(|table| is_ours(table, recipe)) {
        new.replace_range(with_gap(&new, table), "");
    }
    Ok(new)
}

/// Checks that we can read the file.
pub(super) fn check(text: &str) -> Result<(), SyntaxError> {
    tables(text).map(drop)
}

/// Returns the tables of the list.
fn tables(text: &str) -> Result<Vec<Table>, SyntaxError> {
    let root = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        SyntaxError::at(text, at, error.message().to_owned())
    })?;
    let root = toml_to_json(&DeValue::Table(root.into_inner()));
    let fields: Vec<Map<String, Json>> = match root.get(HOOKS) {
        None => Vec::new(),
        Some(Json::Array(list)) => list.iter().filter_map(|table| table.as_object().cloned()).collect(),
        Some(_) => return Err(SyntaxError::at(text, 0, "`hooks` should be a list of tables")),
    };
    let spans = spans(text);
    if spans.len() != fields.len() {
        return Err(SyntaxError::at(
            text,
            0,
            format!(
                "the hooks of this file are not all `{HEADER}` tables; rewrite them as such tables, and try again"
            ),
        ));
    }
    Ok(spans.into_iter().zip(fields).map(|(span, fields)| Table { span, fields }).collect())
}

/// Returns the places of the tables of the list, by their headers.
fn spans(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let end = at + line.trim_end().len();
        if content.split('#').next().unwrap_or_default().split_whitespace().collect::<String>() == HEADER {
            found.push(at..end);
            open = true;
        } else if content.starts_with('[') && (content.ends_with(']') || content.contains("] #")) {
            open = false;
        } else if open
            && !content.is_empty()
            && !content.starts_with('#')
            && let Some(last) = found.last_mut()
        {
            last.end = end;
        }
        at += line.len();
    }
    found
}

/// Returns the place of a table together with its line end and the empty line before it.
fn with_gap(text: &str, table: &Table) -> Range<usize> {
    let Range { mut start, mut end } = table.span.clone();
    let rest = text.get(end..).unwrap_or_default();
    end += ["\r\n", "\n"].iter().find(|line| rest.starts_with(**line)).map_or(0, |line| line.len());
    let before = text.get(..start).unwrap_or_default();
    if let Some(line) = ["\r\n", "\n"].iter().find(|line| before.ends_with(&format!("\n{line}"))) {
        start -= line.len();
    }
    start..end
}

fn command(table: &Table) -> Option<Command> {
    Command::find(table.fields.get("command")?.as_str()?, None)
}

/// Returns true if `init` wrote this table for this agent.
fn is_ours(table: &Table, recipe: &Recipe) -> bool {
    command(table).is_some_and(|command| !command.is_handmade && command.host.as_deref() == Some(recipe.host))
}

fn is_about(table: &Table, wanted: &Wanted) -> bool {
    table.fields.get("event").and_then(Json::as_str) == Some(wanted.key)
}

/// Returns everything in the file but our tables.
fn others(text: &str, recipe: &Recipe) -> Result<Json, SyntaxError> {
    let without = uninstall(text, recipe)?;
    let root =
        DeTable::parse(&without).map_err(|error| SyntaxError::at(&without, 0, error.message().to_owned()))?;
    Ok(toml_to_json(&DeValue::Table(root.into_inner())))
}

/// Returns the fields of our table.
fn fields(recipe: &Recipe, wanted: &Wanted) -> [(&'static str, Json); 3] {
    let field = |name: &str| wanted.handler.get(name).cloned().unwrap_or_default();
    [
        ("event", json!(wanted.key)),
        ("command", field(recipe.layout.command)),
        ("timeout", field(recipe.layout.timeout)),
    ]
}

fn written(fields: &[(&str, Json)]) -> String {
    // A JSON text is a TOML text, but for one character.
    let lines = fields.iter().map(|(key, value)| format!("{key} = {value}\n").replace('\u{7f}', "\\u007f"));
    format!("{HEADER}\n{}", lines.collect::<String>())
}
