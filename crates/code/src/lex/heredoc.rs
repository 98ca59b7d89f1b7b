//! Documents that start with `<<NAME` and are on the next lines: Ruby, Perl, PHP.

use super::{Lexer, Piece, Tok};
use crate::Language;

impl Lexer<'_> {
    /// A here-document, if one begins here. Its lines are skipped when this line ends.
    pub(super) fn heredoc(&mut self) -> Option<Tok> {
        let operator = match self.language {
            Language::Php => "<<<",
            Language::Ruby | Language::Perl if self.wants_operand() => "<<",
            _ => return None,
        };
        if !self.cursor.starts(operator) {
            return None;
        }
        let mut probe = self.cursor.clone();
        probe.eat(operator);
        let indented = self.language == Language::Php || probe.eat("~") || probe.eat("-");
        if self.language == Language::Php {
            probe.skip_while(|char| char == ' ');
        }
        let quote = probe.peek().filter(|char| "'\"`".contains(*char));
        let name = match quote {
            Some(quote) => {
                probe.bump();
                let name = probe.take_while(|char| char != quote && char != '\n');
                probe.bump();
                name
            }
            None => probe.take_while(|char| char.is_alphanumeric() || char == '_'),
        };
        // `<<` before a number or a small letter shifts, or appends.
        let bare = name.starts_with(|char: char| char.is_ascii_uppercase() || char == '_' || indented);
        if quote.is_none() && (!bare || name.is_empty()) {
            return None;
        }
        self.cursor.at = probe.at;
        let mut line = self.cursor.clone();
        line.skip_while(|char| char != '\n');
        line.bump();
        line.at = line.at.max(self.resume.unwrap_or(0));
        let begin = line.at;
        let end = loop {
            let start = line.at;
            let text = line.take_while(|char| char != '\n');
            let text = if indented { text.trim_start() } else { text.as_str() };
            let text = text.trim_end_matches('\r');
            // PHP allows more text after the name.
            let ends = text == name
                || self.language == Language::Php
                    && text.strip_prefix(name.as_str()).is_some_and(|rest| {
                        !rest.starts_with(|char: char| char.is_alphanumeric() || char == '_')
                    });
            if ends {
                if self.language == Language::Php {
                    // What follows the name belongs to the statement; it is read again as the next line.
                    let shift = text.len().saturating_sub(name.len());
                    line.at = line.at.saturating_sub(shift);
                } else {
                    line.bump();
                }
                break start;
            }
            if line.bump().is_none() {
                self.broken = true;
                break line.at;
            }
        };
        self.resume = Some(line.at);
        let body = self.cursor.slice(begin, end).to_owned();
        match quote {
            Some('\'') => Some(Tok::Text(vec![Piece::Text(body)])),
            Some('`') => Some(Tok::Shell(self.pieces(begin, end))),
            _ => Some(Tok::Text(self.pieces(begin, end))),
        }
    }
}
