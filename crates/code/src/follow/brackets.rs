//! Bracketed constructs: lists, fields with their values, and blocks.

use super::{Follower, MAX_DEPTH, Value};
use crate::{Language, lex::Tok, several, value::Shape};

impl Follower {
    /// Something in round brackets: one value, a list, or the parameters of a function.
    pub(super) fn group(&mut self, start: usize) -> Value {
        let close = self.close();
        if self.language == Language::JavaScript {
            // Its type may precede the arrow.
            let typed = matches!(self.tok(close.saturating_add(1)), Some(Tok::Op(":")));
            let arrow =
                if typed { self.end_of_type(close.saturating_add(2)) } else { close.saturating_add(1) };
            if matches!(self.tok(arrow), Some(Tok::Op("=>"))) {
                let names = self.bind_parameters(start.saturating_add(1)..close);
                self.frame.at = arrow.saturating_add(1);
                return self.body(names);
            }
        }
        // A function that is called at once is named by its place.
        let called = matches!(self.tok(close.saturating_add(1)), Some(Tok::Op("(")));
        let function = match self.after(1) {
            Some(Tok::Name(name)) => {
                matches!(name.as_str(), "lambda" | "function" | "fn" | "async")
                    || matches!(self.after(2), Some(Tok::Op("=>")))
            }
            // Its parameters are in brackets of their own.
            Some(Tok::Op("(")) => {
                let inner = self.token(self.frame.at.saturating_add(1)).map_or(0, |token| token.close);
                matches!(self.tok(inner.saturating_add(1)), Some(Tok::Op("=>")))
            }
            _ => false,
        };
        if called && function {
            self.naming = Some(format!("({start})"));
        }
        let mut values = self.items(close);
        self.naming = None;
        let value = if values.len() == 1 { values.pop().unwrap_or_default() } else { Value::list(values) };
        self.postfix(value, start)
    }

    /// The values between this bracket and its end, which is passed.
    pub(super) fn items(&mut self, close: usize) -> Vec<Value> {
        self.advance();
        let bare = std::mem::replace(&mut self.bare, false);
        let mut values = Vec::new();
        while self.frame.at < close && self.fuel > 0 {
            let before = self.frame.at;
            if matches!(self.peek(), Some(Tok::Op("," | "=>" | ":") | Tok::End)) {
                self.advance();
                continue;
            }
            let spread = matches!(self.peek(), Some(Tok::Op("*" | "...")));
            let value = self.expression();
            match value.shape {
                Shape::List(list) if spread => values.extend(list),
                Shape::Unknown | Shape::Name(_) if spread => values.push(Value::word(several())),
                _ => values.push(value),
            }
            if self.frame.at <= before {
                self.advance();
            }
        }
        self.bare = bare;
        self.frame.at = close.saturating_add(1);
        values
    }

    /// Something in braces: fields with values, or a block.
    pub(super) fn braces(&mut self) -> Value {
        let close = self.close();
        let fields = match (self.after(1), self.after(2)) {
            (Some(Tok::Op("}" | "..." | "**" | "[")), _) => true,
            (
                Some(Tok::Name(_) | Tok::Text(_) | Tok::Number(_)),
                Some(Tok::Op(":" | "=>" | "," | "}" | "=")),
            ) => true,
            (Some(Tok::End), _) => {
                matches!(
                    (self.after(2), self.after(3)),
                    (Some(Tok::Name(_) | Tok::Text(_)), Some(Tok::Op(":" | "=>" | ",")))
                )
            }
            _ => false,
        };
        let field = matches!(self.language, Language::Lua) || !matches!(self.after(2), Some(Tok::Op("=")));
        if fields && field {
            return self.fields(close);
        }
        self.block(close);
        Value::default()
    }

    /// The statements between this bracket and its end.
    pub(super) fn block(&mut self, close: usize) {
        if self.depth >= MAX_DEPTH {
            self.loses();
            self.leave(self.frame.at.saturating_add(1)..close);
            self.frame.at = close.saturating_add(1);
            return;
        }
        self.depth = self.depth.saturating_add(1);
        self.advance();
        let bare = std::mem::replace(&mut self.bare, false);
        self.braces = self.braces.saturating_add(1);
        while self.frame.at < close && self.fuel > 0 {
            self.statement();
        }
        self.braces = self.braces.saturating_sub(1);
        self.depth = self.depth.saturating_sub(1);
        self.bare = bare;
        self.frame.at = close.saturating_add(1);
    }

    fn fields(&mut self, close: usize) -> Value {
        self.advance();
        let mut fields = Vec::new();
        while self.frame.at < close && self.fuel > 0 {
            let before = self.frame.at;
            let key = match self.peek().cloned() {
                Some(Tok::Op(",") | Tok::End) => {
                    self.advance();
                    continue;
                }
                Some(Tok::Name(name))
                    if matches!(self.after(1), Some(Tok::Op(":" | "=>" | "=" | "," | "}") | Tok::End)) =>
                {
                    name
                }
                _ => String::new(),
            };
            let short = matches!(self.after(1), Some(Tok::Op("," | "}") | Tok::End));
            let key = if key.is_empty() || short {
                let value = self.expression();
                match value.constant() {
                    Some(text) if key.is_empty() => text,
                    _ => {
                        fields.push((key.clone(), value));
                        if self.frame.at <= before {
                            self.advance();
                        }
                        continue;
                    }
                }
            } else {
                self.advance();
                key
            };
            if matches!(self.peek(), Some(Tok::Op(":" | "=>" | "="))) {
                self.advance();
                let value = self.expression();
                fields.push((key, value));
            }
            if self.frame.at <= before {
                self.advance();
            }
        }
        self.frame.at = close.saturating_add(1);
        Value::map(fields)
    }
}
