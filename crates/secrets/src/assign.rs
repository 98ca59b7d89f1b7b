//! A name and the value that it is given, in any of the notations of programs, settings, headers and command lines.

use std::ops::Range;

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assignment {
    pub(crate) name: Range<usize>,
    pub(crate) value: Range<usize>,
    pub(crate) is_quoted: bool,
}

/// The longest name and the longest value that are read.
const LONGEST_NAME: usize = 80;
const LONGEST_VALUE: usize = 2_048;

/// Reads the assignment whose name has a keyword at `at`.
pub(crate) fn around(text: &[u8], at: usize) -> Option<Assignment> {
    // Some keywords begin with what comes before the name, such as `"auth"`.
    let at = at + usize::from(text.get(at).is_some_and(|byte| !is_name(*byte)));
    let start = text.get(..at)?.iter().rev().take(LONGEST_NAME).take_while(|byte| is_name(**byte)).count();
    let end = text.get(at..)?.iter().take(LONGEST_NAME).take_while(|byte| is_name(**byte)).count();
    let name = at - start..at + end;
    let mut reader = ValueReader { text, at: name.end };
    let first = text.get(name.clone())?.first().copied();
    let (is_quoted_name, is_tag) = (quote_before(text, name.start), before(text, name.start) == Some(b'<'));
    reader.skip(|byte| matches!(byte, b'"' | b'\'' | b'`' | b']' | b'\\'));
    let spaces = reader.skip(|byte| byte == b' ' || byte == b'\t');
    match reader.peek() {
        Some(b'=' | b':') => reader.joint()?,
        Some(b'>') if is_tag => reader.at += 1,
        // The arguments of a call, not the items of a list.
        Some(b',') if is_quoted_name && before(text, name.start - 1) == Some(b'(') => reader.at += 1,
        // `--token VALUE`
        Some(_) if spaces > 0 && first == Some(b'-') => {}
        _ => return None,
    }
    reader.skip(|byte| byte == b' ' || byte == b'\t');
    reader.type_annotation();
    let (value, is_quoted) = reader.value()?;
    Some(Assignment { name, value, is_quoted })
}

fn before(text: &[u8], at: usize) -> Option<u8> {
    text.get(at.checked_sub(1)?).copied()
}

fn quote_before(text: &[u8], at: usize) -> bool {
    matches!(before(text, at), Some(b'"' | b'\''))
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

struct ValueReader<'t> {
    text: &'t [u8],
    at: usize,
}

impl ValueReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips a few bytes, and returns how many.
    fn skip(&mut self, fits: impl Fn(u8) -> bool) -> usize {
        let count = self
            .text
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .take(16)
            .take_while(|byte| fits(**byte))
            .count();
        self.at += count;
        count
    }

    /// Reads `=`, `:`, `:=` or `=>`. A comparison assigns nothing.
    fn joint(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        if rest.starts_with(b"==") || rest.starts_with(b"::") || rest.starts_with(b"=~") {
            return None;
        }
        let two = rest.starts_with(b":=") || rest.starts_with(b"=>") || rest.starts_with(b"=:");
        self.at += if two { 2 } else { 1 };
        Some(())
    }

    /// Skips the type in `name: Type = value`.
    fn type_annotation(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_type = |byte: &u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'<' | b'>' | b'&' | b'\'' | b'[' | b']' | b'|')
        };
        let word = rest.iter().take(40).take_while(|byte| is_type(byte)).count();
        let after = rest.get(word..).unwrap_or_default();
        let gap = after.iter().take_while(|byte| **byte == b' ').count();
        let is_assigned = after.get(gap) == Some(&b'=') && after.get(gap + 1) != Some(&b'=');
        let has_letter = rest.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'&');
        if has_letter && word > 1 && gap > 0 && is_assigned {
            self.at += word + gap + 1;
            self.skip(|byte| byte == b' ');
        }
    }

    /// Reads a value in quotes to its quote, and another one to what ends a word.
    fn value(&mut self) -> Option<(Range<usize>, bool)> {
        // `b"…"`, `f'…'`; and a quote that is itself escaped, as in JSON within JSON.
        let prefix = self.text.get(self.at..)?;
        let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\'' | b'`'));
        let skipped = usize::from(
            matches!(prefix.first(), Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'L' | b'\\'))
                && is_quote(prefix.get(1)),
        );
        let is_escaped = prefix.first() == Some(&b'\\') && skipped == 1;
        let start = self.at + skipped;
        let rest = self.text.get(start..)?;
        let quote = rest.first().copied().filter(|byte| is_quote(Some(byte)));
        let Some(quote) = quote else {
            let length = rest.iter().take(LONGEST_VALUE).take_while(|byte| is_bare(**byte)).count();
            let value = rest.get(..length)?;
            // A full stop, a comma or a colon at the end belongs to the sentence.
            let length = value
                .iter()
                .rposition(|byte| !matches!(byte, b'.' | b',' | b':' | b'?' | b'!'))
                .map_or(0, |last| last + 1);
            return (length > 0).then_some((start..start + length, false));
        };
        let inner = rest.get(1..)?;
        let mut escaped = false;
        let length = inner.iter().take(LONGEST_VALUE).position(|byte| {
            let was = escaped;
            escaped = *byte == b'\\' && !was;
            *byte == b'\n' || (*byte == quote && (!was || is_escaped))
        })?;
        let closed = inner.get(length) == Some(&quote);
        let length = if is_escaped && closed { length.saturating_sub(1) } else { length };
        (closed && length > 0).then_some((start + 1..start + 1 + length, true))
    }
}

/// Returns whether a byte may be in a value without quotes.
const fn is_bare(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(byte, b'"' | b'\'' | b'`' | b',' | b';' | b'<' | b'>' | b'|' | b'&' | b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_is_read() {
        for (text, name, value) in [
            ("TOKEN=abc", "TOKEN", "abc"),
            ("export MY_TOKEN='a b'", "MY_TOKEN", "a b"),
            ("token: \"abc\"", "token", "abc"),
            ("{\"token\":\"abc\",\"x\":1}", "token", "abc"),
            ("{\"token\" : \"a\\\"c\"}", "token", "a\\\"c"),
            ("\"{\\\"token\\\": \\\"abc\\\"}\"", "token", "abc"),
            ("'token' => 'abc',", "token", "abc"),
            ("token := `abc`", "token", "abc"),
            ("let token: &str = \"abc\";", "token", "abc"),
            ("token: str = 'abc'", "token", "abc"),
            ("define('DB_token', 'abc');", "DB_token", "abc"),
            ("<token>abc</token>", "token", "abc"),
            ("curl --token abc x", "--token", "abc"),
            ("curl --token=abc x", "--token", "abc"),
            ("https://h/?token=abc&x=1", "token", "abc"),
            ("X-Auth-token: abc\r\n", "X-Auth-token", "abc"),
            ("token = b\"abc\"", "token", "abc"),
            ("os[\"token\"] = 'abc'", "token", "abc"),
        ] {
            let at = text.find("token").or_else(|| text.find("TOKEN")).unwrap();
            // Some keywords begin with the quote.
            let before = text.find("\"token");
            for at in [Some(at), before].into_iter().flatten() {
                let found = around(text.as_bytes(), at).unwrap_or_else(|| panic!("{text}"));
                assert_eq!(
                    (text.get(found.name), text.get(found.value)),
                    (Some(name), Some(value)),
                    "{text}"
                );
            }
        }
        for text in [
            "token == \"abc\"",
            "token",
            "a token abc",
            "token::abc",
            "token = ",
            "token('abc')",
            "['token', 'abc']",
        ] {
            let at = text.find("token").unwrap();
            assert_eq!(around(text.as_bytes(), at), None, "{text}");
        }
    }
}
