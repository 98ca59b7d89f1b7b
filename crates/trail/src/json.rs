//! Writes the object of a line. Most texts need no escaping, and are copied as they are.

use checkrein_core::Map;
use serde_json::Value;
use std::{borrow::Cow, fmt::Display, io::Write};

/// The usual length of a line. Allocators treat a kilobyte and more differently, which costs thousands of instructions.
pub(crate) const CAPACITY: usize = 960;

/// Returns whether a text has visible characters of ASCII only, and none that JSON escapes.
///
/// Inputs can be long, so eight bytes are compared at once: the released program is compiled for size, without vectors.
pub(crate) fn needs_no_escape(text: &str) -> bool {
    const LOWEST: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = u64::from_ne_bytes([0x80; 8]);
    // Returns a number that is not zero if, of eight bytes below 128, one is less than `bound`.
    let has_less = |bytes: u64, bound: u8| bytes.wrapping_sub(LOWEST * u64::from(bound)) & !bytes & HIGHEST;
    let has = |bytes: u64, byte: u8| has_less(bytes ^ (LOWEST * u64::from(byte)), 1);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let odd = words.iter().fold(0, |odd, word| {
        let bytes = u64::from_ne_bytes(*word);
        odd | bytes & HIGHEST
            | has_less(bytes, b' ')
            | has(bytes, 0x7f)
            | has(bytes, b'"')
            | has(bytes, b'\\')
    });
    odd == 0 && rest.iter().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'))
}

fn write_string(text: &str, bytes: &mut Vec<u8>) {
    if needs_no_escape(text) {
        bytes.push(b'"');
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'"');
    } else {
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(bytes, text);
    }
}

/// Writes a number in decimal digits.
pub(crate) fn write_number(mut value: u64, bytes: &mut Vec<u8>) {
    let (mut digits, mut at) = ([b'0'; 20], 20);
    while at == 20 || value > 0 {
        at -= 1;
        if let Some(digit) = digits.get_mut(at) {
            *digit = b'0' + u8::try_from(value % 10).unwrap_or_default();
        }
        value /= 10;
    }
    bytes.extend_from_slice(digits.get(at..).unwrap_or_default());
}

/// Returns the input of a call as JSON, in the order of its fields: the text that its digest is of.
pub fn input_text(input: &Map) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(CAPACITY);
    bytes.push(b'{');
    for (name, value) in input {
        if bytes.len() > 1 {
            bytes.push(b',');
        }
        write_string(name, &mut bytes);
        bytes.push(b':');
        match value {
            Value::String(text) => write_string(text, &mut bytes),
            other => {
                let _ = serde_json::to_writer(&mut bytes, other);
            }
        }
    }
    bytes.push(b'}');
    bytes
}

/// A hash of 256 bits.
pub type Hash = [u8; 32];

/// Returns the BLAKE3 hash of a text.
pub fn hash(text: &[u8]) -> Hash {
    *blake3::hash(text).as_bytes()
}

/// Returns a short digest of a text, in hexadecimal digits.
pub fn digest(text: &[u8]) -> String {
    hex(hash(text).first_chunk::<8>().unwrap_or(&[0; 8]))
}

/// Returns bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = vec![0; bytes.len() * 2];
    write_hex(bytes, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Writes bytes in hexadecimal digits.
pub(crate) fn write_hex(bytes: &[u8], to: &mut [u8]) {
    // Without a table: both digits of many bytes are computed at once.
    let digit = |value: u8| value + if value < 10 { b'0' } else { b'a' - 10 };
    for (byte, pair) in bytes.iter().zip(to.as_chunks_mut::<2>().0) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
}

/// The name of a field with the signs around it, so that it is written at once: a record has many.
#[derive(Clone, Copy)]
pub(crate) struct Key(#[doc(hidden)] pub(crate) &'static str);

/// Makes the name of a field. Names need no escaping.
macro_rules! key {
    ($name:literal) => {
        $crate::json::Key(concat!(",\"", $name, "\":"))
    };
}
pub(crate) use key;

/// An object that is still open.
pub(crate) struct Json(Vec<u8>);

impl Json {
    pub(crate) fn new() -> Self {
        let mut bytes = Vec::with_capacity(CAPACITY);
        bytes.push(b'{');
        Self(bytes)
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Begins an object within a list.
    pub(crate) fn open(&mut self) {
        self.0.push(b'{');
    }

    /// Ends it.
    pub(crate) fn close(&mut self) {
        self.0.push(b'}');
    }

    /// Writes the name of a field, with the comma before it if there is another one.
    fn name(&mut self, Key(name): Key) {
        let is_first = matches!(self.0.last(), Some(b'{'));
        self.0.extend_from_slice(name.as_bytes().get(usize::from(is_first)..).unwrap_or_default());
    }

    pub(crate) fn string(&mut self, name: Key, value: Option<&str>) {
        self.name(name);
        match value {
            Some(value) => write_string(value, &mut self.0),
            None => self.0.extend_from_slice(b"null"),
        }
    }

    /// Writes a text of ours, which needs no escaping.
    pub(crate) fn plain_field(&mut self, name: Key, text: Option<&str>) {
        self.name(name);
        match text {
            Some(text) => self.plain(text),
            None => self.0.extend_from_slice(b"null"),
        }
    }

    /// Writes a value whose text needs no escaping.
    pub(crate) fn display(&mut self, name: Key, value: impl Display) {
        self.name(name);
        // Writing to memory cannot fail.
        let _ = write!(self.0, "\"{value}\"");
    }

    pub(crate) fn boolean(&mut self, name: Key, value: bool) {
        self.name(name);
        self.0.extend_from_slice(if value { b"true" } else { b"false" });
    }

    pub(crate) fn number(&mut self, name: Key, value: Option<u64>) {
        self.name(name);
        match value {
            Some(value) => write_number(value, &mut self.0),
            None => self.0.extend_from_slice(b"null"),
        }
    }

    pub(crate) fn list<T>(
        &mut self,
        name: Key,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(T, &mut Self),
    ) {
        self.name(name);
        self.0.push(b'[');
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.0.push(b',');
            }
            write(item, self);
        }
        self.0.push(b']');
    }

    /// Writes a string.
    #[cfg(test)]
    pub(crate) fn value(&mut self, text: &str) {
        write_string(text, &mut self.0);
    }

    /// Writes a text that the cleaner returned. One that it borrows was examined, and needs no escaping.
    pub(crate) fn cleaned(&mut self, text: Cow<'_, str>) {
        match text {
            Cow::Borrowed(text) => self.plain(text),
            Cow::Owned(text) => write_string(&text, &mut self.0),
        }
    }

    /// Writes a field with a text that the cleaner returned.
    pub(crate) fn cleaned_field(&mut self, name: Key, text: Option<Cow<'_, str>>) {
        self.name(name);
        match text {
            Some(text) => self.cleaned(text),
            None => self.0.extend_from_slice(b"null"),
        }
    }

    /// Writes a string that needs no escaping.
    fn plain(&mut self, text: &str) {
        self.0.reserve(text.len() + 2);
        self.0.push(b'"');
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'"');
    }

    /// Writes the input of a call, or only its length if it is longer than `most` bytes.
    pub(crate) fn input(&mut self, input: &Value, most: usize) {
        let text = input.to_string();
        if text.len() > most {
            return self.number(key!("input_omitted"), u64::try_from(text.len()).ok());
        }
        self.name(key!("input"));
        self.0.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Eight bytes at once are the same as one by one.
        #[test]
        fn what_needs_no_escape_is_found_at_any_place(text in "[ -~]{0,20}", odd in any::<char>(), at in 0_usize..20) {
            let is_even = |text: &str| text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\'));
            prop_assert_eq!(needs_no_escape(&text), is_even(&text));
            let mut chars: Vec<char> = text.chars().collect();
            chars.insert(at.min(chars.len()), odd);
            let text: String = chars.into_iter().collect();
            prop_assert_eq!(needs_no_escape(&text), is_even(&text));
        }

        /// Whatever is written is read back.
        #[test]
        fn an_object_is_read_back(text in any::<String>(), number in any::<Option<u64>>(), items in proptest::collection::vec("[ -~]{0,9}", 0..4)) {
            let mut json = Json::new();
            json.string(key!("text"), Some(&text));
            json.number(key!("number"), number);
            json.string(key!("nothing"), None);
            json.list(key!("items"), items.iter(), |item, json| json.value(item));
            json.list(key!("objects"), items.iter(), |item, json| {
                json.open();
                json.string(key!("item"), Some(item));
                json.boolean(key!("yes"), true);
                json.close();
            });
            let mut bytes = json.into_bytes();
            bytes.push(b'}');
            let objects: Vec<Value> = items.iter().map(|item| serde_json::json!({"item": item, "yes": true})).collect();
            let expected = serde_json::json!({"text": text, "number": number, "nothing": null, "items": items, "objects": objects});
            prop_assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap(), expected.clone());
            let input = expected.as_object().cloned().unwrap_or_default();
            prop_assert_eq!(input_text(&input), serde_json::to_vec(&input).unwrap());
        }
    }
}
