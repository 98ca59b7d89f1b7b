//! Words while they are made: where an expansion ends one and begins the next.

use crate::{
    script::Span,
    syntax::Quoting,
    word::{Candidates, Part, Unknown, UnknownSource, Word},
};
use std::borrow::Cow;

/// The characters that separate words.
#[derive(Clone, Debug)]
pub(super) enum Separators {
    These(Cow<'static, [char]>),
    Unknown,
}

impl Separators {
    /// Those of a shell whose `IFS` was not changed.
    pub(super) const USUAL: Self = Self::These(Cow::Borrowed(&[' ', '\t', '\n']));

    pub(super) fn of(ifs: &str) -> Self {
        if ifs == " \t\n" { Self::USUAL } else { Self::These(ifs.chars().collect()) }
    }
}

/// Tells if the result is split into words and expanded as a pattern of file names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Split,
    Whole,
}

/// Words that are being made.
pub(super) struct Fields {
    done: Vec<Word>,
    current: Option<Word>,
    last: Separated,
    pub(super) span: Span,
    pub(super) mode: Mode,
    pub(super) separators: Separators,
    literal: Literal,
}

/// Tells if unquoted literal characters can separate words: only those of a fallback can.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Literal {
    Stays,
    Separates,
}

/// The last separator, if no word has started since.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separated {
    No,
    BySpace,
    ByOther,
}

impl Fields {
    pub(super) fn new(span: &Span, mode: Mode, separators: Separators) -> Self {
        let (done, current, last) = (Vec::new(), None, Separated::No);
        Self { done, current, last, span: span.clone(), mode, separators, literal: Literal::Stays }
    }

    pub(super) fn start(&mut self) -> &mut Word {
        self.last = Separated::No;
        let span = &self.span;
        self.current.get_or_insert_with(|| Word { parts: Vec::new(), span: span.clone() })
    }

    pub(super) fn text(&mut self, text: &str) {
        self.start().push_text(text);
    }

    pub(super) fn bare(&mut self, char: char) {
        match self.literal {
            Literal::Stays => self.text(char.encode_utf8(&mut [0; 4])),
            Literal::Separates => self.value(vec![Part::Text(char.to_string())], Quoting::Bare),
        }
    }

    /// Characters without quotes come from a fallback from here on. Answers how it was before.
    pub(super) fn loosen(&mut self) -> Literal {
        std::mem::replace(&mut self.literal, Literal::Separates)
    }

    pub(super) fn restore(&mut self, literal: Literal) {
        self.literal = literal;
    }

    pub(super) fn glob(&mut self, text: &str) {
        match self.mode {
            Mode::Split => self.start().push_glob(text),
            Mode::Whole => self.text(text),
        }
    }

    pub(super) fn unknown(&mut self, unknown: Unknown, quoting: Quoting) {
        let splits = self.mode == Mode::Split && (unknown.splits || quoting == Quoting::Bare);
        self.start().push(Part::Unknown(Unknown { splits, ..unknown }));
    }

    pub(super) fn close(&mut self) {
        self.done.extend(self.current.take());
    }

    /// Takes back an empty word.
    pub(super) fn vanish(&mut self) {
        if self.current.as_ref().is_some_and(|word| word.parts.is_empty()) {
            self.current = None;
        }
    }

    pub(super) fn value(&mut self, parts: Vec<Part>, quoting: Quoting) {
        if quoting == Quoting::Quoted || self.mode == Mode::Whole {
            let word = self.start();
            parts.into_iter().for_each(|part| word.push(part));
            return;
        }
        for part in parts {
            match part {
                Part::Text(text) | Part::Glob(text) => match self.separators.clone() {
                    Separators::These(separators) => self.split(&text, &separators),
                    Separators::Unknown => {
                        // The words that it is split into are unknown, but not the text.
                        let whole = Word::text(&text, self.span.clone());
                        let among = Candidates::TheseOrAnything([whole].into());
                        self.unknown(
                            Unknown { among, ..Unknown::new(UnknownSource::Computed) },
                            Quoting::Bare,
                        );
                    }
                },
                Part::Unknown(unknown) => self.unknown(unknown, Quoting::Bare),
            }
        }
    }

    pub(super) fn split(&mut self, text: &str, separators: &[char]) {
        for char in text.chars() {
            let is_space = matches!(char, ' ' | '\t' | '\n');
            if !separators.contains(&char) {
                match char {
                    '*' | '?' | '[' => self.glob(char.encode_utf8(&mut [0; 4])),
                    _ => self.text(char.encode_utf8(&mut [0; 4])),
                }
            } else if self.current.is_some() {
                self.close();
                self.last = if is_space { Separated::BySpace } else { Separated::ByOther };
            } else if !is_space {
                // There is an empty word between two of them, but spaces next to one belong to it.
                if self.last != Separated::BySpace {
                    self.start();
                    self.close();
                }
                self.last = Separated::ByOther;
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<Word> {
        self.close();
        self.done
    }
}
