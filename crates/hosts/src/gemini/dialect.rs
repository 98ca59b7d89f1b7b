//! Gemini CLI's dialect.
//!
//! Measured on 0.61.0: a JSON denial at the top level with exit code 0 is honoured on every gate, and the model is told
//! the reason. Claude Code's nested decision is ignored. Any JSON on stdout overrules the exit code. `ask` without a
//! terminal hangs forever, and with one it turns a denial of the agent's own policy into a prompt; nothing in a
//! payload says if there is a terminal. So `ask` is a denial. A changed input must be complete, because the agent
//! builds a new call from it. Text for the model is dropped before a tool and appended to the result after it. A
//! denial after a tool replaces the result, which is also the only way to change one. A stop that is always blocked
//! never ends.

use super::RECIPE;
use crate::{
    Dialect, Reply, decode_flat_after,
    names::{self, Tool},
    table::{Form, Row, Table, went_on_already},
    text::{reason, withheld},
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Map, Outcome, Payload, Session, Stopping,
    ToolCall,
};
use serde_json::Value;

pub(crate) struct Gemini;

const TABLE: Table = {
    use EventName::{
        PostModelResponse, PostToolUse, PreModelRequest, PreToolUse, SessionStart, Stop, UserPromptSubmit,
    };
    use Stopping::Prevents;
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form).shows()
    }
    Table(&[
        row(PreToolUse, Form::Block).edits(Editing::Applies).stops(Prevents),
        row(PostToolUse, Form::Replace).edits(Editing::Applies).tells().stops(Prevents),
        row(UserPromptSubmit, Form::Block).tells().stops(Prevents),
        row(Stop, Form::BlockOnce).stops(Prevents),
        row(PreModelRequest, Form::Block).stops(Prevents),
        row(PostModelResponse, Form::Never).stops(Prevents),
        row(SessionStart, Form::Never).tells(),
        row(EventName::SessionEnd, Form::Never),
        row(EventName::Notification, Form::Never),
        row(EventName::PreCompact, Form::Never),
    ])
};

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("run_shell_command", "Bash").with(&[("is_background", "run_in_background")]),
    Tool::same("read_file", "Read"),
    Tool::same("write_file", "Write"),
    Tool::same("replace", "Edit"),
    Tool::same("glob", "Glob").with(&[("dir_path", "path")]),
    Tool::same("grep_search", "Grep").with(&[("dir_path", "path")]),
    Tool::same("web_fetch", "WebFetch"),
    Tool::same("google_web_search", "WebSearch"),
    Tool::same("ask_user", "AskUserQuestion"),
    Tool::same("enter_plan_mode", "EnterPlanMode"),
    Tool::same("exit_plan_mode", "ExitPlanMode"),
];

impl Dialect for Gemini {
    fn name(&self) -> &'static str {
        "gemini"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            names::rename_event(fields, &RECIPE);
            names::rename_tool(fields, TOOLS);
            name_server(fields);
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
        answer.name_event(RECIPE.key(outcome.payload.name()));
        let reason = || reason(outcome);
        let denied = outcome.decision == Decision::Deny;
        match row.form {
            Form::Replace if denied => answer.block(withheld(outcome)),
            Form::Replace => {
                if let (true, Some(output)) = (outcome.is_edited(), outcome.payload.event.output()) {
                    answer.block(output.text().to_owned());
                }
            }
            Form::Block if denied => answer.block(reason()),
            Form::BlockOnce if denied && !went_on_already(outcome) => answer.block(reason()),
            Form::Block => {
                if let (true, Some(call)) = (outcome.is_edited(), outcome.payload.event.call()) {
                    answer.nested("tool_input", call.input.clone());
                }
            }
            _ => {}
        }
        row.reply(answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        TABLE.refuse(event, reason)
    }
}

/// Names a tool of an MCP server as other hosts do. The agent joins server and tool with single underscores, so the
/// name alone does not say where one ends.
fn name_server(fields: &mut Map) {
    let part = |key: &str| fields.get("mcp_context")?.get(key)?.as_str().map(str::to_owned);
    let (Some(server), Some(tool)) = (part("server_name"), part("tool_name")) else { return };
    if let Some(name @ Value::String(_)) = fields.get_mut("tool_name") {
        let theirs = std::mem::replace(name, format!("mcp__{server}__{tool}").into());
        fields.insert("host_tool_name".to_owned(), theirs);
    }
}
