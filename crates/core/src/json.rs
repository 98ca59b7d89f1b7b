//! A strict JSON reader: one value, no duplicate keys, bounded depth.
//!
//! If two readers disagree about a duplicate key, a call can bypass a guard, so a duplicate key is an error here.
//! `serde_json` limits the depth to 128 levels.

use crate::Map;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// Reads one JSON value.
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    Ok(serde_json::from_slice::<Strict>(bytes)?.0)
}

/// Reads one JSON object.
pub fn parse_object(bytes: &[u8]) -> Result<Map, serde_json::Error> {
    match parse(bytes)? {
        Value::Object(object) => Ok(object),
        other => {
            Err(serde_json::Error::custom(format_args!("expected an object, found {}", type_name(&other))))
        }
    }
}

/// Returns the type of a value in words.
pub const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Seed.deserialize(deserializer).map(Self)
    }
}

struct Seed;

impl<'de> DeserializeSeed<'de> for Seed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(Self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("duplicate key `{key}`")));
            }
            map.insert(key, access.next_value_seed(Self)?);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duplicate_key_is_an_error_at_every_depth() {
        for text in [r#"{"a":1,"a":2}"#, r#"{"b":[{"a":1,"\u0061":2}]}"#] {
            let error = parse(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("duplicate key `a`"), "{error}");
        }
    }

    #[test]
    fn depth_and_trailing_text_are_bounded() {
        assert!(parse("[".repeat(100_000).as_bytes()).is_err());
        assert!(parse(b"{} {}").is_err());
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn values_are_unchanged() {
        let text = r#"{"z":[1,-2,0.1,18446744073709551615,true,null,"é"],"a":{}}"#;
        assert_eq!(parse(text.as_bytes()).unwrap().to_string(), text);
    }
}
