//! Follows the values of a program from left to right, and tells what its calls would do with them.
//!
//! The text is walked several times. All walks but the last only learn: what names are bound to, what functions are called with,
//! what they return. They end when nothing new is learned. There is no control flow: both branches are walked, and what is
//! assigned inside one is an alternative, not a replacement.

mod argv;
mod brackets;
mod call;
mod compute;
mod effects;
mod environment;
mod expression;
mod files;
mod function;
mod import;
mod indirect;
mod io;
mod mutation;
mod object;
mod postfix;
mod run;
mod statement;
mod typing;

use super::{
    Act, Does, From, IsProgram, Language, Started,
    lex::{Piece, Tok, Token, Tokens, lex},
    names::Table,
    value::{Origin, Shape, Value, glob},
};
use checkrein_shell::{Word, work};
use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    rc::Rc,
};

/// The maximum depth of expressions.
const MAX_DEPTH: usize = 80;
/// The maximum nesting of texts in texts.
const MAX_NESTING: usize = 6;
/// The maximum amount of memory that is copied, in bytes, before the rest is given up.
const FUEL: usize = 6 * 1024 * 1024;
/// The most walks that only learn.
const LEARNING: usize = 6;
/// The longest name that is followed.
const MAX_NAME: usize = 128;

/// Returns what a text in one of the similar languages would do.
pub(super) fn acts(
    language: Language,
    table: &'static Table,
    source: &str,
    started: &Started,
    is_program: IsProgram,
) -> Vec<Act> {
    let mut follower = Follower::new(language, table, source, is_program);
    follower.start(started);
    follower.learn();
    follower.walk();
    follower.walk_deeper();
    follower.finish(source.len())
}

/// Returns the output of a text, as far as it is known.
pub(super) fn printed(
    language: Language,
    table: &'static Table,
    source: &str,
    started: &Started,
    is_program: IsProgram,
) -> String {
    let mut follower = Follower::new(language, table, source, is_program);
    follower.start(started);
    follower.learn();
    follower.walk();
    follower.said.join("\n")
}

/// The text that is being walked.
struct Frame {
    text: Rc<str>,
    tokens: Rc<Tokens>,
    at: usize,
    /// The start of the text in the whole.
    base: usize,
    /// The place of everything in it, if it is not a part of the whole.
    place: Option<Range<usize>>,
}

struct Follower {
    language: Language,
    is_program: IsProgram,
    table: &'static Table,
    frame: Frame,
    acts: Vec<Act>,
    /// The printed texts.
    said: Vec<String>,
    /// True if actions are recorded: in the second walk.
    tells: bool,
    bound: HashMap<String, Bound>,
    /// The values of names at the end of the walk before this one.
    earlier: HashMap<String, Bound>,
    /// The arguments and the input of the program.
    given: HashMap<&'static str, Value>,
    /// The variables of the environment that are known, and the modules that are loaded by their names.
    surroundings: BTreeMap<String, String>,
    modules: Vec<String>,
    /// The functions that the text defines, with their parameters.
    functions: HashMap<String, Vec<String>>,
    /// The values that they are called with, by parameter, and their results.
    arguments: HashMap<String, Vec<Value>>,
    returns: HashMap<String, Value>,
    /// The arguments and results at the end of the previous walk.
    past_arguments: HashMap<String, Vec<Value>>,
    past_returns: HashMap<String, Value>,
    /// The classes that the text defines, with those that they are derived from.
    classes: HashMap<String, Option<String>>,
    /// The fields of data classes, in their order.
    declared: HashMap<String, Vec<String>>,
    /// Classes that a call made from the names of their fields: `namedtuple`, `Struct.new`.
    records: HashMap<String, Vec<String>>,
    /// The class whose body is walked.
    class: Option<object::Class>,
    /// Modules whose names are all imported.
    open_modules: Vec<String>,
    /// The function whose body is walked.
    current: String,
    /// The name that the expression is assigned to.
    naming: Option<String>,
    /// The name that was just read, if it can be assigned to.
    target: Option<String>,
    /// The key of the index that was just read, if it is known.
    key: Option<String>,
    /// An entry of a map that was just named and may be assigned to next: the place behind it, the map and the key.
    entry: Option<(usize, String, String)>,
    /// The value that a function in an argument is called with.
    element: Value,
    /// The directory that the program changed to.
    directory: Option<Word>,
    /// The host that the program last connected to.
    host: Option<Word>,
    /// Standard input was tied to another machine.
    tied: bool,
    /// A database in memory may have another one attached to it.
    attached: bool,
    /// `NAME=value` for the program that is about to be started.
    environment: Vec<Word>,
    /// The root directory of the programs that it starts, if the program chose one.
    root: Option<Word>,
    /// Everything that it starts has limits that the program chose.
    limited: bool,
    /// The variables of everything that it starts from now on.
    exported: Vec<Word>,
    /// The variable of the environment that was just named.
    slot: Option<String>,
    /// The field of something else that was just named, if it is called like a variable.
    field: Option<String>,
    /// `NAME=value` for each that was assigned to.
    fields: Vec<Word>,
    /// The variables that its environment no longer has, as options of `env`.
    unset: Vec<Word>,
    /// True if the name that comes next is removed.
    removes: bool,
    /// An expression is walked again for each element of a list.
    repeats: bool,
    /// A comprehension was just walked.
    listed: bool,
    /// The arguments of a call without brackets are read: words such as `or` end them.
    bare: bool,
    depth: usize,
    /// The parts that were too deep to be followed in place.
    deeper: Vec<Range<usize>>,
    nesting: usize,
    braces: usize,
    /// The statement is indented.
    indented: bool,
    fuel: usize,
    /// Something could not be read.
    lost: bool,
    /// Something was not read, because it is too deep or too much.
    cut: bool,
}

#[derive(Clone, Default)]
struct Bound {
    value: Value,
    /// Inside how many blocks.
    level: usize,
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
struct Args {
    list: Vec<Value>,
    named: Vec<(String, Value)>,
}

impl Follower {
    fn new(language: Language, table: &'static Table, source: &str, is_program: IsProgram) -> Self {
        let tokens = lex(language, source);
        let lost = tokens.broken;
        Self {
            language,
            is_program,
            table,
            frame: Frame { text: source.into(), tokens: Rc::new(tokens), at: 0, base: 0, place: None },
            acts: Vec::new(),
            said: Vec::new(),
            tells: false,
            bound: HashMap::new(),
            earlier: HashMap::new(),
            given: HashMap::new(),
            surroundings: BTreeMap::new(),
            modules: Vec::new(),
            functions: HashMap::new(),
            arguments: HashMap::new(),
            returns: HashMap::new(),
            past_arguments: HashMap::new(),
            past_returns: HashMap::new(),
            classes: HashMap::new(),
            declared: HashMap::new(),
            records: HashMap::new(),
            class: None,
            open_modules: Vec::new(),
            current: String::new(),
            naming: None,
            target: None,
            key: None,
            entry: None,
            element: Value::default(),
            directory: None,
            host: None,
            tied: false,
            attached: false,
            environment: Vec::new(),
            root: None,
            limited: false,
            exported: Vec::new(),
            slot: None,
            field: None,
            fields: Vec::new(),
            unset: Vec::new(),
            removes: false,
            repeats: false,
            listed: false,
            bare: false,
            depth: 0,
            deeper: Vec::new(),
            nesting: 0,
            braces: 0,
            indented: false,
            fuel: FUEL,
            lost,
            cut: false,
        }
    }

    /// Takes what the program is started with.
    fn start(&mut self, started: &Started) {
        self.given = argv::given(self.language, started);
        self.surroundings.clone_from(&started.environment);
        self.modules.clone_from(&started.modules);
    }

    /// Walks until nothing new is learned about arguments, results and fields; the next walk reports.
    fn learn(&mut self) {
        for left in (0..LEARNING).rev() {
            self.walk();
            let learned = self.has_learned();
            let cheap = self.fuel > FUEL / 2 && !self.cut;
            self.again();
            if left == 0 || !learned || !cheap {
                break;
            }
        }
        self.tells = true;
        self.fuel = self.fuel.max(FUEL / 2);
    }

    /// Returns true if another walk may know more than this one did.
    fn has_learned(&self) -> bool {
        let is_field = |name: &str| name.contains(['.', '@']);
        let field_differs = |(name, bound): (&String, &Bound)| {
            is_field(name) && self.earlier.get(name).is_none_or(|old| old.value != bound.value)
        };
        self.arguments != self.past_arguments
            || self.returns != self.past_returns
            || self.bound.iter().any(field_differs)
    }

    /// The values that a function is called with, as far as they are known.
    fn arguments_of(&self, name: &str) -> Option<&Vec<Value>> {
        self.past_arguments.get(name).or_else(|| self.arguments.get(name))
    }

    /// The value that a function returns, as far as it is known.
    fn result_of(&self, name: &str) -> Option<&Value> {
        self.returns.get(name).or_else(|| self.past_returns.get(name))
    }

    fn again(&mut self) {
        self.past_arguments = std::mem::take(&mut self.arguments);
        self.past_returns = std::mem::take(&mut self.returns);
        self.class = None;
        self.earlier = std::mem::take(&mut self.bound);
        // What the program is started with is whole again.
        let whole = |name: &str| self.given.get(name).is_some_and(|value| *value != Value::of(Origin::Input));
        self.earlier.retain(|name, _| !whole(name));
        self.frame.at = 0;
        self.directory = None;
        self.host = None;
        self.depth = 0;
        self.braces = 0;
        self.current.clear();
        self.naming = None;
        self.element = Value::default();
    }

    fn finish(mut self, length: usize) -> Vec<Act> {
        if self.lost || self.cut {
            let from = if self.cut { From::TooMuch } else { From::Unknown };
            self.acts.push(Act { does: Does::Evaluate(from), span: 0..length });
        }
        let mut kept: Vec<Act> = Vec::new();
        for act in self.acts {
            if kept.last() != Some(&act) {
                kept.push(act);
            }
        }
        kept
    }

    fn walk(&mut self) {
        while self.frame.at < self.frame.tokens.list.len() && self.fuel > 0 {
            self.statement();
        }
        self.cut |= self.fuel == 0;
    }

    /// Follows the parts that were too deep, each as a text of its own: the context is lost, but the calls are not.
    fn walk_deeper(&mut self) {
        while let Some(range) = self.deeper.pop().filter(|_| self.fuel > 0) {
            self.depth = 0;
            self.frame.at = range.start;
            while self.frame.at < range.end && self.fuel > 0 {
                let before = self.frame.at;
                self.statement();
                // A bracket that closes nothing here is stepped over.
                if self.frame.at == before {
                    self.advance();
                }
            }
        }
        self.cut |= self.fuel == 0;
    }

    /// Uses up this much; once nothing is left, everything that follows is unknown.
    fn spend(&mut self, bytes: usize) {
        self.fuel = work::left(self.fuel, bytes.saturating_add(16));
    }

    fn token(&self, at: usize) -> Option<&Token> {
        self.frame.tokens.list.get(at)
    }

    fn tok(&self, at: usize) -> Option<&Tok> {
        self.token(at).map(|token| &token.tok)
    }

    fn peek(&self) -> Option<&Tok> {
        self.tok(self.frame.at)
    }

    fn after(&self, count: usize) -> Option<&Tok> {
        self.tok(self.frame.at.saturating_add(count))
    }

    fn advance(&mut self) {
        self.frame.at = self.frame.at.saturating_add(1);
    }

    fn is_op(&self, op: &str) -> bool {
        matches!(self.peek(), Some(Tok::Op(found)) if *found == op)
    }

    fn is_name(&self, name: &str) -> bool {
        matches!(self.peek(), Some(Tok::Name(found)) if found == name)
    }

    fn eat_op(&mut self, op: &str) -> bool {
        let found = self.is_op(op);
        if found {
            self.advance();
        }
        found
    }

    /// The index of the bracket that closes the one here.
    fn close(&self) -> usize {
        let end = self.frame.tokens.list.len();
        self.token(self.frame.at).map_or(end, |token| token.close.min(end))
    }

    /// The place in the whole from a token to here.
    fn span(&self, from: usize) -> Range<usize> {
        if let Some(place) = &self.frame.place {
            return place.clone();
        }
        let start = self.token(from).map_or(0, |token| token.span.start);
        let end = self
            .frame
            .at
            .checked_sub(1)
            .and_then(|last| self.token(last))
            .map_or(start, |last| last.span.end);
        start.saturating_add(self.frame.base)..end.max(start).saturating_add(self.frame.base)
    }

    fn level(&self) -> usize {
        self.braces.saturating_add(usize::from(self.indented))
    }

    /// Binds a name. Inside a block the old value stays possible.
    fn bind(&mut self, name: &str, value: Value) {
        let level = self.level();
        self.spend(value.size());
        self.keeps(name, &value);
        // An earlier walk saw that it goes up or down.
        let counts = matches!(value.shape, Shape::Number(_))
            && self.earlier.get(name).is_some_and(|bound| bound.value.is_counted());
        let value = if counts { Value::counted() } else { value };
        let value = match self.bound.get(name) {
            // What is only perhaps in memory is not.
            Some(old) if old.level < level && value.from.contains(&Origin::Memory) && old.value != value => {
                Value::default()
            }
            Some(old) if old.level < level && old.value != Value::default() => {
                let (old_value, old_level) = (old.value.clone(), old.level);
                self.bound.insert(name.to_owned(), Bound { value: old_value.or(value), level: old_level });
                return;
            }
            _ => value,
        };
        self.bound.insert(name.to_owned(), Bound { value, level });
    }

    fn lookup(&mut self, name: &str) -> Option<Value> {
        let found = self.bound.get(name).or_else(|| self.earlier.get(name)).map(|bound| &bound.value);
        // A name may refer to the arguments or the input of the program.
        let given = match found.map(|value| &value.shape) {
            Some(Shape::Name(name)) => self.given.get(name.as_str()),
            Some(_) => None,
            None => self.given.get(name),
        };
        let mut value = given.or(found)?.clone();
        if !self.bound.contains_key(name) {
            // It is something else before it is set.
            value.from.retain(|origin| *origin != Origin::Memory);
        }
        let size = value.size();
        self.spend(size);
        Some(if self.fuel == 0 { Value::default() } else { value })
    }

    /// Returns the value of a name.
    fn resolve(&mut self, name: &str) -> Value {
        if let Some(value) = self.lookup(name) {
            return value;
        }
        // Ruby calls without brackets.
        if self.language == Language::Ruby
            && let Some(value) = self.input(name, &Args::default())
        {
            return value;
        }
        // What `attr_reader` declares.
        if self.language == Language::Ruby
            && let Some(value) = self.lookup(&format!("@{name}"))
        {
            return value;
        }
        match (self.language, name) {
            (Language::Php, "$this") => Value::name(name),
            (Language::Perl, "$ENV") => Value::name("ENV"),
            (Language::Php, "$_ENV" | "$_SERVER") => Value::name(name),
            (Language::Php, "$_GET" | "$_POST" | "$_REQUEST" | "$_COOKIE" | "$_FILES") => {
                Value::of(Origin::Network)
            }
            (Language::Ruby, "$stdin" | "$stdout" | "$stderr") => Value::name(name),
            (Language::Python, "__builtins__") => Value::name("builtins"),
            _ if name.starts_with(['$', '@']) && self.language != Language::JavaScript => Value::default(),
            _ if name.len() > MAX_NAME => Value::default(),
            _ => Value::name(name),
        }
    }

    /// The text of a literal.
    fn literal(&mut self, pieces: &[Piece]) -> Value {
        let mut value = Value::text("");
        for piece in pieces {
            let next = match piece {
                Piece::Text(text) => Value::text(text),
                Piece::Code(range) => {
                    let text: String = self.frame.text.get(range.clone()).unwrap_or("").to_owned();
                    self.inside(&text, range.start)
                }
            };
            self.spend(next.size());
            let next = self.shown(next);
            value = value.then(&next);
        }
        value
    }

    /// The environment, if that is what the value names.
    fn shown(&self, value: Value) -> Value {
        match &value.shape {
            Shape::Name(name) if self.table.environment.contains(&name.as_str()) => {
                Value::of(Origin::Environment)
            }
            // A stream is its lines.
            Shape::Name(name) if argv::is_stream(name) => {
                self.given.get(argv::LINES).cloned().unwrap_or(value)
            }
            Shape::Name(name) if self.language == Language::Ruby => {
                self.input(name, &Args::default()).unwrap_or(value)
            }
            _ => value,
        }
    }

    /// The value of an expression inside a literal.
    fn inside(&mut self, text: &str, start: usize) -> Value {
        let base = self.frame.base.saturating_add(start);
        let place = self.frame.place.clone();
        self.read(text, base, place)
    }

    /// Walks a text inside the text. The value of its first expression.
    fn read(&mut self, text: &str, base: usize, place: Option<Range<usize>>) -> Value {
        self.spend(text.len());
        if self.nesting >= MAX_NESTING || self.fuel == 0 {
            self.cut = true;
            return Value::default();
        }
        let tokens = lex(self.language, text);
        self.lost |= tokens.broken;
        let frame = Frame { text: text.into(), tokens: Rc::new(tokens), at: 0, base, place };
        let outer = std::mem::replace(&mut self.frame, frame);
        let (depth, braces, indented) = (self.depth, self.braces, self.indented);
        self.nesting = self.nesting.saturating_add(1);
        // A small stack must do: every nesting costs some of the depth.
        self.depth = self.depth.saturating_add(4);
        let simple = !matches!(self.peek(), Some(Tok::Name(name)) if statement::is_keyword(name));
        let value = if simple { self.expression() } else { Value::default() };
        self.walk();
        self.nesting = self.nesting.saturating_sub(1);
        (self.depth, self.braces, self.indented) = (depth, braces, indented);
        self.frame = outer;
        value
    }

    fn pattern(&mut self, value: &Value) -> Value {
        let pattern = |word: &Word| {
            let mut made = Word::default();
            for part in &word.parts {
                match part {
                    checkrein_shell::Part::Text(text) => {
                        glob(text).parts.into_iter().for_each(|part| made.push(part));
                    }
                    other => made.push(other.clone()),
                }
            }
            Value::word(made)
        };
        Value::list(value.words().iter().map(pattern).collect())
    }
}
