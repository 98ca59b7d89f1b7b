//! The ancestor's two workloads, which its benchmarks are made of, and sets of patterns.
//!
//! They judge nothing. Each is a function for Python, and a native hook where a dispatcher is given that function.

use checkrein::{Deadline, Failure, Hook, Payload, ToolCall, Verdict};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict, types::PyString};
use regex::{RegexSet, RegexSetBuilder};
use serde_json::Value;
use std::{cell::RefCell, sync::LazyLock};
use tree_sitter::{Parser, Tree};

/// About a hundred harmless patterns, one per line.
const PATTERNS: &str = include_str!("patterns.txt");

/// More than a thousand patterns fit.
const SIZE: usize = 64 << 20;

static SET: LazyLock<Option<RegexSet>> = LazyLock::new(|| set(lines()).ok());

fn lines() -> impl Iterator<Item = &'static str> {
    PATTERNS.lines().filter(|line| !line.is_empty() && !line.starts_with("# "))
}

fn set<'a>(patterns: impl Iterator<Item = &'a str>) -> Result<RegexSet, regex::Error> {
    RegexSetBuilder::new(patterns).size_limit(SIZE).dfa_size_limit(SIZE).build()
}

/// The built-in workloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workload {
    /// Nothing at all: what it costs to be asked.
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
}

impl Hook for Workload {
    fn name(&self) -> &str {
        Self::name(*self)
    }

    fn call(&self, payload: &Payload, _: Deadline<'_>) -> Result<Verdict, Failure> {
        let call = payload.event.call();
        match self {
            Self::Noop => {}
            Self::Regex => {
                let output = payload.event.output().map(|output| output.text());
                let output = output.or_else(|| payload.field("tool_output").and_then(Value::as_str));
                std::hint::black_box(matches(&haystack(call, output)));
            }
            Self::Ast => {
                let command = call.and_then(|call| call.text("command"));
                std::hint::black_box(command.map_or(0, nodes));
            }
        }
        Ok(Verdict::abstain())
    }
}

fn haystack(call: Option<&ToolCall>, output: Option<&str>) -> String {
    let mut haystack = String::new();
    let values = call.into_iter().flat_map(|call| call.input.values());
    for text in values.filter_map(Value::as_str) {
        haystack.push_str(text);
        haystack.push(' ');
    }
    haystack.push_str(output.unwrap_or_default());
    haystack
}

fn matches(haystack: &str) -> usize {
    SET.as_ref().map_or(0, |set| set.matches(haystack).iter().count())
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
    PARSER.with_borrow_mut(|parser| parser.as_mut()?.parse(command, None)).map_or(0, |tree| count(&tree))
}

/// Counts without recursion: a hostile command may be as deep as it is long.
fn count(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 1;
    loop {
        if cursor.goto_first_child() {
            count += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
        count += 1;
    }
}

/// Says nothing, at no cost: what it takes to be asked.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn noop(payload: &Bound<'_, PyDict>) {
    let _ = payload;
}

/// Counts which of about a hundred harmless patterns occur in the strings of `tool_input` and in `tool_output`.
#[pyfunction]
#[pyo3(signature = (payload, /))]
pub(crate) fn scan_regex<'py>(py: Python<'py>, payload: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyDict>> {
    let mut haystack = String::new();
    if let Some(input) = payload.get_item("tool_input")?
        && let Ok(input) = input.cast_into::<PyDict>()
    {
        for (_, value) in input {
            if let Ok(text) = value.cast::<PyString>() {
                haystack.push_str(text.to_str()?);
                haystack.push(' ');
            }
        }
    }
    if let Some(output) = payload.get_item("tool_output")?
        && let Ok(output) = output.cast::<PyString>()
    {
        haystack.push_str(output.to_str()?);
    }
    let matches = py.detach(|| matches(&haystack));
    answer(py, "matches", matches)
}

/// Counts the nodes of the syntax tree of `tool_input["command"]`, as tree-sitter-bash reads it.
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

/// The patterns of `scan_regex`.
#[pyfunction]
pub(crate) fn patterns() -> Vec<&'static str> {
    lines().collect()
}

/// Many patterns, compiled into one automaton: a scan costs about the same however many there are.
#[pyclass(frozen, module = "checkrein")]
pub(crate) struct PatternSet {
    set: RegexSet,
}

#[pymethods]
impl PatternSet {
    #[new]
    fn new(py: Python<'_>, patterns: Vec<String>) -> PyResult<Self> {
        let built = py.detach(|| set(patterns.iter().map(String::as_str)));
        built.map(|set| Self { set }).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The number of patterns that occur in `text`.
    #[pyo3(signature = (text, /))]
    fn scan(&self, py: Python<'_>, text: &str) -> usize {
        py.detach(|| self.set.matches(text).iter().count())
    }

    /// The positions of the patterns that occur in `text`, in their order.
    #[pyo3(signature = (text, /))]
    fn find(&self, py: Python<'_>, text: &str) -> Vec<usize> {
        py.detach(|| self.set.matches(text).iter().collect())
    }

    fn __len__(&self) -> usize {
        self.set.len()
    }

    fn __repr__(&self) -> String {
        format!("PatternSet(<{} patterns>)", self.set.len())
    }
}
