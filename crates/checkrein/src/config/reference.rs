//! The reference of all keys, generated from their definitions: a page, and the answer to a question about one key.

use crate::config::keys::{Absent, FILE, Key, KeyType, TESTS, Table, join};
use std::sync::LazyLock;

const HEAD: &str = "\
# Configuration reference

Every key of a configuration file and of a policy test file. [PROTOCOL.md](../PROTOCOL.md#configuration) explains how layers, trust,
rules and exceptions work. `checkrein schema KEY`, for example `checkrein schema rule.effect`, explains one key and lists its words.
`checkrein schema --default` prints a configuration with every key, and `checkrein schema` the JSON Schema, with which an editor
completes and checks them.

This page is generated from the definitions of the keys: `UPDATE_GENERATED=1 cargo test -p checkrein-cli generated`.
";

/// Returns the reference page, in Markdown.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    for (title, root) in [("Configuration files", &FILE), ("Policy test files (`*.test.toml`)", &TESTS)] {
        page.push_str(&format!("\n## {title}\n"));
        root.visit("", &mut |name, table| {
            if !name.is_empty() {
                page.push_str(&format!("\n### `{name}`\n"));
                if let Some((_, key)) = all_keys().into_iter().find(|(whole, _)| whole == name) {
                    page.push_str(&format!("\n{}\n", key.full_text()));
                }
            }
            page.push_str("\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
            for key in table.keys {
                page.push_str(&row(name, key));
            }
        });
    }
    page
}

fn row(table: &str, key: &Key) -> String {
    let value = match key.holds {
        KeyType::Table(_) => format!("[table](#{})", anchor(table, key)),
        KeyType::Tables(_) => format!("[list of tables](#{})", anchor(table, key)),
        holds => holds.describe(),
    };
    let default = match key.absent {
        Absent::Required => "required".to_owned(),
        Absent::Default(value) => format!("`{}`", value.to_json()),
        Absent::RequiredUnless(_) | Absent::Means(_) => String::new(),
    };
    let cells = [format!("`{}`", key.name), value, default, key.full_text()];
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

/// Returns the anchor that Markdown gives to the heading of a table.
fn anchor(table: &str, key: &Key) -> String {
    join(table, key.name).replace('.', "")
}

/// Returns every key by its whole name, such as `hook.match.tool`.
fn all_keys() -> Vec<(String, &'static Key)> {
    let mut keys = Vec::new();
    for root in [&FILE, &TESTS] {
        root.visit("", &mut |name, table: &'static Table| {
            keys.extend(table.keys.iter().map(|key| (join(name, key.name), key)));
        });
    }
    keys
}

/// Returns the whole names of all keys, such as `hook.match.tool`.
pub fn key_names() -> impl Iterator<Item = &'static str> {
    static NAMES: LazyLock<Vec<String>> =
        LazyLock::new(|| all_keys().into_iter().map(|(name, _)| name).collect());
    NAMES.iter().map(String::as_str)
}

/// Returns the reference of one key, by its whole name, as plain text.
pub fn key_reference(name: &str) -> Option<String> {
    let (name, key) = all_keys().into_iter().find(|(whole, _)| whole == name)?;
    let mut text = format!("{name}: {}\n\n{}\n", key.holds.describe(), key.full_text());
    if let Some(words) = key.holds.many_words() {
        text.push_str(&format!("\nWords: {words}\n"));
    }
    if let Absent::Required = key.absent {
        text.push_str("\nIt is required.\n");
    }
    if let Absent::Default(value) = key.absent {
        text.push_str(&format!("\nDefault: {}\n", value.to_json()));
    }
    match (key.holds, key.example_value()) {
        (KeyType::Table(table) | KeyType::Tables(table), _) => {
            let keys: Vec<&str> = table.keys.iter().map(|key| key.name).collect();
            text.push_str(&format!("\nKeys: {}\n", keys.join(", ")));
        }
        (_, example) if !example.is_empty() => {
            text.push_str(&format!("\nExample: {} = {example}\n", key.name));
        }
        _ => {}
    }
    Some(text)
}
