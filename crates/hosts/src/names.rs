//! A host's own names of events and tools, and ours for them.

use crate::install::Recipe;
use checkrein_core::Map;
use serde_json::Value;

/// Pairs of a host's name of a tool and ours.
pub(crate) type Names = &'static [(&'static str, &'static str)];

/// Replaces the host's name of an event with ours, and keeps the host's.
pub(crate) fn rename_event(fields: &mut Map, recipe: &Recipe) {
    rename(fields, "hook_event_name", "host_event_name", |theirs| {
        recipe.event(theirs).map(|event| event.as_str()).filter(|ours| *ours != theirs)
    });
}

/// Replaces the host's name of a tool with ours, and keeps the host's.
pub(crate) fn rename_tool(fields: &mut Map, names: Names) {
    rename(fields, "tool_name", "host_tool_name", |theirs| {
        names.iter().find(|(host, _)| *host == theirs).map(|(_, ours)| *ours)
    });
}

fn rename(fields: &mut Map, field: &str, kept: &str, ours: impl Fn(&str) -> Option<&'static str>) {
    let Some(Value::String(name)) = fields.get_mut(field) else { return };
    let Some(ours) = ours(name) else { return };
    let theirs = std::mem::replace(name, ours.to_owned());
    fields.insert(kept.to_owned(), theirs.into());
}
