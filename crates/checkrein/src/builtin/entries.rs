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
            collect_plugins(fields, way, found);
            let is_entry = fields.iter().any(|(key, value)| match value {
                Value::String(text) => starts_us(text),
                Value::Array(words) if !is_list_of_plugins(key) => {
                    words.iter().filter_map(Value::as_str).any(starts_us)
                }
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

/// Adds our plugins: by a key of their name, which says whether they are enabled or where they are, or in a list of names and paths.
fn collect_plugins(fields: &Map<String, Value>, way: &str, found: &mut Vec<String>) {
    for (key, value) in fields {
        if key.split('@').any(|part| part == "checkrein") {
            found.push(format!("{way}/{key} {value}"));
        }
        let Value::Array(list) = value else { continue };
        if is_list_of_plugins(key) {
            let names = list.iter().filter_map(|one| match one {
                Value::Object(fields) => fields.get("source").and_then(Value::as_str),
                one => one.as_str(),
            });
            let ours = names.filter(|name| name.contains("checkrein"));
            found.extend(ours.map(|name| format!("{way}/{key} has {name}")));
        }
    }
}

/// Returns true if the texts of a list are plugins, and not the words of a command.
fn is_list_of_plugins(key: &str) -> bool {
    matches!(key, "plugin" | "plugins" | "packages" | "extensions" | "installed_plugins" | "installedPlugins")
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
    fn a_plugin_is_an_entry_by_its_name() {
        for (before, after, stays) in [
            (
                r#"{"enabledPlugins": {"checkrein@m": true, "x@m": true}}"#,
                r#"{"enabledPlugins": {"checkrein@m": false, "x@m": true}}"#,
                false,
            ),
            (
                r#"{"enabledPlugins": {"checkrein@m": true, "x@m": true}}"#,
                r#"{"enabledPlugins": {"checkrein@m": true, "x@m": false}}"#,
                true,
            ),
            (
                r#"{"checkrein": {"installLocation": "/a"}}"#,
                r#"{"checkrein": {"installLocation": "/b"}}"#,
                false,
            ),
            (r#"{"plugins": {"a@checkrein": [{"installPath": "/a"}]}}"#, r#"{"plugins": {}}"#, false),
            (
                r#"{"plugin": ["checkrein-opencode", "x"], "model": "a"}"#,
                r#"{"plugin": ["x"], "model": "a"}"#,
                false,
            ),
            (
                r#"{"plugin": ["checkrein-opencode", "x"], "model": "a"}"#,
                r#"{"plugin": ["checkrein-opencode"], "model": "b"}"#,
                true,
            ),
            (r#"{"packages": [{"source": "npm:checkrein-pi"}]}"#, r#"{"packages": []}"#, false),
            (
                "[plugins.\"checkrein@checkrein\"]\nenabled = true\n",
                "[plugins.\"checkrein@checkrein\"]\nenabled = false\n",
                false,
            ),
            ("[plugins.\"x@y\"]\nenabled = true\n", "[plugins.\"x@y\"]\nenabled = false\n", true),
            (
                "[projects.\"/src/checkrein\"]\ntrust = 'a'\n",
                "[projects.\"/src/checkrein\"]\ntrust = 'b'\n",
                true,
            ),
        ] {
            let (entries, left) = (of(before).unwrap(), of(after).unwrap());
            assert_eq!(
                entries.iter().all(|entry| left.contains(entry)),
                stays,
                "{before} → {after}: {entries:?}"
            );
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
