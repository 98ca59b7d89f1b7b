//! A line of the trail as readers see it.

use checkrein_core::{Decision, EventId, Map};
use serde_json::Value;

/// An event that was decided. `schema/trail.schema.json` describes its JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The id.
    pub id: EventId,
    /// The number of the line; `None` if it is not yet part of the chain.
    pub n: Option<u64>,
    /// The decision.
    pub decision: Decision,
    /// The answers of the hooks.
    pub hooks: Vec<HookRecord>,
    /// Every field as it is stored.
    pub fields: Map,
}

/// The answer of one hook.
#[derive(Clone, Debug, PartialEq)]
pub struct HookRecord {
    /// The hook.
    pub name: String,
    /// Its decision.
    pub decision: Decision,
    /// The time that it took, in microseconds.
    pub micros: Option<u64>,
}

/// Returns the decision of this name.
fn decision_of(word: &str) -> Option<Decision> {
    let all = [Decision::Abstain, Decision::Allow, Decision::Ask, Decision::Deny];
    all.into_iter().find(|decision| decision.as_str() == word)
}

impl Record {
    /// Reads a line; `None` if it is not a record of a kind that this program knows.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let Ok(Value::Object(fields)) = serde_json::from_slice(line) else { return None };
        let decision = |value: &Map| decision_of(value.get("decision")?.as_str()?);
        let hooks = fields.get("hooks").and_then(Value::as_array).into_iter().flatten();
        let hooks = hooks.filter_map(Value::as_object).filter_map(|hook| {
            Some(HookRecord {
                name: hook.get("name")?.as_str()?.to_owned(),
                decision: decision(hook)?,
                micros: hook.get("micros").and_then(Value::as_u64),
            })
        });
        Some(Self {
            id: fields.get("id")?.as_str()?.parse().ok()?,
            n: fields.get("n").and_then(Value::as_u64),
            decision: decision(&fields)?,
            hooks: hooks.collect(),
            fields,
        })
    }

    /// Returns a field that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    /// Returns the texts of a field that is a list.
    pub fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.fields.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns whether a field is `true`.
    pub fn is(&self, name: &str) -> bool {
        self.fields.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// The host.
    pub fn host(&self) -> Option<&str> {
        self.text("host")
    }

    /// The session.
    pub fn session(&self) -> Option<&str> {
        self.text("session")
    }

    /// The event.
    pub fn event(&self) -> &str {
        self.text("event").unwrap_or_default()
    }

    /// The tool.
    pub fn tool(&self) -> Option<&str> {
        self.text("tool")
    }

    /// The time of the whole event, in microseconds.
    pub fn micros(&self) -> Option<u64> {
        self.fields.get("micros").and_then(Value::as_u64)
    }

    /// Returns the session and the call, which belong together: hosts number the calls of each session.
    pub fn call(&self) -> Option<(&str, &str)> {
        Some((self.session().unwrap_or_default(), self.text("call")?))
    }
}
