//! Expressions. Every operator binds alike: what matters is which values meet, not in which order.

use super::{Follower, MAX_DEPTH, Value};
use crate::{Language, lex::Tok, value::Shape};

/// Words before an operand that do not change it.
const PREFIXES: &[&str] = &[
    "new", "await", "not", "yield", "typeof", "void", "my", "our", "local", "async", "throw", "raise",
    "const", "let", "var", "static", "return", "else", "clone",
];

/// The number of further levels that an expression without brackets may have.
pub(super) const SLACK: usize = 6;

/// The maximum number of elements of a list that are followed one by one.
const ELEMENTS: usize = 256;

impl Follower {
    /// Follows one expression. It takes at least one token, unless the next one ends an expression.
    pub(super) fn expression(&mut self) -> Value {
        self.spend(0);
        if self.is_too_deep() || self.fuel == 0 {
            self.loses();
            self.skip();
            return Value::default();
        }
        self.depth = self.depth.saturating_add(1);
        let value = self.operators();
        self.depth = self.depth.saturating_sub(1);
        value
    }

    /// Returns true if the expression here is too deep to be followed. One without further brackets never is, so that
    /// the arguments of a call are known.
    fn is_too_deep(&self) -> bool {
        /// The number of tokens that are searched for a bracket.
        const AHEAD: usize = 32;
        if self.depth < MAX_DEPTH {
            return false;
        }
        let ahead = (0..AHEAD).map_while(|count| self.after(count));
        let mut ahead = ahead.take_while(|tok| !matches!(tok, Tok::Op(")" | "]" | "}") | Tok::End));
        self.depth >= MAX_DEPTH.saturating_add(SLACK)
            || ahead.any(|tok| matches!(tok, Tok::Op("(" | "[" | "{")))
    }

    /// Skips what is too deep, up to the end of the surrounding brackets. It is walked later.
    fn skip(&mut self) {
        let from = self.frame.at;
        while let Some(tok) = self.peek() {
            match tok {
                Tok::Op("(" | "[" | "{") => self.frame.at = self.close().saturating_add(1),
                Tok::Op(")" | "]" | "}") | Tok::End => break,
                _ => self.advance(),
            }
        }
        if self.frame.at == from {
            self.advance();
        } else {
            self.leave(from..self.frame.at);
        }
    }

    /// Records that something is not followed in place. Inside a text in another text it is not followed later
    /// either.
    pub(super) const fn loses(&mut self) {
        if self.nesting == 0 && self.fuel > 0 {
            self.lost = true;
        } else {
            self.cut = true;
        }
    }

    /// Leaves tokens for later.
    pub(super) fn leave(&mut self, range: std::ops::Range<usize>) {
        if self.nesting == 0 && self.tells {
            self.deeper.push(range);
        }
    }

    fn operators(&mut self) -> Value {
        let start = self.frame.at;
        let mut left = self.operand();
        while self.fuel > 0 {
            let target = self.target.take();
            let slot = self.slot.take();
            let field = self.field.take();
            if let Some(slot) = slot.as_ref().filter(|_| std::mem::take(&mut self.removes)) {
                self.unsets(slot);
            }
            let Some(tok) = self.peek().cloned() else { break };
            match tok {
                // `f(list...)`
                Tok::Op("...") if self.language == Language::Go => self.advance(),
                Tok::Op("=" | ":=") => {
                    let entry = self.entry.take().filter(|(at, ..)| *at == self.frame.at);
                    self.advance();
                    self.naming = target.clone();
                    let value = self.expression();
                    self.naming = None;
                    if let Some(slot) = slot {
                        self.exports(&slot, &value);
                    } else if let Some(field) = field {
                        self.holds(&field, &value);
                    } else if self.is_environment(&left) {
                        self.exports_all(&value);
                    }
                    if let Some(target) = target {
                        self.bind(&target, value.clone());
                    }
                    if let Some((_, owner, key)) = entry {
                        self.put_entry(&owner, key, &value);
                    }
                    left = value;
                }
                Tok::Op(op @ ("+=" | ".=" | "||=" | "??=" | "//=" | "/=")) => {
                    self.advance();
                    let value = self.expression();
                    let numbers = matches!(value.shape, Shape::Number(_))
                        && (matches!(left.shape, Shape::Number(_)) || left.is_counted());
                    let value = match op {
                        "+=" if numbers => Value::counted(),
                        "+=" | ".=" => left.then(&value),
                        "/=" if self.language == Language::Python => left.below(&value),
                        _ => left.or(value),
                    };
                    if let Some(slot) = slot {
                        self.exports(&slot, &value);
                    }
                    if let Some(target) = target {
                        self.bind(&target, value.clone());
                    }
                    left = value;
                }
                // Ruby adds to a text or a list where it is.
                Tok::Op("<<") if self.language == Language::Ruby && target.is_some() => {
                    self.advance();
                    let right = self.operand();
                    left = self.append(&target.unwrap_or_default(), left, &right);
                    continue;
                }
                // What goes up or down is one number after another.
                Tok::Op("++" | "--") => {
                    self.advance();
                    if let Some(target) = target {
                        self.bind(&target, Value::counted());
                    }
                }
                Tok::Op("?") => {
                    self.advance();
                    let yes = self.expression();
                    self.eat_op(":");
                    left = yes.or(self.expression());
                }
                Tok::Op(op) => match self.operator(op, left) {
                    Ok(value) => left = value,
                    Err(value) => return value,
                },
                Tok::Name(name) => match self.word_operator(&name, left, start) {
                    Ok(value) => left = value,
                    Err(value) => return value,
                },
                // Texts side by side are one.
                Tok::Text(pieces) if matches!(self.language, Language::Python | Language::Ruby) => {
                    self.advance();
                    let next = self.literal(&pieces);
                    left = left.then(&next);
                }
                Tok::Text(_)
                | Tok::Number(_)
                | Tok::Shell(_)
                | Tok::Words(_)
                | Tok::Glob(_)
                | Tok::Pattern(_)
                | Tok::End => break,
            }
        }
        left
    }

    /// An operator between two values. `Err`: it is none, and the expression ends before it.
    fn operator(&mut self, op: &'static str, left: Value) -> Result<Value, Value> {
        if matches!(op, "," | ")" | "]" | "}" | ":" | "=>" | "{" | "(" | "[" | "\\" | "->" | "@" | "#" | "?.")
        {
            return Err(left);
        }
        self.advance();
        if op == "!" {
            return Ok(left);
        }
        self.spend(left.size());
        let right = self.operand();
        self.target = None;
        self.slot = None;
        if matches!(op, "|" | "|=") && self.is_environment(&left) {
            self.exports_all(&right);
        }
        Ok(match op {
            _ if self.table.joins.contains(&op) => {
                if let Shape::File(_) | Shape::Socket(_) = left.shape {
                    self.put(&left, std::slice::from_ref(&right));
                    return Ok(left);
                }
                left.then(&right)
            }
            "/" if self.language == Language::Python => left.below(&right),
            "%" if matches!(self.language, Language::Python | Language::Ruby) => {
                let (values, named) = match right.shape {
                    Shape::List(list) => (list, Vec::new()),
                    Shape::Map(map) => (Vec::new(), map),
                    shape => (vec![Value { shape, from: right.from }], Vec::new()),
                };
                super::compute::format(&left, &values, &named)
            }
            "||" | "??" => left.or(right),
            "//" if self.language == Language::Perl => left.or(right),
            "&&" => right,
            ".." | "..." if matches!(self.language, Language::Perl | Language::Ruby) => Value::counted(),
            _ => Value::unknown_from([&left, &right]),
        })
    }

    /// A word between two values.
    fn word_operator(&mut self, name: &str, left: Value, start: usize) -> Result<Value, Value> {
        match name {
            "if" | "unless" | "while" | "until" | "for" | "foreach" | "and" | "or" if self.bare => Err(left),
            "if" | "unless" | "while" | "until" => {
                self.advance();
                self.expression();
                if self.is_name("else") {
                    self.advance();
                    return Ok(left.or(self.expression()));
                }
                Ok(left)
            }
            "for" | "foreach" if self.language == Language::Perl => {
                self.advance();
                let value = self.expression().element();
                // What is before it is done for each.
                if value.is_counted()
                    && let Some(span) = self
                        .acts
                        .last()
                        .filter(|act| act.does == crate::Does::Kill)
                        .map(|act| act.span.clone())
                {
                    self.act(crate::Does::KillCounted, &span);
                }
                self.bind("$_", value);
                Ok(left)
            }
            "for" if self.language == Language::Python => {
                if self.repeats {
                    return Err(left);
                }
                self.advance();
                let made = self.for_in();
                self.listed = true;
                Ok(match made {
                    Some((names, list)) => self.for_each(left, start, names, &list),
                    None => Value::list(vec![left]),
                })
            }
            "async" if self.language == Language::Python => {
                self.advance();
                Ok(left)
            }
            "and" => {
                self.advance();
                Ok(self.operand())
            }
            "or" => {
                self.advance();
                let right = self.operand();
                Ok(left.or(right))
            }
            "x" if self.language == Language::Perl => {
                self.advance();
                let right = self.operand();
                Ok(Value::unknown_from([&left, &right]))
            }
            "in" | "is" | "not" | "eq" | "ne" | "lt" | "gt" | "le" | "ge" | "cmp" | "xor" | "instanceof" => {
                self.advance();
                let right = self.operand();
                Ok(Value::unknown_from([&left, &right]))
            }
            _ => Err(left),
        }
    }

    /// A comprehension: its result for each element if these are known; otherwise its result for one.
    fn for_each(&mut self, left: Value, start: usize, names: std::ops::Range<usize>, list: &Value) -> Value {
        let Shape::List(elements) = &list.shape else { return Value::list(vec![left]) };
        let known = (2..=ELEMENTS).contains(&elements.len())
            && elements.iter().all(|element| element.constant().is_some());
        if !known {
            return Value::list(vec![left]);
        }
        let end = self.frame.at;
        let mut made = Vec::new();
        self.repeats = true;
        for element in elements {
            // Each takes the place of the one before it.
            for at in names.clone() {
                if let Some(Tok::Name(name)) = self.tok(at).cloned() {
                    self.bound.remove(&name);
                }
            }
            self.bind_names(names.clone(), element);
            self.frame.at = start;
            made.push(self.operators());
        }
        self.repeats = false;
        self.frame.at = end;
        Value::list(made)
    }

    /// Returns the start of the elements of a Go list whose type is here.
    fn go_list(&self) -> Option<usize> {
        let mut at = self.close().saturating_add(1);
        while matches!(self.tok(at), Some(Tok::Name(_) | Tok::Op("." | "*" | "[" | "]"))) {
            at = at.saturating_add(1);
        }
        matches!(self.tok(at), Some(Tok::Op("{"))).then_some(at)
    }

    /// One operand with all that is called on it.
    pub(super) fn operand(&mut self) -> Value {
        self.spend(0);
        if self.is_too_deep() {
            self.loses();
            self.skip();
            return Value::default();
        }
        self.depth = self.depth.saturating_add(1);
        let value = self.one();
        self.depth = self.depth.saturating_sub(1);
        value
    }

    fn one(&mut self) -> Value {
        self.target = None;
        let mut negative = false;
        loop {
            match self.peek() {
                Some(Tok::Op(
                    op @ ("-" | "!" | "~" | "+" | "*" | "**" | "&" | "@" | "\\" | "..." | "++" | "--" | "%"),
                )) => {
                    negative = *op == "-";
                    self.advance();
                }
                Some(Tok::Op("->")) if self.language == Language::Ruby => {
                    let start = self.frame.at;
                    let value = self.stabby();
                    return self.postfix(value, start);
                }
                Some(Tok::Op("$" | "#" | "::")) => self.advance(),
                Some(Tok::Name(name)) if PREFIXES.contains(&name.as_str()) && !self.names_a_thing() => {
                    self.advance();
                }
                _ => break,
            }
        }
        let start = self.frame.at;
        let Some(tok) = self.peek().cloned() else { return Value::default() };
        match tok {
            Tok::Name(name) => self.name(&name, start),
            Tok::Number(number) => {
                self.advance();
                let number = if negative { number.saturating_neg() } else { number };
                self.postfix(Shape::Number(number).into(), start)
            }
            Tok::Text(pieces) => {
                self.advance();
                let value = self.literal(&pieces);
                self.postfix(value, start)
            }
            Tok::Shell(pieces) => {
                self.advance();
                let value = self.literal(&pieces);
                let span = self.span(start);
                self.shell(&value, &span);
                let result = Value::unknown_from([&value]);
                self.postfix(result, start)
            }
            Tok::Words(words) => {
                self.advance();
                let value = Value::list(words.iter().map(|word| Value::text(word)).collect());
                self.postfix(value, start)
            }
            Tok::Glob(pieces) => {
                self.advance();
                let value = self.literal(&pieces);
                self.pattern(&value)
            }
            Tok::Pattern(code) => {
                self.advance();
                if let Some(code) = code {
                    let text = self.frame.text.get(code.clone()).unwrap_or("").to_owned();
                    self.inside(&text, code.start);
                }
                self.postfix(Value::default(), start)
            }
            Tok::Op("(") => self.group(start),
            // `[]string{"a", "b"}`
            Tok::Op("[") if self.language == Language::Go && self.go_list().is_some() => {
                self.frame.at = self.go_list().unwrap_or(start);
                let close = self.close();
                let values = self.items(close);
                self.postfix(Value::list(values), start)
            }
            Tok::Op("[") => {
                let close = self.close();
                self.listed = false;
                let mut values = self.items(close);
                // A comprehension is the list itself.
                let listed = std::mem::take(&mut self.listed) && values.len() == 1;
                let value = if listed { values.pop().unwrap_or_default() } else { Value::list(values) };
                self.postfix(value, start)
            }
            Tok::Op("{") => {
                let value = self.braces();
                self.postfix(value, start)
            }
            // These end an expression; the caller takes them.
            Tok::Op(")" | "]" | "}" | "," | ":" | "=>" | "=") | Tok::End => Value::default(),
            Tok::Op(_) => {
                self.advance();
                Value::default()
            }
        }
    }

    /// Returns true if the word here is a variable or a method after all: `new.x`, `local = 1`.
    fn names_a_thing(&self) -> bool {
        match self.after(1) {
            Some(Tok::Op(op)) => self.table.dots.contains(op) || matches!(*op, "=" | "," | ")"),
            None | Some(Tok::End) => true,
            Some(_) => false,
        }
    }

    fn name(&mut self, name: &str, start: usize) -> Value {
        self.advance();
        match name {
            "lambda" if self.language == Language::Python => return self.lambda(),
            "function" | "fn" | "sub" | "def" => {
                self.frame.at = start;
                let value = self.function();
                return self.postfix(value, start);
            }
            _ => {}
        }
        if self.is_op("=>") && self.language == Language::JavaScript {
            let element = self.element.clone();
            let value = self.parameter_value(0).unwrap_or(element);
            self.bind(name, value);
            self.advance();
            return self.body(vec![name.to_owned()]);
        }
        if self.language == Language::Perl && matches!(name, "eval" | "do") && self.is_op("{") {
            let close = self.close();
            self.block(close);
            return Value::default();
        }
        let value = self.resolve(name);
        self.target = Some(name.to_owned());
        self.postfix(value, start)
    }

    pub(super) fn shell(&mut self, value: &Value, span: &std::ops::Range<usize>) {
        if self.told_from_afar(value, span) {
            return;
        }
        self.environment.clear();
        self.shell_in(value, None, span);
    }
}
