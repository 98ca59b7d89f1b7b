//! The raw form of a test file: its keys, the types of their values, and their positions. What they mean is decided
//! in [`resolve`](super::resolve).

use super::{Case, Rewritten, value};
use crate::config::{
    format::Notation,
    keys::{CASE, TESTS, Table},
    problem::{ConfigError, Problem, Report},
    raw::{At, Slot, hint_for},
    toml_file,
    tree::{Field, Node, Span, Value},
};
use checkrein_core::{Map, Retry};
use std::path::Path;

/// The content of a file.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) config: Option<String>,
    pub(super) cases: Vec<Case>,
}

/// Reads `text`, whose cases are about `directory`.
pub(super) fn read(text: &str, path: &Path, directory: &Path) -> Result<Read, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut report = Report::new(path, text);
    let root = toml_file::parse(text, &mut report);
    let mut reader = Reader { report: &mut report, text, directory, index: None, line: 1, counted: 0 };
    let read = root.map(|root| reader.root(root)).unwrap_or_default();
    report.finish()?;
    if read.cases.is_empty() {
        // A test that cannot fail is worse than none.
        return Err(Problem::of_file(path, "there is no `[[case]]` in the test file").into());
    }
    Ok(read)
}

pub(super) struct Reader<'r, 't> {
    report: &'r mut Report<'t>,
    text: &'t str,
    /// What the cases are about.
    pub(super) directory: &'r Path,
    /// Which case is being read.
    index: Option<usize>,
    /// The line at `counted` bytes. Cases come in the order of the text, so each line is counted once.
    line: usize,
    counted: usize,
}

/// A case as it is written.
pub(super) struct Written {
    pub(super) name: Slot<String>,
    pub(super) command: Slot<String>,
    pub(super) tool: Slot<String>,
    pub(super) input: Slot<Map>,
    pub(super) payload: Slot<Map>,
    pub(super) cwd: Slot<String>,
    pub(super) expect: Slot<String>,
    pub(super) reason: Slot<Vec<String>>,
    pub(super) context: Slot<Vec<String>>,
    pub(super) rewritten: Slot<Rewritten>,
    pub(super) stop: Slot<String>,
    pub(super) retry: Slot<Option<Retry>>,
    pub(super) failure: Slot<String>,
    /// True if a key was not understood, so that nothing should be missed.
    pub(super) has_unknown: bool,
}

impl<'t> Reader<'_, 't> {
    /// Adds a problem with `key` of this case, or with the case as a whole.
    pub(super) fn problem(&mut self, key: &str, span: &Span, message: &str, hint: Option<&str>) {
        let key = match (self.index, key) {
            (None, key) => key.to_owned(),
            (Some(index), "") => format!("case[{index}]"),
            (Some(index), key) => format!("case[{index}].{key}"),
        };
        self.report.add(key, span, message, hint);
    }

    fn root(&mut self, root: Node<'t>) -> Read {
        let mut read = Read::default();
        let Value::Table(fields) = root.value else { return read };
        for field in fields {
            match self.known(&field, &TESTS) {
                Some("config") => {
                    read.config = self.text("config", field.node).value().map(|config| config.value);
                }
                Some("case") => match field.node.value {
                    Value::List(list) => read.cases = self.cases(list),
                    other => {
                        let found = Notation::Toml.type_of(&other);
                        let message = format!("expected a list of tables, found {found}");
                        let hint = "write `[[case]]`, and its keys below it";
                        self.problem("case", &field.key_span, &message, Some(hint));
                    }
                },
                _ => {}
            }
        }
        read
    }

    fn cases(&mut self, list: Vec<Node<'t>>) -> Vec<Case> {
        let mut cases = Vec::new();
        for (index, node) in list.into_iter().enumerate() {
            if self.report.is_full() {
                break;
            }
            self.index = Some(index);
            let line = self.line_of(node.span.start);
            let span = node.span.clone();
            let Some(written) = self.case(node) else { continue };
            cases.extend(self.meant(written, &span, line));
        }
        self.index = None;
        cases
    }

    fn line_of(&mut self, at: usize) -> usize {
        let between = self.text.get(self.counted..at).unwrap_or_default();
        self.line += between.matches('\n').count();
        self.counted = at.max(self.counted);
        self.line
    }

    fn case(&mut self, node: Node<'t>) -> Option<Written> {
        let Value::Table(fields) = node.value else {
            self.mismatch::<()>("", &node, "a table");
            return None;
        };
        let mut case = Written {
            name: Slot::Absent,
            command: Slot::Absent,
            tool: Slot::Absent,
            input: Slot::Absent,
            payload: Slot::Absent,
            cwd: Slot::Absent,
            expect: Slot::Absent,
            reason: Slot::Absent,
            context: Slot::Absent,
            rewritten: Slot::Absent,
            stop: Slot::Absent,
            retry: Slot::Absent,
            failure: Slot::Absent,
            has_unknown: false,
        };
        for field in fields {
            let known = self.known(&field, &CASE);
            let node = field.node;
            match known {
                Some("name") => case.name = self.text("name", node),
                Some("command") => case.command = self.text("command", node),
                Some("tool") => case.tool = self.text("tool", node),
                Some("input") => case.input = self.object("input", node),
                Some("payload") => case.payload = self.object("payload", node),
                Some("cwd") => case.cwd = self.text("cwd", node),
                Some("expect") => case.expect = self.text("expect", node),
                Some("reason") => case.reason = self.texts("reason", node),
                Some("context") => case.context = self.texts("context", node),
                Some("rewritten") => case.rewritten = self.rewritten(node),
                Some("stop") => case.stop = self.text("stop", node),
                Some("retry") => case.retry = self.retry(node),
                Some("failure") => case.failure = self.text("failure", node),
                Some(_) | None => case.has_unknown = true,
            }
        }
        Some(case)
    }

    /// The key of `field`, if `table` has it.
    fn known(&mut self, field: &Field<'t>, table: &Table) -> Option<&'static str> {
        let names = table.names();
        let known = names.iter().copied().find(|name| *name == field.key);
        if known.is_none() {
            let message = format!("unknown key `{}`", field.key);
            let key = if self.index.is_some() { &*field.key } else { "" };
            self.problem(key, &field.key_span, &message, Some(&hint_for(&field.key, &names)));
        }
        known
    }

    /// A text with something in it: an empty one would be found in everything.
    fn text(&mut self, key: &str, node: Node<'t>) -> Slot<String> {
        match node.value {
            Value::Text(text) if text.trim().is_empty() => {
                self.problem(key, &node.span, "the text is empty", None);
                Slot::Broken
            }
            Value::Text(text) => Slot::Is(At { span: node.span, value: text.into_owned() }),
            _ => self.mismatch(key, &node, "a string"),
        }
    }

    fn texts(&mut self, key: &str, node: Node<'t>) -> Slot<Vec<String>> {
        let span = node.span.clone();
        let list = match node.value {
            Value::List(list) if list.is_empty() => {
                self.problem(key, &span, "the list is empty", Some("leave it out, or write a text"));
                return Slot::Broken;
            }
            Value::List(list) => list,
            Value::Text(_) => vec![node],
            _ => return self.mismatch(key, &node, "a string or a list of strings"),
        };
        let texts: Vec<String> =
            list.into_iter().filter_map(|node| self.text(key, node).value()).map(|text| text.value).collect();
        Slot::Is(At { span, value: texts })
    }

    fn object(&mut self, key: &str, node: Node<'t>) -> Slot<Map> {
        let Value::Table(fields) = node.value else { return self.mismatch(key, &node, "a table") };
        let mut wrong = Vec::new();
        let value = value::object(self.text, fields, &mut wrong);
        for value::NotJson { span, message } in &wrong {
            self.problem(key, span, message, None);
        }
        if wrong.is_empty() { Slot::Is(At { span: node.span, value }) } else { Slot::Broken }
    }

    fn rewritten(&mut self, node: Node<'t>) -> Slot<Rewritten> {
        let key = "rewritten";
        match node.value {
            Value::Text(text) => Slot::Is(At { span: node.span, value: Rewritten::Text(text.into_owned()) }),
            Value::Table(_) => self.object(key, node).map(Rewritten::Input),
            _ => self.mismatch(key, &node, "the whole input as a table, or a text"),
        }
    }

    fn retry(&mut self, node: Node<'t>) -> Slot<Option<Retry>> {
        match node.value {
            Value::Bool(is) => Slot::Is(At { span: node.span, value: is.then_some(Retry::Same) }),
            Value::Table(_) => self.object("retry", node).map(|changes| Some(Retry::With(changes))),
            _ => self.mismatch("retry", &node, "`true`, or a table of the arguments to change"),
        }
    }

    fn mismatch<T>(&mut self, key: &str, node: &Node<'t>, expected: &str) -> Slot<T> {
        let found = Notation::Toml.type_of(&node.value);
        self.problem(key, &node.span, &format!("expected {expected}, found {found}"), None);
        Slot::Broken
    }
}

impl<T> Slot<T> {
    fn map<U>(self, with: impl FnOnce(T) -> U) -> Slot<U> {
        match self {
            Self::Absent => Slot::Absent,
            Self::Broken => Slot::Broken,
            Self::Is(At { span, value }) => Slot::Is(At { span, value: with(value) }),
        }
    }

    /// Returns where it stands, if something does.
    pub(super) fn place(&self) -> Option<&Span> {
        match self {
            Self::Is(at) => Some(&at.span),
            Self::Absent | Self::Broken => None,
        }
    }
}
