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
    syntax::{List, RawWord, Tree},
};

pub(crate) use assignment::{as_assignment, assignment_length, is_name};
pub(crate) use command::DECLARATIONS;

/// Texts longer than this are not read.
pub const MAX_BYTES: usize = 64 * 1024;

/// Deeper nesting than this is not read.
pub const MAX_DEPTH: usize = 48;

/// How many unreadable parts are noted. One is enough to know; more help a user.
const MAX_OPAQUE: usize = 32;

/// Reads a text.
pub(crate) fn parse(text: &str) -> (Tree, Vec<Opaque>) {
    let mut shared = Shared::default();
    let mut reader = Reader::new(text, &mut shared);
    let list = reader.whole_text();
    shared.tree.list = list;
    (shared.tree, shared.opaque)
}

/// What a reader and those it starts for inner texts fill together.
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

struct Reader<'text, 'shared> {
    text: &'text str,
    at: usize,
    end: usize,
    depth: usize,
    /// Where the text stands as a whole, if it is not the original one but was rewritten.
    origin: Option<Span>,
    pending: Vec<Pending>,
    shared: &'shared mut Shared,
}

impl<'text, 'shared> Reader<'text, 'shared> {
    fn new(text: &'text str, shared: &'shared mut Shared) -> Self {
        Self { text, at: 0, end: text.len(), depth: 0, origin: None, pending: Vec::new(), shared }
    }

    /// A reader of an inner text, which stands at `origin` in this one.
    fn inner<'inner>(&'inner mut self, text: &'inner str, origin: Span) -> Reader<'inner, 'inner> {
        let origin = Some(self.span(origin));
        let (depth, shared) = (self.depth, &mut *self.shared);
        Reader { text, at: 0, end: text.len(), depth, origin, pending: Vec::new(), shared }
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

    /// The next character after line continuations, which are no part of anything outside of single quotes.
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

    /// Whether `token` is next.
    fn is_next(&mut self, token: &str) -> bool {
        let start = self.at;
        let is_next = self.eat(token);
        self.at = start;
        is_next
    }

    /// Takes blanks and a comment.
    fn blanks(&mut self) {
        while let Some(' ' | '\t') = self.look() {
            self.bump();
        }
        if self.peek() == Some('#') {
            let length = self.rest().find('\n').unwrap_or(self.rest().len());
            self.at += length;
        }
    }

    /// Takes blanks, comments and ends of lines.
    fn space(&mut self) {
        loop {
            self.blanks();
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

    /// All of it; what nobody expects is noted and skipped.
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
