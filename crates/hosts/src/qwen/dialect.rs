//! Qwen Code's dialect: Claude Code's words, with fewer of them heard.
//!
//! Measured on 0.24.4: the nested denial with exit code 0 is honoured and the model is told exactly the reason; exit
//! code 2 needs a text on stderr; `ask` without a terminal is a denial. `updatedInput` and context before a tool have
//! no effect. After a tool, a denial and a replaced output change nothing; `continue: false` puts its reason in place of
//! the result, and the turn goes on. An answer over 1 MiB is cut, no longer parses, and the call runs. Of several hooks the last one decides, so an `allow` after
//! our denial cancels it: `init` puts our entry last. The prompt event also fires for the request that carries the
//! results of tools, with an empty prompt.

use crate::{
    Dialect, Reply,
    answer::Answer,
    decode_flat_after,
    names::{self, Tool},
    table::{Form, Row, Table},
    text::{reason, withheld},
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Outcome, Payload, Session, Stopping,
    ToolCall,
};
use serde_json::json;

pub(crate) struct Qwen;

const TABLE: Table = {
    use EventName::{
        Notification, PermissionDenied, PermissionRequest, PostToolBatch, PostToolUse, PostToolUseFailure,
        PreCompact, PreToolUse, SessionStart, Stop, SubagentStart, SubagentStop, TaskCompleted, TaskCreated,
        UserPromptExpansion, UserPromptSubmit,
    };
    use Stopping::Prevents;
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form).shows()
    }
    Table(&[
        row(PreToolUse, Form::Permission).asks(Asking::Asks).stops(Prevents),
        row(PermissionRequest, Form::Behaviour).allows().asks(Asking::Anyway).edits(Editing::WithAllow),
        row(PermissionDenied, Form::Never),
        row(PostToolUse, Form::Replace).edits(Editing::Applies).tells(),
        row(PostToolUseFailure, Form::Block).in_vain().tells(),
        row(PostToolBatch, Form::Block).in_vain().tells().stops(Prevents),
        row(UserPromptSubmit, Form::Block).tells().stops(Prevents),
        row(UserPromptExpansion, Form::Block).tells(),
        row(SessionStart, Form::Never).tells(),
        row(SubagentStart, Form::Never).tells(),
        row(Notification, Form::Never),
        // It ends the turn itself after eight denials in a row.
        row(Stop, Form::Block).stops(Prevents),
        row(SubagentStop, Form::Block).stops(Prevents),
        row(PreCompact, Form::Never).tells(),
        row(TaskCreated, Form::Block),
        row(TaskCompleted, Form::Block),
    ])
};

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("run_shell_command", "Bash").with(&[("is_background", "run_in_background")]),
    Tool::same("read_file", "Read"),
    Tool::same("write_file", "Write"),
    Tool::same("edit", "Edit"),
    Tool::same("notebook_edit", "NotebookEdit"),
    Tool::same("glob", "Glob"),
    Tool::same("grep_search", "Grep"),
    Tool::same("web_fetch", "WebFetch"),
    Tool::same("web_search", "WebSearch"),
    Tool::same("agent", "Agent"),
    Tool::same("exit_plan_mode", "ExitPlanMode"),
    Tool::same("ask_user_question", "AskUserQuestion"),
];

impl Dialect for Qwen {
    fn name(&self) -> &'static str {
        "qwen"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            names::rename_event(fields, &super::RECIPE);
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
        TABLE.row(outcome.payload.name()).abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let row = TABLE.row(outcome.payload.name());
        let mut answer = row.begin(outcome);
        answer.name_event(super::RECIPE.key(outcome.payload.name()));
        let reason = reason(outcome);
        match row.form {
            Form::Permission => permission(&mut answer, outcome, reason),
            Form::Behaviour => behaviour(&mut answer, outcome, &reason),
            Form::Replace if outcome.decision == Decision::Deny => replace(&mut answer, withheld(outcome)),
            Form::Replace => {
                if let (true, Some(output)) = (outcome.is_edited(), outcome.payload.event.output()) {
                    replace(&mut answer, output.text().to_owned());
                }
            }
            Form::Block if outcome.decision == Decision::Deny => answer.block(reason),
            _ => {}
        }
        row.reply(answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        TABLE.refuse(event, reason)
    }
}

/// Writes the answer to `PreToolUse`. An `allow` is never sent: of several answers the last one counts.
fn permission(answer: &mut Answer, outcome: &Outcome, reason: String) {
    if let Decision::Deny | Decision::Ask = outcome.decision {
        answer.nested("permissionDecision", outcome.decision.as_str());
        answer.nested("permissionDecisionReason", reason);
    }
}

/// Puts a text in place of a result.
fn replace(answer: &mut Answer, text: String) {
    answer.top("continue", false);
    answer.top("stopReason", text.clone());
    answer.block(text);
}

/// Writes the answer to `PermissionRequest`.
fn behaviour(answer: &mut Answer, outcome: &Outcome, reason: &str) {
    match outcome.decision {
        // Without an answer the host asks the user, as it was about to.
        Decision::Abstain | Decision::Ask => {}
        Decision::Deny => answer.nested("decision", json!({"behavior": "deny", "message": reason})),
        Decision::Allow => {
            let mut decision = json!({"behavior": "allow"});
            if let (true, Some(call), Some(fields)) =
                (outcome.is_edited(), outcome.payload.event.call(), decision.as_object_mut())
            {
                fields.insert("updatedInput".into(), call.input.clone().into());
            }
            answer.nested("decision", decision);
        }
    }
}
