//! Pi's dialect: our bridge sends the flat form with Pi's names, and applies our answer.
//!
//! Measured on 1.5.0: a blocked call does not run and the model is told the reason. A changed input takes effect in
//! place, a changed result replaces the old one, and a prompt that is handled does not reach the model. Pi has no prompt
//! of its own, so a hook is the only gate; the bridge asks the user if there is a user interface. Context from before a
//! call is held by the bridge until its result. An exception blocks before a tool and is ignored elsewhere; a handler
//! that never returns hangs Pi, so the bridge has its own time limit.

use super::RECIPE;
use crate::{
    Dialect, Reply, bridge, decode_flat_after,
    foreign::edits,
    names::{self, Tool},
    table::{Form, Row, Table},
};
use checkrein_core::{
    Abilities, Asking, Editing, EventName, InputError, Outcome, Payload, Session, ToolCall,
};

pub(crate) struct Pi;

const TABLE: Table = {
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form)
    }
    Table(&[
        row(EventName::PreToolUse, Form::Block).asks(Asking::Asks).edits(Editing::Applies).tells(),
        row(EventName::PostToolUse, Form::Withhold).edits(Editing::Applies).tells(),
        row(EventName::PostToolUseFailure, Form::Withhold).edits(Editing::Applies).tells(),
        row(EventName::UserPromptSubmit, Form::Block).edits(Editing::Applies).tells(),
        row(EventName::PreCompact, Form::Block),
        row(EventName::SessionStart, Form::Never),
        row(EventName::SessionEnd, Form::Never),
        row(EventName::AfterAgent, Form::Never),
    ])
};

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("bash", "Bash"),
    Tool::same("powershell", "PowerShell"),
    Tool::same("grep", "Grep"),
    Tool::alike("read", "Read", &[("path", "file_path")]),
    Tool::alike("write", "Write", &[("path", "file_path")]),
    Tool::alike(
        "edit",
        "Edit",
        &[("path", "file_path"), ("oldText", "old_string"), ("newText", "new_string")],
    ),
];

/// Takes an edit with several replacements apart.
pub(super) fn apart(call: &ToolCall, _: Option<&str>) -> Option<Vec<ToolCall>> {
    edits(call, "edits", "path", ("oldText", "newText")).filter(|_| call.name == "edit")
}

impl Dialect for Pi {
    fn name(&self) -> &'static str {
        "pi"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        let mut payload =
            decode_flat_after(self.name(), bytes, expected, |fields| names::rename_tool(fields, TOOLS))?;
        bridge::name_event(&mut payload, &RECIPE);
        Ok(payload)
    }

    /// The bridge asks the user where Pi has a user interface, and denies elsewhere.
    fn asking(&self, event: EventName, session: &Session) -> Asking {
        let has_ui = session.extra.get("has_ui") == Some(&true.into());
        if has_ui { TABLE.row(event).abilities.ask } else { Asking::Cannot }
    }

    fn reports_end(&self, call: &ToolCall) -> bool {
        !crate::goes_on(call)
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let event = outcome.payload.name();
        Abilities { ask: self.asking(event, &outcome.payload.session), ..TABLE.row(event).abilities }
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        bridge::encode(TABLE, outcome)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        bridge::refuse(event, reason)
    }
}
