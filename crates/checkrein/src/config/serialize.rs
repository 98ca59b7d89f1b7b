//! Serializes a hook as JSON with every key, for listings, for trust and for the compiled form.

use crate::config::{hook::HookDefinition, keys::ConfigWord};
use checkrein_core::{OnFailure, Pattern};
use checkrein_exec::{Callable, Program};
use serde_json::{Value, json};

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

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(Pattern::to_string).collect()
}
