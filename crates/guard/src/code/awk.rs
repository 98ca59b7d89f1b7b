//! awk: `system()`, pipes to and from commands, and redirections.
//!
//! awk joins texts that stand side by side, so that an expression here is a run of operands.

use super::{
    Act, Does, From, Language, Started,
    lex::{Piece, Tok, Token, lex},
    value::{Origin, Value, word},
};
use crate::Word;
use std::collections::HashMap;

/// The largest value that is kept for a variable.
const MAX_VALUE: usize = 16 * 1024;

/// What an awk program would do.
pub(super) fn acts(source: &str, started: &Started) -> Vec<Act> {
    let tokens = lex(Language::Awk, source);
    let mut reader = Reader {
        tokens: &tokens.list,
        variables: HashMap::new(),
        input: started.input.as_deref(),
        acts: Vec::new(),
    };
    reader.assignments();
    reader.heard();
    reader.program();
    if tokens.broken {
        reader.acts.push(Act { does: Does::Evaluate(From::Unknown), span: 0..source.len() });
    }
    reader.acts
}

/// What an awk program prints, if it prints nothing but what it says itself, before it reads anything.
pub(crate) fn printed(source: &str) -> Option<String> {
    let tokens = lex(Language::Awk, source);
    let mut reader =
        Reader { tokens: &tokens.list, variables: HashMap::new(), input: None, acts: Vec::new() };
    reader.assignments();
    let mut said: Option<String> = None;
    let mut begins_until = 0;
    for at in 0..tokens.list.len() {
        match reader.tok(at) {
            Some(Tok::Name(name)) if name == "BEGIN" && reader.is_op(at.saturating_add(1), "{") => {
                begins_until = reader.close(at.saturating_add(1));
            }
            // Without a statement, what is read is printed.
            Some(Tok::Op("{")) if at > begins_until && !reader.is_named_block(at) => return None,
            Some(Tok::Name(name)) if matches!(name.as_str(), "print" | "printf") => {
                let ends = |at: &usize| matches!(reader.tok(*at), Some(Tok::End | Tok::Op("}")) | None);
                let end = (at..=tokens.list.len()).find(ends)?;
                let text = reader.operands(at.saturating_add(1), end).constant()?;
                if at > begins_until || name == "printf" && text.contains('%') {
                    return None;
                }
                let line_end = if name == "print" { "\n" } else { "" };
                said = Some(said.unwrap_or_default() + &text + line_end);
            }
            _ => {}
        }
    }
    said.filter(|_| !tokens.broken)
}

struct Reader<'a> {
    tokens: &'a [Token],
    /// What each variable may be: awk programs run from the middle, so that all assignments count everywhere.
    variables: HashMap<&'a str, Value>,
    /// What it reads, if that is known.
    input: Option<&'a str>,
    acts: Vec<Act>,
}

impl<'a> Reader<'a> {
    fn tok(&self, at: usize) -> Option<&'a Tok> {
        self.tokens.get(at).map(|token| &token.tok)
    }

    fn is_op(&self, at: usize, op: &str) -> bool {
        matches!(self.tok(at), Some(Tok::Op(found)) if *found == op)
    }

    /// Whether the block here runs before or after everything is read.
    fn is_named_block(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tok(before));
        matches!(before, Some(Tok::Name(name)) if matches!(name.as_str(), "BEGIN" | "END"))
    }

    fn assignments(&mut self) {
        for at in 0..self.tokens.len() {
            if let (Some(Tok::Name(name)), true) = (self.tok(at), self.is_op(at.saturating_add(1), "=")) {
                let (value, _) = self.expression(at.saturating_add(2));
                let value = match self.variables.remove(name.as_str()) {
                    Some(old) => old.or(value),
                    None => value,
                };
                let value =
                    if value.size() > MAX_VALUE { Value::word(super::word_of_too_much()) } else { value };
                self.variables.insert(name, value);
            }
        }
    }

    /// `peer |& getline name`: what another machine says.
    fn heard(&mut self) {
        for at in 0..self.tokens.len() {
            let (Some(Tok::Name(peer)), true, true) =
                (self.tok(at), self.is_op(at.saturating_add(1), "|"), self.is_op(at.saturating_add(2), "&"))
            else {
                continue;
            };
            let far = self.variables.get(peer.as_str()).is_some_and(is_far);
            if let (true, Some(Tok::Name(_)), Some(Tok::Name(heard))) =
                (far, self.tok(at.saturating_add(3)), self.tok(at.saturating_add(4)))
            {
                self.variables.insert(heard, Value::of(Origin::Network));
            }
        }
    }

    /// A field of the lines that are read; `0` is the whole line.
    fn field(&self, number: i64) -> Value {
        let Some(input) = self.input else { return Value::default() };
        let place = usize::try_from(number).ok();
        let of = |line: &str| match place {
            Some(0) => Some(Value::text(line)),
            Some(place) => line.split_whitespace().nth(place.saturating_sub(1)).map(Value::text),
            None => None,
        };
        Value::any(input.lines().filter_map(of))
    }

    fn program(&mut self) {
        let mut at = 0_usize;
        // Where the operands before a `|` begin, and whether it is the list of a `print`.
        let mut begin = 0_usize;
        let mut prints = false;
        let mut brackets = 0_usize;
        while let Some(tok) = self.tok(at) {
            match tok {
                Tok::End | Tok::Op("{" | "}") => {
                    begin = at.saturating_add(1);
                    prints = false;
                    brackets = 0;
                }
                Tok::Name(name) if matches!(name.as_str(), "print" | "printf") => {
                    prints = true;
                    brackets = 0;
                    begin = at.saturating_add(1);
                }
                Tok::Name(name) if name == "system" && self.is_op(at.saturating_add(1), "(") => {
                    let (value, _) = self.expression(at.saturating_add(2));
                    self.shell(&value, at);
                }
                Tok::Name(name) if name == "getline" => self.getline(at),
                Tok::Op("(") => brackets = brackets.saturating_add(1),
                Tok::Op(")") => brackets = brackets.saturating_sub(1),
                Tok::Op(op @ (">" | ">>")) if prints && brackets == 0 => {
                    let (value, _) = self.expression(at.saturating_add(1));
                    self.file(&value, at, |path| Does::Write { path, append: *op == ">>" });
                }
                Tok::Op("|") | Tok::Op("|=") if prints && brackets == 0 => {
                    let from = at
                        .saturating_add(usize::from(self.is_op(at.saturating_add(1), "&")))
                        .saturating_add(1);
                    let (command, _) = self.expression(from);
                    // What is printed is what the command reads.
                    match self.operands(begin, at).constant() {
                        Some(printed) if printed.len() <= MAX_VALUE => {
                            let printed = format!("printf '%s\\n' '{}' | ", printed.replace('\'', r"'\''"));
                            let whole = Value::text(&printed).then(&command);
                            self.shell(if is_far(&command) { &command } else { &whole }, at);
                        }
                        Some(_) | None => self.shell(&command, at),
                    }
                }
                Tok::Op("|") => {
                    let coprocess = self.is_op(at.saturating_add(1), "&");
                    let next = at.saturating_add(1).saturating_add(usize::from(coprocess));
                    if matches!(self.tok(next), Some(Tok::Name(name)) if name == "getline") {
                        let value = self.operands(begin, at);
                        self.shell(&value, at);
                    }
                }
                _ => {}
            }
            if matches!(tok, Tok::Op("=" | "(" | "&&" | "||" | "," | "!" | "?" | ":")) && !prints {
                begin = at.saturating_add(1);
            }
            if matches!(tok, Tok::Name(name) if matches!(name.as_str(), "while" | "if" | "return" | "do" | "else"))
            {
                begin = at.saturating_add(1);
            }
            at = at.saturating_add(1);
        }
    }

    /// `getline x < "file"`; what comes from a pipe is seen at the pipe.
    fn getline(&mut self, at: usize) {
        let mut next = at.saturating_add(1);
        if matches!(self.tok(next), Some(Tok::Name(_))) {
            next = next.saturating_add(1);
        }
        if self.is_op(next, "<") {
            let (value, _) = self.expression(next.saturating_add(1));
            self.file(&value, at, Does::Read);
        }
    }

    /// The operands from here on, and where they end.
    fn expression(&self, from: usize) -> (Value, usize) {
        let mut end = from;
        let mut brackets = 0_usize;
        while let Some(tok) = self.tok(end) {
            match tok {
                Tok::Op("(" | "[") => brackets = brackets.saturating_add(1),
                Tok::Op(")" | "]") if brackets == 0 => break,
                Tok::Op(")" | "]") => brackets = brackets.saturating_sub(1),
                Tok::End
                | Tok::Op("}" | "{" | "," | "|" | ">" | ">>" | "<" | "?" | ":" | "&&" | "||" | "=")
                    if brackets == 0 =>
                {
                    break;
                }
                _ => {}
            }
            // An expression that is longer than this is not put together.
            if end > from.saturating_add(64) {
                return (Value::word(super::unknown_word()), end);
            }
            end = end.saturating_add(1);
        }
        (self.operands(from, end), end)
    }

    fn operands(&self, from: usize, end: usize) -> Value {
        let mut value: Option<Value> = None;
        let mut at = from.max(end.saturating_sub(64));
        let mut add = |next: Value| {
            value = Some(match value.take() {
                Some(value) => value.then(&next),
                None => next,
            });
        };
        while at < end {
            match self.tok(at) {
                Some(Tok::Text(pieces)) => add(Value::word(literal(pieces))),
                Some(Tok::Number(number)) => add(Value::text(&number.to_string())),
                Some(Tok::Name(name)) if name == "ENVIRON" && self.is_op(at.saturating_add(1), "[") => {
                    let home = matches!(self.tok(at.saturating_add(2)), Some(Tok::Text(pieces)) if literal(pieces).constant().as_deref() == Some("HOME"));
                    add(if home { Value::home() } else { Value::default() });
                    at = self.close(at.saturating_add(1));
                }
                Some(Tok::Name(_))
                    if self.is_op(at.saturating_add(1), "(") || self.is_op(at.saturating_add(1), "[") =>
                {
                    add(Value::default());
                    at = self.close(at.saturating_add(1));
                }
                Some(Tok::Name(name)) => add(self.variables.get(name.as_str()).cloned().unwrap_or_default()),
                Some(Tok::Op("$")) => {
                    add(match self.tok(at.saturating_add(1)) {
                        Some(Tok::Number(number)) => self.field(*number),
                        _ => Value::default(),
                    });
                    at = if self.is_op(at.saturating_add(1), "(") {
                        self.close(at.saturating_add(1))
                    } else {
                        at.saturating_add(1)
                    };
                }
                Some(Tok::Op("(" | ")")) => {}
                _ => add(Value::default()),
            }
            at = at.saturating_add(1);
        }
        value.unwrap_or_default()
    }

    fn close(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(at, |token| token.close.min(self.tokens.len()))
    }

    fn span(&self, at: usize) -> std::ops::Range<usize> {
        self.tokens.get(at).map_or(0..0, |token| token.span.clone())
    }

    fn shell(&mut self, value: &Value, at: usize) {
        let far = value.constant().is_none() && value.origins().contains(&Origin::Network);
        if far && self.acts.len() <= super::MAX_ACTS {
            let span = self.span(at);
            self.acts.push(Act { does: Does::Evaluate(From::Network), span });
        } else if self.acts.len() <= super::MAX_ACTS {
            self.file(value, at, Does::Shell);
        }
    }

    /// A file, unless it is one of the names that awk itself gives a meaning.
    fn file(&mut self, value: &Value, at: usize, does: impl Fn(Word) -> Does) {
        if self.acts.len() > super::MAX_ACTS {
            return;
        }
        let span = self.span(at);
        for path in value.words() {
            let text = path.constant().unwrap_or_default();
            let mut parts = text.split('/').filter(|part| !part.is_empty());
            let does = match (parts.next(), parts.next()) {
                _ if matches!(
                    &*text,
                    "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/null" | "-" | "/dev/stdin"
                ) =>
                {
                    continue;
                }
                (Some("inet" | "inet4" | "inet6"), Some(_)) => {
                    let mut rest = parts.skip(1);
                    let (host, port) = (rest.next().unwrap_or(""), rest.next().unwrap_or(""));
                    Does::Connect(word(&format!("{host}:{port}")))
                }
                _ => does(path),
            };
            self.acts.push(Act { does, span: span.clone() });
        }
    }
}

/// Whether a name is that of another machine.
fn is_far(value: &Value) -> bool {
    value.as_word().lead().starts_with("/inet")
}

fn literal(pieces: &[Piece]) -> Word {
    let mut made = Word::default();
    for piece in pieces {
        match piece {
            Piece::Text(text) => made.push_text(text),
            Piece::Code(_) => made.push(super::computed()),
        }
    }
    made
}
