//! As much of JSON Schema as our schemas use. A keyword that is not known here is a defect of the test, not a keyword
//! to be passed over.

use regex_lite::Regex;
use serde_json::Value;

/// Whether `value` is valid under `schema`.
pub(super) fn is_valid(schema: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = schema else { panic!("not a schema: {schema}") };
    keywords.iter().all(|(keyword, operand)| holds(keyword, operand, schema, value))
}

fn holds(keyword: &str, operand: &Value, schema: &Value, value: &Value) -> bool {
    let each = |operand: &Value| operand.as_array().unwrap().clone();
    match keyword {
        "$schema" | "title" | "description" | "default" => true,
        "type" => match operand {
            Value::Array(types) => types.iter().any(|one| is_of(one, value)),
            one => is_of(one, value),
        },
        "enum" => each(operand).contains(value),
        "const" => operand == value,
        "anyOf" => each(operand).iter().any(|schema| is_valid(schema, value)),
        "oneOf" => each(operand).iter().filter(|schema| is_valid(schema, value)).count() == 1,
        "not" => !is_valid(operand, value),
        "if" => !is_valid(operand, value) || is_valid(&schema["then"], value),
        "then" => true,
        "minLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 >= operand.as_u64().unwrap())
        }
        "maxLength" => {
            value.as_str().is_none_or(|text| text.chars().count() as u64 <= operand.as_u64().unwrap())
        }
        "pattern" => {
            let pattern = Regex::new(operand.as_str().unwrap()).unwrap();
            value.as_str().is_none_or(|text| pattern.is_match(text))
        }
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > operand.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= operand.as_f64().unwrap()),
        "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= operand.as_u64().unwrap()),
        "prefixItems" => value
            .as_array()
            .is_none_or(|list| each(operand).iter().zip(list).all(|(schema, value)| is_valid(schema, value))),
        "items" => {
            let first = schema.get("prefixItems").map_or(0, |first| first.as_array().unwrap().len());
            value.as_array().is_none_or(|list| list.iter().skip(first).all(|value| is_valid(operand, value)))
        }
        "required" => value
            .as_object()
            .is_none_or(|object| each(operand).iter().all(|key| object.contains_key(key.as_str().unwrap()))),
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(key, value)| operand.get(key).is_none_or(|schema| is_valid(schema, value)))
        }),
        "additionalProperties" => {
            assert_eq!(operand, &Value::Bool(false));
            let known = schema["properties"].as_object().unwrap();
            value.as_object().is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
        }
        other => panic!("unknown keyword `{other}`"),
    }
}

fn is_of(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        other => panic!("unknown type `{other}`"),
    }
}
