//! Secrets in the output of programs for terminals: the escapes for colours and links are left out of the text.
//!
//! `grep --color` writes an escape before and after what it found, which may be the middle of a token or of a name.

use crate::scan::{Encoding, Found};

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
/// The longest escape that is left out.
const LONGEST: usize = 4_096;

/// Calls `found` with what `scan` finds in a text without its escapes.
pub(crate) fn scan(
    text: &[u8],
    scan: impl FnOnce(&[u8], &mut dyn FnMut(Found)),
    found: &mut impl FnMut(Found),
) {
    if !text.contains(&ESCAPE) {
        return;
    }
    let (mut plain, mut positions) = (Vec::with_capacity(text.len()), Vec::with_capacity(text.len()));
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let length = text.get(at..).map_or(0, escape);
        if length == 0 {
            plain.push(*byte);
            positions.push(at);
        }
        at += length.max(1);
    }
    scan(&plain, &mut |one: Found| {
        let last = one.range.end.checked_sub(1).and_then(|last| positions.get(last));
        if let (Some(start), Some(last)) = (positions.get(one.range.start), last) {
            // What is in one piece is found in the text itself.
            let is_whole = last - start + 1 == one.range.len();
            let encoding = if is_whole { Encoding::Plain } else { Encoding::Escaped };
            found(Found { encoding, range: *start..last + 1, ..one });
        }
    });
}

/// Returns the length of the escape that a text begins with, or 0.
fn escape(text: &[u8]) -> usize {
    match text {
        [ESCAPE, b'[', rest @ ..] => {
            let parameters = rest.iter().take(LONGEST).take_while(|byte| matches!(byte, b' '..=b'?')).count();
            match rest.get(parameters) {
                Some(b'@'..=b'~') => parameters + 3,
                _ => 0,
            }
        }
        // A link or a title, to a bell or to `ESC \`.
        [ESCAPE, b']', rest @ ..] => {
            let end = rest.iter().take(LONGEST).position(|byte| matches!(*byte, BELL | ESCAPE));
            match end.and_then(|end| Some((end, rest.get(end..)?))) {
                Some((end, [BELL, ..])) => end + 3,
                Some((end, [ESCAPE, b'\\', ..])) => end + 4,
                _ => 0,
            }
        }
        [ESCAPE, b'(' | b')', _, ..] => 3,
        _ => 0,
    }
}

/// Returns whether an escape ends at a position, as it is or as a text of JSON or of a program writes it: `\u001b[32m`.
pub(crate) fn ends_at(text: &[u8], at: usize) -> bool {
    const WRITTEN: [&[u8]; 7] = [&[ESCAPE], b"\\u001b", b"\\u001B", b"\\x1b", b"\\x1B", b"\\033", b"\\e"];
    let Some((last, before)) = text.get(..at).and_then(<[u8]>::split_last) else { return false };
    let parameters = before
        .iter()
        .rev()
        .take(16)
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'))
        .count();
    let before = before.get(..before.len() - parameters).unwrap_or_default();
    last.is_ascii_alphabetic()
        && before
            .strip_suffix(b"[")
            .is_some_and(|before| WRITTEN.iter().any(|written| before.ends_with(written)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_left_out() {
        for (text, expected) in [
            ("\u{1b}[32ma", 5),
            ("\u{1b}[m", 3),
            ("\u{1b}[1;38;5;10mx", 12),
            ("\u{1b}[?25l", 6),
            ("\u{1b}]8;;https://h\u{7}x", 15),
            ("\u{1b}]0;t\u{1b}\\x", 7),
            ("\u{1b}(B", 3),
            ("\u{1b}[32", 0),
            ("\u{1b}]8;;", 0),
            ("\u{1b}", 0),
            ("a\u{1b}[m", 0),
        ] {
            assert_eq!(escape(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn the_end_of_an_escape_is_known() {
        for text in ["\u{1b}[32m", "\\u001b[0m", "\\x1b[1;31m", "\\e[K", "\\033[m"] {
            assert!(ends_at(text.as_bytes(), text.len()), "{text:?}");
        }
        for text in ["", "m", "[32m", "a[32m", "\u{1b}[32", "\\u001c[m"] {
            assert!(!ends_at(text.as_bytes(), text.len()), "{text:?}");
        }
    }
}
