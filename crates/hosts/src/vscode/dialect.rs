//! VS Code's dialect, from its documentation and source: Claude Code's words, tools of its own, exit code 0.
//!
//! Before a tool it reads the nested decision only; `updatedInput` must fit the schema of the tool, or is dropped, so the
//! input keeps its own keys. It ignores matchers: every hook is called for every tool. `stopReason` alone ends a turn, so it
//! is written only together with `continue: false`. After a tool a denial adds its reason and the result stays. A prompt has
//! the common fields only, so it is refused by ending the turn. Its pages show the denial of a stop in `hookSpecificOutput`
//! and the one of a subagent's stop at the top, so both are written. No limit on stops that are always blocked is known.

use crate::{
    Dialect, Reply, decode_flat_after,
    names::{self, Names, Tool},
    table::{Form, Row, Table, end_turn, went_on_already},
    text::{reason, reason_with_notices},
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Outcome, Payload, Session, Stopping,
    ToolCall, ToolKind,
};

pub(crate) struct VsCode;

const TABLE: Table = {
    use EventName::{
        PostToolUse, PreCompact, PreToolUse, SessionStart, Stop, SubagentStart, SubagentStop,
        UserPromptSubmit,
    };
    use Stopping::{Afterwards, Prevents};
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form).shows()
    }
    Table(&[
        row(PreToolUse, Form::Permission)
            .allows()
            .asks(Asking::Asks)
            .edits(Editing::Applies)
            .tells()
            .stops(Afterwards),
        row(PostToolUse, Form::Block).in_vain().tells().stops(Prevents),
        row(UserPromptSubmit, Form::EndTurn).stops(Prevents),
        row(SessionStart, Form::Never).tells(),
        row(SubagentStart, Form::Never).tells(),
        row(Stop, Form::BlockOnce).stops(Prevents),
        row(SubagentStop, Form::BlockOnce).stops(Prevents),
        row(PreCompact, Form::Never),
    ])
};

/// The names of its arguments.
const ARGUMENTS: Names = &[
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
    ("code", "new_string"),
    ("isBackground", "run_in_background"),
];

/// Its tools. Its pages and its source spell some differently.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("run_in_terminal", "Bash").with(ARGUMENTS),
    Tool::same("runTerminalCommand", "Bash").with(ARGUMENTS),
    Tool::alike("create_file", "Write", ARGUMENTS),
    Tool::alike("createFile", "Write", ARGUMENTS),
    Tool::alike("replace_string_in_file", "Edit", ARGUMENTS),
    Tool::alike("insert_edit_into_file", "Edit", ARGUMENTS),
    Tool::alike("read_file", "Read", ARGUMENTS),
    Tool::alike("readFile", "Read", ARGUMENTS),
    Tool::alike("runSubagent", "Agent", &[]),
    Tool::of_kind("create_new_jupyter_notebook", ToolKind::Write),
    Tool::of_kind("multi_replace_string_in_file", ToolKind::Edit),
    Tool::of_kind("editFiles", ToolKind::Edit),
];

impl Dialect for VsCode {
    fn name(&self) -> &'static str {
        "vscode"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            names::rename_tool(fields, TOOLS);
        })
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn reports_end(&self, call: &ToolCall) -> bool {
        !crate::goes_on(call)
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let Row { form, mut abilities, .. } = TABLE.row(outcome.payload.name());
        if form == Form::BlockOnce && went_on_already(outcome) {
            abilities.deny = false;
        }
        abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let row = TABLE.row(outcome.payload.name());
        let mut answer = row.begin(outcome);
        let denied = outcome.decision == Decision::Deny;
        match row.form {
            Form::Permission => {
                if outcome.decision != Decision::Abstain {
                    answer.nested("permissionDecision", outcome.decision.as_str());
                    let reason = reason(outcome);
                    if !reason.is_empty() {
                        answer.nested("permissionDecisionReason", reason);
                    }
                }
                if let (true, false, Some(call)) = (outcome.is_edited(), denied, outcome.payload.event.call())
                {
                    answer.nested("updatedInput", call.input.clone());
                }
            }
            Form::EndTurn if denied => end_turn(&mut answer, &reason_with_notices(outcome)),
            Form::Block if denied => answer.block(reason(outcome)),
            Form::BlockOnce if denied && !went_on_already(outcome) => {
                let reason = reason(outcome);
                answer.nested("decision", "block");
                answer.nested("reason", reason.as_str());
                answer.block(reason);
            }
            _ => {}
        }
        row.reply(answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        TABLE.refuse(event, reason)
    }
}
