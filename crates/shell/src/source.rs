//! A text with holes: parts that are not known before it runs.
//!
//! A text often reaches a shell only after something else has put it together: `bash -c "ls $1"`, a here-document with a
//! variable in it, a file that a command wrote. The known parts can be read, if the unknown ones do not change how. So a
//! [`Source`] says where those are, and the parser makes each of them an unknown part of the word around it, whatever
//! is next to it.

use crate::{
    script::Span,
    word::{Part, Unknown, Word},
};
use std::borrow::Cow;

/// The character in the place of a hole. It is not a hole by itself: only [`Source::holes`] says where those are.
pub const HOLE: char = '\u{fffc}';

/// A part of a text that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Its place, in bytes.
    pub at: usize,
    /// The facts that are known about it.
    pub unknown: Unknown,
}

/// A text with holes.
///
/// ```
/// use checkrein_shell::{ShellEnv, Source, Unknown, UnknownSource, read};
///
/// let mut source = Source::from("rm -rf '/srv/");
/// source.push_hole(Unknown::new(UnknownSource::Computed));
/// source.push_text("/old'; ls");
/// let script = read(&source, &ShellEnv::default());
/// assert_eq!(script.commands[0].words[2].lead(), "/srv/");
/// assert!(script.commands[0].words[2].is_unknown());
/// assert_eq!(script.commands[1].words[0].constant().as_deref(), Some("ls"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    text: String,
    holes: Vec<Hole>,
}

/// A borrowed [`Source`]. Every text is one without holes.
#[derive(Clone, Copy, Debug)]
pub struct SourceRef<'a> {
    text: &'a str,
    holes: &'a [Hole],
}

impl Source {
    /// The text that a word becomes, with a hole for each unknown part.
    pub fn of_word(word: &Word) -> Self {
        let mut source = Self::default();
        for part in &word.parts {
            match part {
                Part::Text(text) | Part::Glob(text) => source.push_text(text),
                Part::Unknown(unknown) => source.push_hole(unknown.clone()),
            }
        }
        source
    }

    /// Adds a text at the end.
    pub fn push_text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a hole at the end. Whether it splits into words depends on the quotes around it.
    pub fn push_hole(&mut self, unknown: Unknown) {
        self.holes.push(Hole { at: self.text.len(), unknown: Unknown { splits: false, ..unknown } });
        self.text.push(HOLE);
    }

    /// Adds another text at the end.
    pub fn push_source<'a>(&mut self, source: impl Into<SourceRef<'a>>) {
        let source = source.into();
        let start = self.text.len();
        self.holes.extend(
            source.holes.iter().map(|hole| Hole { at: start + hole.at, unknown: hole.unknown.clone() }),
        );
        self.text.push_str(source.text);
    }

    /// Adds a word at the end in such a way that a shell reads that word again.
    pub fn push_word(&mut self, word: &Word) {
        if word.parts.is_empty() {
            self.push_text("''");
        }
        for part in &word.parts {
            match part {
                Part::Text(text) => self.push_text(&quoted(text)),
                Part::Glob(text) => self.push_text(text),
                Part::Unknown(unknown) if unknown.splits => self.push_hole(unknown.clone()),
                Part::Unknown(unknown) => {
                    self.push_text("\"");
                    self.push_hole(unknown.clone());
                    self.push_text("\"");
                }
            }
        }
    }

    /// The whole of it, if it has no holes.
    pub fn constant(&self) -> Option<&str> {
        self.holes.is_empty().then_some(&*self.text)
    }

    /// Returns true if it has neither text nor holes.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns true if it consists of holes and white space.
    pub fn is_only_holes(&self) -> bool {
        let mut rest = self.text.char_indices().filter(|(_, char)| !char.is_whitespace());
        rest.all(|(at, _)| SourceRef::from(self).hole(at).is_some())
    }

    /// Returns its length in bytes.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// The text, in which one character is in the place of each hole.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The holes in their order.
    pub fn holes(&self) -> &[Hole] {
        &self.holes
    }
}

impl<'a> SourceRef<'a> {
    /// The text, in which one character is in the place of each hole.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// The holes in their order.
    pub fn holes(self) -> &'a [Hole] {
        self.holes
    }

    /// The hole at this place.
    pub fn hole(self, at: usize) -> Option<&'a Unknown> {
        let index = self.holes.binary_search_by_key(&at, |hole| hole.at).ok()?;
        self.holes.get(index).map(|hole| &hole.unknown)
    }

    /// A part of it.
    pub fn get(self, span: Span) -> Option<Source> {
        let text = self.text.get(span.clone())?.to_owned();
        let inside = self.holes.iter().filter(|hole| span.contains(&hole.at));
        let moved = inside.map(|hole| Hole { at: hole.at - span.start, unknown: hole.unknown.clone() });
        Some(Source { text, holes: moved.collect() })
    }

    /// An own copy of it.
    pub fn to_source(self) -> Source {
        Source { text: self.text.to_owned(), holes: self.holes.to_vec() }
    }
}

impl From<String> for Source {
    fn from(text: String) -> Self {
        Self { text, holes: Vec::new() }
    }
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl<'a> From<&'a str> for SourceRef<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, holes: &[] }
    }
}

impl<'a> From<&&'a str> for SourceRef<'a> {
    fn from(text: &&'a str) -> Self {
        Self::from(*text)
    }
}

impl<'a> From<&'a String> for SourceRef<'a> {
    fn from(text: &'a String) -> Self {
        Self::from(text.as_str())
    }
}

impl<'a> From<&'a Cow<'_, str>> for SourceRef<'a> {
    fn from(text: &'a Cow<'_, str>) -> Self {
        Self::from(&**text)
    }
}

impl<'a> From<&'a Source> for SourceRef<'a> {
    fn from(source: &'a Source) -> Self {
        Self { text: &source.text, holes: &source.holes }
    }
}

/// A text in single quotes, as a shell reads it again.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
