//! The guard in the list of hooks. It is defined in no file, so no layer can remove it, but it is listed like any other hook.

use crate::term::{out, style, wrap::fitted};
use checkrein::{
    Entry, EventName, Guard, LayeredConfig, Role, Scope,
    guard::{self, Rule},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The layer of hooks that are in no file.
const LAYER: &str = "built in";

/// The guard, on the selected events.
pub(crate) struct BuiltIn {
    events: Vec<EventName>,
    /// True if a layer has allow rules.
    allow_rules: bool,
}

impl BuiltIn {
    /// Returns the guard on `event`, or on all of its events.
    pub(crate) fn of(event: Option<EventName>, stack: &LayeredConfig) -> Self {
        let asked = |known: &EventName| event.is_none_or(|event| event == *known);
        let events = Guard::EVENTS.iter().copied().filter(asked).collect();
        Self { events, allow_rules: !stack.allow_rules().is_empty() }
    }

    /// Prints it for a user, once for all of its events.
    pub(crate) fn show(&self) {
        let [first, ..] = self.events.as_slice() else { return };
        let names: Vec<&str> = self.events.iter().map(|event| event.as_str()).collect();
        let entry = entry(*first);
        out!("\n{}", names.join(", "));
        out!("  • {}  {}, {}, on failure {}", entry.name(), Scope::all(), entry.role(), entry.failure_rule());
        out!("    {LAYER}: active, and cannot be disabled");
        let packs: Vec<String> = packs().iter().map(|(pack, count)| format!("{pack} {count}")).collect();
        let packs = style::harmless(&format!("{} rules: {}", guard::rules().len(), packs.join(", ")));
        fitted(&packs, 4).iter().for_each(|line| out!("    {line}"));
    }

    /// Returns one row of the list of hooks for each event.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Value> {
        self.events.iter().map(|event| {
            let entry = entry(*event);
            json!({
                "label": entry.name(),
                "layer": LAYER,
                "path": null,
                "status": "active",
                "failure_rule": entry.failure_rule().as_str(),
                "event": event.as_str(),
                "name": entry.name(),
                "match": {"tool": null, "except": []},
                "command": null,
                "role": entry.role().as_str(),
                "may_allow": self.allow_rules,
                "required": true,
                "overridable": false,
            })
        })
    }

    /// Returns its packs, and every rule with its file and line.
    pub(crate) fn rules(&self) -> Value {
        let packs: Vec<Value> =
            packs().into_iter().map(|(name, rules)| json!({"name": name, "rules": rules})).collect();
        let rule = |rule: &Rule| {
            json!({
                "id": rule.id,
                "decision": rule.decision.as_str(),
                "file": guard::rule_file(rule),
                "line": rule.line,
                "reason": rule.reason,
                "summary": rule.summary,
                "suggestion": rule.suggestion,
            })
        };
        json!({"packs": packs, "rules": guard::rules().iter().map(rule).collect::<Vec<Value>>()})
    }
}

/// Returns the guard's entry for an event.
fn entry(event: EventName) -> Entry {
    Entry::new(event, Guard::new()).with_role(Role::Judge)
}

/// Returns the number of rules in each pack, by name.
fn packs() -> BTreeMap<&'static str, usize> {
    let mut packs = BTreeMap::new();
    for rule in guard::rules() {
        *packs.entry(rule.id.split('.').next().unwrap_or_default()).or_default() += 1;
    }
    packs
}
