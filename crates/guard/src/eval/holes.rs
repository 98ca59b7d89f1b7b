//! The unknown parts of a text that is handed to another parser.
//!
//! An unknown part of a word says where it comes from in terms of the text that it is written in: a variable, the commands of
//! a substitution. In another text those mean something else. So a part that is carried over gets a number, under which the
//! evaluator keeps what it knew of it.

use super::{Evaluator, flow::Flow};
use checkrein_shell::{Candidates, HOLE, Part, Source, Unknown, UnknownSource, Word};

/// The maximum number of holes of a call that are told apart.
const HOLES: usize = 1024;
/// As deep as candidates are carried over.
const DEEPEST: usize = 4;

impl Evaluator<'_> {
    /// Converts a word for another text, and keeps what is known about its unknown parts.
    pub(super) fn carried(&self, word: &Word) -> Word {
        self.carried_word(word, 0)
    }

    /// The text that a word becomes, with a hole for each part that is not known.
    pub(super) fn source_of(&self, word: &Word) -> Source {
        let mut source = Source::default();
        for part in &word.parts {
            match part {
                Part::Text(text) | Part::Glob(text) => source.push_text(text),
                Part::Unknown(unknown) => {
                    let flow = self.origin(unknown);
                    // One path that is known is as good as its text.
                    let path = match flow.paths.as_slice() {
                        [path] if path.is_known() => Some(path.to_string()),
                        _ => None,
                    };
                    match flow.text.clone().or(path) {
                        // A substitution loses its last newlines.
                        Some(text) => source.push_text(text.trim_end_matches('\n')),
                        None => source.push_hole(self.carried_unknown(unknown, flow, 0)),
                    }
                }
            }
        }
        source
    }

    /// A text of a reader that leaves a character in the place of each hole.
    pub(super) fn with_holes(&self, text: &str) -> Source {
        let mut source = Source::default();
        for (place, known) in text.split(HOLE).enumerate() {
            if place > 0 {
                source.push_hole(self.hole(Flow::default()));
            }
            source.push_text(known);
        }
        source
    }

    /// Returns the data that a hole comes from.
    pub(super) fn given(&self, number: usize) -> Flow {
        self.given.borrow().get(number).cloned().unwrap_or_default()
    }

    /// A part of a text of which only this is known.
    pub(super) fn hole(&self, flow: Flow) -> Unknown {
        let mut given = self.given.borrow_mut();
        let known = given.iter().rposition(|known| *known == flow);
        let why = match known {
            Some(number) => UnknownSource::Given(number),
            None if given.len() < HOLES => {
                given.push(flow);
                UnknownSource::Given(given.len() - 1)
            }
            None => UnknownSource::Computed,
        };
        Unknown::new(why)
    }

    fn carried_word(&self, word: &Word, depth: usize) -> Word {
        let mut carried = Word { parts: Vec::new(), span: word.span.clone() };
        for part in &word.parts {
            match part {
                Part::Text(_) | Part::Glob(_) => carried.push(part.clone()),
                Part::Unknown(unknown) => {
                    let flow = self.origin(unknown);
                    match &flow.text {
                        Some(text) => carried.push_text(text.trim_end_matches('\n')),
                        None => carried.push(Part::Unknown(self.carried_unknown(unknown, flow, depth))),
                    }
                }
            }
        }
        carried
    }

    fn carried_unknown(&self, unknown: &Unknown, flow: Flow, depth: usize) -> Unknown {
        let all = |words: &[Word]| words.iter().map(|word| self.carried_word(word, depth + 1)).collect();
        let among = match &unknown.among {
            _ if depth >= DEEPEST || !self.sink.burn(4) => Candidates::Anything,
            Candidates::Anything => Candidates::Anything,
            Candidates::These(words) => Candidates::These(all(words)),
            Candidates::TheseOrAnything(words) => Candidates::TheseOrAnything(all(words)),
        };
        let (empty, splits, many) = (unknown.empty, unknown.splits, unknown.many);
        Unknown { empty, splits, many, among, ..self.hole(flow) }
    }
}
