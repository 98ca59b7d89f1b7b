//! Functions: those with a name, those that are values, and the blocks of Ruby. The value of a function is what it returns.

use super::{
    Args, Follower, Value,
    argv::{LINES, is_stream},
};
use crate::{Language, lex::Tok, value::Shape};
use std::ops::Range;

impl Follower {
    /// The block after a call of Ruby: its parameters are elements of the receiver, or of the result.
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
        self.function_here_or_value()
    }

    /// A method that is defined by its name alone, without a keyword.
    pub(super) fn function_here(&mut self) {
        self.function_here_or_value();
    }

    fn function_here_or_value(&mut self) -> Value {
        self.eat_op("*");
        // `func (c *cleaner) run()` of Go: the receiver is an object of a type.
        if self.language == Language::Go
            && self.is_op("(")
            && let Some(Tok::Name(_)) = self.tok(self.close().saturating_add(1))
        {
            let close = self.close();
            let names: Vec<String> = (self.frame.at..close)
                .filter_map(|at| match self.tok(at) {
                    Some(Tok::Name(name)) => Some(name.clone()),
                    _ => None,
                })
                .collect();
            if let [object, .., class] = names.as_slice() {
                let class = Value::name(class.clone());
                self.bind(&object.clone(), class);
            }
            self.frame.at = close.saturating_add(1);
        }
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
        if called {
            name = self.name_of_function(name);
        }
        // The types that a function is about come before its parameters.
        if self.language == Language::JavaScript && self.is_op("<") {
            self.frame.at = self.end_of_type(self.frame.at);
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
            let given = self.arguments_of(&name).cloned().unwrap_or_default();
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
        let mut rest = false;
        while at < range.end {
            match self.tok(at).cloned() {
                // `({ root, keep }) => …`
                Some(Tok::Op("{" | "[")) if first && depth == 0 && self.language == Language::JavaScript => {
                    first = false;
                    let close = self.token(at).map_or(range.end, |token| token.close).min(range.end);
                    let value = self.parameter_value(names.len()).unwrap_or_else(|| self.element.clone());
                    let value = match self.default_at(close.saturating_add(1), range.end) {
                        Some(default) if value == Value::default() => default,
                        _ => value,
                    };
                    for name in (at..close)
                        .filter_map(|at| match self.tok(at) {
                            Some(Tok::Name(name)) => Some(name.clone()),
                            _ => None,
                        })
                        .collect::<Vec<_>>()
                    {
                        self.bound.remove(&name);
                    }
                    self.bind_pattern(at..close, &value);
                    names.push("{}".to_owned());
                    at = close;
                }
                Some(Tok::Op("*" | "..." | "**")) if first && depth == 0 => rest = true,
                Some(Tok::Op("(" | "[" | "{")) => depth = depth.saturating_add(1),
                Some(Tok::Op(")" | "]" | "}")) => depth = depth.saturating_sub(1),
                Some(Tok::Op(",")) if depth == 0 => first = true,
                Some(Tok::Name(name))
                    if first && (self.language != Language::Php || name.starts_with('$')) =>
                {
                    first = false;
                    let visibility = matches!(name.as_str(), "private" | "public" | "protected" | "readonly");
                    let field = visibility && self.language == Language::JavaScript;
                    // `constructor(private root: string)` declares a field.
                    let name = match self.tok(at.saturating_add(1)).cloned() {
                        Some(Tok::Name(next)) if field => {
                            at = at.saturating_add(1);
                            match self.tok(at.saturating_add(1)).cloned() {
                                Some(Tok::Name(last)) => {
                                    at = at.saturating_add(1);
                                    last
                                }
                                _ => next,
                            }
                        }
                        _ => name,
                    };
                    let declared = field
                        || self.language == Language::Php
                            && (1..=3).any(|back| {
                                matches!(at.checked_sub(back).and_then(|at| self.tok(at)), Some(Tok::Name(word)) if matches!(word.as_str(), "private" | "public" | "protected" | "readonly"))
                            });
                    let default = self.default_at(at.saturating_add(1), range.end);
                    // The rest is a list: `*args`, `...args`, `args ...string`.
                    let rest = std::mem::take(&mut rest)
                        || self.language == Language::Go
                            && matches!(self.tok(at.saturating_add(1)), Some(Tok::Op("...")));
                    let value = if rest {
                        self.rest_of_parameters(names.len())
                    } else {
                        self.parameter_value(names.len())
                    };
                    let value = value.unwrap_or_else(|| self.element.clone());
                    if declared {
                        self.keep(name.trim_start_matches('$'), value.clone());
                    }
                    let value = match default {
                        Some(default) if value == Value::default() => default,
                        Some(default) => value.or(default),
                        None => value,
                    };
                    // The object itself has no value; its parts are bound by their full names.
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

    /// The default value of a parameter whose name ends here, and may be followed by its type.
    fn default_at(&mut self, from: usize, end: usize) -> Option<Value> {
        let mut at = from;
        if matches!(self.tok(at), Some(Tok::Op("?"))) {
            at = at.saturating_add(1);
        }
        if matches!(self.tok(at), Some(Tok::Op(":"))) {
            at = self.end_of_type(at.saturating_add(1));
        }
        if at >= end || !matches!(self.tok(at), Some(Tok::Op("="))) {
            return None;
        }
        let back = std::mem::replace(&mut self.frame.at, at.saturating_add(1));
        let naming = self.naming.take();
        let value = self.expression();
        self.naming = naming;
        self.frame.at = back;
        Some(value)
    }

    /// Returns the value that the function which is being named was called with at this place.
    pub(super) fn parameter_value(&self, place: usize) -> Option<Value> {
        let name = self.naming.as_ref()?;
        self.arguments_of(name)?.get(place).cloned()
    }

    /// The values from this place on.
    fn rest_of_parameters(&self, place: usize) -> Option<Value> {
        let name = self.naming.as_ref()?;
        let given = self.arguments_of(name)?;
        Some(Value::list(given.iter().skip(place).cloned().collect()))
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
