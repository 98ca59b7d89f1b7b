//! Tests of the text next to a value.

use super::{block::find, structure};
use std::ops::Range;

/// The distance within which the other half of a pair is.
const NEAR: usize = 400;

fn around<'t>(text: &'t [u8], value: &Range<usize>) -> (usize, &'t [u8]) {
    let from = value.start.saturating_sub(NEAR);
    let to = (value.end + NEAR).min(text.len());
    (from, text.get(from..to).unwrap_or_default())
}

/// The secret access key that belongs to the identifier of a key: forty characters of base64 within a few lines.
pub(super) fn secret_access_key(text: &[u8], id: &Range<usize>) -> Option<Range<usize>> {
    let (from, near) = around(text, id);
    let mut at = 0;
    while at < near.len() {
        let rest = near.get(at..)?;
        let run = rest
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
            .count();
        let value = rest.get(..run)?;
        let is_padded = rest.get(run) == Some(&b'=')
            && rest.get(run + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if run == 40
            && !is_padded
            && structure::is_mixed3(value)
            && !crate::placeholder::is_placeholder(value)
        {
            return Some(from + at..from + at + run);
        }
        at += run + 1;
    }
    None
}

/// Returns whether the word around a signature has the other parameters of a shared access signature.
pub(super) fn is_shared_access_signature(text: &[u8], value: &Range<usize>) -> bool {
    let (from, near) = around(text, value);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>');
    let at = value.start - from;
    let start = near.get(..at).and_then(|before| before.iter().rposition(is_end)).map_or(0, |end| end + 1);
    let end =
        near.get(at..).and_then(|after| after.iter().position(is_end)).map_or(near.len(), |end| at + end);
    let word = near.get(start..end).unwrap_or_default();
    let has = |name: &[u8]| find(word, name).is_some();
    has(b"se=") && (has(b"sv=") || has(b"skn=") || has(b"sr="))
}

/// Returns whether the names around a key are those of a Firebase web application, whose key is public by design.
pub(super) fn is_firebase_web(text: &[u8], value: &Range<usize>) -> bool {
    let (_, near) = around(text, value);
    [&b"authDomain"[..], b"messagingSenderId", b"firebaseapp.com", b"mobilesdk_app_id"]
        .iter()
        .any(|name| find(near, name).is_some())
}
