//! `$x` and `${…}`.

use super::{Parser, assignment::is_name};
use crate::{
    script::UnreadableReason,
    syntax::{Change, Parameter, Piece, Quoting},
};

impl Parser<'_, '_> {
    /// A parameter without anything done to it.
    pub(super) fn plain(name: String, quoting: Quoting) -> Piece {
        Piece::Parameter(
            Box::new(Parameter { name, short: true, index: None, change: Change::None }),
            quoting,
        )
    }

    /// The name after `$` without braces: one digit, or one special character, or a name.
    pub(super) fn short_name(&mut self) -> Option<String> {
        match self.look()? {
            char @ ('0'..='9' | '@' | '*' | '#' | '?' | '-' | '$' | '!') => {
                self.bump();
                Some(char.to_string())
            }
            _ => self.name(),
        }
    }

    /// A name, if one is next.
    pub(super) fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        while let Some(char) = self.look().filter(|char| is_name(*char, name.len())) {
            self.bump();
            name.push(char);
        }
        (!name.is_empty()).then_some(name)
    }

    /// After `${`.
    pub(super) fn parameter(&mut self, quoting: Quoting) -> Piece {
        let start = self.at;
        if !self.enter() {
            return Piece::Unreadable;
        }
        let piece = match self.look() {
            // Newer versions run the commands between `${ ` and `}`, older ones refuse them.
            Some(' ' | '\t' | '\n' | '|') => self.brace_substitution(quoting),
            Some(_) | None => {
                let parameter = self.between_braces(quoting);
                Piece::Parameter(Box::new(parameter), quoting)
            }
        };
        let closed = self.eat("}");
        self.leave();
        if closed {
            return piece;
        }
        self.opaque(start..self.at, UnreadableReason::OpenBracket);
        Piece::Unreadable
    }

    fn brace_substitution(&mut self, quoting: Quoting) -> Piece {
        let start = self.at;
        self.eat("|");
        let list = self.list();
        self.opaque(start..self.at, UnreadableReason::Unexpected);
        self.shared.tree.substitutions.push(list);
        Piece::Substitution(self.shared.tree.substitutions.len() - 1, quoting)
    }

    fn between_braces(&mut self, quoting: Quoting) -> Parameter {
        let start = self.at;
        for (token, change) in [("#", Change::Length), ("!", Change::Indirect)] {
            if self.eat(token) {
                let name = self.long_name();
                let index = self.index();
                if let Some(name) = name
                    && self.look() == Some('}')
                {
                    return Parameter { name, short: false, index, change };
                }
                self.at = start;
            }
        }
        let name = if self.eat("!") {
            // `${!x…}` with more behind it, or `$!`.
            "!".to_owned()
        } else {
            self.long_name().unwrap_or_default()
        };
        let index = self.index();
        let change = self.change(&name, quoting);
        Parameter { name, short: false, index, change }
    }

    /// The name between braces, where a number may have more digits.
    fn long_name(&mut self) -> Option<String> {
        let mut digits = String::new();
        while let Some(char) = self.look().filter(char::is_ascii_digit) {
            self.bump();
            digits.push(char);
        }
        if digits.is_empty() { self.short_name() } else { Some(digits) }
    }

    fn index(&mut self) -> Option<Vec<Piece>> {
        if !self.eat("[") {
            return None;
        }
        let index = self.inside(&[']'], Quoting::Bare);
        self.eat("]");
        Some(index)
    }

    fn change(&mut self, name: &str, quoting: Quoting) -> Change {
        let other = |reader: &mut Self| Change::Other(reader.inside(&[], Quoting::Bare));
        let Some(char) = self.look() else { return Change::None };
        match char {
            '}' if !name.is_empty() => Change::None,
            _ if name.is_empty() || name == "!" => other(self),
            ':' => {
                self.bump();
                match self.look() {
                    Some(operator @ ('-' | '=' | '?' | '+')) => {
                        self.bump();
                        Change::Fallback { operator, or_empty: true, word: self.inside(&[], quoting) }
                    }
                    // `${name::=value}` of zsh sets the variable, whatever it was.
                    Some(':') if self.rest().starts_with(":=") => {
                        self.eat(":=");
                        Change::Fallback { operator: ':', or_empty: true, word: self.inside(&[], quoting) }
                    }
                    Some(_) | None => {
                        let from = self.inside(&[':'], Quoting::Bare);
                        let length = self.eat(":").then(|| self.inside(&[], Quoting::Bare));
                        Change::Slice { from, length }
                    }
                }
            }
            operator @ ('-' | '=' | '?' | '+') => {
                self.bump();
                Change::Fallback { operator, or_empty: false, word: self.inside(&[], quoting) }
            }
            operator @ ('#' | '%') => {
                self.bump();
                let longest = self.eat(&operator.to_string());
                Change::Remove { operator, longest, pattern: self.inside(&[], Quoting::Bare) }
            }
            '/' => {
                self.bump();
                let operator = match self.look() {
                    Some(char @ ('/' | '#' | '%')) => {
                        self.bump();
                        char
                    }
                    Some(_) | None => ' ',
                };
                let pattern = self.inside(&['/'], Quoting::Bare);
                let with = if self.eat("/") { self.inside(&[], Quoting::Bare) } else { Vec::new() };
                Change::Replace { operator, pattern, with }
            }
            '^' | ',' => {
                self.bump();
                let all = self.eat(&char.to_string());
                if self.look() == Some('}') {
                    return Change::Case { upper: char == '^', all };
                }
                other(self)
            }
            _ => other(self),
        }
    }

    /// Pieces until `}` or one of the stops, which is left.
    pub(super) fn inside(&mut self, stops: &[char], quoting: Quoting) -> Vec<Piece> {
        let mut pieces = Vec::new();
        // Brackets of an arithmetic expression or an index in an index.
        let mut open = 0_usize;
        while let Some(char) = self.look() {
            if char == ']' && open > 0 {
                open -= 1;
            } else if char == '}' && !stops.contains(&']') || stops.contains(&char) {
                break;
            } else if char == '[' && stops.contains(&']') {
                open += 1;
            }
            match quoting {
                Quoting::Bare => self.piece(&mut pieces),
                Quoting::Quoted if char == '"' => {
                    self.bump();
                    self.double_quote(&mut pieces);
                }
                Quoting::Quoted => self.quoted_piece(&mut pieces, &['$', '`', '"', '\\', '}']),
            }
        }
        pieces
    }
}
