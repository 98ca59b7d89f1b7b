//! Our entries in an agent's settings file. A change of any word in them changes what we are asked.

use serde_json::{Map, Value};

/// Maximum number of entries of one file that are looked at.
const ENTRIES: usize = 256;

/// Returns each entry that starts us, with its place and the values around it. `None` for a text that no agent could
/// read either.
pub(super) fn entries(text: &str, starts_us: &dyn Fn(&str) -> bool) -> Option<Vec<String>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root: Value = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text).ok()?,
        false => toml_as_json(text)?,
    };
    let mut found = Vec::new();
    collect(&root, "", starts_us, &mut found);
    Some(found)
}

/// The whole text without any of the ways in which characters can be written otherwise.
pub(super) fn plainly(text: &str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<Value>(text).ok().or_else(|| toml_as_json(text)).map(|value| value.to_string())
}

fn collect(value: &Value, way: &str, starts_us: &dyn Fn(&str) -> bool, found: &mut Vec<String>) {
    if found.len() >= ENTRIES {
        return;
    }
    match value {
        Value::Object(fields) => {
            let is_entry = fields.values().any(|value| match value {
                Value::String(text) => starts_us(text),
                Value::Array(words) => words.iter().filter_map(Value::as_str).any(starts_us),
                _ => false,
            });
            if is_entry {
                found.push(format!("{way} {value}"));
                return;
            }
            for (key, inner) in fields.iter().filter(|(_, inner)| inner.is_object() || inner.is_array()) {
                collect(inner, &format!("{way}/{key}"), starts_us, found);
            }
        }
        Value::Array(list) => {
            for one in list {
                // What a group says holds for everything in it.
                let beside: Map<String, Value> = one
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter(|(_, value)| !value.is_array() && !value.is_object())
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect();
                let nested = one.as_object().is_some_and(|fields| fields.values().any(Value::is_array));
                let way = if nested { format!("{way} {}", Value::from(beside)) } else { way.to_owned() };
                collect(one, &way, starts_us, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn toml_as_json(text: &str) -> Option<Value> {
    fn json(value: &toml::de::DeValue<'_>) -> Value {
        use toml::de::DeValue;
        match value {
            DeValue::String(text) => Value::from(text.to_string()),
            DeValue::Boolean(flag) => Value::from(*flag),
            DeValue::Array(list) => list.iter().map(|one| json(one.get_ref())).collect(),
            DeValue::Table(table) => {
                let fields = table.iter().map(|(key, one)| (key.get_ref().to_string(), json(one.get_ref())));
                Value::Object(fields.collect())
            }
            DeValue::Integer(number) => Value::from(number.to_string()),
            DeValue::Float(number) => Value::from(number.to_string()),
            DeValue::Datetime(time) => Value::from(time.to_string()),
        }
    }
    let table = toml::de::DeTable::parse(text).ok()?;
    let fields = table.get_ref().iter().map(|(key, one)| (key.get_ref().to_string(), json(one.get_ref())));
    Some(Value::Object(fields.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Vec<String>> {
        entries(text, &|text| text.contains("checkrein"))
    }

    const REGISTERED: &str = r#"{"hooks": {"PreToolUse": [
        {"matcher": "Bash", "hooks": [{"type": "command", "command": "lint"}]},
        {"matcher": "*", "hooks": [{"type": "command", "command": "/a/checkrein hook --host claude", "timeout": 60, "onFailure": "block"}]}
    ]}}"#;

    #[test]
    fn an_entry_is_the_same_only_as_it_was_registered() {
        let before = of(REGISTERED).unwrap();
        assert_eq!(before.len(), 1);
        let stays =
            |after: &str| of(after).is_some_and(|after| before.iter().all(|entry| after.contains(entry)));
        for (from, to) in [
            ("/a/checkrein", "/b/checkrein"),
            ("\"*\"", "\"Read\""),
            ("60", "1"),
            ("\"block\"", "\"ignore\""),
            (", \"onFailure\": \"block\"", ""),
            ("\"timeout\": 60", "\"timeout\": 60, \"async\": true"),
            ("\"timeout\": 60", "\"timeout\": 60, \"if\": \"Bash(ls)\""),
            ("\"matcher\": \"*\"", "\"matcher\": \"*\", \"disabled\": true"),
            ("\"type\": \"command\", \"command\": \"/a", "\"type\": \"prompt\", \"command\": \"/a"),
            ("PreToolUse", "PostToolUse"),
            ("\"hooks\": {", "\"_hooks\": {"),
            ("]}}", "]}"),
        ] {
            assert!(REGISTERED.contains(from), "{from}");
            assert!(!stays(&REGISTERED.replace(from, to)), "{from} → {to}");
        }
        for (from, to) in [
            ("\"lint\"", "\"fmt\""),
            ("{\"hooks\": {", "{\"model\": \"x\", \"hooks\": {\"Stop\": [],"),
            ("    ", ""),
            ("\"command\": \"lint\"}", "\"command\": \"lint\"}, {\"command\": \"x\"}"),
        ] {
            assert!(REGISTERED.contains(from), "{from}");
            assert!(stays(&REGISTERED.replace(from, to)), "{from} → {to}");
        }
    }

    #[test]
    fn files_of_every_notation() {
        let toml = "[[hooks.PreToolUse]]\nmatcher = \"*\"\n[[hooks.PreToolUse.hooks]]\ncommand = \"checkrein hook\"\n";
        assert_eq!(of(toml).unwrap().len(), 1);
        assert_eq!(of("model = \"x\"\n").unwrap().len(), 0);
        assert_eq!(of("{\"hooks\": ").map(|list| list.len()), None);
        assert_eq!(
            of(r#"{"hooks": {"beforeShell": [{"command": ["checkrein", "hook"]}]}}"#).unwrap().len(),
            1
        );
        assert_eq!(plainly(r#"{"disable\u0041llHooks": true}"#).unwrap(), r#"{"disableAllHooks":true}"#);
    }
}
