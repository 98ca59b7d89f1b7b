//! Converts TOML to JSON, so that both can be read in one way.

use serde_json::Value;
use toml::de::DeValue;

/// Converts a TOML value to JSON. Dates, which no relevant setting has, become null.
pub fn toml_to_json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => text.to_string().into(),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Value::Null, Value::from)
        }
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(flag) => (*flag).into(),
        DeValue::Datetime(_) => Value::Null,
        DeValue::Array(list) => list.iter().map(|value| toml_to_json(value.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, value)| (key.get_ref().to_string(), toml_to_json(value.get_ref())))
            .collect(),
    }
}
