//! The JSON Schemas (draft 2020-12) of our files, generated from the definitions of the keys.
//!
//! An editor uses them while a user types, and the reader of the file has the last word. A schema may therefore accept
//! what the reader refuses (a duplicate name, a key of another layer), but never the other way round.

use crate::config::keys::{Absent, FILE, Key, KeyType, TESTS, Table};
use checkrein_core::ToolKind;
use serde_json::{Map, Value, json};

/// Returns the schema of a configuration file.
pub fn config_schema() -> Value {
    document(
        "Checkrein configuration",
        "Hooks for the events of coding agents, and rules for the guard.",
        &FILE,
    )
}

/// Returns the schema of a file of policy tests.
pub fn tests_schema() -> Value {
    document("Checkrein policy tests", "The expected decisions about tool calls and other events.", &TESTS)
}

fn document(title: &str, description: &str, table: &Table) -> Value {
    let mut document = Map::new();
    document.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    document.insert("title".into(), title.into());
    document.insert("description".into(), description.into());
    document.append(&mut object(table));
    Value::Object(document)
}

fn object(table: &Table) -> Map<String, Value> {
    let properties: Map<String, Value> =
        table.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let needed: Vec<&str> =
        table.keys.iter().filter(|key| matches!(key.absent, Absent::Required)).map(|key| key.name).collect();
    let mut object = Map::new();
    object.insert("type".into(), "object".into());
    object.insert("properties".into(), properties.into());
    if !needed.is_empty() {
        object.insert("required".into(), needed.into());
    }
    object.insert("additionalProperties".into(), false.into());
    object.append(&mut (table.schema_rules)());
    object
}

fn property(key: &Key) -> Value {
    let mut property = Map::new();
    property.insert("description".into(), key.summary().into());
    if let Absent::Default(value) = key.absent {
        property.insert("default".into(), value.to_json());
    }
    property.append(&mut accepted(key.holds));
    Value::Object(property)
}

/// Returns the schema of the values that a type accepts.
fn accepted(holds: KeyType) -> Map<String, Value> {
    let schema = match holds {
        KeyType::Text => text(),
        KeyType::Word(words) => json!({"enum": words()}),
        KeyType::Flag => json!({"type": "boolean"}),
        KeyType::Whole(most) => json!({"type": "integer", "minimum": 1, "maximum": most}),
        KeyType::Seconds(most) => json!({"type": "number", "exclusiveMinimum": 0, "maximum": most}),
        KeyType::Command => json!({"anyOf": [
            text(),
            {"type": "array", "minItems": 1, "prefixItems": [text()], "items": {"type": "string"}},
        ]}),
        KeyType::Callable => json!({"type": "string", "pattern": "^[^\\s:]+:[^\\s:]+$"}),
        KeyType::Patterns(least) => one_or_more(&pattern(), least),
        KeyType::Names => json!({"type": "array", "items": {"type": "string"}}),
        KeyType::Variables => {
            json!({"type": "array", "items": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}})
        }
        KeyType::Files => json!({"type": "array", "items": {
            "type": "string", "minLength": 1, "not": {"pattern": "^/|(^|/)\\.\\.(/|$)"},
        }}),
        KeyType::Texts => one_or_more(&text(), 1),
        KeyType::Words(words) => one_or_more(&json!({"enum": words()}), 1),
        KeyType::Day => json!({"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|never)$"}),
        KeyType::Date => json!({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
        KeyType::RuleIds => {
            one_or_more(&json!({"type": "string", "maxLength": 300, "pattern": "^[^.*?\\[]*\\.[\\s\\S]"}), 1)
        }
        KeyType::Directories => one_or_more(
            &json!({
                "type": "string",
                "pattern": "^(/+[^/*?\\[]|~$|~/)",
                "not": {"pattern": "[*?\\[]|(^|/)\\.\\.(/|$)"},
            }),
            1,
        ),
        KeyType::Commands => one_or_more(
            &json!({"type": "string", "maxLength": 300, "pattern": "^\\s*[^\\s*?\\[]+(\\s|$)"}),
            1,
        ),
        KeyType::Id => json!({"type": "string", "maxLength": 60, "pattern": "^[a-z0-9][a-z0-9-]*$"}),
        KeyType::Line(most) => {
            json!({"type": "string", "maxLength": most, "pattern": "^[^\\u0000-\\u001f]*\\S[^\\u0000-\\u001f]*$"})
        }
        KeyType::Object => json!({"type": "object"}),
        KeyType::ObjectOrText => json!({"type": ["object", "string"]}),
        KeyType::FlagOrObject => json!({"type": ["boolean", "object"]}),
        KeyType::Table(table) => return object(table),
        KeyType::Tables(table) => json!({"type": "array", "items": object(table)}),
    };
    if let Value::Object(schema) = schema { schema } else { Map::new() }
}

/// Returns the schema of a string that is not empty.
fn text() -> Value {
    json!({"type": "string", "pattern": "\\S"})
}

fn one_or_more(one: &Value, least: usize) -> Value {
    json!({"anyOf": [one, {"type": "array", "minItems": least, "items": one}]})
}

/// The forms of [`Pattern`](checkrein_core::Pattern): a kind, a regular expression, a name with or without a star.
fn pattern() -> Value {
    let kinds: Vec<&str> = ToolKind::ALL.iter().map(|kind| kind.as_str()).collect();
    json!({"type": "string", "minLength": 1, "anyOf": [
        {"pattern": format!("^kind:({})$", kinds.join("|"))},
        {"pattern": "^/[\\s\\S]+/$"},
        {"pattern": "^[^*|]*\\*?$", "not": {"pattern": "^(kind:|//$)"}},
    ]})
}

#[cfg(test)]
mod tests;
