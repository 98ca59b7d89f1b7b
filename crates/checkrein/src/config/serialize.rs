//! Serializes a hook as JSON with every key, for listings, for trust and for the compiled form.

use crate::config::{Config, hook::HookDefinition, keys::ConfigWord};
use checkrein_core::{OnFailure, Pattern};
use checkrein_exec::{Callable, Program};
use serde_json::{Value, json};
use std::path::Path;

impl HookDefinition {
    /// Returns the hook with all of its keys, defaults included.
    pub(crate) fn to_json(&self) -> Value {
        let command = match &self.program {
            Program::Shell(text) => json!(text),
            Program::List(words) => json!(words),
            Program::Callable(_) => Value::Null,
        };
        let mut record = json!({
            "event": self.event.as_str(),
            "name": self.name,
            "match": {
                "tool": self.scope.tools().map(texts),
                "except": texts(self.scope.exceptions()),
            },
            "command": command,
            "role": self.role.as_str(),
            "timeout": self.timeout.as_secs_f64(),
            "on_failure": self.on_failure.map(OnFailure::as_str),
            "may_allow": self.may_allow,
            "cwd": self.cwd.word(),
            "env": self.env,
            "files": self.files,
            "required": self.required,
            "overridable": self.overridable,
        });
        // Trust covers the whole record, so a key that most hooks lack is not in it without a value.
        if let (Some(host), Value::Object(fields)) = (&self.written_for, &mut record) {
            fields.insert("written_for".into(), json!(host));
        }
        // The configuration does not know where the function was copied to.
        if let (Program::Callable(Callable { path, python, from: _ }), Value::Object(fields)) =
            (&self.program, &mut record)
        {
            fields.insert("callable".into(), json!(path));
            fields.insert("python".into(), json!(python));
        }
        record
    }
}

/// Returns the keys of a serialized hook whose values are not the defaults, with those of a table as `table.key`.
pub(crate) fn settings(hook: &Value) -> Vec<(String, Value)> {
    let plain = r#"[[hook]]
event = "PreToolUse"
command = "true"
"#;
    let defaults = Config::parse(plain, Path::new("hooks.toml")).ok();
    let defaults =
        defaults.and_then(|config| Some(config.content.hooks.first()?.to_json())).unwrap_or_default();
    let mut set = Vec::new();
    differing("", hook, &defaults, &mut set);
    set
}

fn differing(table: &str, value: &Value, default: &Value, set: &mut Vec<(String, Value)>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        let default = default.get(key).unwrap_or(&Value::Null);
        match value {
            Value::Object(_) => differing(&format!("{table}{key}."), value, default, set),
            value if value != default => set.push((format!("{table}{key}"), value.clone())),
            _ => {}
        }
    }
}

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(Pattern::to_string).collect()
}
