//! Parses mini-coding-agent's JSON hook list.
//!
//! Whether the text is JSON is decided by the one strict reader that the engine has. What follows is a walk over text
//! that is known to be valid, only to learn where each value is. (`serde_json` can tell positions through its raw
//! values, but that feature gives one magic key a meaning in every other reader of the program.)

use crate::config::{
    problem::ProblemCollector,
    tree::{Field, Node, NodeValue},
};
use checkrein_core::json;

/// Returns true if `text` is JSON rather than TOML: it starts with `{`, or with `[` and then `{` or `]`. No TOML
/// document does, whatever the file is called.
pub(crate) fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    match text.strip_prefix('[') {
        Some(rest) => rest.trim_start().starts_with(['{', ']']),
        None => text.starts_with('{'),
    }
}

/// Reads `text`; `None` if it is not JSON, which is then in the report.
pub(crate) fn parse<'t>(text: &'t str, report: &mut ProblemCollector<'t>) -> Option<Node<'t>> {
    if let Err(error) = json::parse(text.as_bytes()) {
        let at = (report.line_start(error.line()) + error.column().saturating_sub(1)).min(text.len());
        let message = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = message.strip_suffix(&place).unwrap_or(&message);
        report.add_syntax(&(at..at), &format!("not valid JSON: {message}"));
        return None;
    }
    let node = Walk { text, at: 0 }.value();
    if node.is_none() {
        report.add_syntax(&(0..0), "not valid JSON");
    }
    node
}

/// A walk over valid JSON. `None` anywhere means that it was not valid after all.
struct Walk<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Walk<'t> {
    fn value(&mut self) -> Option<Node<'t>> {
        self.skip_space();
        let start = self.at;
        let value = match self.peek()? {
            b'{' => self.table()?,
            b'[' => self.list()?,
            b'"' => NodeValue::Text(self.string()?.into()),
            _ => self.scalar()?,
        };
        Some(Node { span: start..self.at, value })
    }

    fn table(&mut self) -> Option<NodeValue<'t>> {
        let mut fields = Vec::new();
        self.step(b'{')?;
        while !self.ends(b'}')? {
            let start = self.at;
            let key = self.string()?.into();
            let key_span = start..self.at;
            self.skip_space();
            self.step(b':')?;
            fields.push(Field { key, key_span, node: self.value()? });
        }
        Some(NodeValue::Table(fields))
    }

    fn list(&mut self) -> Option<NodeValue<'t>> {
        let mut values = Vec::new();
        self.step(b'[')?;
        while !self.ends(b']')? {
            values.push(self.value()?);
        }
        Some(NodeValue::List(values))
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.step(b'"')?;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    fn scalar(&mut self) -> Option<NodeValue<'t>> {
        let rest = self.text.get(self.at..)?;
        let length = rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(rest.len());
        self.at += length;
        Some(match rest.get(..length)? {
            "null" => NodeValue::Null,
            "true" => NodeValue::Bool(true),
            "false" => NodeValue::Bool(false),
            number => NodeValue::Number(number.parse().ok()?),
        })
    }

    /// Skips white space and a comma up to the next member, or the bracket that ends them.
    fn ends(&mut self, bracket: u8) -> Option<bool> {
        self.skip_space();
        if self.peek()? == b',' {
            self.at += 1;
            self.skip_space();
        }
        let ends = self.peek()? == bracket;
        if ends {
            self.at += 1;
        }
        Some(ends)
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn step(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_notation_is_known_by_its_content() {
        for (text, expected) in [
            ("[{\"event\": 1}]", true),
            (" \n[\n {", true),
            ("[]", true),
            ("{\"hooks\": []}", true),
            ("[[hook]]\n", false),
            ("[hook]\n", false),
            ("[\"hook\"]\n", false),
            ("# [{\n", false),
            ("", false),
            ("hook = [{}]", false),
        ] {
            assert_eq!(is_json(text), expected, "{text}");
        }
    }

    /// Checks that every value of the tree is at its span.
    fn check(text: &str, node: &Node<'_>) {
        let there = serde_json::from_str::<serde_json::Value>(text.get(node.span.clone()).unwrap()).unwrap();
        match &node.value {
            NodeValue::Null => assert!(there.is_null()),
            NodeValue::Bool(is) => assert_eq!(there, *is),
            NodeValue::Number(number) => assert_eq!(there.as_f64(), Some(*number)),
            NodeValue::Text(value) => assert_eq!(there, value.as_ref()),
            NodeValue::Date(_) => panic!("JSON has no dates"),
            NodeValue::List(list) => {
                assert_eq!(there.as_array().unwrap().len(), list.len());
                list.iter().for_each(|node| check(text, node));
            }
            NodeValue::Table(fields) => {
                assert_eq!(there.as_object().unwrap().len(), fields.len());
                for field in fields {
                    assert_eq!(
                        serde_json::from_str::<String>(text.get(field.key_span.clone()).unwrap()).unwrap(),
                        field.key
                    );
                    check(text, &field.node);
                }
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn places_are_right(text in json_text(4)) {
            let mut report = ProblemCollector::new(Path::new("x"), &text);
            check(&text, &parse(&text, &mut report).unwrap());
        }
    }

    /// Generates JSON with white space wherever it is allowed.
    fn json_text(depth: u32) -> impl proptest::strategy::Strategy<Value = String> {
        use proptest::prelude::*;
        let blank = "[ \t\r\n]{0,2}";
        let string = any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap());
        let scalar = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            Just("false".to_owned()),
            "-?(0|[1-9][0-9]{0,5})(\\.[0-9]{1,3})?([eE][+-]?[0-9])?",
            string,
        ];
        let value = scalar.prop_recursive(depth, 32, 4, move |inner| {
            let members = prop::collection::vec(inner, 0..4);
            (members, blank, any::<bool>()).prop_map(|(members, blank, is_list)| {
                let member = |(index, member)| {
                    if is_list {
                        format!("{blank}{member}{blank}")
                    } else {
                        format!("{blank}\"k\\u0061{index}\"{blank}:{blank}{member}{blank}")
                    }
                };
                let members: Vec<String> = members.into_iter().enumerate().map(member).collect();
                let members = members.join(",");
                if is_list { format!("[{members}]") } else { format!("{{{members}{blank}}}") }
            })
        });
        (blank, value, blank).prop_map(|(before, value, after)| format!("{before}{value}{after}"))
    }
}
