//! The clients' own commands: `\!` of psql and mysql, `.shell` of sqlite3, `:r` of sqlcmd, `GO`, `DELIMITER`. They never
//! reach a server, end with their line instead of a semicolon, and are the way out of a database into the shell.

use super::client::Client;
use super::token::{Kind, Lexer};

impl Lexer<'_> {
    /// Takes a command of the client, if one starts here. The line is only measured where one does: else a long line would
    /// be measured once for each of its tokens.
    pub(super) fn line(&mut self, rest: &str, char: char) -> bool {
        match self.client {
            Client::Postgres => char == '\\' && self.psql(rest),
            Client::MySql => self.mysql(rest, char),
            Client::Sqlite | Client::DuckDb => {
                let is_command = char == '.' && self.at_line_start && self.is_fresh();
                if is_command {
                    self.take(Kind::Command, first_line(rest).len());
                }
                is_command
            }
            Client::SqlServer => self.at_line_start && self.sqlcmd(first_line(rest)),
            Client::Oracle => self.at_line_start && self.is_fresh() && self.sqlplus(first_line(rest)),
            Client::ClickHouse | Client::Cassandra | Client::Mongo | Client::Redis | Client::Cypher => false,
        }
    }

    fn psql(&mut self, rest: &str) -> bool {
        let after = rest.get(1..).unwrap_or_default();
        // `\\` only separates two commands, `\;` two statements that are sent together.
        if after.starts_with('\\') {
            self.at = self.at.saturating_add(2);
            return true;
        }
        if after.starts_with(';') {
            self.at = self.at.saturating_add(1);
            self.take(Kind::End, 1);
            return true;
        }
        let name = after.split([' ', '\t', '\r', '\n', '\\', '|', '(']).next().unwrap_or_default();
        let arguments = after.get(name.len()..).unwrap_or_default();
        let takes_line = name.starts_with('!')
            || name == "copy"
            || arguments.trim_start_matches([' ', '\t']).starts_with('|');
        let length = if takes_line {
            first_line(rest).len()
        } else {
            name.len().saturating_add(1).saturating_add(length_of_arguments(arguments))
        };
        self.take(Kind::Command, length);
        if name.starts_with('g') || name == "watch" || name == "crosstabview" {
            self.push(Kind::End, "");
        }
        true
    }

    fn mysql(&mut self, rest: &str, char: char) -> bool {
        if char == '\\' {
            let letter = rest.chars().nth(1).unwrap_or(' ');
            match letter {
                'g' | 'G' => self.take(Kind::End, 2),
                'd' => self.delimiter(first_line(rest)),
                '!' | '.' | 'T' | 'P' | 'e' => self.take(Kind::Command, first_line(rest).len()),
                _ => self.at = self.at.saturating_add(1).saturating_add(letter.len_utf8()),
            }
            return true;
        }
        let starts = |word: &str| {
            let follows = rest.get(word.len()..).and_then(|rest| rest.chars().next());
            let is_whole = follows.is_none_or(|char| char.is_ascii_whitespace() || char == ';');
            is_whole && rest.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        if !self.is_fresh() {
            return false;
        }
        if starts("delimiter") {
            self.delimiter(first_line(rest));
            return true;
        }
        let is_command = ["system", "source", "tee", "pager", "edit"].iter().any(|word| starts(word));
        if is_command {
            self.take(Kind::Command, first_line(rest).len());
        }
        is_command
    }

    fn delimiter(&mut self, text: &str) {
        if let Some(new) = text.split_ascii_whitespace().nth(1) {
            self.delimiter = new.to_owned();
        }
        self.at = self.at.saturating_add(text.len());
    }

    fn sqlcmd(&mut self, text: &str) -> bool {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        if first.trim_end_matches(';').eq_ignore_ascii_case("GO")
            && words.all(|word| word.chars().all(|c| c.is_ascii_digit() || c == ';'))
        {
            self.take(Kind::End, text.len());
            return true;
        }
        let is_command = first.starts_with("!!")
            || first
                .strip_prefix(':')
                .is_some_and(|name| name.starts_with(|c: char| c == '!' || c.is_ascii_alphabetic()));
        if is_command {
            self.take(Kind::Command, text.len());
        }
        is_command
    }

    fn sqlplus(&mut self, text: &str) -> bool {
        if text.trim() == "/" {
            self.take(Kind::End, text.len());
            return true;
        }
        let word = text.split_ascii_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        let is_command = text.starts_with(['!', '@', '$'])
            || matches!(
                word.trim_end_matches(';'),
                "host" | "ho" | "start" | "spool" | "spo" | "get" | "save" | "store"
            );
        if is_command {
            self.take(Kind::Command, text.len());
        }
        is_command
    }

    /// After `COPY … FROM stdin;` psql takes lines up to `\.` as data. Only where that end is there: else they are read.
    pub(super) fn skip_copied_data(&mut self) {
        if self.client != Client::Postgres || !self.may_have_data {
            return;
        }
        let statement = self.tokens.iter().rev().skip(1).take_while(|token| token.kind != Kind::End);
        let (mut from_stdin, mut first) = (false, None);
        for token in statement {
            from_stdin |= token.is("STDIN");
            first = Some(token);
        }
        if !from_stdin || !first.is_some_and(|token| token.is("COPY")) {
            return;
        }
        let rest = self.rest();
        let (line, data) = rest.split_once('\n').unwrap_or((rest, ""));
        if !line.trim().is_empty() {
            return;
        }
        let mut at = self.at.saturating_add(line.len()).saturating_add(1);
        for row in data.split_inclusive('\n') {
            at = at.saturating_add(row.len());
            if row.trim_end() == "\\." {
                self.at = at;
                self.at_line_start = true;
                return;
            }
        }
        // Nor will a later one find it.
        self.may_have_data = false;
    }
}

fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

/// The length of the arguments of a command of psql: the next one starts with a backslash outside quotes.
fn length_of_arguments(text: &str) -> usize {
    let mut quote = None;
    for (at, char) in text.char_indices() {
        match (quote, char) {
            (_, '\n') | (None, '\\') => return at,
            (None, '\'' | '"' | '`') => quote = Some(char),
            (Some(open), _) if open == char => quote = None,
            (None | Some(_), _) => {}
        }
    }
    text.len()
}
