//! The tools of a server: which of them the client gets, and how their definitions read.

use super::judge::plain;
use checkrein::{
    mcp_pins::{Pin, PinStore, Standing},
    sanitize,
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
};

/// The maximum number of tools of a server, and of pages of its list.
pub(super) const MOST_TOOLS: usize = 2000;
pub(super) const MOST_PAGES: usize = 100;

/// The tools of a server, as they stand.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    tools: BTreeMap<String, Pin>,
    /// The names in the order of the server.
    order: Vec<String>,
    standing: BTreeMap<String, Standing>,
    /// Tools that the client never gets, and why.
    refused: BTreeMap<String, &'static str>,
}

impl Catalogue {
    /// Makes a catalogue of what a server listed.
    ///
    /// # Errors
    ///
    /// If the pins cannot be read or written.
    pub(super) fn new(listed: Vec<Value>, store: &PinStore, server: &str) -> io::Result<Self> {
        let mut catalogue = Self::default();
        for definition in listed {
            let name = definition.get("name").and_then(Value::as_str).map(str::to_owned);
            let name = name.unwrap_or_default();
            if catalogue.tools.contains_key(&name) {
                // Which of two tools a call means is the server's secret.
                catalogue.refused.insert(name, "the server lists it twice");
                continue;
            }
            if let Some(why) = fault(&name, &definition) {
                catalogue.refused.insert(name.clone(), why);
            }
            catalogue.order.push(name.clone());
            catalogue.tools.insert(name, Pin::of(definition));
        }
        catalogue.standing = store.review(server, &catalogue.tools)?;
        Ok(catalogue)
    }

    /// Returns why a tool cannot be called; `None` if it can.
    pub(super) fn objection(&self, name: &str, server: &str) -> Option<String> {
        let shown = sanitize::one_line(name, 100);
        if let Some(why) = self.refused.get(name) {
            return Some(format!("the tool `{shown}` is held back: {why}"));
        }
        let what = match self.standing.get(name) {
            None => return Some(format!("this server has no tool `{shown}`")),
            Some(Standing::Known) => return None,
            Some(Standing::Added) => "was added after this server was first used",
            Some(Standing::Changed) => "has a different definition than when this server was first used",
        };
        Some(format!(
            "the tool `{shown}` {what}, and the user has not accepted that. The user can review it with `checkrein mcp-pins` and accept it \
             with `checkrein mcp-pins --accept {server}`"
        ))
    }

    /// Returns the definitions that the client gets, without hidden characters.
    pub(super) fn shown(&self) -> Vec<Value> {
        let is_shown = |name: &&String| {
            self.standing.get(*name) == Some(&Standing::Known) && !self.refused.contains_key(*name)
        };
        let definitions = self.order.iter().filter(is_shown).filter_map(|name| self.tools.get(name));
        definitions
            .map(|pin| {
                let mut definition = pin.definition.clone();
                plain(&mut definition);
                definition
            })
            .collect()
    }

    /// Returns the tools that wait for the user, with the digests of their definitions.
    pub(super) fn waiting(&self) -> BTreeMap<String, String> {
        let waits = |name: &String| {
            matches!(self.standing.get(name), Some(Standing::Added | Standing::Changed))
                && !self.refused.contains_key(name)
        };
        self.tools
            .iter()
            .filter(|(name, _)| waits(name))
            .map(|(name, pin)| (name.clone(), pin.digest.clone()))
            .collect()
    }

    /// Returns the tools that are held back whatever the user says, and why.
    pub(super) const fn refused(&self) -> &BTreeMap<String, &'static str> {
        &self.refused
    }

    /// Describes what waits for the user.
    pub(super) fn question(&self, server: &str) -> String {
        let mut text = format!("The MCP server `{server}` changed its tools since it was first used:\n");
        for name in self.waiting().keys() {
            let what = if self.standing.get(name) == Some(&Standing::Added) { "new" } else { "changed" };
            let description = self.tools.get(name).and_then(|pin| pin.definition.get("description"));
            let description =
                sanitize::one_line(description.and_then(Value::as_str).unwrap_or_default(), 400);
            text.push_str(&format!("- {what}: `{}`: {description}\n", sanitize::one_line(name, 100)));
        }
        text
    }

    /// Notes that the user accepted these tools.
    pub(super) fn accept(&mut self, accepted: &[String]) {
        let accepted: BTreeSet<&String> = accepted.iter().collect();
        for (name, standing) in &mut self.standing {
            if accepted.contains(name) {
                *standing = Standing::Known;
            }
        }
    }
}

/// Returns the defect of a definition that no user should have to review.
fn fault(name: &str, definition: &Value) -> Option<&'static str> {
    if name.is_empty() || name.chars().count() > 128 {
        return Some("its name is empty or too long");
    }
    if name.contains(sanitize::is_hidden) {
        return Some("its name has hidden characters");
    }
    has_hidden_keys(definition).then_some("its definition has names with hidden characters")
}

fn has_hidden_keys(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_hidden_keys),
        Value::Object(members) => {
            members.iter().any(|(key, member)| key.contains(sanitize::is_hidden) || has_hidden_keys(member))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(listed: &[Value]) -> Catalogue {
        let state = tempfile::tempdir().unwrap();
        Catalogue::new(listed.to_vec(), &PinStore::new(state.path()), "s").unwrap()
    }

    #[test]
    fn definitions_are_shown_without_hidden_characters() {
        let tag = "\u{e0041}\u{202e}";
        let catalogue = of(&[json!({
            "name": "read",
            "description": format!("Reads.{tag}"),
            "inputSchema": {"properties": {"path": {"description": format!("A{tag}"), "enum": [format!("x{tag}")]}}},
        })]);
        let shown = catalogue.shown().remove(0).to_string();
        assert!(!shown.contains(sanitize::is_hidden), "{shown}");
        assert!(shown.contains("Reads."), "{shown}");
    }

    #[test]
    fn tools_that_cannot_be_told_apart_or_read_are_held_back() {
        let catalogue = of(&[
            json!({"name": "twice"}),
            json!({"name": "twice", "description": "other"}),
            json!({"name": "re\u{200b}ad"}),
            json!({"name": "keys", "inputSchema": {"properties": {"pa\u{202e}th": {}}}}),
            json!({"name": ""}),
            json!({"description": "no name"}),
            json!({"name": "fine"}),
        ]);
        let names: Vec<Value> = catalogue.shown().into_iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names, ["fine"]);
        assert!(catalogue.objection("twice", "s").is_some_and(|why| why.contains("twice")));
        assert!(catalogue.objection("missing", "s").is_some_and(|why| why.contains("no tool")));
        assert_eq!(catalogue.objection("fine", "s"), None);
    }
}
