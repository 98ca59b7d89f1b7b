//! Expressions of PowerShell, and the words of a command, which are expressions side by side.

use super::{MAX_DEPTH, Piece, PowerShellScript, Shape, Tok, Value, command};
use crate::value::changed;
use checkrein_shell::work;

impl PowerShellScript {
    /// Operands that are joined with `+` or `,`.
    pub(super) fn expression(&mut self) -> Value {
        let is_block = matches!(self.peek(), Some(Tok::Open('{')));
        let mut value = self.operand(&Value::default());
        // A block ends its statement.
        if is_block {
            return value;
        }
        loop {
            match self.peek().cloned() {
                Some(Tok::Op("+")) => {
                    self.advance();
                    let next = self.operand(&Value::default());
                    value = value.then(&next);
                }
                Some(Tok::Op(",")) => {
                    self.advance();
                    let next = self.operand(&Value::default());
                    value = match value.shape {
                        Shape::List(mut list) if list.len() < 256 => {
                            list.push(next);
                            Value::list(list)
                        }
                        shape => Value::list(vec![Value { shape, from: value.from }, next]),
                    };
                }
                Some(Tok::Op(op @ (">" | ">>"))) => {
                    let start = self.at;
                    self.advance();
                    let path = self.joined_word();
                    self.write(&path, op == ">>", start);
                }
                // `-replace`, `-join`, `-f`: what they make is not followed.
                Some(Tok::Bare(operator)) if operator.starts_with('-') => {
                    self.advance();
                    let next = if self.is_end() { Value::default() } else { self.operand(&Value::default()) };
                    value = match operator.to_lowercase().as_str() {
                        "-f" => changed(&value).with(next.from),
                        "-join" => joined(&value, &next),
                        _ => Value::unknown_from([&value, &next]),
                    };
                }
                // What is assigned is a pipeline of its own: `$x.y = command`, `$x = $y = command`.
                Some(Tok::Op("=" | "+=")) => {
                    self.advance();
                    value = self.pipeline(&Value::default());
                }
                _ if self.is_end() => return value,
                Some(Tok::Open('{')) => {
                    self.operand(&Value::default());
                    return value;
                }
                Some(_) => {
                    self.operand(&Value::default());
                }
                None => return value,
            }
            if self.fuel == 0 {
                return value;
            }
        }
    }

    /// One value with the members that are called on it. It passes at least one token.
    pub(super) fn operand(&mut self, input: &Value) -> Value {
        let start = self.at;
        let value = match self.peek().cloned() {
            Some(Tok::Variable(name)) => {
                self.advance();
                self.variable(&name)
            }
            Some(Tok::Text(pieces)) => {
                self.advance();
                self.literal(&pieces)
            }
            Some(Tok::Bare(word)) => {
                self.advance();
                command::bare(&word)
            }
            Some(Tok::Type(name)) => {
                self.advance();
                match self.peek() {
                    Some(Tok::Member(_)) => Value::name(name),
                    // A cast.
                    Some(Tok::Variable(_) | Tok::Text(_) | Tok::Open(_)) => {
                        return self.operand_deeper(input);
                    }
                    _ => Value::name(name),
                }
            }
            Some(Tok::Open(kind)) => {
                let close = self.close();
                self.advance();
                if self.depth >= MAX_DEPTH {
                    self.lost = true;
                    self.at = close.saturating_add(1);
                    return Value::default();
                }
                self.depth = self.depth.saturating_add(1);
                let before = (kind == '{').then(|| self.variables.insert("_".to_owned(), input.element()));
                let value = self.block(close, &Value::default());
                if let Some(Some(before)) = before {
                    self.variables.insert("_".to_owned(), before);
                }
                self.depth = self.depth.saturating_sub(1);
                self.at = close.saturating_add(1);
                value
            }
            _ => {
                self.advance();
                return Value::default();
            }
        };
        self.members(value, start)
    }

    pub(super) fn operand_deeper(&mut self, input: &Value) -> Value {
        if self.depth >= MAX_DEPTH {
            self.lost = true;
            self.at = self.close().min(self.tokens.len()).max(self.at).saturating_add(1);
            return Value::default();
        }
        self.depth = self.depth.saturating_add(1);
        let value = self.operand(input);
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn members(&mut self, mut value: Value, start: usize) -> Value {
        while self.fuel > 0 {
            match self.peek().cloned() {
                Some(Tok::Member(name)) if !self.spaced() => {
                    self.advance();
                    let called = matches!(self.peek(), Some(Tok::Open('('))) && !self.spaced();
                    let args = if called { self.arguments() } else { Vec::new() };
                    value = self.member(value, &name, &args, start);
                }
                Some(Tok::Open('[')) if !self.spaced() => {
                    self.arguments();
                    value = value.element();
                }
                _ => break,
            }
        }
        value
    }

    /// The values in brackets.
    fn arguments(&mut self) -> Vec<Value> {
        let close = self.close();
        self.advance();
        let mut values = Vec::new();
        while self.at < close && self.fuel > 0 {
            let before = self.at;
            if matches!(self.peek(), Some(Tok::Op(",") | Tok::End)) {
                self.advance();
                continue;
            }
            let value = self.operand_deeper(&Value::default());
            match (self.peek(), values.last_mut()) {
                (Some(Tok::Op("+")), _) => {
                    self.advance();
                    let next = self.operand_deeper(&Value::default());
                    values.push(value.then(&next));
                }
                _ => values.push(value),
            }
            if self.at <= before {
                self.advance();
            }
        }
        self.at = close.saturating_add(1);
        values
    }

    fn literal(&mut self, pieces: &[Piece]) -> Value {
        let mut value = Value::text("");
        for piece in pieces {
            let next = match piece {
                Piece::Text(text) => Value::text(text),
                Piece::Variable(name) => self.variable(name),
                Piece::Code(range) => {
                    let text = self.text.get(range.clone()).unwrap_or("").to_owned();
                    let place = self.place.clone();
                    self.read(&text, self.base.saturating_add(range.start), place)
                }
            };
            self.fuel = work::left(self.fuel, next.size());
            value = value.then(&next);
        }
        value
    }

    /// Reads one word of a command: adjacent parts are one word.
    pub(super) fn joined_word(&mut self) -> Value {
        let mut value = self.operand_deeper(&Value::default());
        while !self.spaced()
            && !self.is_end()
            && matches!(self.peek(), Some(Tok::Bare(_) | Tok::Text(_) | Tok::Variable(_)))
        {
            let next = self.operand_deeper(&Value::default());
            value = value.then(&next);
        }
        value
    }
}

fn joined(list: &Value, separator: &Value) -> Value {
    let Shape::List(values) = &list.shape else { return changed(list) };
    let mut values = values.iter();
    let first = values.next().cloned().unwrap_or_default();
    values.fold(first, |text, value| text.then(separator).then(value))
}
