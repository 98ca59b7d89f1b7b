//! Functions: those with a name, those that are values, and the blocks of Ruby. The value of a function is what it returns.

use super::{
    Args, Follower, Value,
    argv::{LINES, is_stream},
};
use crate::{Language, lex::Tok, value::Shape};
use std::ops::Range;

impl Follower {
    /// The block after a call of Ruby: its parameters are elements of what it is called on, or the result.
    pub(super) fn ruby_block(
        &mut self,
        value: Value,
        receiver: &mut Option<Value>,
        method: &mut Option<String>,
        pending: bool,
        start: usize,
    ) -> Value {
        let of = receiver.clone();
        let result = if pending && (receiver.is_some() || matches!(value.shape, Shape::Name(_))) {
            self.call(&value, receiver.take(), method.take(), Args::default(), start)
        } else {
            value
        };
        let stream = match of.as_ref().map(|of| &of.shape) {
            Some(Shape::Name(name)) if is_stream(name) => self.given.get(LINES).cloned(),
            _ => None,
        };
        let element = match (&of, &result.shape) {
            // `STDIN.each_line { |line| … }`
            _ if stream.is_some() => stream.unwrap_or_default().element(),
            (_, Shape::File(_) | Shape::Socket(_)) => result.clone(),
            (Some(of), _) if matches!(of.shape, Shape::List(_) | Shape::OneOf(_)) => of.element(),
            (Some(of), Shape::Unknown) if !matches!(of.shape, Shape::Name(_)) => of.element(),
            _ => result.element(),
        };
        let braces = self.is_op("{");
        let close = self.close();
        self.advance();
        if self.eat_op("|") {
            let from = self.frame.at;
            while !matches!(self.peek(), None | Some(Tok::Op("|" | "}") | Tok::End)) {
                self.advance();
            }
            let to = self.frame.at;
            self.eat_op("|");
            self.bind_names(from..to, &element);
        } else {
            self.bind("it", element.clone());
            self.bind("_1", element);
        }
        if braces {
            // `block` passes an opening bracket.
            self.frame.at = self.frame.at.saturating_sub(1);
            self.block(close);
        }
        result
    }

    /// A function with or without a name: the value is what it returns.
    pub(super) fn function(&mut self) -> Value {
        self.advance();
        self.eat_op("*");
        let mut name = self.naming.take().unwrap_or_default();
        let mut called = false;
        while let Some(Tok::Name(own)) = self.peek().cloned() {
            name = own;
            called = true;
            self.advance();
            if matches!(self.peek(), Some(Tok::Op("." | ":"))) && matches!(self.after(1), Some(Tok::Name(_)))
            {
                self.advance();
            } else {
                break;
            }
        }
        self.naming = (!name.is_empty()).then(|| name.clone());
        let parameters = if self.is_op("(") {
            let close = self.close();
            let names = self.bind_parameters(self.frame.at.saturating_add(1)..close);
            self.frame.at = close.saturating_add(1);
            names
        } else {
            Vec::new()
        };
        if self.language == Language::Perl {
            let given = self.arguments.get(&name).cloned().unwrap_or_default();
            self.bind("@_", Value::list(given));
        }
        if called {
            self.functions.insert(name.clone(), parameters);
            self.current = name;
            self.naming = None;
            return Value::default();
        }
        self.body(parameters)
    }

    /// Binds parameters to what the function is called with, and gives their names.
    pub(super) fn bind_parameters(&mut self, range: Range<usize>) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = range.start;
        let mut depth = 0_usize;
        let mut first = true;
        while at < range.end {
            match self.tok(at).cloned() {
                Some(Tok::Op("(" | "[" | "{")) => depth = depth.saturating_add(1),
                Some(Tok::Op(")" | "]" | "}")) => depth = depth.saturating_sub(1),
                Some(Tok::Op(",")) if depth == 0 => first = true,
                Some(Tok::Name(name))
                    if first && (self.language != Language::Php || name.starts_with('$')) =>
                {
                    first = false;
                    let default = if matches!(self.tok(at.saturating_add(1)), Some(Tok::Op("="))) {
                        let back = std::mem::replace(&mut self.frame.at, at.saturating_add(2));
                        let value = self.expression();
                        self.frame.at = back;
                        Some(value)
                    } else {
                        None
                    };
                    let value = self.parameter_value(names.len()).unwrap_or_else(|| self.element.clone());
                    let value = match default {
                        Some(default) if value == Value::default() => default,
                        Some(default) => value.or(default),
                        None => value,
                    };
                    // The object itself has no value, but parts that are bound by their whole name.
                    if matches!(name.as_str(), "self" | "cls") {
                        at = at.saturating_add(1);
                        continue;
                    }
                    self.bound.remove(&name);
                    self.bind(&name, value);
                    names.push(name);
                }
                _ => {}
            }
            at = at.saturating_add(1);
        }
        names
    }

    /// Returns the value that the function which is being named was called with at this place.
    pub(super) fn parameter_value(&self, place: usize) -> Option<Value> {
        let name = self.naming.as_ref()?;
        self.arguments.get(name)?.get(place).cloned()
    }

    /// The body of a function without a name of its own.
    pub(super) fn body(&mut self, parameters: Vec<String>) -> Value {
        let name = self.naming.take();
        if let Some(name) = &name {
            self.functions.insert(name.clone(), parameters);
        }
        let value = if matches!(self.language, Language::Php | Language::JavaScript) && self.eat_op("=>") {
            self.expression()
        } else if self.is_op("{") {
            let outer = std::mem::replace(&mut self.current, "()".to_owned());
            let before = self.returns.remove("()");
            let close = self.close();
            self.block(close);
            self.current = outer;
            let value = self.returns.remove("()").unwrap_or_default();
            if let Some(before) = before {
                self.returns.insert("()".to_owned(), before);
            }
            value
        } else if self.language == Language::JavaScript {
            self.expression()
        } else {
            Value::default()
        };
        if let Some(name) = name {
            self.returns.insert(name.clone(), value.clone());
            return Value::name(name);
        }
        value
    }

    /// `lambda a, b: …`; the first word was read.
    pub(super) fn lambda(&mut self) -> Value {
        let from = self.frame.at;
        while !matches!(self.peek(), None | Some(Tok::Op(":" | ")" | "]" | "}") | Tok::End)) {
            self.skip_one();
        }
        let names = self.bind_parameters(from..self.frame.at);
        self.eat_op(":");
        let name = self.naming.take();
        if let Some(name) = &name {
            self.functions.insert(name.clone(), names);
        }
        let value = self.expression();
        if let Some(name) = name {
            self.returns.insert(name.clone(), value);
            return Value::name(name);
        }
        value
    }

    fn skip_one(&mut self) {
        let opens = matches!(self.peek(), Some(Tok::Op("(" | "[" | "{")));
        self.frame.at = if opens { self.close().saturating_add(1) } else { self.frame.at.saturating_add(1) };
    }

    /// `->(x) { … }` of Ruby.
    pub(super) fn stabby(&mut self) -> Value {
        // Named by its place, if it has no name.
        if self.naming.is_none() {
            self.naming = Some(format!("->{}", self.frame.at));
        }
        self.advance();
        let names = if self.is_op("(") {
            let close = self.close();
            let names = self.bind_parameters(self.frame.at.saturating_add(1)..close);
            self.frame.at = close.saturating_add(1);
            names
        } else {
            Vec::new()
        };
        self.body(names)
    }
}
