//! Cuts a text into tokens, as the client and its server would: strings, quoted names and comments are what can hide a
//! keyword, so their rules follow the dialect exactly, and everything else is kept simple.
//!
//! A client's own commands (`\!`, `.shell`, `GO`) are found here, because only here it is known whether a line starts inside
//! of a string. Nothing is refused: what is not closed becomes [`Kind::Broken`], and what is before it is kept.

use super::PLACEHOLDER;
use super::client::Client;
use std::borrow::Cow;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keyword, or a name without quotes.
    Word,
    /// A name in quotes. Never a keyword.
    Name,
    /// A string constant, without its quotes.
    Text,
    /// A number.
    Number,
    /// One character of punctuation.
    Symbol,
    /// A line for the client itself.
    Command,
    /// The end of a statement.
    End,
    /// A quote or a comment that is not closed, or that not every server reads alike.
    Broken,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: Cow<'a, str>,
}

impl Token<'_> {
    /// Returns whether it is this keyword, given in capitals.
    pub(super) fn is(&self, keyword: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(keyword)
    }

    /// Returns whether it is one of these keywords.
    pub(super) fn is_any(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.is(keyword))
    }

    /// Returns whether it is this character of punctuation.
    pub(super) fn is_symbol(&self, symbol: char) -> bool {
        self.kind == Kind::Symbol && self.text.starts_with(symbol)
    }
}

/// The tokens of a text.
pub(super) fn tokens(client: Client, text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer {
        client,
        text,
        at: 0,
        tokens: Vec::new(),
        first: 0,
        at_line_start: true,
        delimiter: String::from(";"),
        may_have_data: true,
        executables: 0,
    };
    while lexer.step() {}
    if lexer.executables > 0 {
        lexer.push(Kind::Broken, "");
    }
    lexer.tokens
}

/// The state of the reading. `lines` has the part that knows the clients' commands.
pub(super) struct Lexer<'a> {
    pub(super) client: Client,
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) tokens: Vec<Token<'a>>,
    /// The place where the tokens of the current statement start.
    pub(super) first: usize,
    pub(super) at_line_start: bool,
    /// The text that ends a statement: MySQL can change it.
    pub(super) delimiter: String,
    /// True if data of a `COPY` may still be in the text.
    pub(super) may_have_data: bool,
    /// The number of open comments that MySQL runs.
    pub(super) executables: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns whether no statement has begun.
    pub(super) fn is_fresh(&self) -> bool {
        self.tokens.len() == self.first
    }

    pub(super) fn push(&mut self, kind: Kind, text: impl Into<Cow<'a, str>>) {
        self.tokens.push(Token { kind, text: text.into() });
        // A command of the client is not a part of the statement that it interrupts.
        if kind == Kind::End || (kind == Kind::Command && self.tokens.len() == self.first.saturating_add(1)) {
            self.first = self.tokens.len();
        }
        self.at_line_start = false;
    }

    /// Takes so many bytes as one token.
    pub(super) fn take(&mut self, kind: Kind, bytes: usize) {
        let text = self.rest().get(..bytes).unwrap_or_default();
        self.at = self.at.saturating_add(bytes.max(1));
        self.push(kind, text);
    }

    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(char) = rest.chars().next() else { return false };
        if char.is_ascii_whitespace() || char == '\u{b}' {
            self.at_line_start |= char == '\n';
            self.at = self.at.saturating_add(1);
            return true;
        }
        if self.comment(rest) || self.line(rest, char) {
            return true;
        }
        if rest.starts_with(self.delimiter.as_str()) {
            self.take(Kind::End, self.delimiter.len());
            self.skip_copied_data();
            return true;
        }
        match char {
            '\'' if self.client.escapes() => self.quoted(Kind::Text, 1, '\'', Escape::Backslash),
            '\'' => self.quoted(Kind::Text, 1, '\'', Escape::None),
            '"' if self.client == Client::MySql => self.quoted(Kind::Text, 1, '"', Escape::Backslash),
            '"' | '`' | '[' if self.client.quotes_name(char) => {
                let close = if char == '[' { ']' } else { char };
                let escape = if self.client == Client::ClickHouse { Escape::Backslash } else { Escape::None };
                self.quoted(Kind::Name, 1, close, escape);
            }
            '$' if self.client.dollars() && self.dollars(rest) => {}
            '0'..='9' => self.take(Kind::Number, number(rest)),
            _ if self.begins_word(char) => self.word(rest),
            _ => self.take(Kind::Symbol, char.len_utf8()),
        }
        true
    }

    /// Skips a comment. Those of MySQL that are run are read.
    fn comment(&mut self, rest: &'a str) -> bool {
        let after = |bytes: usize| rest.get(bytes..).and_then(|rest| rest.chars().next());
        let to_line_end = match self.client {
            Client::MySql => {
                rest.starts_with('#')
                    || (rest.starts_with("--")
                        && after(2).is_none_or(|c| c.is_ascii_whitespace() || c.is_control()))
            }
            Client::ClickHouse => rest.starts_with("--") || rest.starts_with("# ") || rest.starts_with("#!"),
            Client::Cassandra | Client::Cypher => rest.starts_with("--") || rest.starts_with("//"),
            Client::Postgres
            | Client::Sqlite
            | Client::DuckDb
            | Client::Mongo
            | Client::Redis
            | Client::SqlServer
            | Client::Oracle => rest.starts_with("--"),
        };
        if to_line_end {
            self.at = self.at.saturating_add(rest.find('\n').unwrap_or(rest.len()));
            return true;
        }
        if self.executables > 0 && rest.starts_with("*/") {
            self.executables = self.executables.saturating_sub(1);
            self.at = self.at.saturating_add(2);
            return true;
        }
        if !rest.starts_with("/*") {
            return false;
        }
        if self.client == Client::MySql && (rest.starts_with("/*!") || rest.starts_with("/*M!")) {
            self.executable(rest);
            return true;
        }
        match comment_end(self.client, rest) {
            Some(end) => self.at = self.at.saturating_add(end),
            None => self.take(Kind::Broken, rest.len()),
        }
        true
    }

    /// `/*!50000 … */`: a comment to others, code to MySQL from that version on, so that only its two ends are passed over. One
    /// may hold another. A version that no server may have is read, too, and said to be unsure.
    fn executable(&mut self, rest: &'a str) {
        let start = if rest.starts_with("/*M!") { 4 } else { 3 };
        let inner = rest.get(start..).unwrap_or_default();
        let code = inner.trim_start_matches(|c: char| c.is_ascii_digit());
        let version = inner.get(..inner.len().saturating_sub(code.len())).unwrap_or_default();
        let is_old = version.is_empty() || version.parse::<u32>().is_ok_and(|version| version < 80_100);
        if !is_old || start == 4 {
            self.push(Kind::Broken, "");
        }
        self.executables = self.executables.saturating_add(1);
        self.at = self.at.saturating_add(start).saturating_add(version.len());
    }

    /// A string or a quoted name after an opening of so many bytes. A doubled quote is one.
    fn quoted(&mut self, kind: Kind, open: usize, close: char, escape: Escape) {
        let body = self.rest().get(open..).unwrap_or_default();
        let mut text = String::new();
        let mut chars = body.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            if char == close {
                if chars.next_if(|(_, next)| *next == close).is_none() {
                    self.at =
                        self.at.saturating_add(open).saturating_add(at).saturating_add(close.len_utf8());
                    self.push(kind, text);
                    return;
                }
                text.push(close);
            } else if char == '\\' && escape == Escape::Backslash {
                match chars.next() {
                    Some((_, 'n' | 'r' | 't')) => text.push(' '),
                    Some((_, 'x' | 'u' | 'U' | '0'..='9')) => text.push(PLACEHOLDER),
                    Some((_, other)) => text.push(other),
                    None => {}
                }
            } else {
                text.push(char);
            }
        }
        self.take(Kind::Broken, self.rest().len());
    }

    /// `$tag$ … $tag$`.
    fn dollars(&mut self, rest: &'a str) -> bool {
        let tag = rest.get(1..).unwrap_or_default();
        let length = tag.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(tag.len());
        let is_tag = tag.get(length..).is_some_and(|rest| rest.starts_with('$'))
            && !tag.starts_with(|c: char| c.is_ascii_digit());
        let Some(mark) = rest.get(..length.saturating_add(2)).filter(|_| is_tag) else { return false };
        let body = rest.get(mark.len()..).unwrap_or_default();
        match body.find(mark) {
            Some(end) => {
                self.at = self.at.saturating_add(mark.len().saturating_mul(2)).saturating_add(end);
                self.push(Kind::Text, body.get(..end).unwrap_or_default());
            }
            None => self.take(Kind::Broken, rest.len()),
        }
        true
    }

    fn begins_word(&self, char: char) -> bool {
        match char {
            '_' => true,
            '@' => matches!(self.client, Client::MySql | Client::SqlServer),
            '#' => self.client == Client::SqlServer,
            _ => char.is_ascii_alphabetic() || !char.is_ascii(),
        }
    }

    fn word(&mut self, rest: &'a str) {
        let belongs = |c: char| {
            c == '_' || c == '$' || c.is_ascii_alphanumeric() || !c.is_ascii() || self.begins_word(c)
        };
        let length = rest.find(|c: char| !belongs(c)).unwrap_or(rest.len());
        let (word, after) = (rest.get(..length).unwrap_or_default(), rest.get(length..).unwrap_or_default());
        // What is right before a string belongs to it: `E'…'`, `N'…'`, `q'[…]'`.
        match word {
            "e" | "E"
                if after.starts_with('\'') && matches!(self.client, Client::Postgres | Client::DuckDb) =>
            {
                self.quoted(Kind::Text, 2, '\'', Escape::Backslash);
            }
            "n" | "N" if after.starts_with('\'') => {
                let escape = if self.client.escapes() { Escape::Backslash } else { Escape::None };
                self.quoted(Kind::Text, 2, '\'', escape);
            }
            "q" | "Q" | "nq" | "NQ" | "nQ" | "Nq"
                if self.client == Client::Oracle && after.starts_with('\'') =>
            {
                self.oracle_quote(after, length);
            }
            _ => self.take(Kind::Word, length),
        }
    }

    /// `q'[ … ]'` of Oracle, which starts with so many letters.
    fn oracle_quote(&mut self, after: &'a str, letters: usize) {
        let open = after.chars().nth(1).unwrap_or('\'');
        let close = match open {
            '[' => ']',
            '(' => ')',
            '{' => '}',
            '<' => '>',
            other => other,
        };
        let body = after.get(1_usize.saturating_add(open.len_utf8())..).unwrap_or_default();
        let mark: String = [close, '\''].iter().collect();
        match body.find(&mark) {
            Some(end) => {
                let opening = letters.saturating_add(1).saturating_add(open.len_utf8());
                self.at = self.at.saturating_add(opening).saturating_add(end).saturating_add(mark.len());
                self.push(Kind::Text, body.get(..end).unwrap_or_default());
            }
            None => self.take(Kind::Broken, self.rest().len()),
        }
    }
}

/// Returns whether a backslash hides what follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escape {
    None,
    Backslash,
}

/// The length of the comment at the start, if it ends.
fn comment_end(client: Client, rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(two) = rest.as_bytes().get(at..at.saturating_add(2)) {
        match two {
            b"/*" if depth == 0 || client.nests_comments() => depth = depth.saturating_add(1),
            b"*/" => depth = depth.saturating_sub(1),
            _ => {
                at = at.saturating_add(1);
                continue;
            }
        }
        at = at.saturating_add(2);
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The length of the number at the start. Letters after it are a word of their own: `1DROP` is two tokens to some servers.
fn number(rest: &str) -> usize {
    let digits = |from: usize| {
        let rest = rest.get(from..).unwrap_or_default();
        rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
    };
    if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        return hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len()).saturating_add(2);
    }
    let mut end = digits(0);
    if rest.get(end..).is_some_and(|rest| rest.starts_with('.')) {
        end = end.saturating_add(1);
        end = end.saturating_add(digits(end));
    }
    if rest.get(end..).is_some_and(|rest| rest.starts_with(['e', 'E'])) {
        let exponent = digits(end.saturating_add(1));
        if exponent > 0 {
            end = end.saturating_add(1).saturating_add(exponent);
        }
    }
    end
}
