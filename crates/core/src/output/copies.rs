//! Finds other copies of what an edit removed from a result.
//!
//! A result often says the same thing twice. A hook edits the text, so whatever the edit removed from it must go
//! from the rest of the value as well. The words of the old text that the new one lacks are what was removed.

use serde_json::Value;
use std::collections::HashSet;

/// Words shorter than this are not looked for: they occur everywhere.
const SHORTEST: usize = 4;

/// Values up to this length are also compared with the text as a whole.
const LONGEST: usize = 256;

/// Numbers of fewer digits are not looked for.
const LONG_NUMBER: usize = 8;

/// Fields that say what a block is or which file it is about. Hosts need them, and they are no copy of the text.
const STRUCTURE: &[&str] = &["type", "mimeType", "filePath", "file_path"];

/// The difference between an old text and its edited form.
pub(super) struct Removed<'a> {
    old: &'a str,
    new: &'a str,
    words: HashSet<&'a str>,
}

impl<'a> Removed<'a> {
    pub(super) fn between(old: &'a str, new: &'a str) -> Self {
        let kept: HashSet<&str> = words(new).collect();
        Self { old, new, words: words(old).filter(|word| !kept.contains(word)).collect() }
    }

    /// Returns true if `value` holds something that was removed, in a string, a number or a key.
    pub(super) fn is_in(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_in_text(text),
            Value::Number(number) => self.is_in_text(&number.to_string()),
            Value::Array(items) => items.iter().any(|item| self.is_in(item)),
            Value::Object(fields) => {
                fields.iter().any(|(key, value)| self.is_in_text(key) || self.is_in(value))
            }
            Value::Null | Value::Bool(_) => false,
        }
    }

    fn is_in_text(&self, text: &str) -> bool {
        words(text).any(|word| self.words.contains(word)) || self.is_part(text.trim())
    }

    /// Returns true if the whole text was a part of the old text and is none of the new one, for what is not made of
    /// words.
    fn is_part(&self, text: &str) -> bool {
        (SHORTEST..=LONGEST).contains(&text.len()) && self.old.contains(text) && !self.new.contains(text)
    }

    /// Empties every field of `native` that holds something that was removed, except for `places`, which hold the
    /// edited text.
    pub(super) fn purge(&self, native: &mut Value, places: &[String]) {
        if !self.words.is_empty() || !self.old.is_empty() {
            self.purge_at(native, &mut String::new(), places);
        }
    }

    fn purge_at(&self, value: &mut Value, path: &mut String, places: &[String]) {
        let length = path.len();
        match value {
            Value::String(text) => {
                if self.is_in_text(text) && !places.iter().any(|place| place == path) {
                    text.clear();
                }
            }
            // A count or a duration is no copy, and a host may insist on it.
            Value::Number(number) => {
                let digits = number.to_string();
                if digits.len() >= LONG_NUMBER && self.is_in_text(&digits) {
                    *value = Value::Null;
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    path.push_str(&format!("/{index}"));
                    self.purge_at(item, path, places);
                    path.truncate(length);
                }
            }
            Value::Object(fields) => {
                // The outermost names belong to the host's shape.
                if length > 0 {
                    let own = |key: &str| format!("{path}/{key}");
                    let holds_text = |key: &str| places.iter().any(|place| place.starts_with(&own(key)));
                    fields.retain(|key, _| is_structure(key) || holds_text(key) || !self.is_in_text(key));
                }
                for (key, value) in fields.iter_mut().filter(|(key, _)| !is_structure(key)) {
                    path.push('/');
                    path.push_str(key);
                    self.purge_at(value, path, places);
                    path.truncate(length);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// Returns true for a field that only says what a value is.
pub(super) fn is_structure(key: &str) -> bool {
    STRUCTURE.contains(&key)
}

/// Returns the words of a text that are long enough to identify what was removed: what is between spaces, and the
/// letters and digits in that.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.split(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | '-')));
    text.split_whitespace().chain(inner).filter(|word| word.len() >= SHORTEST)
}
