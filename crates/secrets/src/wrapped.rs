//! Values that a line break splits, as a terminal, a mail program or a YAML file writes them.

use crate::{
    check::structure,
    scan::{Encoding, Found, confirm},
    shape,
    tables::{Class, Shape},
};

/// The number of bytes after the anchor that are joined.
const REACH: usize = 4_096;
/// The shortest piece of a value before its first break.
const FIRST: usize = 12;

/// Returns whether a byte may be in a value: what ends a word on every line ends it here.
fn is_value(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'_' | b'.' | b'+' | b'/' | b'=' | b'~' | b':' | b'$' | b'%' | b'!')
}

/// The shortest line that may be one of a block.
const LINE: usize = 40;

/// Returns whether the line before that of a position is one of a block of digits, such as a certificate: somewhere in it is any
/// short prefix by chance.
fn is_in_block(text: &[u8], at: usize) -> bool {
    let before = text.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let mut lines = before.rsplit(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let own = lines.next().unwrap_or_default();
    let above = lines.next().unwrap_or_default();
    own.iter().all(is_value) && above.len() >= LINE && above.iter().all(is_value)
}

/// Tries a shape whose anchor is at `at` on the text without its line breaks, if a break is near.
pub(crate) fn at(text: &[u8], at: usize, shape: &Shape, found: &mut impl FnMut(Found)) {
    if shape.kind().class() == Class::Generic || !shape.before().is_empty() {
        return;
    }
    let after = text.get(at..).unwrap_or_default();
    let after = after.get(..REACH).unwrap_or(after);
    // The piece before the break has no space in it.
    let Some(first) = after.iter().position(|byte| byte.is_ascii_whitespace()) else { return };
    if first < FIRST || !matches!(after.get(first..), Some([b'\n', ..] | [b'\r', b'\n', ..])) {
        return;
    }
    if !after.iter().take(first).all(is_value) || is_in_block(text, at) {
        return;
    }
    let (mut joined, mut positions) = (Vec::new(), Vec::new());
    // A byte that is part of no word, so that what comes before the anchor counts as the boundary that it is.
    let is_boundary = shape.kind().begins_anywhere() || shape::is_boundary(text, at);
    let mut is_indent = false;
    for (offset, byte) in after.iter().enumerate() {
        match byte {
            b'\n' | b'\r' => is_indent = true,
            b' ' | b'\t' if is_indent => {}
            byte if !is_value(byte) => break,
            byte => {
                is_indent = false;
                joined.push(*byte);
                positions.push(at + offset);
            }
        }
    }
    let Some(matched) = shape::at(&joined, 0, shape).filter(|_| is_boundary) else { return };
    let is_split = matched.whole.end > first;
    let value = joined.get(matched.whole.clone()).unwrap_or_default();
    // Without a checksum, two lines of prose must not become a token.
    let is_sure = shape.kind().class() == Class::Checksum
        || (structure::is_mixed(value) && crate::rarity::is_rare(value));
    if is_split && is_sure {
        confirm(&joined, &matched, shape, &mut |one: Found| {
            let end = one.range.end.checked_sub(1).and_then(|last| positions.get(last));
            if let (Some(start), Some(end)) = (positions.get(one.range.start), end) {
                found(Found { encoding: Encoding::Wrapped, range: *start..end + 1, ..one });
            }
        });
    }
}
