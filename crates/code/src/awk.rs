//! awk: `system()`, pipes to and from commands, and redirections.
//!
//! awk concatenates adjacent texts, so an expression here is a sequence of operands.

use super::{
    Act, Does, From, Language, Started,
    lex::{Piece, Tok, Token, lex},
    value::{Origin, Value, word},
};
use checkrein_shell::Word;
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

/// The largest value that is kept for a variable.
const MAX_VALUE: usize = 16 * 1024;
/// The longest expression that is put together, in tokens.
const MAX_OPERANDS: usize = 64;

/// Returns what an awk program would do.
pub(super) fn acts(source: &str, started: &Started) -> Vec<Act> {
    let tokens = lex(Language::Awk, source);
    let mut reader = AwkProgram {
        tokens: &tokens.list,
        variables: HashMap::new(),
        input: started.input.as_deref(),
        given: &started.arguments,
        environment: Some(&started.environment),
        acts: Vec::new(),
    };
    reader.assignments();
    reader.counts();
    reader.heard();
    reader.program();
    if tokens.broken {
        reader.acts.push(Act { does: Does::Evaluate(From::Unknown), span: 0..source.len() });
    }
    reader.acts
}

/// Returns the output of an awk program, if it prints only its own literals before it reads anything.
pub fn printed(source: &str) -> Option<String> {
    let tokens = lex(Language::Awk, source);
    let mut reader = AwkProgram {
        tokens: &tokens.list,
        variables: HashMap::new(),
        input: None,
        given: &[],
        environment: None,
        acts: Vec::new(),
    };
    reader.assignments();
    reader.counts();
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

/// A function of the program.
struct Function<'a> {
    name: &'a str,
    parameters: Vec<&'a str>,
    /// From its keyword to the end of its parameters.
    head: Range<usize>,
    body: Range<usize>,
}

struct AwkProgram<'a> {
    tokens: &'a [Token],
    /// The values that each variable may have: awk programs run from the middle, so all assignments count everywhere.
    variables: HashMap<&'a str, Value>,
    /// Its input, if that is known.
    input: Option<&'a str>,
    /// Its arguments.
    given: &'a [Word],
    /// The variables of its environment whose values are known.
    environment: Option<&'a BTreeMap<String, String>>,
    acts: Vec<Act>,
}

impl<'a> AwkProgram<'a> {
    /// A variable of the environment.
    fn variable(&self, name: &Word) -> Value {
        let Some(name) = name.constant() else { return Value::default() };
        match self.environment.and_then(|environment| environment.get(&*name)) {
            Some(value) => Value::text(value),
            None if name == "HOME" => Value::home(),
            None => Value::default(),
        }
    }

    fn tok(&self, at: usize) -> Option<&'a Tok> {
        self.tokens.get(at).map(|token| &token.tok)
    }

    fn is_op(&self, at: usize, op: &str) -> bool {
        matches!(self.tok(at), Some(Tok::Op(found)) if *found == op)
    }

    /// Returns true if the block here runs before or after all input is read.
    fn is_named_block(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tok(before));
        matches!(before, Some(Tok::Name(name)) if matches!(name.as_str(), "BEGIN" | "END"))
    }

    /// Collects the values that variables, elements, parameters and results of functions may have.
    fn assignments(&mut self) {
        let functions = self.functions();
        // Who assigns to a field changes the line.
        let assigns = |at: usize| {
            self.is_op(at, "$")
                && matches!(self.tok(at.saturating_add(1)), Some(Tok::Number(_) | Tok::Name(_)))
                && self.is_op(at.saturating_add(2), "=")
        };
        if (0..self.tokens.len()).any(assigns) {
            self.input = None;
        }
        for at in 0..self.tokens.len() {
            let Some(Tok::Name(name)) = self.tok(at) else { continue };
            let next = at.saturating_add(1);
            if self.is_op(next, "=") {
                let (value, _) = self.expression(at.saturating_add(2));
                self.may_be(name, value);
            } else if self.is_op(next, "[") && self.is_op(self.close(next).saturating_add(1), "=") {
                // All elements of an array are one.
                let (value, _) = self.expression(self.close(next).saturating_add(2));
                self.may_be(name, value);
            } else if name == "split" && self.is_op(next, "(") {
                self.splits(next);
            } else if name == "return" {
                let owner = functions.iter().rev().find(|function| function.body.contains(&at));
                let (value, _) = self.expression(next);
                if let Some(owner) = owner {
                    self.may_be(owner.name, value);
                }
            } else if matches!(name.as_str(), "sub" | "gsub") && self.is_op(next, "(") {
                // The third argument is changed in its place.
                let changed = self.arguments(next).get(2).and_then(|at| self.tok(*at));
                if let Some(Tok::Name(name)) = changed {
                    self.may_be(name, Value::default());
                }
            } else if let Some(function) = functions.iter().find(|function| function.name == name)
                && self.is_op(next, "(")
                && !function.head.contains(&at)
            {
                for (parameter, from) in function.parameters.iter().zip(self.arguments(next)) {
                    let (value, _) = self.expression(from);
                    self.may_be(parameter, value);
                }
            }
        }
    }

    /// The functions that the program defines.
    fn functions(&self) -> Vec<Function<'a>> {
        let mut functions: Vec<Function<'a>> = Vec::new();
        for at in 0..self.tokens.len() {
            let is_start =
                matches!(self.tok(at), Some(Tok::Name(word)) if matches!(word.as_str(), "function" | "func"));
            let (true, Some(Tok::Name(name)), true) =
                (is_start, self.tok(at.saturating_add(1)), self.is_op(at.saturating_add(2), "("))
            else {
                continue;
            };
            let close = self.close(at.saturating_add(2));
            let parameters = (at.saturating_add(3)..close).filter_map(|at| match self.tok(at) {
                Some(Tok::Name(name)) => Some(name.as_str()),
                _ => None,
            });
            let parameters = parameters.collect();
            let open = (close..self.tokens.len()).find(|at| self.is_op(*at, "{")).unwrap_or(close);
            functions.push(Function { name, parameters, head: at..close, body: open..self.close(open) });
        }
        functions
    }

    /// Returns the start of each argument of a call.
    fn arguments(&self, open: usize) -> Vec<usize> {
        let close = self.close(open);
        let mut starts = vec![open.saturating_add(1)];
        let mut at = open.saturating_add(1);
        while at < close {
            if self.is_op(at, "(") || self.is_op(at, "[") {
                at = self.close(at).max(at);
            } else if self.is_op(at, ",") {
                starts.push(at.saturating_add(1));
            }
            at = at.saturating_add(1);
        }
        starts
    }

    /// `split("a,b", list, ",")`: the elements of the list are the parts of the text.
    fn splits(&mut self, open: usize) {
        let starts = self.arguments(open);
        let (Some(text), Some(list)) = (starts.first(), starts.get(1)) else { return };
        let Some(Tok::Name(list)) = self.tok(*list) else { return };
        let (text, _) = self.expression(*text);
        let separator = match starts.get(2) {
            Some(at) => self.expression(*at).0.constant(),
            None => Some(" ".to_owned()),
        };
        let parts = match (text.constant(), separator.filter(|separator| separator.chars().count() == 1)) {
            (Some(text), Some(separator)) => {
                let parts = text.split(separator.as_str()).map(Value::text).collect::<Vec<_>>();
                Value::any(parts)
            }
            _ => super::value::changed(&text),
        };
        self.may_be(list, parts);
    }

    fn may_be(&mut self, name: &'a str, value: Value) {
        let value = match self.variables.remove(name) {
            Some(old) => old.or(value),
            None => value,
        };
        let value = if value.size() > MAX_VALUE { Value::word(super::word_of_too_much()) } else { value };
        self.variables.insert(name, value);
    }

    /// `i++` and `i += 2`: one number after another.
    fn counts(&mut self) {
        for at in 0..self.tokens.len() {
            let after = at.saturating_add(1);
            let before = at.checked_sub(1);
            let counts = ["++", "--", "+=", "-="].iter().any(|op| self.is_op(after, op))
                || before.is_some_and(|before| self.is_op(before, "++") || self.is_op(before, "--"));
            if let (true, Some(Tok::Name(name))) = (counts, self.tok(at)) {
                self.variables.insert(name, Value::counted());
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
                // A function whose name a variable holds: gawk can call `system` so.
                Tok::Name(name)
                    if self.is_op(at.saturating_add(1), "(")
                        && at.checked_sub(1).is_some_and(|before| self.is_op(before, "@"))
                        && self.variables.get(name.as_str()).is_none_or(|value| {
                            value
                                .words()
                                .iter()
                                .any(|word| word.constant().is_none_or(|name| name == "system"))
                        }) =>
                {
                    let (value, _) = self.expression(at.saturating_add(2));
                    self.shell(&value, at);
                }
                Tok::Name(name) if name == "getline" => self.getline(at),
                Tok::Op("(") => brackets = brackets.saturating_add(1),
                Tok::Op(")") => brackets = brackets.saturating_sub(1),
                Tok::Op(op @ (">" | ">>")) if prints && brackets == 0 => {
                    let (value, _) = self.expression(at.saturating_add(1));
                    self.file(&value, at, |path| Does::Write { path, append: *op == ">>" });
                    if let Some(printed) = self.operands(begin, at).constant() {
                        let text = word(&format!("{printed}\n"));
                        self.file(&value, at, |path| Does::Fill { path, text: text.clone() });
                    }
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
                        // Something that is not known here.
                        Some(_) | None if is_far(&command) => self.shell(&command, at),
                        Some(_) | None => {
                            let printed = Value::text("printf '%s\\n' \"")
                                .then(&Value::default())
                                .then(&Value::text("\" | "));
                            self.shell(&printed.then(&command), at);
                        }
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
            if end > from.saturating_add(MAX_OPERANDS) {
                break;
            }
            end = end.saturating_add(1);
        }
        (self.operands(from, end), end)
    }

    fn operands(&self, from: usize, end: usize) -> Value {
        if end > from.saturating_add(MAX_OPERANDS) {
            return Value::word(super::word_of_too_much());
        }
        let mut value: Option<Value> = None;
        let mut at = from;
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
                    add(match self.tok(at.saturating_add(2)) {
                        Some(Tok::Text(pieces)) => self.variable(&literal(pieces)),
                        _ => Value::default(),
                    });
                    at = self.close(at.saturating_add(1));
                }
                Some(Tok::Name(name)) if name == "ARGV" && self.is_op(at.saturating_add(1), "[") => {
                    add(Value::any(self.given.iter().cloned().map(Value::word)));
                    at = self.close(at.saturating_add(1));
                }
                Some(Tok::Name(name)) if name == "sprintf" && self.is_op(at.saturating_add(1), "(") => {
                    add(self.formatted(at.saturating_add(1)));
                    at = self.close(at.saturating_add(1));
                }
                // The value of a function is anything that it may return; that of an array is any of its elements.
                Some(Tok::Name(name))
                    if self.is_op(at.saturating_add(1), "(") || self.is_op(at.saturating_add(1), "[") =>
                {
                    add(self.variables.get(name.as_str()).cloned().unwrap_or_default());
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

    /// `sprintf("rm %s", x)`, where only texts are filled in.
    fn formatted(&self, open: usize) -> Value {
        let starts = self.arguments(open);
        let values: Vec<Value> = starts.iter().map(|at| self.expression(*at).0).collect();
        let Some((format, given)) = values.split_first() else { return Value::default() };
        let Some(format) = format.constant() else { return Value::unknown_from(&values) };
        let mut given = given.iter();
        let mut pieces = format.split("%s");
        let mut made = Value::text(pieces.next().unwrap_or_default());
        for piece in pieces {
            let value = given.next().cloned().unwrap_or_default();
            made = made.then(&value).then(&Value::text(piece));
        }
        if format.replace("%s", "").contains('%') { super::value::changed(&made) } else { made }
    }

    fn close(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(at, |token| token.close.min(self.tokens.len()))
    }

    fn span(&self, at: usize) -> Range<usize> {
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

/// Returns true if a name is that of another machine.
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
