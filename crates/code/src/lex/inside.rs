//! The inside a literal: escapes, and the expressions whose values become part of a text.

use super::{Cursor, Lexer, Piece, quote::Inside};
use crate::Language;

impl Lexer<'_> {
    /// The pieces of a range that has escapes and expressions.
    pub(super) fn pieces(&mut self, from: usize, to: usize) -> Vec<Piece> {
        let back = self.cursor.at;
        self.cursor.at = from;
        let pieces = self.read(None, "", Inside::Expressions, to);
        self.cursor.at = back;
        pieces
    }

    /// Everything up to `end`, which is consumed; `open` nests.
    pub(super) fn quoted(&mut self, open: Option<char>, end: &str, inside: Inside) -> Vec<Piece> {
        self.read(open, end, inside, usize::MAX)
    }

    fn read(&mut self, open: Option<char>, end: &str, inside: Inside, limit: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut depth = 0_usize;
        loop {
            if self.cursor.at >= limit {
                break;
            }
            if !end.is_empty() && self.cursor.starts(end) {
                self.cursor.eat(end);
                if depth == 0 {
                    break;
                }
                depth = depth.saturating_sub(1);
                text.push_str(end);
                continue;
            }
            let expressions = matches!(inside, Inside::Expressions | Inside::RawExpressions);
            let before = self.cursor.at;
            if expressions && let Some(code) = self.expression(&mut text) {
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Code(code));
            }
            if self.cursor.at != before {
                continue;
            }
            let Some(char) = self.cursor.bump() else {
                self.broken |= limit == usize::MAX;
                break;
            };
            if Some(char) == open {
                depth = depth.saturating_add(1);
            }
            if char != '\\' {
                text.push(char);
                continue;
            }
            match inside {
                Inside::Escapes | Inside::Expressions => escape(&mut self.cursor, self.language, &mut text),
                Inside::Plain => match self.cursor.peek() {
                    Some(next) if next == '\\' || end.starts_with(next) || Some(next) == open => {
                        self.cursor.bump();
                        text.push(next);
                    }
                    _ => text.push('\\'),
                },
                Inside::Raw | Inside::RawExpressions => {
                    text.push('\\');
                    // Even in a raw text a backslash hides the quote, except in Lua.
                    if self.language != Language::Lua {
                        text.extend(self.cursor.bump());
                    }
                }
            }
        }
        if !text.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(text));
        }
        pieces
    }

    /// Returns an expression inside a literal, if one starts here. An escaped bracket is added to the text.
    fn expression(&mut self, text: &mut String) -> Option<std::ops::Range<usize>> {
        let name = |char: char| char.is_alphabetic() || char == '_';
        match self.language {
            Language::Python => {
                if self.cursor.starts("{{") || self.cursor.starts("}}") {
                    text.extend(self.cursor.bump());
                    self.cursor.bump();
                    return None;
                }
                self.cursor.eat("{").then(|| self.balanced())
            }
            Language::JavaScript => self.cursor.eat("${").then(|| self.balanced()),
            Language::Ruby => self.cursor.eat("#{").then(|| self.balanced()),
            Language::Php | Language::Perl => {
                let php = self.language == Language::Php;
                if php && self.cursor.starts("{$") {
                    self.cursor.bump();
                    return Some(self.balanced());
                }
                if self.cursor.starts("${") || !php && self.cursor.starts("@{") {
                    self.cursor.eat("${");
                    self.cursor.eat("@{");
                    let from = self.cursor.at;
                    let range = self.balanced();
                    // `${name}` is a variable, anything else an expression.
                    let inner = self.cursor.slice(from, range.end);
                    let plain = inner.chars().all(|char| char.is_alphanumeric() || char == '_');
                    return Some(if plain { range.start.saturating_sub(2)..self.cursor.at } else { range });
                }
                let sigil = self.cursor.starts("$") || !php && self.cursor.starts("@");
                if !sigil
                    || !self.cursor.second().is_some_and(|char| name(char) || !php && char.is_ascii_digit())
                {
                    return None;
                }
                let from = self.cursor.at;
                self.cursor.bump();
                self.cursor.skip_while(|char| char.is_alphanumeric() || char == '_');
                // One index belongs to it: `$h{x}`, `$a[0]`, `$o->{x}`.
                let mut probe = self.cursor.clone();
                probe.eat("->");
                if matches!(probe.peek(), Some('[')) || !php && matches!(probe.peek(), Some('{')) {
                    self.cursor.at = probe.at;
                    self.cursor.bump();
                    self.balanced();
                }
                Some(from..self.cursor.at)
            }
            Language::Lua
            | Language::Go
            | Language::Awk
            | Language::Sed
            | Language::PowerShell
            | Language::AppleScript
            | Language::Make => None,
        }
    }

    /// From here to the bracket that closes the one just read, which is consumed.
    fn balanced(&mut self) -> std::ops::Range<usize> {
        let from = self.cursor.at;
        let mut depth = 0_usize;
        let mut quote = None;
        while let Some(char) = self.cursor.bump() {
            match (quote, char) {
                (_, '\\') => {
                    self.cursor.bump();
                }
                (Some(open), char) if open == char => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'' | '`') => quote = Some(char),
                (None, '{' | '[' | '(') => depth = depth.saturating_add(1),
                (None, '}' | ']' | ')') if depth == 0 => return from..self.cursor.at.saturating_sub(1),
                (None, '}' | ']' | ')') => depth = depth.saturating_sub(1),
                (None, _) => {}
            }
        }
        self.broken = true;
        from..self.cursor.at
    }
}

/// Reads an escape after its backslash.
fn escape(cursor: &mut Cursor, language: Language, text: &mut String) {
    let Some(char) = cursor.bump() else { return };
    let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    match char {
        'n' => text.push('\n'),
        't' => text.push('\t'),
        'r' => text.push('\r'),
        'a' => text.push('\u{7}'),
        'e' => text.push('\u{1b}'),
        'f' => text.push('\u{c}'),
        'v' => text.push('\u{b}'),
        '\n' if language != Language::Perl && language != Language::Php => {}
        'z' if language == Language::Lua => cursor.skip_while(char::is_whitespace),
        '0'..='9' => {
            let radix = if language == Language::Lua { 10 } else { 8 };
            let mut digits = char.to_string();
            while digits.len() < 3 && cursor.peek().is_some_and(|char| char.is_digit(radix)) {
                digits.extend(cursor.bump());
            }
            text.extend(code(&digits, radix));
        }
        'x' | 'u' | 'U' => {
            let braced = cursor.eat("{");
            let most = match (braced, char) {
                (true, _) | (_, 'U') => 8,
                (false, 'u') => 4,
                (false, _) => 2,
            };
            let mut digits = String::new();
            while digits.len() < most && cursor.peek().is_some_and(|char| char.is_ascii_hexdigit()) {
                digits.extend(cursor.bump());
            }
            if braced {
                cursor.eat("}");
            }
            text.extend(code(&digits, 16));
        }
        other => text.push(other),
    }
}
