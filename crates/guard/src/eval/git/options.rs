//! The options of a git command, as git reads them: in any order, joined or not, shortened as long as they are unique.
//!
//! A table says of each command which options there are, the most dangerous first. A shortened option that fits several is an
//! error to git, so it does not matter which one it counts as; it counts as the first.
//!
//! A table is written as a text, and split when the program is compiled: every option of every git command asks it.

use crate::eval::handlers::WordReader;
use checkrein_shell::Word;

/// The words after the name of a command.
#[derive(Default)]
pub(super) struct Line {
    given: Vec<(&'static str, Option<Word>)>,
    /// The words that are not options, up to `--`.
    pub(super) operands: Vec<Word>,
    /// The words after `--`, if there is one.
    pub(super) paths: Option<Vec<Word>>,
}

/// An option of a table: `f/force`, `m/message=` with a value, `S/gpg-sign?` with a value that must be joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Opt {
    letter: Option<char>,
    name: &'static str,
    value: Value,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Never,
    Joined,
    Always,
}

/// A table that is written as a text.
macro_rules! options {
    ($text:literal) => {{
        const COUNT: usize = $crate::eval::git::options::count($text);
        static TABLE: [$crate::eval::git::options::Opt; COUNT] = $crate::eval::git::options::split($text);
        &TABLE
    }};
}
pub(super) use options;

/// Returns the number of options in a text.
pub(super) const fn count(text: &'static str) -> usize {
    let (mut rest, mut count) = (text.trim_ascii(), 0);
    while !rest.is_empty() {
        rest = cut(rest, b' ').1.trim_ascii_start();
        count += 1;
    }
    count
}

/// The options that are written in a text.
pub(super) const fn split<const COUNT: usize>(text: &'static str) -> [Opt; COUNT] {
    let mut table = [Opt { letter: None, name: "", value: Value::Never }; COUNT];
    let mut free = table.as_mut_slice();
    let mut rest = text;
    while let Some((place, others)) = free.split_first_mut() {
        let (option, after) = cut(rest.trim_ascii_start(), b' ');
        *place = Opt::written(option);
        free = others;
        rest = after;
    }
    table
}

/// Splits a text at the first such byte; without one, the second part is empty.
const fn cut(text: &'static str, at: u8) -> (&'static str, &'static str) {
    let mut bytes = text.as_bytes();
    while let Some((first, after)) = bytes.split_first() {
        if *first == at {
            let place = text.len() - bytes.len();
            return (text.split_at(place).0, text.split_at(place + 1).1);
        }
        bytes = after;
    }
    (text, "")
}

impl Opt {
    const fn written(text: &'static str) -> Self {
        let (names, value) = match text.as_bytes() {
            [.., b'='] => (text.split_at(text.len() - 1).0, Value::Always),
            [.., b'?'] => (text.split_at(text.len() - 1).0, Value::Joined),
            _ => (text, Value::Never),
        };
        let (letter, name) = cut(names, b'/');
        let name = if name.is_empty() { letter } else { name };
        let letter = match letter.as_bytes() {
            [letter] => Some(*letter as char),
            _ => None,
        };
        Self { letter, name, value }
    }
}

impl Line {
    /// Reads the words by a table.
    pub(super) fn read(table: &'static [Opt], words: &[Word]) -> Self {
        let mut line = Self::default();
        let mut reader = WordReader::new(words);
        while let Some(word) = reader.next() {
            let lead = word.lead();
            if word.constant().as_deref() == Some("--") {
                line.paths = Some(reader.rest().to_vec());
                break;
            }
            if let Some(long) = lead.strip_prefix("--") {
                line.long(table, long, word, &mut reader);
            } else if lead == "-" && word.is_unknown() {
                // An unknown letter may be the worst one.
                let first = table.first().filter(|option| option.value == Value::Never);
                line.given.extend(first.map(|option| (option.name, None)));
            } else if lead.len() > 1 && lead.starts_with('-') {
                line.letters(table, lead, word, &mut reader);
            } else {
                line.operands.push(word.clone());
            }
        }
        line
    }

    fn long(&mut self, table: &'static [Opt], long: &str, word: &Word, reader: &mut WordReader<'_>) {
        let (name, joined) = match long.split_once('=') {
            Some((name, _)) => (name, Some(word.skip(name.len() + 3))),
            None => (long, None),
        };
        match find(table, name) {
            Some(option) => {
                let next = || if option.value == Value::Always { reader.next().cloned() } else { None };
                let value = joined.or_else(next);
                self.given.push((option.name, value));
            }
            None => {
                let opposite = name.strip_prefix("no-").and_then(|name| find(table, name));
                let opposite = opposite
                    .or_else(|| table.iter().find(|option| option.name.strip_prefix("no-") == Some(name)));
                if let Some(option) = opposite {
                    self.given.retain(|(given, _)| *given != option.name);
                }
            }
        }
    }

    fn letters(&mut self, table: &'static [Opt], lead: &str, word: &Word, reader: &mut WordReader<'_>) {
        for (place, letter) in lead.char_indices().skip(1) {
            let Some(option) = table.iter().find(|option| option.letter == Some(letter)) else { continue };
            let rest = word.skip(place + letter.len_utf8());
            let rest = Some(rest).filter(|rest| !rest.parts.is_empty());
            match option.value {
                Value::Never => self.given.push((option.name, None)),
                Value::Joined => {
                    self.given.push((option.name, rest));
                    return;
                }
                Value::Always => {
                    let value = rest.or_else(|| reader.next().cloned());
                    self.given.push((option.name, value));
                    return;
                }
            }
        }
    }

    /// Returns true if an option is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// Returns true if one of them is given.
    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// The values of an option, as often as it is given.
    pub(super) fn values(&self, names: &[&str]) -> Vec<Word> {
        let wanted = self.given.iter().filter(|(given, _)| names.contains(given));
        wanted.filter_map(|(_, value)| value.clone()).collect()
    }

    /// The last value of an option.
    pub(super) fn value(&self, name: &str) -> Option<Word> {
        self.values(&[name]).pop()
    }

    /// Everything that is not an option.
    pub(super) fn all(&self) -> Vec<Word> {
        self.operands.iter().chain(self.paths.iter().flatten()).cloned().collect()
    }
}

/// The option with this name, or the first that begins with it.
fn find(table: &'static [Opt], name: &str) -> Option<&'static Opt> {
    let exact = table.iter().find(|option| option.name == name);
    exact.or_else(|| table.iter().find(|option| option.name.len() > 1 && option.name.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_what_is_written() {
        let option = |letter, name, value| Opt { letter, name, value };
        assert_eq!(
            options!("f/force m/message= S/gpg-sign? x  all"),
            &[
                option(Some('f'), "force", Value::Never),
                option(Some('m'), "message", Value::Always),
                option(Some('S'), "gpg-sign", Value::Joined),
                option(Some('x'), "x", Value::Never),
                option(None, "all", Value::Never),
            ]
        );
    }
}
