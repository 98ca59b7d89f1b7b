//! Findings about hooks that were imported and kept: the agent runs them, and so does checkrein.

use super::ours;
use crate::install::agents::Agent;
use checkrein_hosts::doctor::{Finding, Source};
use serde_json::Value;

/// Returns a finding for each file of the agent with a command that our configuration has as well.
pub(super) fn findings(agent: &Agent, sources: &[Source]) -> Vec<Finding> {
    let Ok(stack) = ours::stack() else { return Vec::new() };
    let configured: Vec<String> = stack
        .rows(None)
        .iter()
        .filter_map(|row| match row.as_json().get("command")? {
            Value::String(line) => Some(line.clone()),
            Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
            _ => None,
        })
        .collect();
    let key = agent.recipe.layout.command;
    let twice = sources.iter().filter_map(|source| {
        let text = source.text.as_ref().ok()?;
        let root: Value = serde_json::from_str(text).ok()?;
        let command = commands(root.get("hooks")?, key).into_iter().find(|line| configured.contains(line))?;
        let place = source.path.display();
        Some(Finding::warning(
            "imported-and-kept",
            format!("{place} runs `{command}`, which your configuration runs as well: it runs twice"),
            format!("remove it from {place}, or from the configuration"),
        ))
    });
    twice.collect()
}

/// Returns every command in a tree of hooks.
fn commands(value: &Value, key: &str) -> Vec<String> {
    let inner: Vec<&Value> = match value {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    };
    let own = value.get(key).and_then(Value::as_str).map(str::to_owned);
    own.into_iter().chain(inner.into_iter().flat_map(|inner| commands(inner, key))).collect()
}
