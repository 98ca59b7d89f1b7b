//! Our entries in a YAML file: one block of ours at its end, between two comments.
//!
//! We do not parse YAML. The block is found by its comments, so nothing else of the file is ever changed. A key may be in a
//! mapping once only, so a file that has `hooks` of its own is not edited: the error says what to add to them.

use super::{
    command::Command,
    entry::{Entry, Installed, Wanted},
    recipe::Recipe,
    tree::SyntaxError,
};
use serde_json::{Value as Json, json};
use std::ops::Range;

const BEGIN: &str = "# Written by `checkrein init`; `checkrein uninstall` removes it.\n";
const END: &str = "# End of what `checkrein init` wrote.\n";

/// Returns the place of our block.
fn block(text: &str) -> Option<Range<usize>> {
    let start = text.find(BEGIN)?;
    let end = text.get(start..)?.find(END)? + start + END.len();
    Some(start..end)
}

/// Returns the entries of a file that call checkrein, in order: ours, and those that a user added to hooks of theirs.
pub(super) fn entries(text: &str, recipe: &Recipe) -> Vec<Entry> {
    let ours = block(text);
    let mut key = None;
    let mut is_inside = false;
    let mut found: Vec<Entry> = Vec::new();
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_ours = ours.as_ref().is_some_and(|ours| ours.contains(&at));
        at += line.len();
        let content = line.trim().trim_start_matches("- ").trim_start();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if !line.starts_with([' ', '\t', '-']) {
            is_inside = is_hooks(line);
            key = None;
        } else if !is_inside {
        } else if let Some(name) = content.strip_suffix(':') {
            key = Some(name.to_owned());
        } else if let (Some(value), Some(key)) = (content.strip_prefix("command:"), &key) {
            let value = scalar(value);
            let Some(command) = Command::find(&value, None) else { continue };
            found.push(Entry {
                event: recipe.event(key),
                key: key.clone(),
                group: found.len(),
                index: 0,
                matcher: None,
                command: Command { is_handmade: command.is_handmade || !is_ours, ..command },
                handler: json!({"type": "command", "command": value}),
                line: number + 1,
            });
        } else if let (Some(value), Some(entry)) = (content.strip_prefix("timeout:"), found.last_mut())
            && let (Ok(seconds), Some(fields)) = (value.trim().parse::<u32>(), entry.handler.as_object_mut())
        {
            fields.insert("timeout".to_owned(), seconds.into());
        }
    }
    found
}

/// Returns true if a line begins the hooks of the file.
fn is_hooks(line: &str) -> bool {
    ["hooks:", "\"hooks\":", "'hooks':"].iter().any(|key| line.starts_with(key))
}

/// Returns a value that is written on one line.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if let Ok(Json::String(text)) = serde_json::from_str(text) {
        return text;
    }
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(text) => text.replace("''", "'"),
        None => text.split(" #").next().unwrap_or_default().trim_end().to_owned(),
    }
}

/// Returns `text` with our block.
pub(super) fn install(text: &str, recipe: &Recipe, wanted: &[Wanted]) -> Result<Installed, SyntaxError> {
    check(text)?;
    let new = written(recipe, wanted);
    let mut changed = text.to_owned();
    match block(text) {
        Some(old) => changed.replace_range(old, &new),
        None => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            changed = format!("{text}{gap}{new}");
        }
    }
    Ok(Installed { text: changed, made: Vec::new() })
}

/// Returns `text` without our block.
pub(super) fn uninstall(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(block) = block(&text) {
        text.replace_range(block, "");
    }
    text
}

/// Checks that our block can be added or replaced.
pub(super) fn check(text: &str) -> Result<(), SyntaxError> {
    let others = uninstall(text);
    if others.contains(BEGIN) || others.contains(END) {
        return Err(SyntaxError::at(
            text,
            0,
            "the block that `checkrein init` wrote is incomplete; remove what is left of it",
        ));
    }
    let mut at = 0;
    for line in others.split_inclusive('\n') {
        let what = if is_hooks(line) {
            "this file has `hooks` of its own; add ours to them by hand: `checkrein init --print` shows them"
        } else if line.starts_with(['{', '[']) {
            "this file is not written as a block of `key: value` lines; `checkrein init --print` shows what to add by hand"
        } else if line.starts_with("...") || line.starts_with("---") && at > 0 {
            "this file has several documents; `checkrein init --print` shows what to add by hand"
        } else {
            at += line.len();
            continue;
        };
        return Err(SyntaxError::at(&others, at, what));
    }
    Ok(())
}

fn written(recipe: &Recipe, wanted: &[Wanted]) -> String {
    let entries = wanted.iter().map(|wanted| {
        let field = |name: &str| wanted.handler.get(name).cloned().unwrap_or_default();
        // A JSON text is a YAML text.
        format!(
            "  {}:\n    - command: {}\n      timeout: {}\n",
            wanted.key,
            field(recipe.layout.command),
            field(recipe.layout.timeout)
        )
    });
    format!("{BEGIN}hooks:\n{}{END}", entries.collect::<String>())
}
