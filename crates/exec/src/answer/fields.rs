//! Reads the fields of an answer one by one, with their types checked.
//!
//! Absent, null and empty are different: only the readers whose name ends in `_or_null` treat null as absent, for
//! the fields of dialects whose hooks print every field of a record.

use super::bad;
use checkrein_core::{Failure, Map, json::type_name};
use serde_json::Value;

/// A JSON object that is being read.
pub(super) struct Fields {
    map: Map,
    /// The path of the object, as a prefix of names in messages: empty, or ending with a dot.
    place: &'static str,
    known: bool,
}

impl Fields {
    pub(super) const fn new(map: Map, place: &'static str) -> Self {
        Self { map, place, known: false }
    }

    /// Returns true if a known field was present.
    pub(super) const fn any_known(&self) -> bool {
        self.known
    }

    /// Returns a field that is not known.
    pub(super) fn unknown(&self) -> Option<&str> {
        self.map.keys().next().map(String::as_str)
    }

    /// Returns an unknown field that denies or asks: a typo, or an unknown dialect.
    pub(super) fn objecting(&self) -> Option<&str> {
        let objects = |(field, value): &(&String, &Value)| match value {
            Value::String(word) => matches!(word.as_str(), "ask" | "block" | "deny" | "reject"),
            Value::Bool(true) => matches!(
                field.as_str(),
                "ask" | "block" | "blocked" | "cancel" | "deny" | "denied" | "reject"
            ),
            Value::Bool(false) => {
                matches!(field.as_str(), "allow" | "allowed" | "approve" | "approved" | "ok" | "permit")
            }
            Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
        };
        self.map.iter().find(objects).map(|(field, _)| field.as_str())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// Returns the unread fields as a new object.
    pub(super) fn rest(self) -> Self {
        Self { known: false, ..self }
    }

    pub(super) fn take(&mut self, field: &str) -> Option<Value> {
        let value = self.map.swap_remove(field);
        self.known |= value.is_some();
        value
    }

    /// Marks fields as known without reading them.
    pub(super) fn accept(&mut self, fields: &[&str]) {
        for field in fields {
            self.take(field);
        }
    }

    pub(super) fn string(&mut self, field: &str) -> Result<Option<String>, Failure> {
        let value = self.take(field);
        self.as_string(field, value)
    }

    pub(super) fn string_or_null(&mut self, field: &str) -> Result<Option<String>, Failure> {
        let value = self.take(field).filter(|value| !value.is_null());
        self.as_string(field, value)
    }

    pub(super) fn object(&mut self, field: &str) -> Result<Option<Map>, Failure> {
        let value = self.take(field);
        self.as_object(field, value)
    }

    pub(super) fn object_or_null(&mut self, field: &str) -> Result<Option<Map>, Failure> {
        let value = self.take(field).filter(|value| !value.is_null());
        self.as_object(field, value)
    }

    pub(super) fn boolean(&mut self, field: &str) -> Result<Option<bool>, Failure> {
        match self.take(field) {
            None => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(value)),
            Some(other) => Err(self.wrong(field, "true or false", &other)),
        }
    }

    /// Reads one text, or a list of texts. Our own dialect writes each text with its hook, so that one engine can be
    /// a hook of another.
    pub(super) fn texts_or_null(&mut self, field: &str) -> Result<Vec<String>, Failure> {
        let values = match self.take(field) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(values)) => values,
            Some(one) => vec![one],
        };
        let texts = values.into_iter().map(|value| match value {
            Value::String(text) => Ok(text),
            Value::Object(mut said) => match said.swap_remove("text") {
                Some(Value::String(text)) => Ok(text),
                _ => Err(self.wrong(field, "a string or a list of strings", &Value::Object(said))),
            },
            other => Err(self.wrong(field, "a string or a list of strings", &other)),
        });
        let texts: Result<Vec<String>, Failure> = texts.collect();
        texts.map(|texts| texts.into_iter().filter(|text| !text.trim().is_empty()).collect())
    }

    fn as_string(&self, field: &str, value: Option<Value>) -> Result<Option<String>, Failure> {
        match value {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(field, "a string", &other)),
        }
    }

    fn as_object(&self, field: &str, value: Option<Value>) -> Result<Option<Map>, Failure> {
        match value {
            None => Ok(None),
            Some(Value::Object(object)) => Ok(Some(object)),
            Some(other) => Err(self.wrong(field, "an object", &other)),
        }
    }

    pub(super) fn wrong(&self, field: &str, expected: &str, found: &Value) -> Failure {
        let place = self.place;
        bad(format!("`{place}{field}` should be {expected}, found {}", type_name(found)))
    }

    /// Returns the failure for a string that its field does not accept.
    pub(super) fn unknown_word(&self, field: &str, expected: &str, found: &str) -> Failure {
        let place = self.place;
        let found: String = found.chars().take(40).collect();
        bad(format!("`{place}{field}` should be {expected}, found `{found}`"))
    }
}
