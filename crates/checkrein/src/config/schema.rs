//! The files' JSON Schemas (draft 2020-12), made from the table of keys.
//!
//! An editor shows them while a user types; the reader of the file has the last word. A schema may therefore accept
//! what the reader refuses (a duplicate name, a key of another layer), but never the other way round.

use crate::config::{
    keys::{Absent, CONFIG, Holds, Key, TESTS, Table},
    layer::Layer,
};
use checkrein_core::ToolKind;
use serde_json::{Map, Value, json};

/// The commented default configuration: every key with its default, and everything commented out, so that it is an
/// empty configuration as it stands.
pub const DEFAULT_CONFIG: &str = include_str!("default.toml");

/// The schema of a configuration file.
pub fn config_schema() -> Value {
    document(
        "Checkrein configuration",
        "The hooks that are asked about the events of coding agents, and rules for the guard.",
        &CONFIG,
    )
}

/// The schema of a file of policy tests.
pub fn tests_schema() -> Value {
    document("Checkrein policy tests", "What hooks must decide about tool calls and other events.", &TESTS)
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
        table.keys.iter().filter(|key| matches!(key.absent, Absent::Mistake)).map(|key| key.name).collect();
    let mut object = Map::new();
    object.insert("type".into(), "object".into());
    object.insert("properties".into(), properties.into());
    if !needed.is_empty() {
        object.insert("required".into(), needed.into());
    }
    object.insert("additionalProperties".into(), false.into());
    object.append(&mut (table.rules)());
    object
}

fn property(key: &Key) -> Value {
    let mut property = Map::new();
    property.insert("description".into(), description(key).into());
    if let Absent::Value(value) = key.absent {
        property.insert("default".into(), value());
    }
    property.append(&mut holds(key.holds));
    Value::Object(property)
}

/// Returns what the key is for, what its absence means, and who may set it.
fn description(key: &Key) -> String {
    let mut text = key.doc.to_owned();
    if let Absent::Means(meaning) = key.absent {
        text.push_str(&format!(" Without it: {meaning}."));
    }
    if let Absent::Unless(other) = key.absent {
        text.push_str(&format!(" Without it: `{other}` must be there."));
    }
    let layers: Vec<&str> =
        Layer::ALL.into_iter().filter(|layer| layer.refuses(key.name).is_none()).map(Layer::as_str).collect();
    if layers.len() < Layer::ALL.len() {
        text.push_str(&format!(" Layers: {}.", layers.join(", ")));
    }
    text
}

fn holds(what: Holds) -> Map<String, Value> {
    let schema = match what {
        Holds::Text => text(),
        Holds::Word(words) => json!({"enum": words()}),
        Holds::Flag => json!({"type": "boolean"}),
        Holds::Seconds(most) => json!({"type": "number", "exclusiveMinimum": 0, "maximum": most}),
        Holds::Command => json!({"anyOf": [
            text(),
            {"type": "array", "minItems": 1, "prefixItems": [text()], "items": {"type": "string"}},
        ]}),
        Holds::Callable => json!({"type": "string", "pattern": "^[^\\s:]+:[^\\s:]+$"}),
        Holds::Patterns(least) => one_or_more(&pattern(), least),
        Holds::Names => json!({"type": "array", "items": {"type": "string"}}),
        Holds::Variables => {
            json!({"type": "array", "items": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}})
        }
        Holds::Files => json!({"type": "array", "items": {
            "type": "string", "minLength": 1, "not": {"pattern": "^/|(^|/)\\.\\.(/|$)"},
        }}),
        Holds::Texts => one_or_more(&text(), 1),
        Holds::Words(words) => one_or_more(&json!({"enum": words()}), 1),
        Holds::Day => json!({"type": "string", "pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2}|never)$"}),
        Holds::RuleIds => {
            one_or_more(&json!({"type": "string", "maxLength": 300, "pattern": "^[^.*?\\[]*\\.[\\s\\S]"}), 1)
        }
        Holds::Directories => one_or_more(
            &json!({
                "type": "string",
                "pattern": "^(/+[^/*?\\[]|~$|~/)",
                "not": {"pattern": "[*?\\[]|(^|/)\\.\\.(/|$)"},
            }),
            1,
        ),
        Holds::Commands => one_or_more(
            &json!({"type": "string", "maxLength": 300, "pattern": "^\\s*[^\\s*?\\[]+(\\s|$)"}),
            1,
        ),
        Holds::Id => json!({"type": "string", "maxLength": 60, "pattern": "^[a-z0-9][a-z0-9-]*$"}),
        Holds::Line(most) => {
            json!({"type": "string", "maxLength": most, "pattern": "^[^\\u0000-\\u001f]*\\S[^\\u0000-\\u001f]*$"})
        }
        Holds::Object => json!({"type": "object"}),
        Holds::ObjectOrText => json!({"type": ["object", "string"]}),
        Holds::FlagOrObject => json!({"type": ["boolean", "object"]}),
        Holds::Table(table) => return object(table),
        Holds::Tables(table) => json!({"type": "array", "items": object(table)}),
    };
    if let Value::Object(schema) = schema { schema } else { Map::new() }
}

/// A text with something in it.
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
