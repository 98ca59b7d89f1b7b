//! The options of a git command, as git reads them: in any order, joined or not, shortened as long as they are unique.
//!
//! A table says of each command which options there are, the most dangerous first. A shortened option that fits several is an
//! error to git, so it does not matter which one it counts as; it counts as the first.

use crate::{lower::special::Reader, word::Word};

/// The words after the name of a command.
#[derive(Default)]
pub(super) struct Line {
    given: Vec<(&'static str, Option<Word>)>,
    /// What is no option, up to `--`.
    pub(super) operands: Vec<Word>,
    /// What follows `--`, if that is there.
    pub(super) paths: Option<Vec<Word>>,
}

/// An option of the table: `f/force`, `m/message=` with a value, `S/gpg-sign?` with a value that must be joined.
#[derive(Clone, Copy)]
struct Opt {
    letter: Option<char>,
    name: &'static str,
    value: Value,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Never,
    Joined,
    Always,
}

impl Line {
    /// Reads the words by a table.
    pub(super) fn read(table: &'static str, words: &[Word]) -> Self {
        let mut line = Self::default();
        let mut reader = Reader::new(words);
        while let Some(word) = reader.next() {
            let lead = word.lead();
            if word.constant().as_deref() == Some("--") {
                line.paths = Some(reader.rest().to_vec());
                break;
            }
            if let Some(long) = lead.strip_prefix("--") {
                line.long(table, long, word, &mut reader);
            } else if lead == "-" && word.is_unknown() {
                // A letter that nobody knows may be the worst one.
                let first = options(table).next().filter(|option| option.value == Value::Never);
                line.given.extend(first.map(|option| (option.name, None)));
            } else if lead.len() > 1 && lead.starts_with('-') {
                line.letters(table, lead, word, &mut reader);
            } else {
                line.operands.push(word.clone());
            }
        }
        line
    }

    fn long(&mut self, table: &'static str, long: &str, word: &Word, reader: &mut Reader<'_>) {
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
                    .or_else(|| options(table).find(|option| option.name.strip_prefix("no-") == Some(name)));
                if let Some(option) = opposite {
                    self.given.retain(|(given, _)| *given != option.name);
                }
            }
        }
    }

    fn letters(&mut self, table: &'static str, lead: &str, word: &Word, reader: &mut Reader<'_>) {
        for (place, letter) in lead.char_indices().skip(1) {
            let Some(option) = options(table).find(|option| option.letter == Some(letter)) else { continue };
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

    /// Whether an option is given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// Whether one of them is given.
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

    /// Everything that is no option.
    pub(super) fn all(&self) -> Vec<Word> {
        self.operands.iter().chain(self.paths.iter().flatten()).cloned().collect()
    }
}

fn options(table: &'static str) -> impl Iterator<Item = Opt> {
    table.split_ascii_whitespace().map(|token| {
        let (names, value) = match (token.strip_suffix('='), token.strip_suffix('?')) {
            (Some(names), _) => (names, Value::Always),
            (None, Some(names)) => (names, Value::Joined),
            (None, None) => (token, Value::Never),
        };
        let (letter, name) = names.split_once('/').unwrap_or((names, names));
        let mut letters = letter.chars();
        let letter = letters.next().filter(|_| letters.next().is_none());
        Opt { letter, name, value }
    })
}

/// The option with this name, or the first that begins with it.
fn find(table: &'static str, name: &str) -> Option<Opt> {
    let exact = options(table).find(|option| option.name == name);
    exact.or_else(|| options(table).find(|option| option.name.len() > 1 && option.name.starts_with(name)))
}
