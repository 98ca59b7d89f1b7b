//! Removes secrets from texts. Every text of a line goes through here, whatever field it is for.
//!
//! Nearly every line has no secret at all. So all its texts are examined together first, in one pass; only if something is found
//! is each of them examined and cleaned by itself.

use crate::json::{CAPACITY, needs_no_escape};
use checkrein_core::sanitize;
use checkrein_secrets::{Redactor, conceal, is_plain_after, scan};
use serde_json::Value;
use std::{
    borrow::Cow,
    cell::{Cell, OnceCell},
    fmt,
};

/// The maximum length of a text that is examined. No field keeps more than a half of it, even in characters of four bytes.
const WINDOW: usize = 4 * 1024;
/// The length of the end of a cut text that is dropped: it may be the start of a secret that is no longer recognised.
const MARGIN: usize = 1024;
/// The replacement of a text whose secrets cannot be replaced, because there is no key.
const WITHHELD: &str = "…";

/// Removes secrets from texts: those that the scanner finds, and what else may be one in a command.
pub struct Cleaner<'a> {
    /// Makes the redactor, which reads a key. Most lines have no secret and never need it.
    make: &'a dyn Fn() -> Option<Redactor>,
    redactor: OnceCell<Option<Redactor>>,
    /// True if all texts were examined together, and nothing was found.
    is_clean: Cell<bool>,
}

impl fmt::Debug for Cleaner<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Cleaner")
    }
}

impl<'a> Cleaner<'a> {
    /// A cleaner with a redactor that is made when the first secret is found.
    pub const fn new(make: &'a dyn Fn() -> Option<Redactor>) -> Self {
        Self { make, redactor: OnceCell::new(), is_clean: Cell::new(false) }
    }

    /// Examines all names and all texts of a line together.
    pub(crate) fn examine<'t>(
        &self,
        names: impl IntoIterator<Item = &'t str>,
        texts: impl IntoIterator<Item = &'t str>,
    ) {
        let (mut together, mut all_names) = (Vec::with_capacity(CAPACITY), 0);
        for (part, text) in
            names.into_iter().map(|name| (0, name)).chain(texts.into_iter().map(|text| (1, text)))
        {
            if part == 0 {
                all_names += window(text).len() + 1;
            }
            together.extend_from_slice(window(text).as_bytes());
            // No secret goes on after a line break and continues in another field; if one seems to, nothing is lost.
            together.push(b'\n');
        }
        // UTF-16 is told by the zero bytes at the beginning of a text, which the joined one hides.
        self.is_clean.set(!together.contains(&0) && is_plain_after(&together, all_names));
    }

    /// Cleans a name or an id, and returns at most `most` characters of it. What is borrowed needs no escaping.
    pub(crate) fn name<'t>(&self, text: &'t str, most: usize) -> Cow<'t, str> {
        if self.is_clean.get() {
            return one_line(window(text), most);
        }
        one_line(&self.without_secrets(window(text)), most).into_owned().into()
    }

    /// Cleans a command, a path or a sentence, and returns at most `most` characters of it in one line. What is borrowed needs no
    /// escaping.
    pub fn text<'t>(&self, text: &'t str, most: usize) -> Cow<'t, str> {
        let seen = window(text);
        if self.is_clean.get() && seen.len() == text.len() {
            return one_line(text, most);
        }
        let mut clean = conceal(&self.without_secrets(seen)).into_owned();
        if seen.len() < text.len() {
            let end = clean.len().saturating_sub(MARGIN);
            let end = (0..=end).rev().find(|at| clean.is_char_boundary(*at)).unwrap_or(0);
            clean.truncate(end);
            clean.push('…');
        }
        one_line(&clean, most).into_owned().into()
    }

    /// Cleans the strings and names of a value.
    pub(crate) fn json(&self, mut value: Value) -> Value {
        match self.redactor() {
            Some(redactor) => {
                redactor.json(&mut value);
                conceal_in(&mut value);
                value
            }
            None => WITHHELD.into(),
        }
    }

    fn redactor(&self) -> Option<&Redactor> {
        self.redactor.get_or_init(self.make).as_ref()
    }

    fn without_secrets<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if scan(text.as_bytes()).is_empty() {
            return text.into();
        }
        self.redactor().map_or_else(|| WITHHELD.into(), |redactor| redactor.text(text).0.into())
    }
}

/// Conceals what may be a secret in the strings of a value.
fn conceal_in(value: &mut Value) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) => {
                if let Cow::Owned(clean) = conceal(text) {
                    *text = clean;
                }
            }
            Value::Array(items) => left.extend(items),
            Value::Object(members) => left.extend(members.values_mut()),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// Returns at most `most` characters of a text in one line. What is borrowed needs no escaping.
fn one_line(text: &str, most: usize) -> Cow<'_, str> {
    match text.len() <= most && needs_no_escape(text) {
        true => text.into(),
        false => sanitize::one_line(text, most).into(),
    }
}

/// Returns the beginning of a text that is looked at.
fn window(text: &str) -> &str {
    if text.len() <= WINDOW {
        return text;
    }
    let end = (0..=WINDOW).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
