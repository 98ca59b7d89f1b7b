//! The definition of every configuration key.
//!
//! A key is one row, and each table of a file has its rows in one file here. Everything else that knows keys is derived
//! from the rows: the reader and its errors about unknown, renamed and missing keys (`fields.rs`), which layers may set a
//! key, the compiled form, the JSON Schemas (`schema.rs`), the commented default configuration (`default_file.rs`), the
//! reference page (`reference.rs`), and the names that a shell completes. `example.rs` is the smallest table.

mod allow;
#[cfg(test)]
pub(crate) mod example;
mod exception;
mod file;
mod grade;
mod hook;
mod learn;
mod mcp;
mod monitor;
mod notify;
mod rewrite;
mod rule;
mod secrets;
mod test_file;
#[cfg(test)]
mod tests;
mod undo;
mod word;

pub(crate) use allow::ALLOW;
pub(crate) use exception::EXCEPTION;
pub(crate) use file::FILE;
pub(crate) use grade::GRADE;
pub(crate) use hook::{HOOK, MOST_SECONDS};
pub(crate) use rewrite::{REPLACE, TRAILER};
pub(crate) use rule::{LONGEST_TEXT, RULE};
pub(crate) use secrets::HANDLE;
pub(crate) use test_file::{CASE, TESTS};
pub(crate) use word::{ConfigWord, words};

use crate::config::{format::Notation, layer::Layer};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A table of a file, or the file itself.
#[derive(Debug)]
pub(crate) struct Table {
    /// Its name in the file; empty for the file itself.
    pub(crate) name: &'static str,
    /// One such table in a message, such as `a hook`.
    pub(crate) one: &'static str,
    pub(crate) keys: &'static [Key],
    /// The constraints of the JSON Schema that involve several keys.
    pub(crate) schema_rules: fn() -> Map<String, Value>,
    /// More examples for the default configuration: a comment, and the settings below it.
    pub(crate) examples: &'static [(&'static str, &'static str)],
    /// Keys that belong elsewhere, and the hint for them.
    pub(crate) hints: &'static [(&'static [&'static str], &'static str)],
}

/// A key.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) holds: KeyType,
    pub(crate) absent: Absent,
    /// One or two sentences.
    pub(crate) doc: &'static str,
    /// Further sentences, for which a schema has no room.
    note: &'static str,
    /// A value in TOML; empty if the default is the best example.
    example: &'static str,
    /// The layers that may not set it, and why.
    refused: &'static [(Layer, &'static str)],
    /// Former names.
    renamed: &'static [&'static str],
    /// True if mini-coding-agent's JSON list has it.
    in_json_list: bool,
}

/// The values that a key accepts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyType {
    /// A string that is not empty.
    Text,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// `true` or `false`.
    Flag,
    /// Seconds, more than 0 and at most this many.
    Seconds(u32),
    /// A whole number, from 1 to this one.
    Whole(u32),
    /// A text for the shell, or a program and its arguments.
    Command,
    /// A Python function.
    Callable,
    /// One or more patterns for tools; a list has at least this many.
    Patterns(usize),
    /// Names of hooks.
    Names,
    /// Names of environment variables.
    Variables,
    /// Files next to the configuration.
    Files,
    /// One or more strings that are not empty.
    Texts,
    /// One or more of these words.
    Words(fn() -> Vec<&'static str>),
    /// Lower-case letters, digits and `-`.
    Id,
    /// A day, or `never`.
    Day,
    /// A day.
    Date,
    /// One or more patterns for the ids of rules.
    RuleIds,
    /// One or more absolute directories.
    Directories,
    /// One or more patterns for whole commands.
    Commands,
    /// One line of at most this many characters.
    Line(usize),
    /// Any table.
    Object,
    /// Any table, or a string.
    ObjectOrText,
    /// `true`, `false`, or any table.
    FlagOrObject,
    /// A table with these keys.
    Table(&'static Table),
    /// A list of tables with these keys.
    Tables(&'static Table),
}

/// The meaning of an absent key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Absent {
    /// An error.
    Required,
    /// An error, unless this other key is there.
    RequiredUnless(&'static str),
    /// This value.
    Default(DefaultValue),
    /// Something that no value expresses.
    Means(&'static str),
}

/// The value of a key that is not there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DefaultValue {
    Flag(bool),
    Number(f64),
    Text(&'static str),
    EmptyList,
}

impl DefaultValue {
    /// Returns the value as JSON, which is valid TOML as well.
    pub(crate) fn to_json(self) -> Value {
        match self {
            Self::Flag(value) => json!(value),
            Self::Number(value) => json!(value),
            Self::Text(value) => json!(value),
            Self::EmptyList => json!([]),
        }
    }
}

impl Table {
    /// A table without a rule about several keys, and without further examples.
    const fn new(name: &'static str, one: &'static str, keys: &'static [Key]) -> Self {
        Self { name, one, keys, schema_rules: Map::new, examples: &[], hints: &[] }
    }

    /// Returns the key of this name, if a file in this notation may have it.
    pub(crate) fn key(&'static self, name: &str, notation: Notation) -> Option<&'static Key> {
        self.keys_in(notation).find(|key| key.name == name)
    }

    /// Returns the keys that a file in this notation may have.
    pub(crate) fn keys_in(&'static self, notation: Notation) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().filter(move |key| notation == Notation::Toml || key.in_json_list)
    }

    /// Returns the key that once had this name.
    pub(crate) fn renamed(&'static self, old: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.renamed.contains(&old))
    }

    /// Calls `visit` with this table and every table in it, each with its whole name, such as `hook.match`.
    pub(crate) fn visit(&'static self, name: &str, visit: &mut impl FnMut(&str, &'static Self)) {
        visit(name, self);
        for key in self.keys {
            if let KeyType::Table(table) | KeyType::Tables(table) = key.holds {
                table.visit(&join(name, key.name), visit);
            }
        }
    }
}

/// Joins the name of a table and the name of a key in it.
pub(crate) fn join(table: &str, key: &str) -> String {
    if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") }
}

impl Key {
    const fn new(name: &'static str, holds: KeyType, absent: Absent, doc: &'static str) -> Self {
        Self {
            name,
            holds,
            absent,
            doc,
            note: "",
            example: "",
            refused: &[],
            renamed: &[],
            in_json_list: false,
        }
    }

    const fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }

    const fn example(mut self, toml: &'static str) -> Self {
        self.example = toml;
        self
    }

    const fn refused(mut self, refused: &'static [(Layer, &'static str)]) -> Self {
        self.refused = refused;
        self
    }

    const fn formerly(mut self, old: &'static [&'static str]) -> Self {
        self.renamed = old;
        self
    }

    const fn in_json_list(mut self) -> Self {
        self.in_json_list = true;
        self
    }

    /// Returns why a file of `layer` may not set the key, if it may not.
    pub(crate) fn refused_in(&self, layer: Layer) -> Option<&'static str> {
        self.refused.iter().find(|(refused, _)| *refused == layer).map(|(_, why)| *why)
    }

    /// Returns whether a flag is on where a file does not have the key.
    pub(crate) const fn is_on_by_default(&self) -> bool {
        matches!(self.absent, Absent::Default(DefaultValue::Flag(true)))
    }

    /// Returns the layers that may set the key, unless all may.
    pub(crate) fn layers(&self) -> Option<Vec<&'static str>> {
        let may = Layer::ALL.into_iter().filter(|layer| self.refused_in(*layer).is_none());
        (!self.refused.is_empty()).then(|| may.map(Layer::as_str).collect())
    }

    /// Returns an example of a value, in TOML.
    pub(crate) fn example_value(&self) -> String {
        match (self.example, self.absent) {
            ("", Absent::Default(value)) => value.to_json().to_string(),
            (example, _) => example.to_owned(),
        }
    }

    /// Returns the purpose of the key, the meaning of its absence, and the layers that may set it.
    pub(crate) fn summary(&self) -> String {
        self.sentences("")
    }

    /// Returns the summary and the note.
    pub(crate) fn full_text(&self) -> String {
        self.sentences(self.note)
    }

    fn sentences(&self, note: &str) -> String {
        let mut text = self.doc.to_owned();
        if !note.is_empty() {
            text.push(' ');
            text.push_str(note);
        }
        // Writing to a string cannot fail.
        let _ = match self.absent {
            Absent::Means(meaning) => write!(text, " Without it: {meaning}."),
            Absent::RequiredUnless(other) => write!(text, " Without it: `{other}` is required."),
            Absent::Required | Absent::Default(_) => Ok(()),
        };
        if let Some(layers) = self.layers() {
            let _ = write!(text, " Layers: {}.", layers.join(", "));
        }
        text
    }
}

impl KeyType {
    /// Returns true if an empty list is an error, because it means nothing.
    pub(crate) const fn refuses_empty(self) -> bool {
        matches!(self, Self::Texts | Self::Words(_) | Self::RuleIds | Self::Directories | Self::Commands)
    }

    /// Returns the words that it accepts, if they are too many for [`describe`](Self::describe).
    pub(crate) fn many_words(self) -> Option<String> {
        let (Self::Word(words) | Self::Words(words)) = self else { return None };
        let words = words();
        (words.len() >= MANY_WORDS).then(|| quoted(&words))
    }

    /// Returns the name of the type, for the reference page.
    pub(crate) fn describe(self) -> String {
        match self {
            Self::Text => "string".into(),
            Self::Word(words) => match words().len() {
                many @ MANY_WORDS.. => format!("one of {many} words"),
                _ => quoted(&words()),
            },
            Self::Flag => "`true` or `false`".into(),
            Self::Seconds(most) => format!("seconds, at most {most}"),
            Self::Whole(most) => format!("whole number, at most {most}"),
            Self::Command => "string, or list of strings".into(),
            Self::Callable => "`module:function`".into(),
            Self::Patterns(_) => "pattern, or list of patterns".into(),
            Self::Names => "list of names".into(),
            Self::Variables => "list of variables".into(),
            Self::Files => "list of relative paths".into(),
            Self::Texts => "string, or list of strings".into(),
            Self::Words(words) => match words().len() {
                many @ MANY_WORDS.. => format!("one or more of {many} words"),
                _ => format!("one or more of {}", quoted(&words())),
            },
            Self::Id => "lower-case letters, digits and `-`".into(),
            Self::Day => "`YYYY-MM-DD` or `never`".into(),
            Self::Date => "`YYYY-MM-DD`".into(),
            Self::RuleIds => "rule id, or list of rule ids".into(),
            Self::Directories => "absolute path, or list of them".into(),
            Self::Commands => "command, or list of commands".into(),
            Self::Line(most) => format!("one line, at most {most} characters"),
            Self::Object => "table".into(),
            Self::ObjectOrText => "table or string".into(),
            Self::FlagOrObject => "`true`, `false` or table".into(),
            Self::Table(_) => "table".into(),
            Self::Tables(_) => "list of tables".into(),
        }
    }
}

/// From this many words on, a vocabulary does not fit into the cell of a table.
const MANY_WORDS: usize = 10;

/// Returns words in backticks.
fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
