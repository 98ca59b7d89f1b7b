//! Values that are known to be secret, such as those of the environment, recognised without being kept.
//!
//! A value is remembered by its length and two keyed digests: a short one of its first bytes, which a rolling window finds in one
//! pass, and a long one of the whole, which confirms it.

use crate::{Key, rarity, scan::Found, tables};

/// The shortest value that is looked for, and the width of the window.
pub const SHORTEST: usize = 12;

/// The bits of the table that most positions are rejected by.
const BITS: usize = 1 << 14;

/// Secret values, by keyed digests.
#[derive(Clone)]
pub struct Known {
    key: Key,
    /// The factor of the rolling hash: a function of the key.
    factor: u64,
    /// The factor to the power of the width.
    leaving: u64,
    bits: Box<[u64; BITS / 64]>,
    values: Vec<Value>,
}

#[derive(Clone)]
struct Value {
    name: String,
    length: usize,
    first: u64,
    whole: [u8; 32],
}

impl std::fmt::Debug for Known {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Known(<{} values>)", self.values.len())
    }
}

impl Known {
    /// No values yet.
    pub fn new(key: &Key) -> Self {
        let digest = key.digest(b"checkrein known values");
        let factor = digest.first_chunk().map_or(3, |first| u64::from_le_bytes(*first)) | 1;
        let leaving = (0..SHORTEST).fold(1_u64, |power, _| power.wrapping_mul(factor));
        Self { key: key.clone(), factor, leaving, bits: Box::new([0; BITS / 64]), values: Vec::new() }
    }

    /// Remembers a value under a name, and how it looks in base64, in hexadecimal, in a URL and in JSON. Returns whether it is long and
    /// rare enough to be looked for.
    pub fn add(&mut self, name: &str, value: &[u8]) -> bool {
        if value.len() < SHORTEST || !is_usable(value) {
            return false;
        }
        self.add_form(name, value);
        // The encoded text may begin with other bytes: `user:password`. Every group of three has its own digits.
        for before in 0..3 {
            let digits = base64(before, value, ['+', '/']);
            self.add_form(name, digits.as_bytes());
            if digits.contains(['+', '/']) {
                self.add_form(name, base64(before, value, ['-', '_']).as_bytes());
            }
        }
        let hex: String = value.iter().map(|byte| format!("{byte:02x}")).collect();
        self.add_form(name, hex.to_ascii_uppercase().as_bytes());
        self.add_form(name, hex.as_bytes());
        self.add_form(name, in_url(value).as_bytes());
        self.add_form(name, in_json(value).as_bytes());
        true
    }

    fn add_form(&mut self, name: &str, value: &[u8]) {
        let Some(start) = value.get(..SHORTEST) else { return };
        let first = start.iter().fold(0, |hash, byte| self.enter(hash, *byte));
        let whole = self.key.digest(value);
        if self.values.iter().any(|known| known.whole == whole) {
            return;
        }
        if let Some(word) = self.bits.get_mut(bit(first) / 64) {
            *word |= 1 << (bit(first) % 64);
        }
        self.values.push(Value { name: name.to_owned(), length: value.len(), first, whole });
    }

    /// Remembers the values of secret names among these variables, as of an environment or of an `.env` file.
    pub fn add_named<'v>(&mut self, variables: impl IntoIterator<Item = (&'v str, &'v str)>) -> usize {
        let is_secret = |name: &str| crate::names::promise(&crate::names::words(name.as_bytes())).is_some();
        let secret = variables.into_iter().filter(|(name, _)| is_secret(name));
        secret.filter(|(name, value)| self.add(name, value.as_bytes())).count()
    }

    /// The name of a value, by its number.
    pub fn name(&self, number: usize) -> Option<&str> {
        self.values.get(number).map(|value| value.name.as_str())
    }

    fn enter(&self, hash: u64, byte: u8) -> u64 {
        hash.wrapping_mul(self.factor).wrapping_add(u64::from(byte) + 1)
    }

    pub(crate) fn scan(&self, text: &[u8], found: &mut dyn FnMut(Found)) {
        if self.values.is_empty() {
            return;
        }
        let mut hash = 0_u64;
        for (at, byte) in text.iter().enumerate() {
            hash = self.enter(hash, *byte);
            let Some(start) = (at + 1).checked_sub(SHORTEST) else { continue };
            if let Some(left) = start.checked_sub(1).and_then(|left| text.get(left)) {
                hash = hash.wrapping_sub(self.leaving.wrapping_mul(u64::from(*left) + 1));
            }
            let is_candidate =
                self.bits.get(bit(hash) / 64).is_some_and(|word| word >> (bit(hash) % 64) & 1 == 1);
            if is_candidate {
                self.confirm(text, start, hash, found);
            }
        }
    }

    fn confirm(&self, text: &[u8], start: usize, hash: u64, found: &mut dyn FnMut(Found)) {
        for (number, value) in self.values.iter().enumerate().filter(|(_, value)| value.first == hash) {
            let range = start..start + value.length;
            if text.get(range.clone()).is_some_and(|here| self.key.digest(here) == value.whole) {
                found(Found::of(tables::KNOWN_VALUE, range, number));
            }
        }
    }
}

const fn bit(hash: u64) -> usize {
    // The high bits depend on every byte of the window.
    (hash >> (64 - BITS.trailing_zeros())) as usize
}

/// Returns those digits of base64 that depend on a value alone, if some bytes are before it and others after it.
fn base64(before: usize, value: &[u8], last: [char; 2]) -> String {
    let digit = |number: u8| match number {
        0..=25 => char::from(b'A' + number),
        26..=51 => char::from(b'a' + number - 26),
        52..=61 => char::from(b'0' + number - 52),
        62 => last[0],
        _ => last[1],
    };
    let bit = |at: usize| {
        let byte = (at / 8).checked_sub(before).and_then(|at| value.get(at)).copied().unwrap_or(0);
        byte >> (7 - at % 8) & 1
    };
    let digits = (before * 8).div_ceil(6)..(before + value.len()) * 8 / 6;
    digits.map(|at| digit((at * 6..at * 6 + 6).fold(0, |number, at| number << 1 | bit(at)))).collect()
}

/// The value as a part of a URL.
fn in_url(value: &[u8]) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let escaped = |byte: &u8| match is_plain(*byte) {
        true => char::from(*byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    value.iter().map(escaped).collect()
}

/// The value as a string of JSON, without its quotes.
fn in_json(value: &[u8]) -> String {
    let text = serde_json::Value::from(String::from_utf8_lossy(value)).to_string();
    text.get(1..text.len().saturating_sub(1)).unwrap_or_default().to_owned()
}

/// Returns whether a value can be looked for without hiding ordinary text.
fn is_usable(value: &[u8]) -> bool {
    let is_word = value
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'/' | b'.' | b' '));
    value.len() >= SHORTEST
        && (!is_word || rarity::is_rare(value))
        && !crate::placeholder::is_placeholder(value)
        && !crate::placeholder::is_certain_reference(value)
        && !value.starts_with(b"/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(known: &Known, text: &str) -> Vec<std::ops::Range<usize>> {
        let mut ranges = Vec::new();
        known.scan(text.as_bytes(), &mut |found| ranges.push(found.range));
        ranges
    }

    #[test]
    fn a_known_value_is_found_wherever_it_is() {
        let mut known = Known::new(&Key::new([1; 32]));
        assert!(known.add("DB_PASSWORD", b"tr0ub4dor&3-horse"));
        for before in 0..30 {
            let text = format!("{}tr0ub4dor&3-horse and more", ".".repeat(before));
            assert_eq!(found(&known, &text).first(), Some(&(before..before + 17)));
        }
        assert!(found(&known, "tr0ub4dor&3-hors").is_empty());
        assert!(found(&known, "tr0ub4dor&3-horsf").is_empty());
    }

    #[test]
    fn a_known_value_is_found_if_it_is_encoded_once() {
        let mut known = Known::new(&Key::new([1; 32]));
        assert!(known.add("DB_PASSWORD", b"tr0ub4d/r&3\"horse"));
        // What `base64`, `xxd -p` and `encodeURIComponent` make of it, alone and behind one and two other bytes.
        for text in [
            "dHIwdWI0ZC9yJjMiaG9yc2U=",
            "YTp0cjB1YjRkL3ImMyJob3JzZTpi",
            "YWI6dHIwdWI0ZC9yJjMiaG9yc2U=",
            "YWI6Y3RyMHViNGQvciYzImhvcnNl",
            "747230756234642f72263322686f727365",
            "747230756234642F72263322686F727365",
            "tr0ub4d%2Fr%263%22horse",
            "{\"password\": \"tr0ub4d/r&3\\\"horse\"}",
        ] {
            assert_eq!(found(&known, text).len(), 1, "{text}");
        }
        assert!(found(&known, "dHIwdWI0ZC9yJjMiaG9yc3U=").is_empty(), "another value");
    }

    #[test]
    fn ordinary_text_is_not_looked_for() {
        let mut known = Known::new(&Key::new([1; 32]));
        for value in ["short", "/usr/local/bin", "production", "development-server", "$OTHER_VARIABLE"] {
            assert!(!known.add("TOKEN", value.as_bytes()), "{value}");
        }
        assert_eq!(known.add_named([("HOME", "kR4vT9xQ2mWz7LpB"), ("API_TOKEN", "kR4vT9xQ2mWz7LpB")]), 1);
    }
}
