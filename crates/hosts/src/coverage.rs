//! The abilities of a host on each of its events, for a listing, from the tables that answers are made within.

use crate::{Host, install::Version};
use checkrein_core::{Abilities, Dispatcher, EventName, flat};
use serde_json::{Value, json};

/// The abilities of a host on one event that it fires.
#[derive(Clone, Copy, Debug)]
pub struct Covered {
    /// The canonical name of the event.
    pub event: EventName,
    /// The host's own name of the event.
    pub key: &'static str,
    /// The first version that has the event; `None` if every known version does.
    pub since: Option<Version>,
    /// The most that an answer can make the host do: a single event may leave less room.
    pub abilities: Abilities,
}

/// Returns the abilities of a host on every event that we register for; none if it cannot be installed into.
pub fn covered(host: &Host) -> Vec<Covered> {
    let events = host.recipe.map(|recipe| recipe.events).unwrap_or_default();
    let one = |fired: &crate::install::EventSupport| {
        let mut fields = sample(fired.event);
        // A host may have several events for one of ours.
        fields.insert("host_event_name".to_owned(), fired.key.into());
        let payload = flat::read(fields, Some(fired.event)).ok()?;
        let neutral = Dispatcher::new().dispatch(payload);
        let abilities = host.dialect.abilities(&neutral);
        Some(Covered { event: fired.event, key: fired.key, since: fired.since, abilities })
    };
    events.iter().filter_map(one).collect()
}

/// Returns an event with room for every answer.
fn sample(event: EventName) -> checkrein_core::Map {
    let fields = json!({
        "hook_event_name": event.as_str(),
        "session_id": "sample",
        "cwd": "/",
        "prompt": "sample",
        "tool_name": "Bash",
        "tool_input": {"command": "true"},
        "tool_response": {"stdout": "sample", "stderr": ""},
        "error": "sample",
    });
    match fields {
        Value::Object(fields) => fields,
        _ => checkrein_core::Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use checkrein_core::Editing;

    #[test]
    fn every_event_of_every_host_is_covered_and_every_gate_before_a_tool_can_deny() {
        for host in crate::ALL {
            let covered = covered(host);
            assert_eq!(covered.len(), host.recipe.map_or(0, |recipe| recipe.events.len()), "{}", host.name());
            for row in covered.iter().filter(|row| row.event == EventName::PreToolUse) {
                assert!(row.abilities.deny, "{}", host.name());
            }
        }
    }

    #[test]
    fn the_sample_leaves_room_for_an_edit() {
        let of = |name: &str, event: EventName| {
            let covered = covered(crate::host(name).unwrap());
            covered.into_iter().find(|row| row.event == event).unwrap().abilities
        };
        assert_eq!(of("claude", EventName::PostToolUse).edit, Editing::Applies);
        assert_eq!(of("codex", EventName::PreToolUse).edit, Editing::Applies);
        assert_eq!(of("qwen", EventName::PreToolUse).edit, Editing::Cannot);
    }
}
