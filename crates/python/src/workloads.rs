//! The predecessor's two benchmark workloads, and sets of patterns.
//!
//! They judge nothing. Each is a function for Python, and a native hook if a dispatcher gets that function.

use crate::patterns::Patterns;
use checkrein::{Deadline, Failure, Hook, Payload, Verdict};
use pyo3::{prelude::*, types::PyDict, types::PyString};
use serde_json::Value;
use std::{
    cell::RefCell,
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
};
use tree_sitter::{Parser, Tree};

/// About a hundred harmless patterns, one per line.
const PATTERNS: &str = include_str!("patterns.txt");

static SET: LazyLock<Option<Patterns>> = LazyLock::new(|| Patterns::new(lines()).ok());

/// The count of the last workload that ran as a hook; its verdict does not contain it.
static COUNTED: AtomicUsize = AtomicUsize::new(0);

fn lines() -> impl Iterator<Item = &'static str> + Clone {
    PATTERNS.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

/// The built-in workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workload {
    /// No work: measures the cost of a call.
    Noop,
    /// The number of patterns that match.
    Regex,
    /// The number of nodes of the command's syntax tree.
    Ast,
}

impl Workload {
    pub(crate) const ALL: [Self; 3] = [Self::Noop, Self::Regex, Self::Ast];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Noop => "noop",
            Self::Regex => "scan_regex",
            Self::Ast => "walk_ast",
        }
    }

    /// Does its work on the strings of the input, including the command, and on the output. It has no
    /// opinion, whatever it counts.
    pub(crate) fn look<'a>(
        self,
        values: impl Iterator<Item = &'a str>,
        command: Option<&str>,
        output: Option<&'a str>,
    ) {
        let count = match self {
            Self::Noop => 0,
            Self::Regex => matches(&parts(values, output)),
            Self::Ast => command.map_or(0, nodes),
        };
        COUNTED.store(count, Ordering::Relaxed);
    }
}

impl Hook for Workload {
    fn name(&self) -> &str {
        Self::name(*self)
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let call = payload.event.call();
        let output = payload.event.output().map(|output| output.text());
        let output = output.or_else(|| payload.field("tool_output").and_then(Value::as_str));
        let values = call.into_iter().flat_map(|call| call.input.values()).filter_map(Value::as_str);
        self.look(values, call.and_then(|call| call.text("command")), output);
        Ok(Verdict::abstain())
    }
}

/// Returns what is scanned: each string of the input, followed by a space, and the output. The patterns see
/// one text, which is never copied into one.
fn parts<'a>(values: impl Iterator<Item = &'a str>, output: Option<&'a str>) -> Vec<&'a str> {
    values.flat_map(|text| [text, " "]).chain(output).collect()
}

fn matches(parts: &[&str]) -> usize {
    SET.as_ref().map_or(0, |set| set.count(parts))
}

thread_local! {
    static PARSER: RefCell<Option<Parser>> = RefCell::new(parser());
}

fn parser() -> Option<Parser> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    Some(parser)
}

fn nodes(command: &str) -> usize {
    parse(command).map_or(0, |tree| count(&tree))
}

/// Returns the syntax tree of a command.
pub(crate) fn parse(command: &str) -> Option<Tree> {
    PARSER.with_borrow_mut(|parser| parser.as_mut()?.parse(command, None))
}

/// Visits every node in source order, and counts the visits. Not recursive: a hostile command may be as
/// deep as it is long.
fn count(tree: &Tree) -> usize {
    let nodes = tree.root_node().descendant_count();
    let mut cursor = tree.walk();
    let mut visited = 1;
    while visited < nodes {
        // One call moves to the next node, wherever it is. Trying the first child, then the sibling, then
        // the siblings of all parents takes more than two calls per node, which is a tenth of the parse.
        cursor.goto_descendant(visited);
        visited += 1;
    }
    visited
}

/// Does nothing: measures the cost of a call.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn noop(payload: &Bound<'_, PyDict>) {
    let _ = payload;
}

/// Counts how many of about a hundred harmless patterns occur in the strings of `tool_input` and in
/// `tool_output`.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn scan_regex<'py>(py: Python<'py>, payload: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let input = payload.get_item("tool_input")?.and_then(|input| input.cast_into::<PyDict>().ok());
    let values: Vec<Bound<'py, PyString>> = input
        .into_iter()
        .flat_map(|input| input.values())
        .filter_map(|value| value.cast_into::<PyString>().ok())
        .collect();
    let values: Vec<&str> = values.iter().map(|text| text.to_str()).collect::<PyResult<_>>()?;
    let output = payload.get_item("tool_output")?.and_then(|output| output.cast_into::<PyString>().ok());
    let output = output.as_ref().map(|output| output.to_str()).transpose()?;
    let parts = parts(values.into_iter(), output);
    let matches = py.detach(|| matches(&parts));
    answer(py, "matches", matches)
}

/// Counts the nodes of the syntax tree of `tool_input["command"]`, parsed with tree-sitter-bash.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn walk_ast<'py>(py: Python<'py>, payload: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let input = payload.get_item("tool_input")?.and_then(|input| input.cast_into::<PyDict>().ok());
    let command = input.map(|input| input.get_item("command")).transpose()?.flatten();
    let nodes = match command.as_ref().map(|command| command.cast::<PyString>()) {
        Some(Ok(command)) => {
            let command = command.to_str()?;
            py.detach(|| nodes(command))
        }
        Some(Err(_)) | None => 0,
    };
    answer(py, "nodes", nodes)
}

fn answer<'py>(py: Python<'py>, key: &str, count: usize) -> PyResult<Bound<'py, PyDict>> {
    let answer = PyDict::new(py);
    answer.set_item("decision", "allow")?;
    answer.set_item(key, count)?;
    Ok(answer)
}

/// Returns the patterns of `scan_regex`.
#[pyfunction]
pub(crate) fn patterns() -> Vec<&'static str> {
    lines().collect()
}

/// Returns the count of the last workload that ran as a hook in this process: the proof that it did its
/// work.
#[pyfunction]
pub(crate) fn counted() -> usize {
    COUNTED.load(Ordering::Relaxed)
}
