//! Words: quotes, escapes, and where expansions begin and end.

use super::{InnerText, Parser, assignment::is_array_prefix};
use crate::{
    script::UnreadableReason,
    syntax::{Piece, Quoting, RawWord},
};

/// The number of pieces that most words do not exceed.
const USUAL: usize = 8;

/// The kind of word that is read, which decides what ends it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Ends at white space or an operator.
    Operator,
    /// Ends at white space outside parentheses: the right side of `=~`.
    Regex,
}

impl Parser<'_, '_> {
    /// A word, if one is next.
    pub(super) fn word(&mut self, ends: Ends) -> Option<RawWord> {
        self.look();
        let start = self.at;
        let mut pieces = Vec::with_capacity(USUAL);
        // Parentheses that belong to the word: those of `?(a|b)` and of regular expressions.
        let mut open = 0_usize;
        while let Some(char) = self.look() {
            match char {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '/' | '_' => self.bare(&mut pieces),
                ' ' | '\t' | '\n' if open == 0 => break,
                ';' | '&' if open == 0 => break,
                '|' if open == 0 && ends == Ends::Operator => break,
                ')' if open == 0 => break,
                ')' => {
                    open -= 1;
                    self.bare(&mut pieces);
                }
                '(' if ends == Ends::Regex || open > 0 => {
                    open += 1;
                    self.bare(&mut pieces);
                }
                '(' if is_array_prefix(&pieces) => {
                    let array = self.array();
                    pieces.push(array);
                }
                '(' if is_pattern_prefix(&pieces) => {
                    open += 1;
                    self.bare(&mut pieces);
                }
                '(' => break,
                '<' | '>' => {
                    if self.eat("<(") {
                        let piece = self.substitution(Piece::Process);
                        pieces.push(piece);
                    } else if self.eat(">(") {
                        let piece = self.substitution(Piece::Sink);
                        pieces.push(piece);
                    } else if open > 0 {
                        self.bare(&mut pieces);
                    } else {
                        break;
                    }
                }
                _ => self.piece(&mut pieces),
            }
        }
        if open > 0 {
            self.opaque(start..self.at, UnreadableReason::OpenBracket);
        }
        (self.at > start && !pieces.is_empty()).then(|| RawWord { pieces, span: self.since(start) })
    }

    fn bare(&mut self, pieces: &mut Vec<Piece>) {
        let start = self.at;
        if let Some(char) = self.bump() {
            pieces.push(match self.hole(start) {
                Some(hole) => Piece::Hole(hole, Quoting::Bare),
                None => Piece::Bare(char),
            });
        }
    }

    /// One piece outside double quotes.
    pub(super) fn piece(&mut self, pieces: &mut Vec<Piece>) {
        match self.look() {
            Some('\\') => {
                self.bump();
                let start = self.at;
                let char = self.bump().unwrap_or('\\');
                pieces.push(match self.hole(start) {
                    Some(hole) => Piece::Hole(hole, Quoting::Quoted),
                    None => Piece::Quoted(char.to_string()),
                });
            }
            Some('\'') => {
                self.bump();
                self.single_quote(pieces);
            }
            Some('"') => {
                self.bump();
                self.double_quote(pieces);
            }
            Some('$') => self.dollar(pieces, Quoting::Bare),
            Some('`') => {
                let piece = self.backquote(Quoting::Bare);
                pieces.push(piece);
            }
            Some(_) => self.bare(pieces),
            None => {}
        }
    }

    /// After `'`.
    fn single_quote(&mut self, pieces: &mut Vec<Piece>) {
        let start = self.at;
        let Some(length) = self.rest().find('\'') else {
            self.at = self.end;
            self.opaque(start..self.end, UnreadableReason::OpenQuote);
            pieces.push(Piece::Unreadable);
            return;
        };
        self.literal(start..start + length, pieces);
        self.at += length + 1;
    }

    /// After `"`.
    pub(super) fn double_quote(&mut self, pieces: &mut Vec<Piece>) {
        let start = self.at;
        // Also an empty pair of quotes makes a word.
        pieces.push(Piece::Quoted(String::new()));
        loop {
            match self.look() {
                None => {
                    self.opaque(start..self.at, UnreadableReason::OpenQuote);
                    pieces.push(Piece::Unreadable);
                    return;
                }
                Some('"') => {
                    self.bump();
                    return;
                }
                Some(_) => self.quoted_piece(pieces, &['$', '`', '"', '\\']),
            }
        }
    }

    /// One piece inside double quotes or a here-document, where a backslash escapes only some characters.
    pub(super) fn quoted_piece(&mut self, pieces: &mut Vec<Piece>, escapable: &[char]) {
        match self.look() {
            Some('$') => self.dollar(pieces, Quoting::Quoted),
            Some('`') => {
                let piece = self.backquote(Quoting::Quoted);
                pieces.push(piece);
            }
            Some('\\') => {
                self.bump();
                match self.peek() {
                    Some(char) if escapable.contains(&char) => {
                        self.bump();
                        push_quoted(pieces, char);
                    }
                    Some(_) | None => push_quoted(pieces, '\\'),
                }
            }
            Some(char) => {
                let hole = self.hole(self.at);
                self.bump();
                match hole {
                    Some(hole) => pieces.push(Piece::Hole(hole, Quoting::Quoted)),
                    None => push_quoted(pieces, char),
                }
            }
            None => {}
        }
    }

    /// At `$`.
    fn dollar(&mut self, pieces: &mut Vec<Piece>, quoting: Quoting) {
        self.bump();
        let literal = match quoting {
            Quoting::Bare => Piece::Bare('$'),
            Quoting::Quoted => Piece::Quoted("$".to_owned()),
        };
        let piece = match self.look() {
            Some('(') => {
                self.bump();
                match self.arithmetic_end() {
                    Some(end) => Piece::Arithmetic(self.arithmetic(end), quoting),
                    None => self.substitution(|place| Piece::Substitution(place, quoting)),
                }
            }
            Some('[') => {
                self.bump();
                self.old_arithmetic(quoting)
            }
            Some('{') => {
                self.bump();
                self.parameter(quoting)
            }
            Some('\'') if quoting == Quoting::Bare => {
                self.bump();
                self.ansi_quote()
            }
            Some('"') if quoting == Quoting::Bare => {
                self.bump();
                self.double_quote(pieces);
                return;
            }
            Some(_) => match self.short_name() {
                Some(name) => Self::plain(name, quoting),
                None => literal,
            },
            None => literal,
        };
        pieces.push(piece);
    }

    /// After `$(`, `<(` or `>(`.
    pub(super) fn substitution(&mut self, piece: impl FnOnce(usize) -> Piece) -> Piece {
        let start = self.at;
        if !self.enter() {
            return Piece::Unreadable;
        }
        let outer = std::mem::take(&mut self.pending);
        let list = self.list();
        let closed = self.eat(")");
        if !closed {
            self.opaque(start..self.at, UnreadableReason::OpenBracket);
            self.skip_to_paren();
        }
        if !self.pending.is_empty() {
            self.opaque(start..self.at, UnreadableReason::StrayDocument);
        }
        self.pending = outer;
        self.leave();
        self.shared.tree.substitutions.push(list);
        piece(self.shared.tree.substitutions.len() - 1)
    }

    /// After something that could not be read inside parentheses.
    fn skip_to_paren(&mut self) {
        let length = self.rest().find(')').map_or(self.rest().len(), |length| length + 1);
        self.at += length;
    }

    /// At `` ` ``: the text between is unescaped and then read by itself.
    fn backquote(&mut self, quoting: Quoting) -> Piece {
        self.bump();
        let start = self.at;
        let mut inner = InnerText::default();
        loop {
            let here = self.at;
            match self.bump() {
                None => {
                    self.opaque(start..self.at, UnreadableReason::OpenQuote);
                    break;
                }
                Some('`') => break,
                Some('\\') => match self.peek() {
                    Some(char @ ('`' | '\\' | '$')) => {
                        self.bump();
                        inner.text.push(char);
                    }
                    Some('"') if quoting == Quoting::Quoted => {
                        self.bump();
                        inner.text.push('"');
                    }
                    Some(_) | None => inner.text.push('\\'),
                },
                Some(_) => self.copy(here..self.at, &mut inner),
            }
        }
        if !self.enter() {
            return Piece::Unreadable;
        }
        let list = self.inner(&mut inner, start..self.at).whole_text();
        self.leave();
        self.shared.tree.substitutions.push(list);
        Piece::Substitution(self.shared.tree.substitutions.len() - 1, quoting)
    }

    /// After `$(` or `(`: where the `))` of an arithmetic expression is, if this is one.
    pub(super) fn arithmetic_end(&mut self) -> Option<usize> {
        if self.look() != Some('(') {
            return None;
        }
        let mut bytes = self.rest().bytes().enumerate().skip(1);
        let mut open = 0_usize;
        while let Some((place, byte)) = bytes.next() {
            match byte {
                b'\\' => {
                    bytes.next();
                }
                b'\'' => {
                    bytes.find(|(_, byte)| *byte == b'\'');
                }
                b'(' => open += 1,
                b')' if open > 0 => open -= 1,
                b')' => {
                    let next = self.rest().as_bytes().get(place + 1);
                    return (next == Some(&b')')).then_some(self.at + place);
                }
                _ => {}
            }
        }
        None
    }

    /// At the second `(`, with the place of the `))`.
    pub(super) fn arithmetic(&mut self, end: usize) -> Vec<Piece> {
        self.bump();
        let mut pieces = Vec::new();
        if self.enter() {
            let whole = std::mem::replace(&mut self.end, end);
            while self.look().is_some() {
                self.piece(&mut pieces);
            }
            self.end = whole;
            self.leave();
        }
        self.at = end + 2;
        pieces
    }

    /// After `$[`.
    fn old_arithmetic(&mut self, quoting: Quoting) -> Piece {
        let start = self.at;
        if !self.enter() {
            return Piece::Unreadable;
        }
        let inside = self.inside(&[']'], Quoting::Bare);
        if !self.eat("]") {
            self.opaque(start..self.at, UnreadableReason::OpenBracket);
        }
        self.leave();
        Piece::Arithmetic(inside, quoting)
    }

    /// At the `(` of `name=(…)`.
    fn array(&mut self) -> Piece {
        let start = self.at;
        self.bump();
        let mut words = Vec::new();
        if !self.enter() {
            return Piece::Unreadable;
        }
        loop {
            self.space();
            if self.eat(")") {
                break;
            }
            match self.word(Ends::Operator) {
                Some(word) => words.push(word),
                None => {
                    self.opaque(start..self.at, UnreadableReason::OpenBracket);
                    self.skip_to_paren();
                    break;
                }
            }
        }
        self.leave();
        Piece::Array(words)
    }
}

fn push_quoted(pieces: &mut Vec<Piece>, char: char) {
    match pieces.last_mut() {
        Some(Piece::Quoted(text)) => text.push(char),
        Some(_) | None => pieces.push(Piece::Quoted(char.to_string())),
    }
}

/// Returns true if `(` after these pieces starts a pattern such as `?(a|b)`.
fn is_pattern_prefix(pieces: &[Piece]) -> bool {
    // A `!` in the place of a command was already taken as the reserved word.
    matches!(pieces, [.., Piece::Bare('?' | '*' | '+' | '@' | '!')])
}
