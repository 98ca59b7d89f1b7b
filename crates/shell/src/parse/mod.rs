//! From a text to its syntax, as bash reads it.
//!
//! This is a reader written by hand, and not a general grammar such as tree-sitter's, for one reason: it must be right, or
//! say that it is not. tree-sitter's bash grammar answers every text with a tree, and some of its trees are wrong without
//! a sign of it: `time { a; }` is a command with the argument `{`, `ls >out x` a redirection with two targets, a word with
//! a line continuation in it two words, and a second here-document on one line commands. Nor can it read `<>`, `;;&` or
//! `{a,b}` in the place of a command. The tests still compare both, and the validity with `bash -n`.
//!
//! The reader is total and linear: it never fails, always moves on, notes what it could not read
//! ([`Opaque`]) and reads on behind it. Its recursion is bounded by [`MAX_DEPTH`].

mod ansi;
mod assignment;
mod command;
mod compound;
mod document;
mod parameter;
mod word;

use crate::{
    script::{Opaque, Span, UnreadableReason},
    source::SourceRef,
    syntax::{List, Piece, Quoting, RawWord, Tree},
};

pub(crate) use assignment::{as_assignment, assignment_length, is_name};
pub(crate) use command::DECLARATIONS;

/// Texts longer than this are not read.
pub const MAX_BYTES: usize = 64 * 1024;

/// Deeper nesting than this is not read.
pub const MAX_DEPTH: usize = 48;

/// The length in bytes of the character that takes the place of a hole.
const HOLE: usize = 3;

/// The maximum number of unreadable parts that are recorded. One is enough to know; more help a user.
const MAX_OPAQUE: usize = 32;

/// Reads a text.
pub(crate) fn parse(source: SourceRef<'_>) -> (Tree, Vec<Opaque>) {
    let mut shared = Shared::default();
    shared.tree.holes = source.holes().iter().map(|hole| hole.unknown.clone()).collect();
    let holes = source.holes().iter().enumerate().map(|(index, hole)| (hole.at, index)).collect();
    let list = Parser::new(source.text(), holes, &mut shared).whole_text();
    shared.tree.list = list;
    (shared.tree, shared.opaque)
}

/// The results that a parser shares with those that it starts for inner texts.
#[derive(Default)]
struct Shared {
    tree: Tree,
    opaque: Vec<Opaque>,
}

/// A here-document whose text comes after the end of the line.
struct Pending {
    document: usize,
    delimiter: String,
    tabs: Tabs,
    quoted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tabs {
    Keep,
    Strip,
}

/// A part of the text that is read by itself: copied line by line, or without its escapes.
#[derive(Default)]
struct InnerText {
    text: String,
    holes: Holes,
}

/// The positions of the holes, each with its place in [`Tree::holes`].
type Holes = Vec<(usize, usize)>;

struct Parser<'text, 'shared> {
    text: &'text str,
    holes: Holes,
    at: usize,
    end: usize,
    depth: usize,
    /// The place of the whole text in the source, if it was rewritten before it was read.
    origin: Option<Span>,
    pending: Vec<Pending>,
    shared: &'shared mut Shared,
}

impl<'text, 'shared> Parser<'text, 'shared> {
    fn new(text: &'text str, holes: Holes, shared: &'shared mut Shared) -> Self {
        Self { text, holes, at: 0, end: text.len(), depth: 0, origin: None, pending: Vec::new(), shared }
    }

    /// A parser of an inner text, which is at `origin` in this one.
    fn inner<'inner>(&'inner mut self, inner: &'inner mut InnerText, origin: Span) -> Parser<'inner, 'inner> {
        let origin = Some(self.span(origin));
        let (depth, shared) = (self.depth, &mut *self.shared);
        let (text, holes) = (&*inner.text, std::mem::take(&mut inner.holes));
        Parser { text, holes, at: 0, end: text.len(), depth, origin, pending: Vec::new(), shared }
    }

    /// The hole at this place, if there is one.
    fn hole(&self, at: usize) -> Option<usize> {
        let place = self.holes.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.holes.get(place).map(|(_, index)| *index)
    }

    /// Adds a part of the text to an inner one, with the holes in it.
    fn copy(&self, span: Span, inner: &mut InnerText) {
        let start = inner.text.len();
        if !self.holes.is_empty() {
            let inside = self.holes.iter().filter(|(at, _)| span.contains(at));
            inner.holes.extend(inside.map(|(at, index)| (start + at - span.start, *index)));
        }
        inner.text.push_str(self.text.get(span).unwrap_or_default());
    }

    /// A part of the text as it is, which quotes make ordinary.
    fn literal(&self, span: Span, pieces: &mut Vec<Piece>) {
        let mut from = span.start;
        let text = |span: Span| Piece::Quoted(self.text.get(span).unwrap_or_default().to_owned());
        for (at, index) in self.holes.iter().filter(|(at, _)| span.contains(at)) {
            pieces.push(text(from..*at));
            pieces.push(Piece::Hole(*index, Quoting::Quoted));
            from = at + HOLE;
        }
        pieces.push(text(from..span.end));
    }

    fn span(&self, span: Span) -> Span {
        self.origin.clone().unwrap_or(span)
    }

    fn since(&self, start: usize) -> Span {
        self.span(start..self.at)
    }

    fn opaque(&mut self, span: Span, why: UnreadableReason) {
        if self.shared.opaque.len() < MAX_OPAQUE {
            let span = self.span(span);
            self.shared.opaque.push(Opaque { span, why });
        }
    }

    /// Goes one level down, unless that is too deep: then the rest is not read.
    fn enter(&mut self) -> bool {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            return true;
        }
        self.opaque(self.at..self.end, UnreadableReason::TooDeep);
        self.at = self.end;
        false
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn rest(&self) -> &'text str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// The next byte. Most questions are about ASCII, and need no more than that.
    fn byte(&self) -> Option<u8> {
        if self.at < self.end { self.text.as_bytes().get(self.at).copied() } else { None }
    }

    #[inline]
    fn peek(&self) -> Option<char> {
        match self.byte()? {
            byte if byte.is_ascii() => Some(char::from(byte)),
            _ => self.rest().chars().next(),
        }
    }

    #[inline]
    fn bump(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// The next character after line continuations, which are not part of anything outside single quotes.
    #[inline]
    fn look(&mut self) -> Option<char> {
        while self.byte() == Some(b'\\') && self.rest().starts_with("\\\n") {
            self.at += 2;
        }
        self.peek()
    }

    /// Takes `token` if it is next, with line continuations anywhere in it.
    fn eat(&mut self, token: &str) -> bool {
        let start = self.at;
        // Most tokens are not next, and their first byte says so.
        if let (Some(next), Some(first)) = (self.byte(), token.as_bytes().first())
            && next != *first
            && next != b'\\'
        {
            return false;
        }
        for char in token.chars() {
            if self.look() != Some(char) {
                self.at = start;
                return false;
            }
            self.bump();
        }
        true
    }

    /// Returns true if `token` is next.
    fn is_next(&mut self, token: &str) -> bool {
        let start = self.at;
        let is_next = self.eat(token);
        self.at = start;
        is_next
    }

    /// Consumes spaces, tabs and a comment.
    fn inline_space(&mut self) {
        while let Some(' ' | '\t') = self.look() {
            self.bump();
        }
        if self.peek() == Some('#') {
            let length = self.rest().find('\n').unwrap_or(self.rest().len());
            self.at += length;
        }
    }

    /// Consumes white space, comments and line ends.
    fn space(&mut self) {
        loop {
            self.inline_space();
            if self.peek() != Some('\n') {
                return;
            }
            self.newline();
        }
    }

    /// Takes the end of a line, and the here-documents that begin after it.
    fn newline(&mut self) {
        self.bump();
        self.documents();
    }

    fn empty_word(&self) -> RawWord {
        RawWord { pieces: Vec::new(), span: self.span(self.at..self.at) }
    }

    /// All of it; what is not expected is noted and skipped.
    fn whole_text(&mut self) -> List {
        let mut list = List::default();
        loop {
            list.chains.append(&mut self.list().chains);
            if self.peek().is_none() {
                break;
            }
            let start = self.at;
            let closing = self.closing_word().is_some();
            if !closing && ![";;&", ";;", ";&"].into_iter().any(|operator| self.eat(operator)) {
                self.bump();
            }
            self.opaque(start..self.at, UnreadableReason::Unexpected);
        }
        self.documents();
        list
    }
}
