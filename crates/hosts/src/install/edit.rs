//! Edits a JSON text in the style of its author.
//!
//! Inserted text takes over the line ends, the indentation and the spacing around it; removed text takes its comma
//! and its spaces with it. Appending and removing again gives the same bytes.

use super::tree::{Node, Value};
use serde_json::Value as Json;
use std::ops::Range;

/// The layout of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// The line end; empty if everything is on one line.
    line: &'static str,
    /// The indentation of one level.
    unit: String,
    /// The space after `:`, and after `,` on one line.
    space: &'static str,
}

impl Style {
    /// Detects the style of `text`, which was parsed as `root`. A text without a style gets the usual one.
    pub(crate) fn of(text: &str, root: &Node) -> Self {
        let inside = text.get(root.span.clone()).unwrap_or_default();
        let bare = is_empty(root);
        let line = if inside.contains("\r\n") || (bare && text.contains("\r\n")) {
            "\r\n"
        } else if inside.contains('\n') || bare {
            "\n"
        } else {
            ""
        };
        let first = match &root.value {
            Value::Object(members) => members.first().map(|(_, place, _)| place.start),
            Value::Array(elements) => elements.first().map(|element| element.span.start),
            Value::String(_) | Value::Other(_) => None,
        };
        let unit = first.and_then(|first| own_indent(text, first)).filter(|unit| !unit.is_empty());
        let dense = inside.contains(':') && !inside.contains(": ");
        Self { line, unit: unit.unwrap_or("  ").to_owned(), space: if dense { "" } else { " " } }
    }

    /// Writes `value` in this style, on separate lines if `spread`, the later ones indented by `indent`.
    fn write(&self, value: &Json, indent: &str, spread: Spread) -> String {
        let deeper = format!("{indent}{}", self.unit);
        let (open, close, parts): (_, _, Vec<String>) = match value {
            Json::Object(members) => {
                let member = |(key, value): (&String, &Json)| {
                    format!(
                        "{}:{}{}",
                        Json::from(key.as_str()),
                        self.space,
                        self.write(value, &deeper, spread)
                    )
                };
                ('{', '}', members.iter().map(member).collect())
            }
            Json::Array(elements) => {
                ('[', ']', elements.iter().map(|value| self.write(value, &deeper, spread)).collect())
            }
            plain => return plain.to_string(),
        };
        match spread {
            _ if parts.is_empty() => format!("{open}{close}"),
            Spread::Lines => {
                let line = self.line;
                let parts = parts.join(&format!(",{line}{deeper}"));
                format!("{open}{line}{deeper}{parts}{line}{indent}{close}")
            }
            Spread::OneLine => format!("{open}{}{close}", parts.join(&format!(",{}", self.space))),
        }
    }
}

/// Tells if a value is written over several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spread {
    Lines,
    OneLine,
}

fn is_empty(node: &Node) -> bool {
    match &node.value {
        Value::Object(members) => members.is_empty(),
        Value::Array(elements) => elements.is_empty(),
        Value::String(_) | Value::Other(_) => false,
    }
}

/// Returns the spaces before `at`, if nothing else precedes it on its line.
fn own_indent(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.rfind('\n')? + 1;
    let indent = before.get(line..)?;
    indent.chars().all(|c| c == ' ' || c == '\t').then_some(indent)
}

/// Returns the spaces at the start of the line of `at`.
fn line_indent(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(line..at).unwrap_or_default();
    let end = line.find(|c: char| c != ' ' && c != '\t').unwrap_or(line.len());
    line.get(..end).unwrap_or_default()
}

/// Appends a member, or an element if there is no `key`, to `container`.
pub(crate) fn append(text: &str, style: &Style, container: &Node, key: Option<&str>, value: &Json) -> String {
    let (last, indented) = match &container.value {
        Value::Object(members) => match members.last() {
            Some((_, key, node)) => (Some(node.span.end), own_indent(text, key.start)),
            None => (None, None),
        },
        Value::Array(elements) => match elements.last() {
            Some(node) => (Some(node.span.end), own_indent(text, node.span.start)),
            None => (None, None),
        },
        Value::String(_) | Value::Other(_) => return text.to_owned(),
    };
    let child = |indent: &str, spread| {
        let name = key.map(|key| format!("{}:{}", Json::from(key), style.space)).unwrap_or_default();
        format!("{name}{}", style.write(value, indent, spread))
    };
    let Some(last) = last else {
        let inside = container.span.start + 1..container.span.end.saturating_sub(1);
        if style.line.is_empty() {
            return replaced(text, inside, &child("", Spread::OneLine));
        }
        let outer = line_indent(text, container.span.start);
        let indent = format!("{outer}{}", style.unit);
        let child = child(&indent, Spread::Lines);
        return replaced(text, inside, &format!("{line}{indent}{child}{line}{outer}", line = style.line));
    };
    let new = match indented {
        Some(indent) if !style.line.is_empty() => {
            format!(",{}{indent}{}", style.line, child(indent, Spread::Lines))
        }
        _ => format!(",{}{}", style.space, child("", Spread::OneLine)),
    };
    replaced(text, last..last, &new)
}

/// Replaces `node` with `value`, in the same layout.
pub(crate) fn replace(text: &str, style: &Style, node: &Node, value: &Json) -> String {
    let lines = text.get(node.span.clone()).is_some_and(|old| old.contains('\n'));
    let spread = if lines && !style.line.is_empty() { Spread::Lines } else { Spread::OneLine };
    let indent = line_indent(text, node.span.start);
    replaced(text, node.span.clone(), &style.write(value, indent, spread))
}

/// Removes the part number `index` from `container`.
pub(crate) fn remove(text: &str, container: &Node, index: usize) -> String {
    let spans: Vec<Range<usize>> = match &container.value {
        Value::Object(members) => members.iter().map(|(_, key, node)| key.start..node.span.end).collect(),
        Value::Array(elements) => elements.iter().map(|node| node.span.clone()).collect(),
        Value::String(_) | Value::Other(_) => Vec::new(),
    };
    let Some(span) = spans.get(index) else { return text.to_owned() };
    let before = index.checked_sub(1).and_then(|before| spans.get(before));
    let cut = match (before, spans.get(index + 1)) {
        (None, None) => container.span.start + 1..container.span.end.saturating_sub(1),
        (None, Some(next)) => span.start..next.start,
        (Some(before), _) => before.end..span.end,
    };
    replaced(text, cut, "")
}

fn replaced(text: &str, range: Range<usize>, new: &str) -> String {
    let mut changed = text.to_owned();
    if text.is_char_boundary(range.start) && text.is_char_boundary(range.end) && range.start <= range.end {
        changed.replace_range(range, new);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::{super::tree::parse, *};
    use serde_json::json;

    fn put(text: &str, key: Option<&str>) -> String {
        let root = parse(text).unwrap();
        append(text, &Style::of(text, &root), &root, key, &json!({"x": [1], "y": {}}))
    }

    #[test]
    fn inserted_text_looks_like_the_rest() {
        for (text, expected) in [
            ("{}", "{\n  \"k\": {\n    \"x\": [\n      1\n    ],\n    \"y\": {}\n  }\n}"),
            ("{\"a\":1}", "{\"a\":1,\"k\":{\"x\":[1],\"y\":{}}}"),
            ("{\"a\": 1}", "{\"a\": 1, \"k\": {\"x\": [1], \"y\": {}}}"),
            (
                "{\r\n\t\"a\": 1\r\n}\r\n",
                "{\r\n\t\"a\": 1,\r\n\t\"k\": {\r\n\t\t\"x\": [\r\n\t\t\t1\r\n\t\t],\r\n\t\t\"y\": {}\r\n\t}\r\n}\r\n",
            ),
            (
                "{ \"a\": 1,\n  \"b\": 2 }",
                "{ \"a\": 1,\n  \"b\": 2,\n  \"k\": {\n    \"x\": [\n      1\n    ],\n    \"y\": {}\n  } }",
            ),
        ] {
            let changed = put(text, Some("k"));
            assert_eq!(changed, expected, "{text}");
            if text != "{}" {
                let root = parse(&changed).unwrap();
                assert_eq!(remove(&changed, &root, root.members().unwrap().len() - 1), text);
            }
        }
        assert_eq!(put("[1,2]", None), "[1,2, {\"x\": [1], \"y\": {}}]");
    }

    #[test]
    fn removed_text_takes_its_comma() {
        for (index, expected) in [(0, "[ 2, 3 ]"), (1, "[ 1, 3 ]"), (2, "[ 1, 2 ]")] {
            let text = "[ 1, 2, 3 ]";
            assert_eq!(remove(text, &parse(text).unwrap(), index), expected);
        }
        let text = "{\n  \"a\": 1\n}";
        assert_eq!(remove(text, &parse(text).unwrap(), 0), "{}");
    }

    #[test]
    fn replaced_text_keeps_its_layout() {
        let text = "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": {\"d\": 1}\n}";
        let root = parse(text).unwrap();
        let style = Style::of(text, &root);
        let changed = replace(text, &style, root.get("c").unwrap(), &json!({"d": 2}));
        assert_eq!(changed, text.replace("\"d\": 1", "\"d\": 2"));
        let changed = replace(text, &style, root.get("a").unwrap(), &json!({"b": 2}));
        assert_eq!(changed, text.replace("\"b\": 1", "\"b\": 2"));
    }
}
