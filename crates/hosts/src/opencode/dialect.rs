//! The dialect of opencode and of its fork Kilo: our bridge sends the flat form with opencode's names, and applies our answer.
//!
//! Measured on 1.18.33: what the bridge throws before a call prevents it, and the model is told the message; before a
//! prompt it ends the run. Arguments are changed in place, and so is a result. It cannot ask: its permission hook is
//! never called. A handler that never returns hangs it, so the bridge has its own time limit. Context from before a call
//! is held by the bridge until its result.

use crate::{
    Dialect, Reply, bridge, decode_flat_after,
    install::Recipe,
    names::{self, Tool},
    table::{Form, Row, Table},
};
use checkrein_core::{
    Abilities, Asking, Editing, EventName, InputError, Outcome, Payload, Session, ToolCall,
};

/// opencode, or an agent with the same plugins.
pub(crate) struct Opencode(pub(crate) &'static Recipe);

const TABLE: Table = {
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form)
    }
    Table(&[
        row(EventName::PreToolUse, Form::Block).edits(Editing::Applies).tells(),
        row(EventName::PostToolUse, Form::Withhold).edits(Editing::Applies).tells(),
        row(EventName::UserPromptSubmit, Form::Block).edits(Editing::Applies).tells(),
        row(EventName::SessionStart, Form::Never),
        row(EventName::AfterAgent, Form::Never),
    ])
};

/// Its tools.
pub(crate) const TOOLS: &[Tool] = &[
    Tool::same("bash", "Bash"),
    Tool::same("grep", "Grep"),
    Tool::same("glob", "Glob"),
    Tool::same("webfetch", "WebFetch"),
    Tool::same("task", "Agent"),
    Tool::same("todowrite", "TodoWrite"),
    Tool::alike("read", "Read", &[("filePath", "file_path")]),
    Tool::alike("write", "Write", &[("filePath", "file_path")]),
    Tool::alike(
        "edit",
        "Edit",
        &[
            ("filePath", "file_path"),
            ("oldString", "old_string"),
            ("newString", "new_string"),
            ("replaceAll", "replace_all"),
        ],
    ),
];

impl Dialect for Opencode {
    fn name(&self) -> &'static str {
        self.0.host
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        let mut payload =
            decode_flat_after(self.name(), bytes, expected, |fields| names::rename_tool(fields, TOOLS))?;
        bridge::name_event(&mut payload, self.0);
        Ok(payload)
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn reports_end(&self, call: &ToolCall) -> bool {
        !crate::goes_on(call)
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
