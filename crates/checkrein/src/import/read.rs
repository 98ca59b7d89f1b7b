//! Reads values of the types that an origin expects, or reports a problem with its position.

use crate::config::{
    format::Notation,
    problem::ProblemCollector,
    tree::{Field, Node, NodeValue, Span},
};
use std::borrow::Cow;

/// A text that is being read.
pub(super) struct Reading<'r, 't> {
    pub(super) report: &'r mut ProblemCollector<'t>,
    pub(super) notation: Notation,
    line_starts: Vec<usize>,
}

impl<'r, 't> Reading<'r, 't> {
    pub(super) fn new(report: &'r mut ProblemCollector<'t>, notation: Notation, text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { report, notation, line_starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The line of a place, counted from 1.
    pub(super) fn line(&self, span: &Span) -> usize {
        self.line_starts.partition_point(|start| *start <= span.start).max(1)
    }

    pub(super) fn problem(&mut self, key: &str, span: &Span, message: &str, hint: Option<&str>) {
        self.report.add(key, span, message, hint);
    }

    fn mismatch<T>(&mut self, key: &str, node: &Node<'t>, expected: &str) -> Option<T> {
        let message = format!("expected {expected}, found {}", self.notation.type_of(&node.value));
        self.problem(key, &node.span, &message, None);
        None
    }

    pub(super) fn table(&mut self, key: &str, node: Node<'t>) -> Option<Vec<Field<'t>>> {
        match node.value {
            NodeValue::Table(fields) => Some(fields),
            _ => self.mismatch(key, &node, self.notation.table()),
        }
    }

    pub(super) fn list(&mut self, key: &str, node: Node<'t>) -> Option<Vec<Node<'t>>> {
        match node.value {
            NodeValue::List(list) => Some(list),
            _ => self.mismatch(key, &node, "a list"),
        }
    }

    pub(super) fn text(&mut self, key: &str, node: Node<'t>) -> Option<Cow<'t, str>> {
        match node.value {
            NodeValue::Text(text) => Some(text),
            _ => self.mismatch(key, &node, "a string"),
        }
    }

    pub(super) fn number(&mut self, key: &str, node: &Node<'t>) -> Option<f64> {
        match node.value {
            NodeValue::Number(number) => Some(number),
            _ => self.mismatch(key, node, "a number"),
        }
    }

    pub(super) fn boolean(&mut self, key: &str, node: &Node<'t>) -> Option<bool> {
        match node.value {
            NodeValue::Bool(is) => Some(is),
            _ => self.mismatch(key, node, "`true` or `false`"),
        }
    }

    pub(super) fn texts(&mut self, key: &str, node: Node<'t>) -> Option<Vec<String>> {
        let mut texts = Some(Vec::new());
        for (index, node) in self.list(key, node)?.into_iter().enumerate() {
            match (self.text(&format!("{key}[{index}]"), node), &mut texts) {
                (Some(text), Some(texts)) => texts.push(text.into_owned()),
                _ => texts = None,
            }
        }
        texts
    }
}

/// A value as JSON, to be shown.
pub(super) fn as_json(node: &Node<'_>) -> serde_json::Value {
    match &node.value {
        NodeValue::Null => serde_json::Value::Null,
        NodeValue::Bool(is) => (*is).into(),
        NodeValue::Number(number) => number_json(*number),
        NodeValue::Text(text) => (**text).into(),
        NodeValue::Date(date) => date.as_str().into(),
        NodeValue::List(list) => list.iter().map(as_json).collect::<Vec<_>>().into(),
        NodeValue::Table(fields) => {
            let fields = fields.iter().map(|field| (field.key.clone().into_owned(), as_json(&field.node)));
            fields.collect::<serde_json::Map<_, _>>().into()
        }
    }
}

/// Whole numbers as they were written, not as `30.0`.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers of a small size are cast")]
fn number_json(number: f64) -> serde_json::Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { (number as i64).into() } else { number.into() }
}
