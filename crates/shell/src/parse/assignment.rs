//! Words that are assignments: `name=`, `name+=` or `name[…]=` at the beginning, without quotes.

use crate::syntax::{Assignment, Piece, RawWord, bare_text};

/// Returns true if `(` after these pieces starts an array.
pub(super) fn is_array_prefix(pieces: &[Piece]) -> bool {
    matches!(assignment_prefix(pieces), Some(Prefix { length, .. }) if length == pieces.len())
}

/// The lengths are counted in pieces.
struct Prefix {
    name: usize,
    append: bool,
    /// The places of the brackets.
    index: Option<(usize, usize)>,
    length: usize,
}

/// `name=`, `name+=` or `name[…]=` at the beginning.
fn assignment_prefix(pieces: &[Piece]) -> Option<Prefix> {
    let bare = |place: usize| match pieces.get(place) {
        Some(Piece::Bare(char)) => Some(*char),
        Some(_) | None => None,
    };
    let mut at = 0;
    while bare(at).is_some_and(|char| is_name(char, at)) {
        at += 1;
    }
    let name = at;
    if name == 0 {
        return None;
    }
    let mut index = None;
    if bare(at) == Some('[') {
        let length = pieces.iter().skip(at).position(|piece| matches!(piece, Piece::Bare(']')))?;
        index = Some((at + 1, at + length));
        at += length + 1;
    }
    let append = bare(at) == Some('+');
    at += usize::from(append);
    (bare(at) == Some('=')).then_some(Prefix { name, append, index, length: at + 1 })
}

/// Returns true if a name can have the character at this place.
pub(crate) fn is_name(char: char, place: usize) -> bool {
    char == '_' || char.is_ascii_alphabetic() || (place > 0 && char.is_ascii_digit())
}

/// The assignment that the word is, if it is one.
pub(crate) fn as_assignment(word: &RawWord) -> Option<Assignment> {
    let Prefix { name, append, index, length } = assignment_prefix(&word.pieces)?;
    let name = bare_text(word.pieces.get(..name)?)?;
    let index = index.map(|(from, to)| word.pieces.get(from..to).unwrap_or_default().to_vec());
    let value =
        RawWord { pieces: word.pieces.get(length..).unwrap_or_default().to_vec(), span: word.span.clone() };
    Some(Assignment { name, append, index, value })
}

/// Returns the number of pieces that the name and the operator of an assignment take, if the word is one.
pub(crate) fn assignment_length(pieces: &[Piece]) -> Option<usize> {
    assignment_prefix(pieces).map(|prefix| prefix.length)
}
