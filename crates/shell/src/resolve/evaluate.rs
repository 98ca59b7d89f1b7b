//! Finds text that the shell evaluates again after expanding it.
//!
//! An index, an arithmetic expression and the name that `-v` is given are texts for a second reader: a subscript in them is
//! expanded with the commands that it holds, also where quotes or a variable brought it along. Nothing of that is followed
//! here. The texts are noted as words, and the caller who follows the commands follows what may be in them.

use super::Resolver;
use crate::{
    script::{Evaluation, Nesting},
    syntax::{Piece, RawWord},
    word::{Part, Word},
};

/// The maximum number of texts that are recorded.
const MOST: usize = 512;

/// Operators that compare numbers; each operand may be an expression.
const COMPARES: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Resolver<'_> {
    /// Notes an arithmetic expression.
    pub(super) fn evaluates(&mut self, pieces: &[Piece]) {
        // A number needs no second look, and most of them are such.
        if pieces.iter().all(|piece| matches!(piece, Piece::Bare(char) if !char.is_ascii_alphabetic())) {
            return;
        }
        let mut word = Word::default();
        for piece in pieces {
            match piece {
                Piece::Bare(char) => word.push_text(char.encode_utf8(&mut [0; 4])),
                Piece::Quoted(text) => word.push_text(text),
                Piece::Parameter(parameter, _) => {
                    let parts = self.base(&parameter.name, parameter.index.as_ref()).parts();
                    parts.into_iter().for_each(|part| word.push(part));
                }
                Piece::Hole(hole, _) => word.push(Part::Unknown(self.hole(*hole))),
                // Followed where they are written.
                Piece::Substitution(..)
                | Piece::Process(_)
                | Piece::Sink(_)
                | Piece::Arithmetic(..)
                | Piece::Array(_)
                | Piece::Uncertain
                | Piece::Unreadable => word.push_text(" "),
            }
        }
        self.evaluation(Evaluation::Arithmetic(word));
    }

    /// Notes what `[[ … ]]` evaluates: a name after `-v`, and both sides of what compares numbers.
    pub(super) fn evaluates_test(&mut self, words: &[RawWord]) {
        for (place, word) in words.iter().enumerate() {
            let compares = COMPARES.iter().any(|operator| word.is_bare(operator));
            if !compares && !word.is_bare("-v") {
                continue;
            }
            let before = place.checked_sub(1).filter(|_| compares).and_then(|before| words.get(before));
            for operand in before.into_iter().chain(words.get(place + 1)) {
                self.evaluates(&operand.pieces);
            }
        }
    }

    /// Notes a text that is evaluated.
    pub(super) fn evaluation(&mut self, evaluation: Evaluation) {
        // The body of a function is read again where it is called.
        if self.places.iter().any(|place| matches!(place, Nesting::Function(_))) {
            return;
        }
        let size = match &evaluation {
            Evaluation::Arithmetic(word) | Evaluation::Prompt(word) => word.size(),
            Evaluation::Unknown => 0,
        };
        let same = |known: &Evaluation| match (known, &evaluation) {
            (Evaluation::Arithmetic(one), Evaluation::Arithmetic(two))
            | (Evaluation::Prompt(one), Evaluation::Prompt(two)) => one.parts == two.parts,
            (one, two) => one == two,
        };
        if !self.burn(size + self.script.evaluated.len()) || self.script.evaluated.iter().any(same) {
            return;
        }
        // Words beyond the limit are not followed, and the list ends with an unknown one.
        match self.script.evaluated.len() {
            count if count < MOST => self.script.evaluated.push(evaluation),
            MOST => self.script.evaluated.push(Evaluation::Unknown),
            _ => {}
        }
    }
}
