//! An answer on its way: the form that Claude Code made and others took over, a top level and an object for the event.

use crate::Reply;
use checkrein_core::{EventName, Map};
use serde_json::Value;

pub(crate) struct Answer {
    event: EventName,
    top: Map,
    nested: Map,
}

impl Answer {
    pub(crate) fn new(event: EventName) -> Self {
        Self { event, top: Map::new(), nested: Map::new() }
    }

    /// Sets a field of the answer itself.
    pub(crate) fn top(&mut self, key: &str, value: impl Into<Value>) {
        self.top.insert(key.into(), value.into());
    }

    /// Sets a field of `hookSpecificOutput`.
    pub(crate) fn nested(&mut self, key: &str, value: impl Into<Value>) {
        self.nested.insert(key.into(), value.into());
    }

    /// The denial of most events.
    pub(crate) fn block(&mut self, reason: String) {
        self.top("decision", "block");
        self.top("reason", reason);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.top.is_empty() && self.nested.is_empty()
    }

    /// `{}` is the neutral answer, so that stdout is never empty.
    pub(crate) fn reply(mut self) -> Reply {
        if !self.nested.is_empty() {
            let mut nested = Map::new();
            nested.insert("hookEventName".into(), self.event.as_str().into());
            nested.append(&mut self.nested);
            self.top.insert("hookSpecificOutput".into(), nested.into());
        }
        Reply::json(&self.top.into())
    }
}
