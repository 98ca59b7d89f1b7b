//! The meaning of a tool's arguments, by their names.
//!
//! Tools do not declare what they do with their arguments, and hosts and servers spell the same name in many ways. So
//! there is one table of names, `data/arguments.toml`. Names are compared without case and separators: `file_path`,
//! `filePath` and `file-path` are one.

pub(super) use crate::notation::Meaning;

use crate::data::{ARGUMENT_ABOUT, ARGUMENT_NAMES};
use checkrein_core::Map;
use serde_json::Value;

/// The maximum nesting of objects and lists of a call that is followed.
pub(super) const DEPTH: usize = 32;
/// Maximum number of arguments of one call that are looked at.
const MOST: usize = 2000;

/// Returns the meaning of an argument of this name; `None` if it is prose or a number.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let plain = plain(name);
    let plain = plain.trim_end_matches(|char: char| char.is_ascii_digit());
    let exact = ARGUMENT_NAMES.iter().find(|(_, names)| names.contains(&plain)).map(|(meaning, _)| *meaning);
    exact.or_else(|| by_words(&words(name.trim_end_matches(|char: char| char.is_ascii_digit()))))
}

/// Returns true for a name of something that is about a command or a text, for a user or a model to read: a description, a title.
pub(super) fn is_about(name: &str) -> bool {
    words(name).last().is_some_and(|last| ARGUMENT_ABOUT.contains(&last.as_str()))
}

/// Returns the meaning of a name of several words. They cannot all be listed, and the last word usually says what
/// kind of thing it is.
fn by_words(words: &[String]) -> Option<Meaning> {
    let last = words.last()?.as_str();
    let any = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
    let ends = |wanted: &[&str]| wanted.contains(&last);
    if ends(&["path", "paths", "file", "files", "filename", "filenames", "filepath", "pathname"])
        || any(&["path", "filepath"]) && !ends(ARGUMENT_ABOUT)
    {
        return Some(if any(&["output", "out", "save", "export", "download", "dest", "destination"]) {
            Meaning::Output
        } else if any(&["absolute", "abs", "full", "project", "file", "filename", "filepath"]) && any(PATHS) {
            Meaning::File
        } else {
            Meaning::Path
        });
    }
    if any(&["save", "download", "export"]) && ends(&["as", "to"]) {
        return Some(Meaning::Output);
    }
    if any(&["type", "send"]) && any(&["text", "keys", "chars"]) {
        return Some(Meaning::Keys);
    }
    if ends(&["list"]) && any(&["file", "files"]) {
        return Some(Meaning::Path);
    }
    if ends(ARGUMENT_ABOUT) {
        return None;
    }
    let other_language =
        any(&["python", "javascript", "js", "ruby", "node", "lua", "perl", "php", "typescript"]);
    if other_language && any(&["script", "code", "source", "snippet", "text", "body"]) {
        return Some(Meaning::Code);
    }
    // Handlers of events run: `on_success`, `pre_commit`.
    let event = words.len() > 1 && words.first().is_some_and(|first| EVENTS.contains(&first.as_str()));
    if event
        || any(&[
            "command",
            "cmd",
            "cmdline",
            "commandline",
            "script",
            "bash",
            "shell",
            "run",
            "exec",
            "execute",
            "hook",
            "job",
        ])
    {
        return Some(Meaning::Command);
    }
    if any(&["commands", "cmds", "scripts"]) {
        return Some(Meaning::Commands);
    }
    if any(&["code", "snippet", "eval", "expr"]) {
        return Some(Meaning::Code);
    }
    if any(&["keystroke", "keystrokes", "typed"]) {
        return Some(Meaning::Keys);
    }
    (ends(&["input"]) && any(&["terminal", "stdin", "shell", "console", "process", "user"]))
        .then_some(Meaning::Input)
}

/// First words of the names of handlers.
const EVENTS: &[&str] = &["on", "pre", "post", "before", "after"];

/// Words for a path.
const PATHS: &[&str] = &["path", "paths", "filepath", "filename", "filenames", "pathname"];

/// The words in a name: `readTextFile`, `read_text_file` and `read-text-file` have the same.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for char in name.chars() {
        if !char.is_ascii_alphanumeric() || (char.is_ascii_uppercase() && before.is_ascii_lowercase()) {
            words.push(String::new());
        }
        if char.is_ascii_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.push(char.to_ascii_lowercase());
        }
        before = char;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns a name without case and separators.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|char| char.to_ascii_lowercase()).collect()
}

/// An argument at any place of the call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a Value,
    /// The object that contains it.
    pub(super) beside: &'a Map,
}

/// The arguments of a call with those in its lists and objects, or nothing if they are too many or too deep to be looked at.
pub(super) fn all(input: &Map) -> Option<Vec<Argument<'_>>> {
    let mut found = Vec::new();
    let mut left: Vec<(&Map, usize)> = vec![(input, 0)];
    while let Some((map, depth)) = left.pop() {
        for (name, value) in map {
            found.push(Argument { name, value, beside: map });
            if found.len() > MOST || depth > DEPTH {
                return None;
            }
            inside(value, depth + 1, &mut left)?;
        }
    }
    Some(found)
}

/// The objects in a value.
fn inside<'a>(value: &'a Value, depth: usize, found: &mut Vec<(&'a Map, usize)>) -> Option<()> {
    let mut left = vec![(value, depth)];
    while let Some((value, depth)) = left.pop() {
        match value {
            Value::Object(map) => found.push((map, depth)),
            Value::Array(_) if depth > DEPTH => return None,
            Value::Array(list) => left.extend(list.iter().map(|item| (item, depth + 1))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        if found.len() + left.len() > 4 * MOST {
            return None;
        }
    }
    Some(())
}

impl<'a> Argument<'a> {
    pub(super) fn meaning(&self) -> Option<Meaning> {
        meaning(self.name)
    }

    /// The text, or the texts of the list.
    pub(super) fn texts(&self) -> Vec<&'a str> {
        texts(self.value)
    }

    /// Returns the first text with this meaning in the same object.
    pub(super) fn sibling(&self, wanted: Meaning) -> Option<&'a str> {
        of(self.beside, wanted).next()
    }
}

/// The texts in an object with this meaning.
pub(super) fn of(map: &Map, wanted: Meaning) -> impl Iterator<Item = &str> {
    map.iter().filter(move |(name, _)| meaning(name) == Some(wanted)).flat_map(|(_, value)| texts(value))
}

fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text.as_str()],
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}
