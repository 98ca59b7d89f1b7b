//! Serializes a hook as JSON with every key, for listings, for trust and for the compiled form.

use crate::config::hook::Definition;
use checkrein_core::{OnFailure, Pattern, Role, Scope};
use checkrein_exec::{Callable, Cwd, Program};
use serde_json::{Value, json};
use std::time::Duration;

impl Definition {
    /// Everything that the configuration says about a hook, defaults included.
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
            "cwd": match self.cwd { Cwd::Session => "session", Cwd::Config => "config" },
            "env": self.env,
            "files": self.files,
            "required": self.required,
            "overridable": self.overridable,
        });
        // Where it was copied to is not something that the configuration says.
        if let (Program::Callable(Callable { path, python, from: _ }), Value::Object(fields)) =
            (&self.program, &mut record)
        {
            fields.insert("callable".into(), json!(path));
            fields.insert("python".into(), json!(python));
        }
        record
    }

    /// The definition that [`to_json`](Self::to_json) wrote; `None` for anything else.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let word = |key: &str| value.get(key)?.as_str();
        let mark = |key: &str| value.get(key)?.as_bool();
        let list = |key: &str| strings(value.get(key)?);
        let matcher = value.get("match")?;
        let scope = match matcher.get("tool")? {
            Value::Null => Scope::all(),
            tools => Scope::only(patterns(tools)?),
        };
        let program = match value.get("command")? {
            Value::String(text) => Program::Shell(text.clone()),
            Value::Null => {
                let (path, python) = (word("callable")?.to_owned(), word("python")?.to_owned());
                Program::Callable(Callable { path, python, from: None })
            }
            words => Program::List(strings(words)?),
        };
        let on_failure = match value.get("on_failure")? {
            Value::Null => None,
            rule => {
                let rules = [OnFailure::Deny, OnFailure::Ask, OnFailure::Ignore];
                Some(rules.into_iter().find(|known| Some(known.as_str()) == rule.as_str())?)
            }
        };
        Some(Self {
            event: word("event")?.parse().ok()?,
            name: match value.get("name")? {
                Value::Null => None,
                name => Some(name.as_str()?.to_owned()),
            },
            scope: scope.except(patterns(matcher.get("except")?)?),
            program,
            role: Role::ALL.into_iter().find(|role| Some(role.as_str()) == word("role"))?,
            timeout: Duration::try_from_secs_f64(value.get("timeout")?.as_f64()?).ok()?,
            on_failure,
            may_allow: mark("may_allow")?,
            cwd: match word("cwd")? {
                "session" => Cwd::Session,
                "config" => Cwd::Config,
                _ => return None,
            },
            env: list("env")?,
            files: list("files")?,
            required: mark("required")?,
            overridable: mark("overridable")?,
        })
    }
}

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(Pattern::to_string).collect()
}

fn strings(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

fn patterns(value: &Value) -> Option<Vec<Pattern>> {
    strings(value)?.iter().map(|text| text.parse().ok()).collect()
}
