//! Keys in text of several lines.
//!
//! The body is hidden; the first and the last line stay, so that a reader sees what was there.

use super::base;
use std::ops::Range;

/// The longest body: a key of 16,384 bits has a fifth of it.
const LONGEST: usize = 1 << 16;

/// The body of a key in PEM whose first line ends at `from`: to its last line, or to the end of the text.
///
/// Line breaks may be written as `\n`, as in JSON. A body that is too short or is no base64 is not a key.
pub(super) fn pem(text: &[u8], from: usize) -> Option<Range<usize>> {
    let after = text.get(from..)?;
    let after = after.get(..LONGEST).unwrap_or(after);
    let end = find(after, b"-----END").unwrap_or_else(|| body_length(after));
    let body = after.get(..end)?;
    let is_escaped = |at: usize| at.checked_sub(1).and_then(|before| body.get(before)) == Some(&b'\\');
    let start =
        (0..end).find(|at| body.get(*at).is_some_and(u8::is_ascii_alphanumeric) && !is_escaped(*at))?;
    let digits: Vec<u8> =
        plain(body).filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')).collect();
    let last =
        body.iter().rposition(|byte| byte.is_ascii_alphanumeric() || *byte == b'=').map_or(end, |at| at + 1);
    let is_repeated = digits.iter().all(|byte| Some(byte) == digits.first());
    let words = body.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    // An ellipsis, or prose: a description of a key.
    let is_prose = words.clone().count() > 4 && words.clone().all(|word| word.len() < 16);
    (digits.len() >= 40 && !is_repeated && !is_prose && base::base64(&digits).is_some())
        .then_some(from + start..from + last.max(start))
}

/// The body without line breaks that are written as `\n`.
fn plain(body: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let mut escaped = false;
    body.iter().copied().filter(move |byte| {
        let was = escaped;
        escaped = *byte == b'\\' && !was;
        !was && !escaped
    })
}

/// The length of a body without a last line: as far as lines of base64 go.
fn body_length(after: &[u8]) -> usize {
    let fits = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || byte.is_ascii_whitespace()
            || matches!(byte, b'+' | b'/' | b'=' | b'\\')
    };
    after.iter().take_while(|byte| fits(byte)).count()
}

/// The private lines of a key of PuTTY.
pub(super) fn putty(text: &[u8], from: usize) -> Option<Range<usize>> {
    const LINES: &[u8] = b"Private-Lines:";
    let after = text.get(from..)?;
    let after = after.get(..LONGEST).unwrap_or(after);
    let lines = find(after, LINES)? + LINES.len();
    let first = lines + after.get(lines..)?.iter().position(|byte| *byte == b'\n')? + 1;
    let body = after.get(first..)?;
    let length = find(body, b"Private-MAC").unwrap_or_else(|| body_length(body));
    let body = body.get(..length)?;
    let last = body.iter().rposition(|byte| !byte.is_ascii_whitespace())?;
    (last >= 20).then_some(from + first..from + first + last + 1)
}

/// Returns where a short text first occurs.
pub(super) fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|window| window == needle)
}
