//! A word as the shell would see it, as far as that can be known before it runs.

use crate::{
    script::{CommandId, Span},
    work,
};
use checkrein_core::sanitize::Hidden;
use std::{borrow::Cow, sync::Arc};

/// A word after expansion.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// Its parts in order. No part: the empty word.
    pub parts: Vec<Part>,
    /// Its place in the source.
    pub span: Span,
}

/// Copying is most of the work that a text can make, so that it burns.
impl Clone for Word {
    fn clone(&self) -> Self {
        work::burn(4 + 8 * self.parts.len() + self.size() / 32);
        Self { parts: self.parts.clone(), span: self.span.clone() }
    }
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Exactly this text.
    Text(String),
    /// An unquoted pattern of file names: `*`, `?`, `[…]`. If no file matches, it is a plain text.
    Glob(String),
    /// A part that is only known when the text runs.
    Unknown(Unknown),
}

/// A part of a word that depends on the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its origin.
    pub why: UnknownSource,
    /// True if it may be empty. An empty text before `/` is dangerous.
    pub empty: bool,
    /// True if it is outside quotes, so that it may become no word or several.
    pub splits: bool,
    /// True if it is a whole array or list, so that it may become no word or several even in quotes.
    pub many: bool,
    /// The values that it may have.
    pub among: Candidates,
    /// The values that it was computed from, if they are known.
    pub made_of: Option<Arc<[Word]>>,
}

/// The origin of an unknown text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnknownSource {
    /// A variable that the text does not set, or sets in a way that cannot be followed.
    Variable(String),
    /// A variable, after its text was changed in a way that is not computed here: `${x:1:1}`.
    Changed(String),
    /// One word of an array, or of something with keys: `${x[1]}`.
    Element(String),
    /// An array: all of its words.
    Array,
    /// The output of these commands.
    Substitution(Arc<[CommandId]>),
    /// The name of a pipe to or from these commands.
    Process(Arc<[CommandId]>),
    /// An arithmetic expression that is not constant: a number.
    Arithmetic,
    /// A parameter that only the shell sets: `$?`, `$$`, `$@`, `$1`, `$RANDOM`.
    Special(String),
    /// The home directory: of a user, if one is named.
    Home(Option<String>),
    /// A constant that is split by an unknown `IFS`, or changed in a way that is not computed here.
    Computed,
    /// A hole that the caller knows by this number, see [`crate::Source`].
    Given(usize),
    /// More text than is expanded here.
    TooMuch,
    /// A text that could not be read; the script says so, too.
    Unreadable,
}

/// The values that an unknown text may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Candidates {
    /// Anything.
    Anything,
    /// One of these, and nothing else.
    These(Arc<[Word]>),
    /// One of these, or anything.
    TheseOrAnything(Arc<[Word]>),
}

impl Unknown {
    /// Anything at all, from there.
    pub fn new(why: UnknownSource) -> Self {
        Self { why, empty: true, splits: false, many: false, among: Candidates::Anything, made_of: None }
    }
}

impl Word {
    /// A word of one constant text.
    pub fn text(text: &str, span: Span) -> Self {
        let mut word = Self { parts: Vec::new(), span };
        word.push_text(text);
        word
    }

    /// Creates a word from an owned text.
    pub fn owned(text: String, span: Span) -> Self {
        let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text)] };
        Self { parts, span }
    }

    /// The text, if nothing of it depends on the run or on files.
    pub fn constant(&self) -> Option<Cow<'_, str>> {
        let text = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Glob(_) | Part::Unknown(_) => None,
        };
        match self.parts.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [Part::Text(text)] => Some(Cow::Borrowed(text)),
            [Part::Glob(_) | Part::Unknown(_), ..] => None,
            parts => parts.iter().map(text).collect::<Option<String>>().map(Cow::Owned),
        }
    }

    /// The text with patterns of file names as written, if nothing of it depends on the run.
    pub fn pattern(&self) -> Option<String> {
        let text = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => Some(text.clone()),
            Part::Unknown(_) => None,
        };
        self.parts.iter().map(text).collect()
    }

    /// Returns true if any part is only known at run time.
    pub fn is_unknown(&self) -> bool {
        self.unknowns().next().is_some()
    }

    /// The parts that depend on the run.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.parts.iter().filter_map(|part| match part {
            Part::Unknown(unknown) => Some(unknown),
            Part::Text(_) | Part::Glob(_) => None,
        })
    }

    /// The first part, if it depends on the run: then not even the beginning of the word is known.
    pub fn starts_with_unknown(&self) -> Option<&Unknown> {
        match self.parts.first() {
            Some(Part::Unknown(unknown)) => Some(unknown),
            Some(Part::Text(_) | Part::Glob(_)) | None => None,
        }
    }

    /// Returns true if the whole word may be empty, or vanish.
    pub fn could_be_empty(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Text(text) => text.is_empty(),
            Part::Glob(_) => false,
            Part::Unknown(unknown) => unknown.empty,
        })
    }

    /// The text that is left if every unknown that may be empty is: `/` for `"$UNSET"/`. `None` if there is no such unknown,
    /// or another one remains.
    pub fn if_unknowns_are_empty(&self) -> Option<String> {
        if !self.is_unknown() || self.unknowns().any(|unknown| !unknown.empty) {
            return None;
        }
        let text = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => text.clone(),
            Part::Unknown(_) => String::new(),
        };
        Some(self.parts.iter().map(text).collect())
    }

    /// Characters that make a word look like another one: bidi controls, invisible ones, controls, and letters outside of
    /// ASCII. In the name of a command they are a warning; elsewhere only the first two kinds are.
    pub fn odd_characters(&self) -> Vec<(char, SuspiciousChar)> {
        let text = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) | Part::Glob(text) => Some(text),
            Part::Unknown(_) => None,
        });
        // Most words have none, which is sooner seen by their bytes.
        let suspect = text.filter(|text| !text.bytes().all(|byte| matches!(byte, b' '..=b'~')));
        suspect
            .flat_map(|text| text.chars())
            .filter_map(|char| SuspiciousChar::of(char).map(|odd| (char, odd)))
            .collect()
    }

    /// The constant text at its beginning.
    pub fn lead(&self) -> &str {
        match self.parts.first() {
            Some(Part::Text(text)) => text,
            Some(Part::Glob(_) | Part::Unknown(_)) | None => "",
        }
    }

    /// The word without the first `length` bytes of the text at its beginning.
    pub fn skip(&self, length: usize) -> Self {
        let mut word = Self { parts: Vec::new(), span: self.span.clone() };
        word.push_text(self.lead().get(length..).unwrap_or_default());
        let rest = if self.lead().is_empty() { 0 } else { 1 };
        self.parts.iter().skip(rest).for_each(|part| word.push(part.clone()));
        word
    }

    /// Adds a text at the end.
    pub fn push_text(&mut self, text: &str) {
        if let Some(Part::Text(last)) = self.parts.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.add(Part::Text(text.to_owned()));
        }
    }

    /// Adds an unquoted pattern at the end.
    pub fn push_glob(&mut self, text: &str) {
        if let Some(Part::Glob(last)) = self.parts.last_mut() {
            last.push_str(text);
        } else {
            self.add(Part::Glob(text.to_owned()));
        }
    }

    /// Adds a part at the end.
    pub fn push(&mut self, part: Part) {
        match part {
            Part::Text(text) => self.push_text(&text),
            Part::Glob(text) => self.push_glob(&text),
            Part::Unknown(_) => self.add(part),
        }
    }

    /// Most words have one part, and a list that grows by itself has room for four.
    fn add(&mut self, part: Part) {
        if self.parts.is_empty() {
            self.parts.reserve_exact(1);
        }
        self.parts.push(part);
    }

    /// About how much memory it takes.
    pub fn size(&self) -> usize {
        let size = |part: &Part| match part {
            Part::Text(text) | Part::Glob(text) => text.len(),
            Part::Unknown(_) => 0,
        };
        self.parts.iter().map(|part| size(part).saturating_add(32)).sum()
    }
}

/// The reason why a character is suspicious.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspiciousChar {
    /// It changes the direction in which text is shown.
    Bidi,
    /// It is not seen.
    Invisible,
    /// A control character: a terminal may obey it.
    Control,
    /// A letter or digit outside ASCII, which may look like one inside.
    Foreign,
}

impl SuspiciousChar {
    /// The table of hidden characters is that of everything we show, so that nothing odd is shown as it is.
    fn of(char: char) -> Option<Self> {
        if matches!(char, '\n' | '\t') {
            return None;
        }
        match Hidden::of(char) {
            Some(Hidden::Bidi) => Some(Self::Bidi),
            // Spaces of other kinds are not separators to the shell.
            Some(Hidden::Invisible | Hidden::Space) => Some(Self::Invisible),
            Some(Hidden::Control) => Some(Self::Control),
            Some(Hidden::Private) => Some(Self::Foreign),
            None => (!char.is_ascii()).then_some(Self::Foreign),
        }
    }
}
