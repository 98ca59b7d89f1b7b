//! Turns `clients.toml` and `commands.toml` into constant tables, so that nothing is parsed when the program starts.
//!
//! A mistake in a table is an error of the build that names the file and the line.

#![allow(clippy::panic, reason = "an error of the build")]

use std::{collections::BTreeSet, fmt::Write, path::PathBuf};
use toml::{Table, Value};

/// The words for what an option takes, and the variants of `Role`.
const ROLES: [(&str, &str); 12] = [
    ("text", "Text"),
    ("text-first", "TextFirst"),
    ("file", "File"),
    ("file-first", "FileFirst"),
    ("output", "Output"),
    ("host", "Host"),
    ("database", "Database"),
    ("password", "Password"),
    ("attached-password", "AttachedPassword"),
    ("address", "Address"),
    ("other", "Other"),
    ("nothing", "Nothing"),
];
/// The words for how a client reads its arguments, and the variants of `Style`.
const STYLES: [(&str, &str); 3] =
    [("getopt", "Getopt"), ("first-letter", "FirstLetter"), ("single-dash", "SingleDash")];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let (mut clients, mut commands) = (String::new(), String::new());
    File::read("clients.toml").clients(&mut clients);
    File::read("commands.toml").commands(&mut commands);
    let out = std::env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    for (name, code) in [("clients.rs", clients), ("commands.rs", commands)] {
        if let Err(error) = std::fs::write(out.join(name), code) {
            panic!("{name}: {error}");
        }
    }
}

/// A file of tables.
struct File {
    path: &'static str,
    text: String,
    table: Table,
}

impl File {
    fn read(path: &'static str) -> Self {
        println!("cargo::rerun-if-changed={path}");
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let table = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        Self { path, text, table }
    }

    /// Ends the build. `section` is the table that is wrong, and `word` is in the line: in its last, if there are several.
    fn fail(&self, section: &str, word: &str, what: &str) -> ! {
        let (mut inside, mut found) = (false, 1);
        for (number, line) in self.text.lines().enumerate() {
            if line.starts_with('[') {
                inside = line == format!("[{section}]");
            }
            let is_in = || line.split(['"', ' ', ',', '=', '[', ']']).any(|part| part == word);
            if inside && (is_in() || line.starts_with('[')) {
                found = number + 1;
            }
        }
        panic!("{}:{found}: `{word}` {what}", self.path);
    }

    fn list(&self, section: &str, table: &Table, key: &str) -> Vec<String> {
        let Some(list) = table.get(key).and_then(Value::as_array) else {
            self.fail(section, key, "must be a list of strings");
        };
        let text = |value: &Value| match value.as_str() {
            Some(text) => text.to_owned(),
            None => self.fail(section, key, "must be a list of strings"),
        };
        list.iter().map(text).collect()
    }

    fn sections<'a>(&'a self, keys: &'a [&str]) -> impl Iterator<Item = (&'a String, &'a Table)> {
        self.table.iter().map(move |(name, section)| {
            let Some(section) = section.as_table() else { self.fail(name, name, "must be a table") };
            if let Some(key) = section.keys().find(|key| !keys.contains(&key.as_str())) {
                self.fail(name, key, "is no key of this file");
            }
            (name, section)
        })
    }

    /// Writes the style and the options of each client.
    fn clients(&self, code: &mut String) {
        for (name, section) in self.sections(&["style", "options"]) {
            let variant = |words: &[(&str, &'static str)], word: &str, what: &str| {
                let known = words.iter().find(|(known, _)| *known == word);
                known.map_or_else(|| self.fail(name, word, what), |(_, variant)| *variant)
            };
            let style = section.get("style").and_then(Value::as_str).unwrap_or_default();
            let style = variant(&STYLES, style, "is no style");
            let constant = name.to_uppercase();
            let mut options = String::new();
            let mut known = BTreeSet::new();
            for option in self.list(name, section, "options") {
                let Some((names, role)) = option.split_once(" = ") else {
                    self.fail(name, &option, "does not say what it takes: write `names = role`");
                };
                let role = variant(&ROLES, role, "is nothing that an option takes");
                for option in names.split_whitespace() {
                    if !known.insert(option.to_owned()) {
                        self.fail(name, option, "is already an option of this client");
                    }
                    let _infallible = write!(options, "({option:?}, Role::{role}), ");
                }
            }
            let _infallible = writeln!(
                code,
                "const {constant}: Options = Options {{ style: Style::{style}, names: &[{options}] }};"
            );
        }
    }

    /// Writes the commands of each client that are no danger.
    fn commands(&self, code: &mut String) {
        for (name, section) in self.sections(&["reads", "changes"]) {
            let mut known = BTreeSet::new();
            for key in ["reads", "changes"] {
                let words = self.list(name, section, key);
                if let Some(twice) = words.iter().find(|word| !known.insert((*word).clone())) {
                    self.fail(name, twice, "is already in a list of this client");
                }
                let constant = format!("{name}_{key}").to_uppercase();
                let _infallible = writeln!(code, "pub(crate) const {constant}: &[&str] = &{words:?};");
            }
        }
    }
}
