//! Removes secrets from texts. Every text of a line goes through here, whatever field it is for.

use checkrein_core::sanitize::one_line;
use checkrein_secrets::{Redactor, scan};
use serde_json::Value;
use std::{cell::OnceCell, fmt};

/// The maximum length of a text that is examined. No field keeps more than a tenth of it.
const WINDOW: usize = 8 * 1024;
/// The length of the end of a cut text that is dropped: it may be the start of a secret that is no longer recognised.
const MARGIN: usize = 1024;
/// The replacement of a text whose secrets cannot be replaced, because there is no key.
const WITHHELD: &str = "…";

/// Removes secrets from texts: those that the scanner finds, and those that another function removes.
pub struct Cleaner<'a> {
    /// Makes the redactor, which reads a key. Most lines have no secret and never need it.
    make: &'a dyn Fn() -> Option<Redactor>,
    redactor: OnceCell<Option<Redactor>>,
    also: fn(&str) -> String,
}

impl fmt::Debug for Cleaner<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Cleaner")
    }
}

impl<'a> Cleaner<'a> {
    /// A cleaner with a redactor that is made when the first secret is found, and a function that removes what else is known to
    /// be secret in commands.
    pub const fn new(make: &'a dyn Fn() -> Option<Redactor>, also: fn(&str) -> String) -> Self {
        Self { make, redactor: OnceCell::new(), also }
    }

    /// Cleans a name or an id, and returns at most `most` characters of it.
    pub(crate) fn name(&self, text: &str, most: usize) -> String {
        one_line(&self.without_secrets(window(text)), most)
    }

    /// Cleans a command, a path or a sentence, and returns at most `most` characters of it in one line.
    pub(crate) fn text(&self, text: &str, most: usize) -> String {
        let seen = window(text);
        let mut clean = (self.also)(&self.without_secrets(seen));
        if seen.len() < text.len() {
            let end = clean.len().saturating_sub(MARGIN);
            let end = (0..=end).rev().find(|at| clean.is_char_boundary(*at)).unwrap_or(0);
            clean.truncate(end);
            clean.push('…');
        }
        one_line(&clean, most)
    }

    /// Cleans the strings and names of a value.
    pub(crate) fn json(&self, mut value: Value) -> Value {
        match self.redactor() {
            Some(redactor) => {
                redactor.json(&mut value);
                self.also_in(&mut value);
                value
            }
            None => WITHHELD.into(),
        }
    }

    fn also_in(&self, value: &mut Value) {
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => *text = (self.also)(text),
                Value::Array(items) => left.extend(items),
                Value::Object(members) => left.extend(members.values_mut()),
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
    }

    fn redactor(&self) -> Option<&Redactor> {
        self.redactor.get_or_init(self.make).as_ref()
    }

    fn without_secrets(&self, text: &str) -> String {
        if scan(text.as_bytes()).is_empty() {
            return text.to_owned();
        }
        self.redactor().map_or_else(|| WITHHELD.to_owned(), |redactor| redactor.text(text).0)
    }
}

/// Returns the beginning of a text that is looked at.
fn window(text: &str) -> &str {
    let end = (0..=text.len().min(WINDOW)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
