//! Secrets that are encoded once: base64, hexadecimal, escapes of URLs and JSON, UTF-16.
//!
//! Each encoding has a cheap sign that is looked for in strides: a long run of its digits, a `%` or a `\`, zero bytes. Only then
//! is the text decoded, and the decoded text scanned like any other.

use crate::{
    check::base,
    scan::{Encoding, Found, candidates},
    tables::{self, Class},
};
use std::ops::Range;

/// The shortest run that can hold an encoded secret.
const RUN: usize = 32;
/// The longest text that is decoded at once.
const LONGEST: usize = 1 << 18;
/// The number of bytes that are looked at together for a `%` or a `\`.
const STRIDE: usize = 64;

/// Calls `found` with the secrets in the encoded parts of a text.
pub(crate) fn scan(text: &[u8], found: &mut impl FnMut(Found)) {
    if let Some(decoded) = utf16(text) {
        decoded.scan(Encoding::Utf16, &|_| true, found);
    }
    runs(text, found);
    escapes(text, found);
}

/// A decoded text, and where each of its bytes was.
struct Decoded {
    bytes: Vec<u8>,
    at: Vec<usize>,
    end: usize,
}

impl Decoded {
    fn scan(&self, encoding: Encoding, counts: &dyn Fn(&Found) -> bool, found: &mut impl FnMut(Found)) {
        candidates(&self.bytes, None, &mut |one: Found| {
            if !counts(&one) {
                return;
            }
            let (Some(start), end) = (self.at.get(one.range.start), self.at.get(one.range.end)) else {
                return;
            };
            found(Found { encoding, range: *start..end.copied().unwrap_or(self.end), ..one });
        });
    }
}

const fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// Looks at every run of base64 or hexadecimal digits. A run of [`RUN`] bytes covers a position of every stride.
fn runs(text: &[u8], found: &mut impl FnMut(Found)) {
    let (mut from, mut at, mut joined) = (0, RUN - 1, 0);
    while let Some(byte) = text.get(at) {
        // A run that covers this position goes on for half its length to one side. Most words do not.
        let goes_on = |steps: [isize; 3]| {
            steps.iter().all(|step| {
                at.checked_add_signed(*step).and_then(|at| text.get(at)).is_some_and(|byte| is_digit(*byte))
            })
        };
        if !is_digit(*byte) || !(goes_on([5, 10, 15]) || goes_on([-5, -10, -15])) {
            at += RUN;
            continue;
        }
        let before =
            text.get(from..at).unwrap_or_default().iter().rev().take_while(|byte| is_digit(**byte)).count();
        let after = text.get(at..).unwrap_or_default().iter().take_while(|byte| is_digit(**byte)).count();
        let run = at - before..at + after;
        if run.len() >= RUN {
            // Each block is joined once, at its first line.
            if run.start >= joined {
                let block = block(text, &run);
                if block.lines > 1 {
                    joined = block.end;
                    if digits(&block.digits, run.start..block.end, found) {
                        from = block.end;
                        at = block.end + RUN;
                        continue;
                    }
                }
            }
            let digits_of_run = text.get(run.clone()).unwrap_or_default();
            digits(digits_of_run, run.start..run.end + padding(text, run.end), found);
        }
        from = run.end;
        at = run.end + RUN;
    }
}

fn padding(text: &[u8], at: usize) -> usize {
    text.get(at..).unwrap_or_default().iter().take(2).take_while(|byte| **byte == b'=').count()
}

/// Lines of digits that are one text, as `base64` and mail programs write it.
struct Block {
    digits: Vec<u8>,
    lines: usize,
    end: usize,
}

/// Reads the lines of a block whose first line is `run`: all are as long as that, except for the last one.
fn block(text: &[u8], run: &Range<usize>) -> Block {
    let first = text.get(run.clone()).unwrap_or_default();
    let is_hex = first.iter().all(u8::is_ascii_hexdigit);
    let mut block = Block { digits: Vec::new(), lines: 1, end: run.end };
    while block.digits.len() < LONGEST {
        let next = block.end + line_break(text, block.end);
        let line = text.get(next..).unwrap_or_default();
        let length = line.iter().take(run.len() + 1).take_while(|byte| is_digit(**byte)).count();
        let padding = padding(text, next + length);
        let digits = line.get(..length).unwrap_or_default();
        // A word after the block is no line of it: it has other letters, or leaves a group of four incomplete.
        let is_line = match is_hex {
            true => digits.iter().all(u8::is_ascii_hexdigit),
            false => (length + padding).is_multiple_of(4) || !run.len().is_multiple_of(4),
        };
        let ends = line.get(length + padding).is_none_or(|byte| {
            !byte.is_ascii_graphic() && *byte != b' ' || matches!(byte, b'"' | b'\'' | b'\\' | b'<')
        });
        if next == block.end || length == 0 || length > run.len() || !is_line || !ends {
            break;
        }
        if block.lines == 1 {
            block.digits.extend_from_slice(first);
        }
        block.digits.extend_from_slice(digits);
        block.lines += 1;
        block.end = next + length + padding;
        if length < run.len() || padding > 0 {
            break;
        }
    }
    block
}

/// Returns the length of a line break and the indent after it: as it is, or as JSON writes it.
fn line_break(text: &[u8], at: usize) -> usize {
    const BREAKS: [&[u8]; 4] = [b"\n", b"\r\n", b"\\n", b"\\r\\n"];
    let rest = text.get(at..).unwrap_or_default();
    let Some(length) = BREAKS.iter().find(|line_break| rest.starts_with(line_break)).map(|found| found.len())
    else {
        return 0;
    };
    let indent = rest.iter().skip(length).take(64).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    length + indent
}

/// Scans what digits decode to, and returns whether something was found. All of `range` is the finding.
fn digits(encoded: &[u8], range: Range<usize>, found: &mut impl FnMut(Found)) -> bool {
    let encoded = encoded.get(..LONGEST).unwrap_or(encoded);
    let is_hex = encoded.len() >= 2 * RUN / 2 + 16 && encoded.iter().all(u8::is_ascii_hexdigit);
    let decoded = match is_hex {
        true => readable(base::hex, encoded).map(|bytes| (Encoding::Hex, bytes)),
        false => readable(base::base64, encoded).map(|bytes| (Encoding::Base64, bytes)),
    };
    let Some((encoding, bytes)) = decoded else { return false };
    // By chance a name and a value are in random bytes, but not in a text.
    let least = if is_text(&bytes) { Class::Generic } else { Class::Prefix };
    let mut best: Option<Found> = None;
    candidates(&bytes, None, &mut |one: Found| {
        let is_better = |best: &Found| (best.kind.class(), one.kind) < (one.kind.class(), best.kind);
        if one.kind.class() >= least && best.as_ref().is_none_or(is_better) {
            best = Some(one);
        }
    });
    let is_found = best.is_some();
    if let Some(one) = best {
        found(Found { encoding, range, ..one });
    }
    is_found
}

/// Returns whether bytes are text as a whole.
fn is_text(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t' | b'\r' | 0x1b);
    std::str::from_utf8(bytes).is_ok() && !bytes.iter().any(is_control)
}

/// Decodes a text, if its beginning decodes to something that can be read: pictures, hashes and paths do not.
fn readable(decode: fn(&[u8]) -> Option<Vec<u8>>, encoded: &[u8]) -> Option<Vec<u8>> {
    let first = decode(encoded.get(..16)?)?;
    let is_text =
        |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t' | b'\r') || *byte >= 0xc2;
    first.iter().all(is_text).then(|| decode(encoded))?
}

/// Decodes words with escapes of URLs or JSON in them.
fn escapes(text: &[u8], found: &mut impl FnMut(Found)) {
    let mut from = 0;
    let (strides, rest) = text.as_chunks::<STRIDE>();
    let strides = strides.iter().map(<[u8; STRIDE]>::as_slice).chain([rest]);
    for (number, chunk) in strides.enumerate() {
        // On bytes and without a branch, so that it is done for many at once.
        let any =
            chunk.iter().fold(0, |any, byte| any | u8::from(*byte == b'%') | u8::from(*byte == b'\\')) == 1;
        if !any {
            continue;
        }
        for (offset, byte) in chunk.iter().enumerate() {
            let at = number * STRIDE + offset;
            if !matches!(byte, b'%' | b'\\') || at < from || !is_escape(text, at) {
                continue;
            }
            let word = word_around(text, at, from);
            from = word.end.max(at + 1);
            if let Some(decoded) = unescape(text, &word) {
                let is_sure =
                    |one: &Found| one.kind.class() > Class::Generic || one.kind == tables::URL_PASSWORD;
                decoded.scan(Encoding::Escaped, &is_sure, found);
            }
        }
    }
}

/// Returns whether an escape of something that is in tokens begins here: of a sign, a letter or a digit.
fn is_escape(text: &[u8], at: usize) -> bool {
    escape(text, at).is_some_and(|(byte, _)| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'\\'))
}

/// The byte that an escape at `at` means, and the length of the escape.
fn escape(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let digits = |from: usize, length: usize| {
        let digits = text.get(at + from..at + from + length)?;
        let byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        Some((byte, from + length))
    };
    match (text.get(at)?, text.get(at + 1)?) {
        (b'%', _) => digits(1, 2),
        (b'\\', b'x') => digits(2, 2),
        (b'\\', b'u') if text.get(at + 2..at + 4) == Some(b"00") => digits(4, 2),
        (b'\\', b'/') => Some((b'/', 2)),
        _ => None,
    }
}

fn word_around(text: &[u8], at: usize, from: usize) -> Range<usize> {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>');
    let before = text.get(from.max(at.saturating_sub(2_048))..at).unwrap_or_default();
    let start = before.iter().rposition(ends).map_or(0, |end| end + 1);
    let after = text.get(at..).unwrap_or_default();
    let length = after.iter().take(4_096).position(ends).unwrap_or(after.len().min(4_096));
    at - (before.len() - start)..at + length
}

fn unescape(text: &[u8], word: &Range<usize>) -> Option<Decoded> {
    let mut decoded = Decoded { bytes: Vec::with_capacity(word.len()), at: Vec::new(), end: word.end };
    let mut at = word.start;
    while at < word.end {
        let (byte, length) = escape(text, at).unwrap_or((*text.get(at)?, 1));
        decoded.bytes.push(byte);
        decoded.at.push(at);
        at += length;
    }
    Some(decoded)
}

/// A text of UTF-16, by its mark or by its zero bytes, with every character that is not ASCII replaced.
fn utf16(text: &[u8]) -> Option<Decoded> {
    let start = text.get(..64).unwrap_or(text);
    if !matches!(start, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) && !start.contains(&0) {
        return None;
    }
    let zeros =
        |parity: usize| text.iter().take(64).skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let half = text.len().min(64) / 2;
    let (start, is_little) = match text {
        [0xff, 0xfe, ..] => (2, true),
        [0xfe, 0xff, ..] => (2, false),
        _ if half >= 8 && zeros(1) * 4 > half * 3 && zeros(0) == 0 => (0, true),
        _ if half >= 8 && zeros(0) * 4 > half * 3 && zeros(1) == 0 => (0, false),
        _ => return None,
    };
    let units = text.get(start..)?.chunks_exact(2);
    let bytes = units.map(|unit| match (unit, is_little) {
        ([byte, 0], true) | ([0, byte], false) if byte.is_ascii() => *byte,
        _ => 0xff,
    });
    let bytes: Vec<u8> = bytes.collect();
    let at = (0..bytes.len()).map(|unit| start + unit * 2).collect();
    Some(Decoded { bytes, at, end: text.len() })
}
