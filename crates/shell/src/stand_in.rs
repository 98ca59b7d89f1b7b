//! Characters that take the place of the holes of a text, for parsers that only understand plain text.

use crate::{
    source::{Source, SourceRef},
    word::{Part, Unknown, Word},
};
use std::borrow::Cow;

/// Letters that hardly any text holds: readers take one for a part of a name, and never for syntax.
const LETTERS: std::ops::RangeInclusive<u32> = 0x2_0000..=0x2_a6df;

/// The character that takes the place of each hole.
///
/// None of them is in the text itself. So they can be found again in whatever a reader makes of the text: moved, copied, put
/// together anew.
#[derive(Debug)]
pub struct StandIns {
    letters: std::ops::RangeInclusive<u32>,
    holes: Vec<(char, Unknown)>,
}

impl StandIns {
    /// A text with a character for each of its holes.
    pub fn of(source: SourceRef<'_>) -> (Cow<'_, str>, Self) {
        let mut stand_ins = Self { letters: LETTERS, holes: Vec::new() };
        if source.holes().is_empty() {
            return (Cow::Borrowed(source.text()), stand_ins);
        }
        let mut text = String::with_capacity(source.text().len());
        let mut from = 0;
        for hole in source.holes() {
            text.push_str(source.text().get(from..hole.at).unwrap_or_default());
            text.extend(stand_ins.add(hole.unknown.clone(), source.text()));
            let width =
                source.text().get(hole.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            from = hole.at + width;
        }
        text.push_str(source.text().get(from..).unwrap_or_default());
        (Cow::Owned(text), stand_ins)
    }

    /// One more character, which is not in the text.
    pub fn add(&mut self, unknown: Unknown, text: &str) -> Option<char> {
        let letter =
            self.letters.by_ref().filter_map(char::from_u32).find(|letter| !text.contains(*letter))?;
        self.holes.push((letter, unknown));
        Some(letter)
    }

    /// A text that was made of the first one, with the holes in their new places.
    pub fn restore(&self, text: &str) -> Source {
        let mut source = Source::default();
        self.pieces(text, |piece| match piece {
            Part::Text(text) | Part::Glob(text) => source.push_text(&text),
            Part::Unknown(unknown) => source.push_hole(unknown),
        });
        source
    }

    /// A word that was made of the text, with the holes in it.
    pub fn restore_word(&self, word: &mut Word) {
        if self.holes.is_empty() || !word.parts.iter().any(|part| self.is_in(part)) {
            return;
        }
        let parts = std::mem::take(&mut word.parts);
        for part in parts {
            match part {
                Part::Text(text) => self.pieces(&text, |piece| word.push(piece)),
                Part::Glob(text) => self.pieces(&text, |piece| match piece {
                    Part::Text(text) => word.push_glob(&text),
                    Part::Glob(_) | Part::Unknown(_) => word.push(piece),
                }),
                Part::Unknown(_) => word.push(part),
            }
        }
    }

    fn is_in(&self, part: &Part) -> bool {
        match part {
            Part::Text(text) | Part::Glob(text) => text.chars().any(|char| self.hole(char).is_some()),
            Part::Unknown(_) => false,
        }
    }

    fn hole(&self, char: char) -> Option<&Unknown> {
        // They were given in the order of their codes.
        let place = self.holes.binary_search_by_key(&char, |(letter, _)| *letter).ok()?;
        self.holes.get(place).map(|(_, unknown)| unknown)
    }

    fn pieces(&self, text: &str, mut each: impl FnMut(Part)) {
        let mut known = String::new();
        for char in text.chars() {
            match self.hole(char) {
                Some(unknown) => {
                    if !known.is_empty() {
                        each(Part::Text(std::mem::take(&mut known)));
                    }
                    each(Part::Unknown(unknown.clone()));
                }
                None => known.push(char),
            }
        }
        if !known.is_empty() {
            each(Part::Text(known));
        }
    }
}
