//! Statements: what binds names. Everything else is an expression after another.

use super::{Follower, Value};
use crate::{
    Language,
    lex::Tok,
    value::{Origin, Shape},
};
use std::ops::Range;

/// The maximum number of tokens that the names of a loop may have.
const PATTERN: usize = 256;

/// Words that begin a statement and mean nothing here.
const SKIPPED: &[&str] = &[
    "if",
    "elif",
    "elsif",
    "else",
    "elseif",
    "unless",
    "while",
    "until",
    "do",
    "then",
    "end",
    "begin",
    "rescue",
    "ensure",
    "try",
    "except",
    "finally",
    "catch",
    "with",
    "async",
    "await",
    "not",
    "and",
    "or",
    "switch",
    "case",
    "when",
    "default",
    "match",
    "const",
    "let",
    "var",
    "my",
    "our",
    "local",
    "state",
    "public",
    "private",
    "protected",
    "static",
    "export",
    "global",
    "nonlocal",
    "assert",
    "pass",
    "break",
    "continue",
    "raise",
    "throw",
    "yield",
    "repeat",
    "in",
    "BEGIN",
    "END",
    "abstract",
    "final",
    "readonly",
    "declare",
    "type",
    "endif",
    "endforeach",
    "endwhile",
    "loop",
    "of",
    "is",
];

/// Returns true if a statement, and not an expression, starts with this word.
pub(super) fn is_keyword(name: &str) -> bool {
    SKIPPED.contains(&name)
        || matches!(
            name,
            "import"
                | "from"
                | "use"
                | "no"
                | "def"
                | "function"
                | "sub"
                | "class"
                | "for"
                | "foreach"
                | "return"
        )
}

impl Follower {
    pub(super) fn statement(&mut self) {
        let start = self.frame.at;
        let Some(token) = self.token(start) else { return };
        if start == 0 || matches!(start.checked_sub(1).and_then(|at| self.tok(at)), Some(Tok::End)) {
            self.indented = token.indented;
        }
        if self.class.is_some() {
            self.leaves_class(start);
        }
        let tok = self.peek().cloned();
        match &tok {
            None => return,
            Some(Tok::End) => self.advance(),
            Some(Tok::Op("{")) if !matches!(self.tok(self.close().saturating_add(1)), Some(Tok::Op("="))) => {
                self.braces = self.braces.saturating_add(1);
                self.advance();
            }
            Some(Tok::Op("}")) => {
                self.braces = self.braces.saturating_sub(1);
                self.advance();
            }
            Some(Tok::Op(")" | "]" | "," | ":" | "." | "=>")) => self.advance(),
            Some(Tok::Name(name)) => self.named_statement(&name.clone(), start),
            Some(_) => self.expression_statement(start),
        }
        if self.frame.at <= start {
            self.frame.at = start.saturating_add(1);
        }
    }

    fn named_statement(&mut self, name: &str, start: usize) {
        let dotted = matches!(self.after(1), Some(Tok::Op(op)) if self.table.dots.contains(op) || *op == "=");
        match (name, self.language) {
            _ if dotted => self.expression_statement(start),
            ("import", Language::Python) => self.python_import(),
            ("from", Language::Python) => self.python_from(),
            ("import", Language::JavaScript) if !matches!(self.after(1), Some(Tok::Op("(" | "."))) => {
                self.js_import();
            }
            ("use" | "no" | "package", Language::Perl | Language::Php) | ("namespace", Language::Php) => {
                self.skip_line();
            }
            ("class" | "module" | "interface" | "trait" | "enum", _)
                if matches!(self.after(1), Some(Tok::Name(_))) =>
            {
                if name == "class" {
                    self.class();
                } else {
                    self.frame.at = start.saturating_add(2);
                }
            }
            ("type", Language::Go) => self.go_type(),
            _ if self.class.is_some() && self.is_method() => self.function_here(),
            ("yield", _) => {
                self.advance();
                let each = self.is_name("from") || self.is_op("*");
                if each {
                    self.advance();
                }
                let value = self.expression();
                self.returned(if each { value } else { Value::list(vec![value]) });
            }
            ("package" | "import", Language::Go) => self.skip_line(),
            ("def" | "function" | "sub" | "fn", _) | ("func", Language::Go) => {
                self.function();
            }
            ("for" | "foreach", _) => self.each(),
            ("return", _) => {
                self.advance();
                let value = self.expression();
                self.returned(value);
            }
            ("do" | "eval", Language::Perl) if !matches!(self.after(1), Some(Tok::Op("{"))) => {
                self.expression_statement(start);
            }
            ("eval", Language::Perl) => self.advance(),
            ("del", Language::Python) | ("delete", Language::JavaScript | Language::Perl) => {
                self.advance();
                self.removes = true;
                self.expression();
                self.removes = false;
            }
            _ if SKIPPED.contains(&name) => self.advance(),
            _ => self.expression_statement(start),
        }
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), None | Some(Tok::End)) {
            self.advance();
        }
    }

    pub(super) fn returned(&mut self, value: Value) {
        self.spend(value.size());
        let name = self.current.clone();
        let value = match self.returns.remove(&name) {
            Some(old) => old.or(value),
            None => value,
        };
        self.returns.insert(name, value);
    }

    fn expression_statement(&mut self, start: usize) {
        // `{rmSync: x} = …`, `[a, b] = …`, `(a, b) = …`
        if matches!(self.peek(), Some(Tok::Op("{" | "[" | "("))) {
            let close = self.close();
            if matches!(self.tok(close.saturating_add(1)), Some(Tok::Op("="))) {
                self.frame.at = close.saturating_add(2);
                let value = self.expression();
                self.bind_pattern(start..close.saturating_add(1), &value);
                return;
            }
        }
        if self.language == Language::Go && self.go_assignment(start) {
            return;
        }
        if self.class.is_some() && self.is_in_class(start) && self.declares_field(start) {
            return;
        }
        if self.language == Language::JavaScript && self.typed_variable(start) {
            return;
        }
        let first = self.expression();
        // The last value of a method of Ruby is what it returns.
        let last = self.language == Language::Ruby
            && !self.current.is_empty()
            && (self.is_name("end")
                || self.is_op("}")
                || matches!(self.peek(), Some(Tok::End))
                    && matches!(self.after(1), Some(Tok::Name(word)) if word == "end"));
        if last {
            self.returned(first.clone());
        }
        if matches!(self.peek(), Some(Tok::Op(","))) {
            while self.eat_op(",") {
                if matches!(self.peek(), Some(Tok::End) | None) {
                    break;
                }
                self.expression();
            }
            let end = self.frame.at;
            if self.eat_op("=") {
                let mut values = vec![self.expression()];
                while self.eat_op(",") {
                    values.push(self.expression());
                }
                let value =
                    if values.len() == 1 { values.pop().unwrap_or_default() } else { Value::list(values) };
                self.bind_pattern(start..end, &value);
            }
        } else if self.is_name("as") {
            self.advance();
            if let Some(Tok::Name(name)) = self.peek().cloned() {
                self.bind(&name, first);
                self.advance();
            }
        } else if self.language == Language::Python
            && self.is_op(":")
            && matches!((self.after(1), self.after(2)), (Some(Tok::Name(_)), Some(Tok::Op("="))))
            && let Some(Tok::Name(name)) = self.tok(start).cloned()
        {
            self.frame.at = self.frame.at.saturating_add(3);
            let value = self.expression();
            self.bind(&name, value);
        }
    }

    /// `const root: Type = …` of TypeScript.
    fn typed_variable(&mut self, start: usize) -> bool {
        let declares = matches!(start.checked_sub(1).and_then(|at| self.tok(at)), Some(Tok::Name(word)) if matches!(word.as_str(), "const" | "let" | "var"));
        if !declares || !matches!(self.after(1), Some(Tok::Op(":"))) {
            return false;
        }
        let Some(Tok::Name(name)) = self.peek().cloned() else { return false };
        let end = self.end_of_type(start.saturating_add(2));
        if !matches!(self.tok(end), Some(Tok::Op("="))) {
            return false;
        }
        self.frame.at = end.saturating_add(1);
        self.naming = Some(name.clone());
        let value = self.expression();
        self.naming = None;
        self.bind(&name, value);
        true
    }

    /// Follows `a, err := f()`: the result of a function precedes its error.
    fn go_assignment(&mut self, start: usize) -> bool {
        let mut at = start;
        while matches!(self.tok(at), Some(Tok::Name(_)))
            && matches!(self.tok(at.saturating_add(1)), Some(Tok::Op(",")))
        {
            at = at.saturating_add(2);
        }
        let assigns = matches!(self.tok(at), Some(Tok::Name(_)))
            && matches!(self.tok(at.saturating_add(1)), Some(Tok::Op(":=" | "=")));
        if at == start || !assigns {
            return false;
        }
        self.frame.at = at.saturating_add(2);
        let mut values = vec![self.expression()];
        while self.eat_op(",") {
            values.push(self.expression());
        }
        if values.len() > 1 {
            self.bind_pattern(start..at.saturating_add(1), &Value::list(values));
        } else if let (Some(Tok::Name(name)), Some(value)) = (self.tok(start).cloned(), values.pop()) {
            self.bind(&name, value);
        }
        true
    }

    /// Binds the names of a pattern to the parts of a value.
    pub(super) fn bind_pattern(&mut self, range: Range<usize>, value: &Value) {
        let fields = matches!(self.tok(range.start), Some(Tok::Op("{")));
        let mut place = 0_i64;
        let mut at = range.start;
        while at < range.end {
            let name = match self.tok(at) {
                Some(Tok::Name(name)) if !matches!(name.as_str(), "const" | "let" | "var" | "my" | "our") => {
                    name.clone()
                }
                // `{ ["name"]: other }`
                Some(Tok::Op("[")) if fields => {
                    let back = std::mem::replace(&mut self.frame.at, at);
                    let close = self.close();
                    let key = self.items(close).pop().and_then(|key| key.constant());
                    self.frame.at = back;
                    at = close.saturating_add(1);
                    let renames = matches!(self.tok(at), Some(Tok::Op(":")));
                    let other = self.tok(at.saturating_add(1)).filter(|_| renames).cloned();
                    if let (Some(key), Some(Tok::Name(other))) = (key, other) {
                        let part = self.attribute(value, &key);
                        self.bind(&other, part);
                        at = at.saturating_add(2);
                    }
                    continue;
                }
                // Also what is left out has a place.
                Some(Tok::Op(",")) => {
                    place = place.saturating_add(1);
                    at = at.saturating_add(1);
                    continue;
                }
                _ => {
                    at = at.saturating_add(1);
                    continue;
                }
            };
            if fields {
                let renamed = match (self.tok(at.saturating_add(1)), self.tok(at.saturating_add(2))) {
                    (Some(Tok::Op(":")), Some(Tok::Name(other))) => Some(other.clone()),
                    (Some(Tok::Name(r#as)), Some(Tok::Name(other))) if r#as == "as" => Some(other.clone()),
                    _ => None,
                };
                let part = self.attribute(value, &name);
                at = at.saturating_add(if renamed.is_some() { 3 } else { 1 });
                // `{ root = "/srv" }`
                let part = if matches!(self.tok(at), Some(Tok::Op("="))) {
                    let back = std::mem::replace(&mut self.frame.at, at.saturating_add(1));
                    let default = self.expression();
                    at = std::mem::replace(&mut self.frame.at, back);
                    if part == Value::default() { default } else { part.or(default) }
                } else {
                    part
                };
                self.bind(&renamed.unwrap_or(name), part);
            } else {
                let part = match &value.shape {
                    Shape::List(_) => value.at(&Shape::Number(place).into()),
                    Shape::OneOf(list) => {
                        Value::any(list.iter().map(|value| value.at(&Shape::Number(place).into())))
                    }
                    _ => Value::unknown_from([value]),
                };
                self.bind(&name, part);
                at = at.saturating_add(1);
            }
        }
    }

    /// Binds one name to the whole, or several to the parts.
    pub(super) fn bind_names(&mut self, range: Range<usize>, value: &Value) {
        let names: Vec<String> = range
            .clone()
            .filter_map(|at| match self.tok(at) {
                Some(Tok::Name(name)) if !matches!(name.as_str(), "const" | "let" | "var" | "my" | "our") => {
                    Some(name.clone())
                }
                _ => None,
            })
            .collect();
        match names.as_slice() {
            [one] => self.bind(one, value.clone()),
            _ => self.bind_pattern(range, value),
        }
    }

    /// The loops of all languages.
    fn each(&mut self) {
        self.advance();
        match self.language {
            Language::JavaScript => {
                self.eat_op("(");
                let from = self.frame.at;
                let limit = from.saturating_add(PATTERN);
                let found = (from..limit).find(
                    |at| matches!(self.tok(*at), Some(Tok::Name(name)) if name == "of" || name == "in"),
                );
                if let Some(at) = found {
                    let keys = matches!(self.tok(at), Some(Tok::Name(word)) if word == "in");
                    self.frame.at = at.saturating_add(1);
                    let value = self.expression();
                    let is_map = matches!(value.shape, Shape::Map(_));
                    let value = if keys && is_map { value.keys() } else { value };
                    self.bind_names(from..at, &value.element());
                }
            }
            // `for i, name := range list`
            Language::Go => {
                let from = self.frame.at;
                let found = (from..from.saturating_add(6))
                    .find(|at| matches!(self.tok(*at), Some(Tok::Name(name)) if name == "range"));
                if let Some(at) = found {
                    self.frame.at = at.saturating_add(1);
                    let value = self.expression().element();
                    let name = at.checked_sub(2).and_then(|at| self.tok(at)).cloned();
                    if let Some(Tok::Name(name)) = name {
                        self.bind(&name, value);
                    }
                }
            }
            Language::Php => {
                self.eat_op("(");
                let whole = self.expression();
                let (keys, value) = (whole.keys(), whole.held().element());
                if self.is_name("as") {
                    self.advance();
                    if matches!(self.after(1), Some(Tok::Op("=>"))) {
                        if let Some(Tok::Name(name)) = self.peek().cloned() {
                            self.bind(&name, keys.element());
                        }
                        self.frame.at = self.frame.at.saturating_add(2);
                    }
                    self.eat_op("&");
                    if let Some(Tok::Name(name)) = self.peek().cloned() {
                        self.bind(&name, value);
                        self.advance();
                    }
                }
            }
            Language::Perl => {
                if self.is_name("my") || self.is_name("our") {
                    self.advance();
                }
                let name = match self.peek().cloned() {
                    Some(Tok::Name(name)) => {
                        self.advance();
                        name
                    }
                    _ => "$_".to_owned(),
                };
                if self.is_op("(") {
                    let value = self.operand().element();
                    self.bind(&name, value);
                }
            }
            _ => drop(self.for_in()),
        }
    }

    /// `for a, b in …`, also inside a comprehension; the first word was read.
    pub(super) fn for_in(&mut self) -> Option<(Range<usize>, Value)> {
        let from = self.frame.at;
        let limit = from.saturating_add(PATTERN);
        let found = (from..limit).find(|at| matches!(self.tok(*at), Some(Tok::Name(name)) if name == "in"));
        found.map(|at| {
            self.frame.at = at.saturating_add(1);
            let mut value = self.operand();
            // `a + b` and the like: a list of more than the first.
            while matches!(self.peek(), Some(Tok::Op("+"))) {
                self.advance();
                let more = self.operand();
                value = value.then(&more);
            }
            // The elements of a dictionary are its keys.
            let is_environment = |name: &String| {
                self.language == Language::Python && self.table.environment.contains(&name.as_str())
            };
            let value = match &value.shape {
                Shape::Name(name) if is_environment(name) => Value::of(Origin::Names),
                Shape::Map(_) => value.keys(),
                _ => self.shown(value),
            };
            let element = value.element();
            self.bind_names(from..at, &element);
            (from..at, value)
        })
    }
}
