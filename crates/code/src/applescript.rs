//! AppleScript: `do shell script`, `do script`, deletes through the Finder; and JavaScript for Automation.

use super::{
    Act, Does, From, Language, acts as acts_of,
    value::{Value, word},
};
use checkrein_shell::Word;
use std::{collections::HashMap, ops::Range};

/// Returns what an `osascript` script would do.
pub(super) fn acts(source: &str) -> Vec<Act> {
    acts_in(source, 0)
}

/// The maximum nesting of scripts in scripts.
const MAX_NESTING: usize = 5;
/// The longest expression that is put together, in tokens.
const MAX_OPERANDS: usize = 256;

fn acts_in(source: &str, nesting: usize) -> Vec<Act> {
    if nesting > MAX_NESTING {
        return vec![super::too_much(source)];
    }
    // The other language of `osascript` is told by what only it can say.
    if source.contains("doShellScript") || source.contains("Application(") {
        return acts_of(Language::JavaScript, source);
    }
    let tokens = tokens(source);
    let mut reader = AppleScript { tokens: &tokens, nesting, variables: HashMap::new(), acts: Vec::new() };
    reader.walk();
    reader.acts
}

#[derive(Debug, PartialEq)]
enum Tok {
    Word(String),
    Text(String),
    Mark(char),
    End,
}

fn tokens(source: &str) -> Vec<(Tok, Range<usize>)> {
    let mut cursor = super::lex::Cursor::new(source);
    let mut tokens = Vec::new();
    while let Some(char) = cursor.peek() {
        let from = cursor.at;
        let tok = match char {
            '\n' | '\r' => {
                cursor.bump();
                Some(Tok::End)
            }
            '"' => {
                cursor.bump();
                let mut text = String::new();
                while let Some(char) = cursor.bump() {
                    match char {
                        '"' => break,
                        '\\' => match cursor.bump() {
                            Some('n') => text.push('\n'),
                            Some('t') => text.push('\t'),
                            other => text.extend(other),
                        },
                        other => text.push(other),
                    }
                }
                Some(Tok::Text(text))
            }
            '-' if cursor.starts("--") => {
                cursor.skip_while(|char| char != '\n');
                None
            }
            '#' => {
                cursor.skip_while(|char| char != '\n');
                None
            }
            '(' if cursor.starts("(*") => {
                match cursor.find("*)") {
                    Some(at) => cursor.at = at.saturating_add(2),
                    None => cursor.finish(),
                }
                None
            }
            char if char.is_alphanumeric() || char == '_' => {
                let text = cursor.take_while(|char| char.is_alphanumeric() || char == '_');
                Some(Tok::Word(text.to_lowercase()))
            }
            char if char.is_whitespace() || char == '¬' => {
                cursor.bump();
                // The sign for "goes on" takes the end of its line with it.
                if char == '¬' {
                    cursor.skip_while(char::is_whitespace);
                }
                None
            }
            char => {
                cursor.bump();
                Some(Tok::Mark(char))
            }
        };
        tokens.extend(tok.map(|tok| (tok, from..cursor.at)));
    }
    tokens
}

struct AppleScript<'a> {
    tokens: &'a [(Tok, Range<usize>)],
    /// The number of scripts around this one.
    nesting: usize,
    variables: HashMap<&'a str, Value>,
    acts: Vec<Act>,
}

impl<'a> AppleScript<'a> {
    fn tok(&self, at: usize) -> Option<&'a Tok> {
        self.tokens.get(at).map(|(tok, _)| tok)
    }

    fn word(&self, at: usize) -> Option<&'a str> {
        match self.tok(at) {
            Some(Tok::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn words(&self, at: usize, wanted: &[&str]) -> bool {
        wanted.iter().enumerate().all(|(step, wanted)| self.word(at.saturating_add(step)) == Some(wanted))
    }

    fn walk(&mut self) {
        let mut finder = false;
        for at in 0..self.tokens.len() {
            if self.acts.len() > super::MAX_ACTS {
                return;
            }
            if self.words(at, &["do", "shell", "script"]) {
                let value = self.expression(at.saturating_add(3));
                self.tell(at, value.words().into_iter().map(Does::Shell).collect());
            } else if self.words(at, &["do", "script"]) || self.words(at, &["write", "text"]) {
                let value = self.expression(at.saturating_add(2));
                self.tell(at, value.words().into_iter().map(Does::Shell).collect());
            } else if self.words(at, &["keystroke"]) {
                let value = match self.word(at.saturating_add(1)) {
                    Some("return" | "enter" | "linefeed") => Value::text("\n"),
                    Some("tab") => Value::text("\t"),
                    Some("space") => Value::text(" "),
                    _ => self.expression(at.saturating_add(1)),
                };
                self.tell(at, value.words().into_iter().map(Does::Type).collect());
            } else if self.words(at, &["key", "code", "36"]) || self.words(at, &["key", "code", "76"]) {
                self.tell(at, vec![Does::Type(word("\n"))]);
            } else if self.words(at, &["run", "script"]) {
                match self.expression(at.saturating_add(2)).constant() {
                    Some(text) => {
                        let inner = acts_in(&text, self.nesting.saturating_add(1));
                        self.tell(at, inner.into_iter().map(|act| act.does).collect());
                    }
                    None => self.tell(at, vec![Does::Evaluate(From::Unknown)]),
                }
            } else if self.words(at, &["load", "script"]) {
                self.tell(at, vec![Does::Evaluate(From::Unknown)]);
            } else if self.words(at, &["set"])
                && let Some(name) = self.word(at.saturating_add(1))
            {
                if self.words(at.saturating_add(2), &["to"]) {
                    let value = self.expression(at.saturating_add(3));
                    self.variables.insert(name, value);
                }
            } else if let Some(Tok::Text(text)) = self.tok(at) {
                let tells = at.checked_sub(1).and_then(|before| self.word(before)) == Some("application");
                if tells {
                    finder =
                        text.eq_ignore_ascii_case("finder") || text.eq_ignore_ascii_case("system events");
                }
            } else if finder && self.words(at, &["delete"]) {
                let path = self.path(at);
                self.tell(at, vec![Does::Delete { path, recursive: true }]);
            } else if finder && self.words(at, &["empty"]) {
                self.tell(at, vec![Does::Delete { path: word("~/.Trash"), recursive: true }]);
            } else if self.words(at, &["open", "location"]) {
                let value = self.expression(at.saturating_add(2));
                self.tell(at, value.words().into_iter().map(Does::Connect).collect());
            }
        }
    }

    /// The first text of the statement is the path, if there is one.
    fn path(&self, at: usize) -> Word {
        let rest = self.tokens.get(at..).unwrap_or_default().iter().take(32).map(|(tok, _)| tok);
        let rest: Vec<&Tok> = rest.take_while(|tok| **tok != Tok::End).collect();
        let found = rest.iter().find_map(|tok| match tok {
            Tok::Text(text) => Some(text),
            _ => None,
        });
        let says = |wanted: &str| rest.iter().any(|tok| matches!(tok, Tok::Word(word) if word == wanted));
        match found {
            // `folder "Documents" of home`
            Some(text) if says("home") && !text.contains(['/', ':']) => {
                Value::home().below(&Value::text(text)).as_word()
            }
            Some(text) => word(text),
            None if says("home") => Value::home().as_word(),
            None => super::unknown_word(),
        }
    }

    /// Texts and variables that are joined with `&`.
    fn expression(&self, from: usize) -> Value {
        let mut value: Option<Value> = None;
        let mut at = from;
        loop {
            if at > from.saturating_add(MAX_OPERANDS) {
                return Value::word(super::word_of_too_much());
            }
            let next = match self.tok(at) {
                Some(Tok::Text(text)) => Value::text(text),
                Some(Tok::Word(name)) if name == "quoted" && self.words(at, &["quoted", "form", "of"]) => {
                    at = at.saturating_add(3);
                    continue;
                }
                Some(Tok::Word(name)) => match self.variables.get(name.as_str()) {
                    Some(value) => value.clone(),
                    None => Value::default(),
                },
                Some(Tok::Mark('(' | ')')) => {
                    at = at.saturating_add(1);
                    continue;
                }
                Some(Tok::Mark(_) | Tok::End) | None => break,
            };
            value = Some(match value {
                Some(value) => value.then(&next),
                None => next,
            });
            at = at.saturating_add(1);
            while self.tok(at) == Some(&Tok::Mark(')')) {
                at = at.saturating_add(1);
            }
            if self.tok(at) != Some(&Tok::Mark('&')) {
                break;
            }
            at = at.saturating_add(1);
        }
        value.unwrap_or_default()
    }

    fn tell(&mut self, at: usize, does: Vec<Does>) {
        let span = self.tokens.get(at).map_or(0..0, |(_, span)| span.clone());
        self.acts.extend(does.into_iter().map(|does| Act { does, span: span.clone() }));
    }
}
