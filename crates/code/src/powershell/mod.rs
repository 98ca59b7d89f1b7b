//! PowerShell: commands with their parameters, pipelines, and the calls of .NET that matter.

mod command;
mod dotnet;
mod expression;
mod lex;
mod parameters;

use super::{
    Act, Does,
    value::{Origin, Shape, Value},
};
use checkrein_shell::work;
use lex::{Piece, Tok, Token, lex};
use parameters::Parameters;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    rc::Rc,
};

/// The maximum depth of brackets that is followed.
const MAX_DEPTH: usize = 24;
/// The maximum nesting of texts in texts.
const MAX_NESTING: usize = 5;
/// The maximum number of tokens and bytes that are examined before the rest is given up.
const FUEL: usize = 4 * 1024 * 1024;

/// Words that are not commands.
const KEYWORDS: &[&str] = &[
    "if",
    "else",
    "elseif",
    "while",
    "for",
    "foreach",
    "param",
    "return",
    "try",
    "catch",
    "finally",
    "switch",
    "do",
    "until",
    "begin",
    "process",
    "end",
    "throw",
    "break",
    "continue",
    "in",
    "exit",
    "using",
    "class",
    "trap",
    "default",
    "dynamicparam",
];

/// Returns what a PowerShell text would do.
pub(super) fn acts(source: &str) -> Vec<Act> {
    let mut reader = PowerShellScript {
        text: source.into(),
        tokens: Rc::new(lex(source)),
        at: 0,
        base: 0,
        place: None,
        variables: HashMap::new(),
        functions: HashSet::new(),
        directory: None,
        acts: Vec::new(),
        heard: false,
        depth: 0,
        nesting: 0,
        fuel: FUEL,
        lost: false,
    };
    reader.block(usize::MAX, &Value::default());
    if reader.lost || reader.fuel == 0 {
        reader.acts.push(super::too_much(source));
    }
    reader.with_environment()
}

struct PowerShellScript {
    text: Rc<str>,
    tokens: Rc<Vec<Token>>,
    at: usize,
    base: usize,
    place: Option<Range<usize>>,
    variables: HashMap<String, Value>,
    functions: HashSet<String>,
    directory: Option<checkrein_shell::Word>,
    acts: Vec<Act>,
    /// An argument of a call contains data from another machine.
    heard: bool,
    depth: usize,
    nesting: usize,
    fuel: usize,
    lost: bool,
}

impl PowerShellScript {
    /// Adds the environment variables that the text sets to everything that it starts.
    fn with_environment(self) -> Vec<Act> {
        let mut given: Vec<_> = self
            .variables
            .iter()
            .filter_map(|(name, value)| {
                let name = name.strip_prefix("env:")?.to_ascii_uppercase();
                Some(Value::text(&format!("{name}=")).then(value).as_word())
            })
            .collect();
        if given.is_empty() {
            return self.acts;
        }
        given.sort_by(|one, other| one.lead().cmp(other.lead()));
        given.insert(0, crate::value::word("env"));
        let with = |mut act: Act| {
            if let Does::Run(words) = &mut act.does {
                words.splice(0..0, given.iter().cloned());
            }
            act
        };
        self.acts.into_iter().map(with).collect()
    }

    fn tok(&self, at: usize) -> Option<&Tok> {
        self.tokens.get(at).map(|token| &token.tok)
    }

    fn peek(&self) -> Option<&Tok> {
        self.tok(self.at)
    }

    fn spaced(&self) -> bool {
        self.tokens.get(self.at).is_none_or(|token| token.spaced)
    }

    fn advance(&mut self) {
        self.at = self.at.saturating_add(1);
        self.fuel = work::left(self.fuel, 16);
    }

    fn close(&self) -> usize {
        self.tokens.get(self.at).map_or(self.tokens.len(), |token| token.close.min(self.tokens.len()))
    }

    fn span(&self, from: usize) -> Range<usize> {
        if let Some(place) = &self.place {
            return place.clone();
        }
        let start = self.tokens.get(from).map_or(0, |token| token.span.start);
        let end =
            self.at.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(start, |last| last.span.end);
        start.saturating_add(self.base)..end.max(start).saturating_add(self.base)
    }

    fn act(&mut self, does: Does, from: usize) {
        if self.acts.len() <= super::MAX_ACTS {
            let span = self.span(from);
            self.acts.push(Act { does, span });
        }
    }

    fn is_end(&self) -> bool {
        matches!(self.peek(), None | Some(Tok::End | Tok::Close | Tok::Op("|" | "&&" | "||")))
    }

    /// Statements up to a token. The value of the last one.
    fn block(&mut self, end: usize, input: &Value) -> Value {
        let mut last = Value::default();
        while self.at < end && self.peek().is_some() && self.fuel > 0 {
            let before = self.at;
            if self.is_end() || matches!(self.peek(), Some(Tok::Op(","))) {
                self.advance();
                continue;
            }
            last = self.statement(input);
            if self.at <= before {
                self.advance();
            }
        }
        last
    }

    fn statement(&mut self, input: &Value) -> Value {
        match (self.peek().cloned(), self.tok(self.at.saturating_add(1)).cloned()) {
            (Some(Tok::Variable(name)), Some(Tok::Op(op @ ("=" | "+=")))) => {
                self.at = self.at.saturating_add(2);
                let mut value = self.pipeline(input);
                if op == "+=" {
                    value = self.variable(&name).then(&value);
                }
                self.fuel = work::left(self.fuel, value.size());
                self.variables.insert(name, value.clone());
                value
            }
            // `[string]$x = …`
            (Some(Tok::Type(_)), Some(Tok::Variable(_))) => {
                self.advance();
                self.statement(input)
            }
            // A field of a table: `@{ name = command }`.
            (Some(Tok::Bare(_) | Tok::Text(_)), Some(Tok::Op("="))) => {
                self.at = self.at.saturating_add(2);
                self.pipeline(input)
            }

            (Some(Tok::Bare(word)), next) => {
                let word = word.to_lowercase();
                if word == "function" || word == "filter" {
                    if let Some(Tok::Bare(name)) = next {
                        self.functions.insert(name.to_lowercase());
                    }
                    self.at = self.at.saturating_add(2);
                    Value::default()
                } else if word == "foreach" && matches!(next, Some(Tok::Open('('))) {
                    self.foreach()
                } else if KEYWORDS.contains(&word.as_str()) {
                    self.advance();
                    Value::default()
                } else {
                    self.pipeline(input)
                }
            }
            _ => self.pipeline(input),
        }
    }

    /// `foreach ($x in …)`
    fn foreach(&mut self) -> Value {
        self.advance();
        let close = self.close();
        self.advance();
        if let (Some(Tok::Variable(name)), Some(Tok::Bare(word))) =
            (self.peek().cloned(), self.tok(self.at.saturating_add(1)).cloned())
            && word.eq_ignore_ascii_case("in")
        {
            self.at = self.at.saturating_add(2);
            let value = self.block(close, &Value::default()).element();
            self.variables.insert(name, value);
        }
        self.at = self.at.max(close.saturating_add(1));
        Value::default()
    }

    /// Commands joined by `|`: each is given what the one before makes.
    fn pipeline(&mut self, input: &Value) -> Value {
        let mut value = self.element(input);
        while matches!(self.peek(), Some(Tok::Op("|"))) && self.fuel > 0 {
            self.advance();
            while matches!(self.peek(), Some(Tok::End)) {
                self.advance();
            }
            value = self.element(&value);
        }
        value
    }

    /// One command, or an expression.
    fn element(&mut self, input: &Value) -> Value {
        if self.depth >= MAX_DEPTH {
            self.lost = true;
            self.at = self.tokens.len();
            return Value::default();
        }
        self.depth = self.depth.saturating_add(1);
        let start = self.at;
        let value = match self.peek().cloned() {
            Some(Tok::Bare(name)) if name == "." || name.is_empty() => {
                self.advance();
                self.called(input, start)
            }
            Some(Tok::Op("&")) => {
                self.advance();
                self.called(input, start)
            }
            Some(Tok::Bare(name)) if name.starts_with(|char: char| char.is_ascii_digit() || char == '-') => {
                self.expression()
            }
            Some(Tok::Bare(_)) => {
                let name = self.joined_word();
                self.command(&name, input, start)
            }
            _ => self.expression(),
        };
        self.depth = self.depth.saturating_sub(1);
        value
    }

    /// Follows what comes after a call operator.
    fn called(&mut self, input: &Value, start: usize) -> Value {
        if matches!(self.peek(), Some(Tok::Open('{'))) {
            return self.operand(input);
        }
        let name = self.joined_word();
        self.command(&name, input, start)
    }

    fn variable(&mut self, name: &str) -> Value {
        match self.variables.get(name) {
            Some(value) => {
                let value = value.clone();
                self.fuel = work::left(self.fuel, value.size());
                value
            }
            None => Value::word(lex::unset(name)),
        }
    }

    /// Reads a text inside the text.
    fn read(&mut self, text: &str, base: usize, place: Option<Range<usize>>) -> Value {
        self.fuel = work::left(self.fuel, text.len());
        if self.nesting >= MAX_NESTING || self.fuel == 0 {
            self.lost = true;
            return Value::default();
        }
        let outer = (
            std::mem::replace(&mut self.text, text.into()),
            std::mem::replace(&mut self.tokens, Rc::new(lex(text))),
            std::mem::replace(&mut self.at, 0),
            std::mem::replace(&mut self.base, base),
            std::mem::replace(&mut self.place, place),
        );
        self.nesting = self.nesting.saturating_add(1);
        let value = self.block(usize::MAX, &Value::default());
        self.nesting = self.nesting.saturating_sub(1);
        (self.text, self.tokens, self.at, self.base, self.place) = outer;
        value
    }

    /// Evaluates a text.
    fn evaluate(&mut self, value: &Value, start: usize) {
        match value.constant() {
            Some(text) if !value.from.contains(&Origin::Network) => {
                let span = self.span(start);
                self.read(&text, 0, Some(span));
            }
            _ => self.act(Does::Evaluate(value.source()), start),
        }
    }

    fn write(&mut self, value: &Value, append: bool, start: usize) {
        for path in value.words() {
            if path.constant().as_deref() != Some("$null") && !path.parts.is_empty() {
                let path = self.path(path);
                self.act(Does::Write { path, append }, start);
            }
        }
    }

    /// A path in the directory that the text changed to, with the slashes of a shell.
    fn path(&self, mut path: checkrein_shell::Word) -> checkrein_shell::Word {
        for part in &mut path.parts {
            if let checkrein_shell::Part::Text(text) | checkrein_shell::Part::Glob(text) = part
                && text.contains('\\')
            {
                *text = text.replace('\\', "/");
            }
        }
        match &self.directory {
            Some(directory) => Value::word(directory.clone()).below(&Value::word(path)).as_word(),
            None => path,
        }
    }

    /// The words of a command up to its end, with redirections taken out.
    fn parameters(&mut self, input: &Value) -> Parameters {
        let mut parameters = Parameters::default();
        while !self.is_end() && self.fuel > 0 {
            let start = self.at;
            match self.peek().cloned() {
                Some(Tok::Op(op @ (">" | ">>"))) => {
                    self.advance();
                    let path = self.joined_word();
                    self.write(&path, op == ">>", start);
                }
                Some(Tok::Op(",")) => {
                    self.advance();
                    parameters.goes_on = true;
                }
                Some(Tok::Op(_)) => self.advance(),
                Some(Tok::Bare(word)) if word.ends_with('>') && word.len() <= 2 => {
                    self.advance();
                }
                Some(Tok::Bare(word)) if word.starts_with('-') && word.len() > 1 => {
                    self.advance();
                    // `-Path:x`
                    let glued = !self.spaced() && !self.is_end();
                    let given = if glued && word.ends_with(':') { Some(self.joined_word()) } else { None };
                    parameters.name(&word, given);
                }
                Some(Tok::Open('{')) => {
                    let value = self.operand_deeper(input);
                    parameters.block = Some(value);
                }
                Some(_) => {
                    let value = self.joined_word();
                    parameters.value(value);
                }
                None => break,
            }
        }
        parameters
    }
}
