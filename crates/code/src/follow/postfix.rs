//! Constructs after an operand: parts, indexes, calls with and without brackets, blocks; and functions as values.

use super::{Args, Follower, Value, mutation::Change};
use crate::{
    Language,
    lex::Tok,
    names::Call,
    several,
    value::{Origin, Shape},
};

/// Words that cannot begin the arguments of a call without brackets.
const NO_ARGUMENT: &[&str] = &[
    "if",
    "unless",
    "while",
    "until",
    "and",
    "or",
    "do",
    "then",
    "end",
    "for",
    "foreach",
    "in",
    "x",
    "eq",
    "ne",
    "lt",
    "gt",
    "le",
    "ge",
    "cmp",
    "is",
    "as",
    "else",
    "rescue",
    "xor",
    "instanceof",
];

impl Follower {
    /// Follows everything that is done with a value.
    pub(super) fn postfix(&mut self, mut value: Value, start: usize) -> Value {
        let mut receiver: Option<Value> = None;
        let mut method: Option<String> = None;
        // A name of the text, and not yet called.
        let mut pending = matches!(value.shape, Shape::Name(_));
        loop {
            self.spend(0);
            if self.fuel == 0 {
                return Value::default();
            }
            // A chain may go on in the next line.
            if matches!(self.peek(), Some(Tok::End))
                && matches!(self.after(1), Some(Tok::Op(op)) if matches!(*op, "." | "?." | "&." | "->") && self.table.dots.contains(op))
            {
                self.advance();
            }
            let spaced = self.token(self.frame.at).is_some_and(|token| token.spaced);
            match self.peek().cloned() {
                Some(Tok::Op(op)) if self.table.dots.contains(&op) && self.is_part(op) => {
                    if pending && receiver.is_some() && self.calls_itself() {
                        value = self.call(&value, receiver.take(), method.take(), Args::default(), start);
                    }
                    self.advance();
                    let Some(Tok::Name(name)) = self.peek().cloned() else { continue };
                    self.advance();
                    let part = self.attribute(&value, &name);
                    self.target = self.target.take().map(|target| format!("{target}.{name}"));
                    if self.target.as_ref().is_some_and(|target| target.len() > super::MAX_NAME) {
                        self.target = None;
                    }
                    receiver = Some(std::mem::replace(&mut value, part));
                    // `A::B` is a constant; anything else may be called.
                    method = Some(name);
                    pending = op != "::" || !self.constant_name();
                }
                Some(Tok::Op("(")) if !(spaced && self.language == Language::Python && !pending) => {
                    let changes = self.changes(&value, method.as_deref());
                    let args = self.args(&value, receiver.as_ref());
                    value = self.called(&value, receiver.take(), method.take(), args, start, changes);
                    pending = false;
                    self.target = None;
                }
                // `$list[] = element` of PHP.
                Some(Tok::Op("["))
                    if self.language == Language::Php
                        && matches!(
                            (self.after(1), self.after(2)),
                            (Some(Tok::Op("]")), Some(Tok::Op("=")))
                        ) =>
                {
                    let owner = self.target.take().unwrap_or_default();
                    self.frame.at = self.frame.at.saturating_add(3);
                    let element = self.expression();
                    self.change(&owner, Change::Push, &Args { list: vec![element], named: Vec::new() });
                    return Value::default();
                }
                Some(Tok::Op("["))
                    if !spaced || matches!(self.language, Language::JavaScript | Language::Php) =>
                {
                    if pending && receiver.is_some() && self.calls_itself() {
                        value = self.call(&value, receiver.take(), method.take(), Args::default(), start);
                    }
                    receiver = Some(value.clone());
                    let owner = self.target.take();
                    self.key = None;
                    value = self.index(&value);
                    method = None;
                    pending = matches!(value.shape, Shape::Name(_));
                    self.target = None;
                    let key = self.key.take().unwrap_or_default();
                    self.entry = owner.map(|owner| (self.frame.at, owner, key));
                }
                Some(Tok::Op("{"))
                    if self.language == Language::Go
                        && !spaced
                        && matches!(&value.shape, Shape::Name(name) if self.classes.contains_key(name)) =>
                {
                    let Shape::Name(class) = value.shape.clone() else { break };
                    value = self.structure(&class);
                    pending = false;
                    self.target = None;
                }
                Some(Tok::Op("{")) if self.language == Language::Perl && self.is_hash(start) => {
                    value = self.index(&value);
                    pending = false;
                    self.target = None;
                }
                Some(Tok::Op("{")) if self.language == Language::Lua && pending && method.is_some() => {
                    let given = self.braces();
                    let args = Args { list: vec![given], named: Vec::new() };
                    value = self.call(&value, receiver.take(), method.take(), args, start);
                    pending = false;
                }
                Some(Tok::Op("{")) if self.language == Language::Ruby && self.begins_block() => {
                    value = self.ruby_block(value, &mut receiver, &mut method, pending, start);
                    pending = false;
                }
                Some(Tok::Name(name)) if name == "do" && self.language == Language::Ruby => {
                    return self.ruby_block(value, &mut receiver, &mut method, pending, start);
                }
                Some(Tok::Text(pieces))
                    if pending
                        && (self.language == Language::Lua
                            || self.language == Language::JavaScript && !spaced) =>
                {
                    self.advance();
                    let text = self.literal(&pieces);
                    let args = Args { list: vec![text], named: Vec::new() };
                    value = self.call(&value, receiver.take(), method.take(), args, start);
                    pending = false;
                }
                Some(_)
                    if pending
                        && (spaced || self.begins_variable() || self.begins_program(&value))
                        && self.begins_argument(&value) =>
                {
                    let changes = self.changes(&value, method.as_deref());
                    let args = self.bare_args(&value);
                    value = self.called(&value, receiver.take(), method.take(), args, start, changes);
                    pending = false;
                    self.target = None;
                }
                _ => break,
            }
        }
        if pending
            && self.table.commands
            && (receiver.is_some() || self.alone(&value, start))
            && !self.is_op("=")
        {
            let changes = self.changes(&value, method.as_deref());
            value = self.called(&value, receiver, method, Args::default(), start, changes);
        }
        value
    }

    /// Calls something that may change a list.
    fn called(
        &mut self,
        callee: &Value,
        receiver: Option<Value>,
        method: Option<String>,
        args: Args,
        start: usize,
        changes: Option<(String, Change)>,
    ) -> Value {
        let Some((owner, change)) = changes else { return self.call(callee, receiver, method, args, start) };
        // A function is given the list itself first.
        let is_function = receiver.is_none();
        let mut given = args.clone();
        if is_function {
            // Perl hands over its elements.
            let taken = match self.lookup(&owner).map(|value| value.shape) {
                Some(Shape::List(list)) if self.language == Language::Perl => list.len(),
                None | Some(_) => 1,
            };
            given.list.drain(..taken.min(given.list.len()));
        }
        let value = self.call(callee, receiver, method, args, start);
        self.change(&owner, change, &given);
        value
    }

    /// Returns true if the operator here is followed by a part, unlike the `:` of a condition or the `.` that
    /// concatenates.
    fn is_part(&self, op: &str) -> bool {
        match (op, self.after(1), self.after(2)) {
            (":", Some(Tok::Name(_)), Some(Tok::Op("(" | "{") | Tok::Text(_))) => true,
            (":", _, _) => false,
            (_, Some(Tok::Name(_)), _) => true,
            ("->", Some(Tok::Op("[" | "{" | "(")), _) => true,
            // `f.("x")` and `f.[]` of Ruby, `a?.[0]` of JavaScript.
            ("?.", Some(Tok::Op("(" | "[")), _) => true,
            (".", Some(Tok::Op("(")), _) => self.language == Language::Ruby,
            _ => false,
        }
    }

    /// Returns true if a bare name is a call.
    fn calls_itself(&self) -> bool {
        self.table.commands
    }

    /// Returns true if the last name starts with a capital letter: a class or a module.
    fn constant_name(&self) -> bool {
        let last = self.frame.at.checked_sub(1).and_then(|at| self.tok(at));
        matches!(last, Some(Tok::Name(name)) if name.starts_with(char::is_uppercase))
    }

    /// Returns true if a bare name is a call that matters: `unlink` in Perl deletes `$_`. The `eval` of a block is
    /// not.
    fn alone(&self, value: &Value, start: usize) -> bool {
        let Shape::Name(name) = &value.shape else { return false };
        // A variable that holds the name is not a call.
        if !matches!(self.tok(start), Some(Tok::Name(written)) if written == name) {
            return false;
        }
        let takes_default = match self.table.function(name) {
            Some(Call::Delete(_) | Call::First | Call::Last) => true,
            Some(Call::Evaluate) => {
                let block = [self.peek(), self.after(1)].contains(&Some(&Tok::Op("{")));
                name == "eval" && !block
            }
            _ => false,
        };
        self.language == Language::Perl && takes_default && !self.is_op("=>")
    }

    /// `$h{x}`, `$h->{x}`, `$h{x}{y}`; not the block of `map {`.
    fn is_hash(&self, start: usize) -> bool {
        let spaced = self.token(self.frame.at).is_some_and(|token| token.spaced);
        let before = self.frame.at.checked_sub(1).and_then(|at| self.tok(at));
        let variable = matches!(self.tok(start), Some(Tok::Name(name)) if name.starts_with('$'));
        !spaced && (variable || matches!(before, Some(Tok::Op("->" | "}" | "]"))))
    }

    /// `{ |x|` or `{ call }` after a method; not the fields of a hash.
    fn begins_block(&self) -> bool {
        let before = self.frame.at.checked_sub(1).and_then(|at| self.tok(at));
        matches!(before, Some(Tok::Name(_) | Tok::Op(")")))
    }

    /// Returns true for `system$_` in Perl: a variable needs no space before it.
    fn begins_variable(&self) -> bool {
        self.language == Language::Perl
            && matches!(self.peek(), Some(Tok::Name(name)) if name.starts_with('$'))
    }

    /// `exec{"x"}@list` of Perl: neither does a block.
    fn begins_program(&self, callee: &Value) -> bool {
        let takes = matches!(&callee.shape, Shape::Name(name) if takes_program(name));
        self.language == Language::Perl && takes && self.is_op("{")
    }

    /// Returns true if the token here starts the arguments of a call without brackets.
    fn begins_argument(&self, value: &Value) -> bool {
        let Shape::Name(callee) = &value.shape else {
            return self.language == Language::Ruby && matches!(self.peek(), Some(Tok::Text(_)));
        };
        let allowed = match self.language {
            Language::Ruby | Language::Perl => true,
            Language::Php => matches!(
                callee.as_str(),
                "echo" | "print" | "include" | "include_once" | "require" | "require_once"
            ),
            Language::Python => {
                matches!(callee.as_str(), "print" | "exec") && matches!(self.peek(), Some(Tok::Text(_)))
            }
            _ => false,
        };
        let glued = !self.token(self.frame.at.saturating_add(1)).is_some_and(|token| token.spaced);
        let begins = match self.peek() {
            Some(Tok::Name(name)) => !NO_ARGUMENT.contains(&name.as_str()),
            Some(
                Tok::Text(_)
                | Tok::Shell(_)
                | Tok::Words(_)
                | Tok::Number(_)
                | Tok::Glob(_)
                | Tok::Pattern(_),
            ) => true,
            Some(Tok::Op("[" | "\\")) => true,
            Some(Tok::Op("{")) => {
                self.language == Language::Perl
                    && (matches!(callee.as_str(), "map" | "grep" | "sort") || takes_program(callee))
            }
            Some(Tok::Op("*" | "&" | "-" | "->" | "::" | "@" | "<<")) => glued,
            _ => false,
        };
        allowed && begins
    }

    /// The arguments of a call without brackets.
    fn bare_args(&mut self, callee: &Value) -> Args {
        let mut args = Args::default();
        let outer = std::mem::replace(&mut self.bare, true);
        let limit = self.frame.tokens.list.len();
        let runs = matches!(&callee.shape, Shape::Name(name) if takes_program(name));
        let mut program = None;
        if self.is_op("{") && runs {
            program = Some(self.in_block());
        } else if self.is_op("{") {
            self.braces();
        }
        while self.frame.at < limit && self.fuel > 0 {
            let before = self.frame.at;
            self.argument(&mut args);
            let more = self.eat_op(",");
            if more && matches!(self.peek(), Some(Tok::End)) {
                self.advance();
            }
            // `print STDERR "x"`: a name before the list.
            let handle = matches!(self.peek(), Some(Tok::Text(_) | Tok::Name(_)))
                && self.language == Language::Perl
                && !matches!(self.peek(), Some(Tok::Name(name)) if NO_ARGUMENT.contains(&name.as_str()));
            if !more && !handle || self.frame.at <= before {
                break;
            }
        }
        self.bare = outer;
        if let Some(program) = program {
            // The first element of the list is only the name that the program is told.
            let given: Vec<Value> = args.list.iter().flat_map(super::call::list_of).skip(1).collect();
            args.list = std::iter::once(program).chain(given).collect();
        }
        args
    }

    /// The value of a block with one expression; its bracket is here.
    fn in_block(&mut self) -> Value {
        let close = self.close();
        self.advance();
        let value = self.expression();
        self.frame.at = close.saturating_add(1);
        value
    }

    /// The arguments in brackets. What a function among them is called with depends on those before it.
    fn args(&mut self, callee: &Value, receiver: Option<&Value>) -> Args {
        let close = self.close();
        self.advance();
        let mut args = Args::default();
        let outer = std::mem::take(&mut self.element);
        let bare = std::mem::replace(&mut self.bare, false);
        while self.frame.at < close && self.fuel > 0 {
            let before = self.frame.at;
            if matches!(self.peek(), Some(Tok::Op(",") | Tok::End)) {
                self.advance();
                continue;
            }
            self.element = self.given(callee, receiver, &args);
            self.argument(&mut args);
            if self.frame.at <= before {
                self.advance();
            }
        }
        self.element = outer;
        self.bare = bare;
        self.frame.at = close.saturating_add(1);
        args
    }

    fn argument(&mut self, args: &mut Args) {
        let named = match (self.peek(), self.after(1), self.language) {
            (Some(Tok::Name(name)), Some(Tok::Op("=")), Language::Python)
            | (Some(Tok::Name(name)), Some(Tok::Op(":")), Language::Ruby | Language::Php)
            | (Some(Tok::Name(name)), Some(Tok::Op("=>")), Language::Perl | Language::Ruby) => {
                Some(name.clone())
            }
            _ => None,
        };
        if let Some(name) = named {
            self.frame.at = self.frame.at.saturating_add(2);
            let value = self.expression();
            args.named.push((name, value));
            return;
        }
        let is_perl = self.language == Language::Perl;
        let spread = matches!(self.peek(), Some(Tok::Op("*" | "..." | "**" | "@"))) || is_perl;
        let fields = matches!(self.peek(), Some(Tok::Op("**")));
        let value = self.expression();
        if self.is_op("=>") && self.language != Language::JavaScript {
            self.advance();
            let right = self.expression();
            args.named.push((value.constant().unwrap_or_default(), right));
            return;
        }
        let open = match &value.shape {
            Shape::Unknown => !is_perl,
            Shape::Name(name) => !is_perl && !self.is_environment(&value) || name == "$ARGV",
            _ => false,
        };
        let several_words = spread && !fields && open;
        match value.shape {
            Shape::List(list) if spread => args.list.extend(list),
            // All that a list holds, which is not known.
            _ if several_words => args.list.push(Value::word(several()).with(value.from)),
            _ => args.list.push(value),
        }
    }

    /// Returns the value that a callback is called with.
    fn given(&mut self, callee: &Value, receiver: Option<&Value>, args: &Args) -> Value {
        if let Shape::Name(name) = &callee.shape {
            let first = args.list.first().cloned().unwrap_or_default();
            match self.table.function(name) {
                Some(Call::Names) => return Value::list(vec![Value::pattern("*")]),
                Some(Call::Read) => return Value::of(Origin::File(first.as_word())),
                Some(Call::Fetch | Call::Post | Call::Connect) => return Value::of(Origin::Network),
                _ => {}
            }
        }
        // `stdin.on("data", …)`, `lines.on("line", …)`: what comes is given to the function.
        let event = |name: &str| args.list.first().is_some_and(|first| *first == Value::text(name));
        let far = receiver.is_some_and(|receiver| receiver.origins().contains(&Origin::Network));
        if self.language == Language::JavaScript
            && !far
            && (event("data") || event("line"))
            && let Some(input) = self.given.get(super::argv::WHOLE)
        {
            return input.clone();
        }
        receiver.map(|receiver| self.shown(receiver.clone()).element()).unwrap_or_default()
    }
}

/// Returns true for `exec {program} list` in Perl: the program precedes the list.
fn takes_program(callee: &str) -> bool {
    let name = callee.rsplit(['.', ':']).next().unwrap_or(callee);
    matches!(name, "exec" | "system")
}
