//! Literals: texts in all their quotes, words, patterns, and the expressions inside them.

use super::{Lexer, Piece, Tok, Token};
use crate::Language;

/// The syntax of the inside quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// Literal; a backslash only escapes the quote and itself.
    Plain,
    /// Literal, including the backslash.
    Raw,
    /// With escapes.
    Escapes,
    /// With escapes and expressions.
    Expressions,
    /// With expressions, and a literal backslash: `rf""`.
    RawExpressions,
}

impl Lexer<'_> {
    /// The literal that begins here, if one does.
    pub(super) fn literal(&mut self) -> Option<Tok> {
        if let Some(tok) = self.heredoc() {
            return Some(tok);
        }
        match self.language {
            Language::Python => self.python(),
            Language::JavaScript => self.javascript(),
            Language::Ruby => self.ruby(),
            Language::Perl => self.perl(),
            Language::Php => self.php(),
            Language::Lua => self.lua(),
            Language::Go => self.go(),
            Language::Awk => self.awk(),
            Language::Sed | Language::PowerShell | Language::AppleScript | Language::Make => None,
        }
    }

    fn python(&mut self) -> Option<Tok> {
        let mut probe = self.cursor.clone();
        let prefix = probe.take_while(|char| "rRbBuUfFtT".contains(char)).to_ascii_lowercase();
        let quote = probe.peek().filter(|char| "'\"".contains(*char))?;
        if prefix.len() > 2 {
            return None;
        }
        self.cursor.at = probe.at;
        let inside = match (prefix.contains('r'), prefix.contains(['f', 't'])) {
            (true, true) => Inside::RawExpressions,
            (true, false) => Inside::Raw,
            (false, true) => Inside::Expressions,
            (false, false) => Inside::Escapes,
        };
        let triple = quote.to_string().repeat(3);
        let end = if self.cursor.starts(&triple) { triple } else { quote.to_string() };
        self.cursor.eat(&end);
        Some(Tok::Text(self.quoted(None, &end, inside)))
    }

    fn javascript(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            quote @ ('\'' | '"') => Some(self.simple(quote, Inside::Escapes)),
            '`' if self.is_shell_template() => Some(self.shell('`')),
            '`' => Some(self.simple('`', Inside::Expressions)),
            '/' => self.slashes(),
            _ => None,
        }
    }

    /// Returns whether the name right before a template hands it to a shell: `$` of zx, Bun and execa, also with options.
    fn is_shell_template(&self) -> bool {
        if self.spaced {
            return false;
        }
        let is_shell =
            |name: &str| name.ends_with('$') || matches!(name, "execa" | "execaSync" | "execaCommand");
        match self.tokens.as_slice() {
            [.., Token { tok: Tok::Name(name), .. }] => is_shell(name),
            // `$({ cwd })`…``
            [before @ .., Token { tok: Tok::Op(")"), .. }] => {
                let last = before.len();
                let open = before.iter().rposition(|token| token.close == last);
                let name = open.and_then(|open| open.checked_sub(1)).and_then(|place| before.get(place));
                matches!(name, Some(Token { tok: Tok::Name(name), .. }) if is_shell(name))
            }
            _ => false,
        }
    }

    fn go(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            quote @ ('\'' | '"') => Some(self.simple(quote, Inside::Escapes)),
            '`' => Some(self.simple('`', Inside::Raw)),
            _ => None,
        }
    }

    fn lua(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            quote @ ('\'' | '"') => Some(self.simple(quote, Inside::Escapes)),
            '[' => {
                let mut probe = self.cursor.clone();
                probe.bump();
                let level = probe.take_while(|char| char == '=');
                if !probe.eat("[") {
                    return None;
                }
                self.cursor.at = probe.at;
                self.cursor.eat("\n");
                Some(Tok::Text(self.quoted(None, &format!("]{level}]"), Inside::Raw)))
            }
            _ => None,
        }
    }

    fn awk(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            '"' => Some(self.simple('"', Inside::Escapes)),
            '/' => self.slashes(),
            _ => None,
        }
    }

    fn php(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            '\'' => Some(self.simple('\'', Inside::Plain)),
            '"' => Some(self.simple('"', Inside::Expressions)),
            '`' => Some(self.shell('`')),
            '?' if self.cursor.starts("?>") => {
                self.cursor.eat("?>");
                match self.cursor.find("<?") {
                    Some(at) => self.cursor.at = at,
                    None => self.cursor.finish(),
                }
                self.php_tag();
                Some(Tok::End)
            }
            _ => None,
        }
    }

    pub(super) fn php_tag(&mut self) {
        if !self.cursor.eat("<?php") && !self.cursor.eat("<?=") {
            self.cursor.eat("<?");
        }
    }

    fn ruby(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            '\'' => Some(self.simple('\'', Inside::Plain)),
            '"' => Some(self.simple('"', Inside::Expressions)),
            '`' => Some(self.shell('`')),
            '/' => self.slashes(),
            '%' if self.wants_operand() => self.percent(),
            ':' if self.cursor.starts("::") => None,
            ':' if self.cursor.second() == Some('"') => {
                self.cursor.bump();
                Some(self.simple('"', Inside::Expressions))
            }
            ':' if self.cursor.second().is_some_and(|char| char.is_alphabetic() || char == '_')
                && self
                    .cursor
                    .before()
                    .is_none_or(|char| !char.is_alphanumeric() && !"_\"'?!".contains(char)) =>
            {
                self.cursor.bump();
                let name = self.cursor.take_while(|char| char.is_alphanumeric() || "_?!".contains(char));
                Some(Tok::Text(vec![Piece::Text(name)]))
            }
            _ => None,
        }
    }

    /// `%w[…]`, `%q(…)`, `%x{…}`, `%(…)`.
    fn percent(&mut self) -> Option<Tok> {
        let mut probe = self.cursor.clone();
        probe.bump();
        let kind = probe.take_while(|char| "wWiIqQxrs".contains(char));
        let open = probe.peek().filter(|char| char.is_ascii_punctuation())?;
        if kind.len() > 1 || kind.is_empty() && !"([{<|!".contains(open) {
            return None;
        }
        self.cursor.at = probe.at;
        self.cursor.bump();
        let inside =
            if matches!(kind.as_str(), "q" | "w" | "i" | "s") { Inside::Plain } else { Inside::Expressions };
        let pieces = self.delimited(open, inside);
        Some(match kind.as_str() {
            "w" | "W" | "i" | "I" => Tok::Words(words(&pieces)),
            "x" => Tok::Shell(pieces),
            "r" => self.pattern_flags(),
            _ => Tok::Text(pieces),
        })
    }

    fn perl(&mut self) -> Option<Tok> {
        match self.cursor.peek()? {
            '\'' => Some(self.simple('\'', Inside::Plain)),
            '"' => Some(self.simple('"', Inside::Expressions)),
            '`' => Some(self.shell('`')),
            '/' => self.slashes(),
            '<' if self.wants_operand() => self.angle(),
            'a'..='z' => self.perl_quote(),
            _ => None,
        }
    }

    /// `<*.c>` is a pattern of file names, `<$f>` and `<STDIN>` read lines.
    fn angle(&mut self) -> Option<Tok> {
        let mut probe = self.cursor.clone();
        probe.bump();
        let from = probe.at;
        if from < self.no_angle_before || probe.peek().is_some_and(|char| "= <".contains(char)) {
            return None;
        }
        let inside = probe.take_while(|char| char != '>' && char != '\n' && char != ';');
        if !probe.eat(">") {
            self.no_angle_before = probe.at;
            return None;
        }
        let to = from.saturating_add(inside.len());
        self.cursor.at = probe.at;
        let reads = inside.trim_start_matches('$').chars().all(|char| char.is_alphanumeric() || char == '_');
        if matches!(inside.as_str(), "" | "STDIN") {
            return Some(Tok::Name(super::STDIN.to_owned()));
        }
        Some(if reads { Tok::Pattern(None) } else { Tok::Glob(self.pieces(from, to)) })
    }

    /// `q() qq() qw() qx() qr() m() s()() tr()() y()()`.
    fn perl_quote(&mut self) -> Option<Tok> {
        let mut probe = self.cursor.clone();
        let name = probe.take_while(|char| char.is_alphanumeric() || char == '_');
        if !matches!(name.as_str(), "q" | "qq" | "qw" | "qx" | "qr" | "m" | "s" | "tr" | "y") {
            return None;
        }
        let after_arrow = matches!(self.tokens.last(), Some(token) if token.tok == Tok::Op("->"));
        let sub = matches!(self.tokens.last(), Some(token) if token.tok == Tok::Name("sub".to_owned()));
        // After `-` it is a test of a file: `-s $file`.
        if after_arrow || sub || self.cursor.before() == Some('-') {
            return None;
        }
        let spaced = probe.peek().is_some_and(char::is_whitespace);
        probe.skip_while(char::is_whitespace);
        let open = probe.peek()?;
        let word = open.is_alphanumeric() || open == '_' || open.is_whitespace();
        let no_quote = word || ",;)}".contains(open) || probe.starts("=>") || spaced && "=#".contains(open);
        if no_quote {
            return None;
        }
        probe.bump();
        self.cursor.at = probe.at;
        let inside = match (name.as_str(), open) {
            ("q" | "qw" | "tr" | "y", _) | (_, '\'') => Inside::Plain,
            _ => Inside::Expressions,
        };
        match name.as_str() {
            "q" | "qq" => Some(Tok::Text(self.delimited(open, inside))),
            "qw" => Some(Tok::Words(words(&self.delimited(open, inside)))),
            "qx" => Some(Tok::Shell(self.delimited(open, inside))),
            "m" | "qr" => {
                self.delimited(open, Inside::Raw);
                Some(self.pattern_flags())
            }
            _ => Some(self.substitution(open, &name)),
        }
    }

    /// The two halves of `s` and `tr`. With the flag `e` the second is code.
    fn substitution(&mut self, open: char, name: &str) -> Tok {
        self.delimited(open, Inside::Raw);
        let mut from = self.cursor.at;
        if closing(open) != open {
            self.cursor.skip_while(char::is_whitespace);
            let second = self.cursor.bump().unwrap_or(open);
            from = self.cursor.at;
            self.delimited(second, Inside::Raw);
        } else {
            self.delimited(open, Inside::Raw);
        }
        let to = self.cursor.before().map_or(from, |char| self.cursor.at.saturating_sub(char.len_utf8()));
        let flags = self.cursor.take_while(|char| char.is_ascii_alphabetic());
        Tok::Pattern((name == "s" && flags.contains('e')).then_some(from..to.max(from)))
    }

    fn pattern_flags(&mut self) -> Tok {
        self.cursor.skip_while(|char| char.is_ascii_lowercase());
        Tok::Pattern(None)
    }

    /// Reads `/…/` in the place of an operand. Without an end in its line it is a division.
    fn slashes(&mut self) -> Option<Tok> {
        if self.cursor.at < self.no_pattern_before || !self.wants_operand() {
            return None;
        }
        let mut probe = self.cursor.clone();
        probe.bump();
        let classes = self.language == Language::JavaScript;
        let mut class = false;
        loop {
            match probe.bump() {
                None | Some('\n') => {
                    self.no_pattern_before = probe.at;
                    return None;
                }
                Some('\\') => {
                    probe.bump();
                }
                Some('[') if classes => class = true,
                Some(']') => class = false,
                Some('/') if !class => break,
                Some(_) => {}
            }
        }
        self.cursor.at = probe.at;
        Some(self.pattern_flags())
    }

    fn simple(&mut self, quote: char, inside: Inside) -> Tok {
        self.cursor.bump();
        Tok::Text(self.quoted(None, &quote.to_string(), inside))
    }

    fn shell(&mut self, quote: char) -> Tok {
        self.cursor.bump();
        Tok::Shell(self.quoted(None, &quote.to_string(), Inside::Expressions))
    }

    fn delimited(&mut self, open: char, inside: Inside) -> Vec<Piece> {
        let close = closing(open);
        self.quoted((close != open).then_some(open), &close.to_string(), inside)
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

fn words(pieces: &[Piece]) -> Vec<String> {
    let text: String = pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.as_str(),
            Piece::Code(_) => "",
        })
        .collect();
    text.split_whitespace().map(str::to_owned).collect()
}
