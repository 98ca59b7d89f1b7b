//! Parses TOML into the tree.

use crate::config::{
    problem::ProblemCollector,
    tree::{Field, Node, NodeValue, Span},
};
use toml::{
    Spanned,
    de::{DeInteger, DeString, DeTable, DeValue},
};

/// Up to this size, a text that does not parse is read a second time to find all its errors; above it, the first one
/// must do, since a large file of garbage has as many errors as lines.
const ALL_ERRORS_LIMIT: usize = 64 * 1024;

/// Reads `text`; `None` if it is not TOML, which is then in the report.
pub(crate) fn parse<'t>(text: &'t str, report: &mut ProblemCollector<'t>) -> Option<Node<'t>> {
    let error = match DeTable::parse(text) {
        Ok(table) => {
            return Some(Node { span: table.span(), value: NodeValue::Table(fields(table.into_inner())) });
        }
        Err(error) => error,
    };
    let mut errors = Vec::new();
    if text.len() <= ALL_ERRORS_LIMIT {
        errors = DeTable::parse_recoverable(text).1;
    }
    if errors.is_empty() {
        errors.push(error);
    }
    let mut last: Option<usize> = None;
    for error in errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        // The rest of a line that is broken already means nothing.
        let same_line = |last: usize| {
            let between = text.get(last.min(span.start)..last.max(span.start));
            between.is_some_and(|between| !between.contains('\n'))
        };
        if !last.is_some_and(same_line) {
            report.add_syntax(&span, &format!("not valid TOML: {}", error.message()));
        }
        last = Some(span.start);
    }
    None
}

fn fields(table: DeTable<'_>) -> Vec<Field<'_>> {
    table.into_iter().map(|(key, value)| field(key, value)).collect()
}

fn field<'t>(key: Spanned<DeString<'t>>, value: Spanned<DeValue<'t>>) -> Field<'t> {
    let key_span = key.span();
    Field { key: key.into_inner(), key_span, node: node(value) }
}

/// As deep as the parser lets a text nest.
fn node(value: Spanned<DeValue<'_>>) -> Node<'_> {
    let span: Span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => NodeValue::Text(text),
        DeValue::Integer(integer) => NodeValue::Number(number(&integer)),
        DeValue::Float(float) => NodeValue::Number(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(is) => NodeValue::Bool(is),
        DeValue::Datetime(date) => NodeValue::Date(date.to_string()),
        DeValue::Array(list) => NodeValue::List(list.into_iter().map(node).collect()),
        DeValue::Table(table) => NodeValue::Table(fields(table)),
    };
    Node { span, value }
}

#[expect(clippy::cast_precision_loss, reason = "only small numbers mean anything in a configuration")]
fn number(integer: &DeInteger<'_>) -> f64 {
    i64::from_str_radix(integer.as_str(), integer.radix()).map_or(f64::NAN, |value| value as f64)
}
