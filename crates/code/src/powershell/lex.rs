//! The tokens of PowerShell: words as commands see them, with its own quotes and the backtick.

use crate::{computed, home, lex::Cursor};
use checkrein_shell::Word;
use std::ops::Range;

/// A token and its place.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Range<usize>,
    /// True if white space precedes it.
    pub(super) spaced: bool,
    /// For an opening bracket: the index of its closing one, or the end.
    pub(super) close: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Tok {
    /// A bare word.
    Bare(String),
    /// A text in quotes.
    Text(Vec<Piece>),
    /// A variable, in small letters, without its sign.
    Variable(String),
    /// `[System.IO.File]`, in small letters, without `system.`.
    Type(String),
    /// `.Name` or `::Name` right after a value, in small letters.
    Member(String),
    Open(char),
    Close,
    Op(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Variable(String),
    /// `$(…)`
    Code(Range<usize>),
}

const OPERATORS: &[&str] = &["&&", "||", "+=", ">>", "|", "&", ",", "=", "+", ">", "@", "!"];

pub(super) fn lex(source: &str) -> Vec<Token> {
    let mut lexer = Lexer { cursor: Cursor::new(source), tokens: Vec::new(), open: Vec::new(), spaced: true };
    while lexer.step() {}
    let end = lexer.tokens.len();
    for at in lexer.open {
        if let Some(token) = lexer.tokens.get_mut(at) {
            token.close = end;
        }
    }
    lexer.tokens
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    tokens: Vec<Token>,
    open: Vec<usize>,
    spaced: bool,
}

impl Lexer<'_> {
    fn push(&mut self, tok: Tok, from: usize) {
        let index = self.tokens.len();
        match tok {
            Tok::Open(_) => self.open.push(index),
            Tok::Close => {
                if let Some(at) = self.open.pop()
                    && let Some(opener) = self.tokens.get_mut(at)
                {
                    opener.close = index;
                }
            }
            _ => {}
        }
        self.tokens.push(Token { tok, span: from..self.cursor.at, spaced: self.spaced, close: usize::MAX });
        self.spaced = false;
    }

    /// Returns true if the last token is a value and is directly before this place.
    fn after_value(&self) -> bool {
        !self.spaced
            && matches!(
                self.tokens.last().map(|token| &token.tok),
                Some(Tok::Variable(_) | Tok::Close | Tok::Text(_) | Tok::Type(_) | Tok::Member(_))
            )
    }

    fn step(&mut self) -> bool {
        let from = self.cursor.at;
        let Some(char) = self.cursor.peek() else { return false };
        match char {
            '\n' | ';' => {
                self.cursor.bump();
                self.push(Tok::End, from);
                self.spaced = true;
            }
            _ if char.is_whitespace() || self.cursor.starts("`\n") || self.cursor.starts("`\r\n") => {
                self.cursor.bump();
                if char == '`' {
                    self.cursor.skip_while(|char| char == '\r' || char == '\n');
                }
                self.spaced = true;
            }
            '#' if self.spaced => self.cursor.skip_while(|char| char != '\n'),
            '<' if self.cursor.starts("<#") => match self.cursor.find("#>") {
                Some(at) => {
                    self.cursor.at = at;
                    self.cursor.eat("#>");
                }
                None => self.cursor.finish(),
            },
            '\'' | '"' | '‘' | '’' | '“' | '”' => {
                let pieces = self.quoted(char);
                self.push(Tok::Text(pieces), from);
            }
            '@' if self.cursor.starts("@'") || self.cursor.starts("@\"") => {
                let pieces = self.here();
                self.push(Tok::Text(pieces), from);
            }
            '$' => self.dollar(from),
            '(' | '{' => {
                self.cursor.bump();
                self.push(Tok::Open(char), from);
            }
            ')' | '}' => {
                self.cursor.bump();
                self.push(Tok::Close, from);
            }
            '[' if !self.after_value() && self.type_name().is_some() => {
                let name = self.type_name().unwrap_or_default();
                match self.cursor.find("]") {
                    Some(at) => self.cursor.at = at.saturating_add(1),
                    None => self.cursor.finish(),
                }
                self.push(Tok::Type(name), from);
            }
            '[' if self.after_value() => {
                self.cursor.bump();
                self.push(Tok::Open('['), from);
            }
            ']' => {
                self.cursor.bump();
                self.push(Tok::Close, from);
            }
            '.' | ':' if self.after_value() && self.member(from) => {}
            _ => self.word_or_operator(from),
        }
        true
    }

    fn word_or_operator(&mut self, from: usize) {
        let loose = self.spaced || self.after_value();
        let next = self.cursor.second();
        if let Some(op) = OPERATORS.iter().find(|op| self.cursor.starts(op)) {
            // `=` and `+` inside a bare word belong to it.
            // A field of a table has its `=` next to it.
            let field = *op == "=" && self.is_field();
            let word = matches!(*op, "=" | "+" | "!") && !loose && !field
                || *op == "!" && next.is_some_and(char::is_whitespace);
            if !word {
                self.cursor.eat(op);
                self.push(Tok::Op(op), from);
                self.spaced |= matches!(*op, "|" | "&" | "&&" | "||" | "=" | "," | "+=");
                return;
            }
        }
        let mut text = String::new();
        while let Some(char) = self.cursor.peek() {
            if char.is_whitespace() || "|;&(){},'\"$".contains(char) || char == '>' && !text.is_empty() {
                break;
            }
            if char == '=' && !text.is_empty() && self.begins_field() {
                break;
            }
            // The end of an index.
            let indexes =
                |open: &usize| matches!(self.tokens.get(*open).map(|token| &token.tok), Some(Tok::Open('[')));
            if char == ']' && self.open.last().is_some_and(indexes) {
                break;
            }
            self.cursor.bump();
            if char == '`' {
                text.extend(self.cursor.bump());
            } else {
                text.push(char);
            }
        }
        if self.cursor.at == from {
            self.cursor.bump();
        }
        self.push(Tok::Bare(text), from);
    }

    /// Returns true if the word that is being read is the first of a statement in a table.
    fn begins_field(&self) -> bool {
        let last = self.tokens.last().map(|token| &token.tok);
        let table = self.open.last().is_some_and(|open| {
            let sign = open.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|token| &token.tok);
            matches!(sign, Some(Tok::Op("@")))
        });
        table && matches!(last, Some(Tok::Open('{') | Tok::End))
    }

    /// Returns true if the last token is the first of a statement in a table: `@{ name=value }`.
    fn is_field(&self) -> bool {
        let before = |back: usize| {
            self.tokens.len().checked_sub(back).and_then(|at| self.tokens.get(at)).map(|token| &token.tok)
        };
        let starts = match before(2) {
            Some(Tok::Open('{')) => matches!(before(3), Some(Tok::Op("@"))),
            Some(Tok::End) => self.open.last().is_some_and(|open| {
                let sign = open.checked_sub(1).and_then(|at| self.tokens.get(at)).map(|token| &token.tok);
                matches!(sign, Some(Tok::Op("@")))
            }),
            _ => false,
        };
        starts && matches!(before(1), Some(Tok::Bare(_)))
    }

    /// `.Name` or `::Name` after a value.
    fn member(&mut self, from: usize) -> bool {
        let mut probe = self.cursor.clone();
        if !probe.eat("::") && !probe.eat(".") {
            return false;
        }
        let name = probe.take_while(|char| char.is_alphanumeric() || char == '_');
        if name.is_empty() {
            return false;
        }
        self.cursor.at = probe.at;
        self.push(Tok::Member(name.to_lowercase()), from);
        true
    }

    fn type_name(&self) -> Option<String> {
        let rest = self.cursor.rest();
        let inside: String = rest.chars().skip(1).take(100).take_while(|char| *char != ']').collect();
        let plain = inside.starts_with(char::is_alphabetic)
            && inside.chars().all(|char| char.is_alphanumeric() || "._[, +".contains(char));
        let closed = rest.chars().nth(inside.chars().count().saturating_add(1)) == Some(']');
        let name = inside.to_lowercase();
        (plain && closed).then(|| name.strip_prefix("system.").map(str::to_owned).unwrap_or(name))
    }

    fn dollar(&mut self, from: usize) {
        self.cursor.bump();
        match self.cursor.peek() {
            Some('(' | '{') if self.cursor.starts("(") => {
                self.cursor.bump();
                self.push(Tok::Open('('), from);
            }
            Some('{') => {
                self.cursor.bump();
                let name = self.cursor.take_while(|char| char != '}' && char != '\n');
                self.cursor.eat("}");
                self.push(Tok::Variable(name.to_lowercase()), from);
            }
            _ => {
                let name = variable(&mut self.cursor);
                self.push(Tok::Variable(name), from);
            }
        }
    }

    fn quoted(&mut self, quote: char) -> Vec<Piece> {
        self.cursor.bump();
        let single = "'‘’".contains(quote);
        let end = if single { "'‘’" } else { "\"“”" };
        let mut pieces = Vec::new();
        let mut text = String::new();
        while let Some(char) = self.cursor.bump() {
            if end.contains(char) {
                // Doubled, it is literal.
                if self.cursor.peek().is_some_and(|next| end.contains(next)) {
                    text.extend(self.cursor.bump());
                    continue;
                }
                break;
            }
            self.inside(char, single, &mut text, &mut pieces);
        }
        finished(text, pieces)
    }

    fn inside(&mut self, char: char, single: bool, text: &mut String, pieces: &mut Vec<Piece>) {
        match char {
            '`' if !single => match self.cursor.bump() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some('0') => text.push('\0'),
                other => text.extend(other),
            },
            '$' if !single
                && self.cursor.peek().is_some_and(|next| next.is_alphanumeric() || "_({".contains(next)) =>
            {
                pieces.push(Piece::Text(std::mem::take(text)));
                if self.cursor.eat("(") {
                    pieces.push(Piece::Code(self.balanced()));
                } else if self.cursor.eat("{") {
                    let name = self.cursor.take_while(|char| char != '}');
                    self.cursor.eat("}");
                    pieces.push(Piece::Variable(name.to_lowercase()));
                } else {
                    pieces.push(Piece::Variable(variable(&mut self.cursor)));
                }
            }
            other => text.push(other),
        }
    }

    fn here(&mut self) -> Vec<Piece> {
        self.cursor.bump();
        let quote = self.cursor.bump().unwrap_or('\'');
        self.cursor.skip_while(|char| char != '\n');
        self.cursor.bump();
        let end = format!("\n{quote}@");
        let mut pieces = Vec::new();
        let mut text = String::new();
        while !self.cursor.starts(&end) {
            let Some(char) = self.cursor.bump() else { break };
            self.inside(char, quote == '\'', &mut text, &mut pieces);
        }
        self.cursor.eat(&end);
        finished(text, pieces)
    }

    fn balanced(&mut self) -> Range<usize> {
        let from = self.cursor.at;
        let mut depth = 0_usize;
        while let Some(char) = self.cursor.bump() {
            match char {
                '(' => depth = depth.saturating_add(1),
                ')' if depth == 0 => return from..self.cursor.at.saturating_sub(1),
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        from..self.cursor.at
    }
}

fn finished(text: String, mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.push(Piece::Text(text));
    pieces
}

/// The name of a variable with its drive: `env:HOME`.
fn variable(cursor: &mut Cursor) -> String {
    if let Some(char @ ('?' | '$' | '^' | '_')) = cursor.peek()
        && !(char == '_' && cursor.second().is_some_and(char::is_alphanumeric))
    {
        cursor.bump();
        return char.to_string();
    }
    let mut name = cursor.take_while(|char| char.is_alphanumeric() || char == '_');
    let drive = cursor.peek() == Some(':')
        && cursor.second().is_some_and(char::is_alphanumeric)
        && matches!(
            name.to_lowercase().as_str(),
            "env" | "script" | "global" | "local" | "using" | "variable" | "private"
        );
    if drive {
        cursor.bump();
        let rest = cursor.take_while(|char| char.is_alphanumeric() || char == '_');
        name = match name.to_lowercase().as_str() {
            "env" => format!("env:{rest}"),
            _ => rest,
        };
    }
    name.to_lowercase()
}

/// Returns the value of a variable that the text does not set.
pub(super) fn unset(name: &str) -> Word {
    let part = match name {
        "home" | "env:home" | "env:userprofile" | "~" => home(),
        "env:temp" | "env:tmp" | "env:tmpdir" => checkrein_shell::Part::Text("/tmp".to_owned()),
        "true" | "false" => checkrein_shell::Part::Text(format!("${name}")),
        "pwd" => checkrein_shell::Part::Text(".".to_owned()),
        _ => computed(),
    };
    Word { parts: vec![part], span: 0..0 }
}
