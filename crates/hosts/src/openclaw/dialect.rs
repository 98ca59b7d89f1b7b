//! OpenClaw's dialect: our bridge sends the flat form with OpenClaw's names, and applies our answer.
//!
//! Measured on 2026.9.6 with `agent --local`: `block` before a call prevents it, and the model is told the reason; a changed
//! input is applied; a prompt is refused before the run. After a call it only watches. Its own question to the user fails
//! without one, and is not used. What the bridge throws is a denial, and so is an answer after 15 seconds. **`agent exec` calls
//! no plugin at all**, and says nothing.

use super::RECIPE;
use crate::{
    Dialect, Reply, bridge, decode_flat_after,
    names::{self, Tool},
    table::{Form, Row, Table},
};
use checkrein_core::{Abilities, Asking, Editing, EventName, InputError, Outcome, Payload, Session};

pub(crate) struct Openclaw;

const TABLE: Table = Table(&[
    Row::new(EventName::PreToolUse, Form::Block).edits(Editing::Applies),
    Row::new(EventName::UserPromptSubmit, Form::Block),
]);

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("exec", "Bash"),
    Tool::alike("read", "Read", &[("path", "file_path")]),
    Tool::alike("write", "Write", &[("path", "file_path")]),
    Tool::alike("edit", "Edit", &[("path", "file_path")]),
];

impl Dialect for Openclaw {
    fn name(&self) -> &'static str {
        "openclaw"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        let mut payload =
            decode_flat_after(self.name(), bytes, expected, |fields| names::rename_tool(fields, TOOLS))?;
        bridge::name_event(&mut payload, &RECIPE);
        Ok(payload)
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        TABLE.row(outcome.payload.name()).abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        bridge::encode(TABLE, outcome)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        bridge::refuse(event, reason)
    }
}
