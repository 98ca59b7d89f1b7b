//! Values of a test file as JSON, which is what events are made of.

use crate::config::{
    format::Notation,
    tree::{Field, Node, NodeValue, Span},
};
use checkrein_core::Map;
use serde_json::{Number, Value};

/// Something that JSON cannot say, and where.
#[derive(Debug)]
pub(super) struct NotJson {
    pub(super) span: Span,
    pub(super) message: String,
}

/// A table as an object, and what of it JSON cannot say. As deep as the parser lets a text nest.
pub(super) fn object(text: &str, fields: Vec<Field<'_>>, wrong: &mut Vec<NotJson>) -> Map {
    fields.into_iter().map(|field| (field.key.into_owned(), value(text, field.node, wrong))).collect()
}

/// Converts any value. `text` is the whole file: the tree keeps numbers only as precisely as a configuration needs
/// them, so a number is parsed again from its place.
pub(super) fn value(text: &str, node: Node<'_>, wrong: &mut Vec<NotJson>) -> Value {
    match node.value {
        NodeValue::Text(value) => value.into_owned().into(),
        NodeValue::Bool(is) => is.into(),
        NodeValue::Number(_) => {
            let literal = text.get(node.span.clone()).unwrap_or_default();
            number(literal).map_or_else(
                || {
                    let message = format!("`{literal}` is a number that JSON does not have");
                    wrong.push(NotJson { span: node.span, message });
                    Value::Null
                },
                Value::Number,
            )
        }
        NodeValue::List(list) => {
            list.into_iter().map(|node| value(text, node, wrong)).collect::<Vec<_>>().into()
        }
        NodeValue::Table(fields) => object(text, fields, wrong).into(),
        NodeValue::Null | NodeValue::Date(_) => {
            let found = Notation::Toml.type_of(&node.value);
            let message = format!("JSON does not have {found}; write a string");
            wrong.push(NotJson { span: node.span, message });
            // An editor checks a date as the string that it looks like.
            if let NodeValue::Date(date) = node.value { date.into() } else { Value::Null }
        }
    }
}

fn number(literal: &str) -> Option<Number> {
    let plain = literal.replace('_', "");
    let radix = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, radix)| Some((plain.strip_prefix(prefix)?, radix)));
    if let Some((digits, radix)) = radix {
        return i64::from_str_radix(digits, radix).ok().map(Number::from);
    }
    if plain.contains(['.', 'e', 'E', 'n', 'i']) {
        return Number::from_f64(plain.parse().ok()?);
    }
    plain.parse::<i64>().ok().map(Number::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_precision_and_their_type() {
        for (literal, expected) in [
            ("0", Some("0")),
            ("+17", Some("17")),
            ("-1_000", Some("-1000")),
            ("9007199254740993", Some("9007199254740993")),
            ("9223372036854775808", None),
            ("0xff_ff", Some("65535")),
            ("0o17", Some("15")),
            ("0b101", Some("5")),
            ("9.0", Some("9.0")),
            ("1e3", Some("1000.0")),
            ("6.02E-2", Some("0.0602")),
            ("inf", None),
            ("-inf", None),
            ("nan", None),
        ] {
            assert_eq!(number(literal).map(|number| number.to_string()).as_deref(), expected, "{literal}");
        }
    }
}
