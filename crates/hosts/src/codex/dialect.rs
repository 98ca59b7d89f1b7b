//! Codex's dialect.
//!
//! Codex reads answers with a strict schema and fails open on everything that it does not accept: an extra field, a
//! bare `allow`, `ask`, an empty reason, `continue: false` before a tool, exit code 2 without a text. So an answer
//! has exactly the fields of its event, in a form that was seen to work.
//!
//! Measured on 0.166.0 where possible: a JSON denial with exit code 0 is honoured and the model is told the reason;
//! the user cannot be asked; `updatedInput` is read only together with `allow`, which allows nothing there (its
//! approvals still apply), and of a shell call or a patch only the string `command` is taken; a result is replaced
//! by `block`, as an error, or by `continue: false` with the text as its `reason`, as a result, and neither ends the
//! turn; a `Stop` that is always blocked never ends.

use crate::{
    Dialect, Reply,
    answer::Answer,
    decode_flat_after,
    names::Tool,
    table::{Form, Row, Table, end_turn, went_on_already},
    text::{reason, withheld},
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Map, Outcome, Payload, Session, Stopping,
    ToolCall, ToolKind,
};
use serde_json::{Value, json};

pub(crate) struct Codex;

const TABLE: Table = {
    use EventName::{
        Interrupt, PermissionRequest, PostCompact, PostToolUse, PreCompact, PreToolUse, SessionStart, Stop,
        SubagentStart, SubagentStop, UserPromptSubmit,
    };
    use Stopping::Prevents;
    const fn row(event: EventName, form: Form) -> Row {
        Row::new(event, form).shows()
    }
    Table(&[
        row(PreToolUse, Form::Permission).edits(Editing::Applies).tells(),
        row(PermissionRequest, Form::Behaviour).allows().asks(Asking::Anyway),
        row(PostToolUse, Form::Replace).edits(Editing::Applies).tells(),
        row(UserPromptSubmit, Form::Block).tells().stops(Prevents),
        row(SessionStart, Form::Never).tells().stops(Prevents),
        row(SubagentStart, Form::Never).tells(),
        row(Stop, Form::BlockOnce).stops(Prevents),
        row(SubagentStop, Form::BlockOnce).stops(Prevents),
        // A compaction has no other form of denial.
        row(PreCompact, Form::EndTurn).stops(Prevents),
        row(PostCompact, Form::Never).stops(Prevents),
        row(Interrupt, Form::Never),
    ])
};

/// The tools for which Codex accepts only a changed `command`.
const BY_COMMAND: &[&str] = &["Bash", "apply_patch"];

/// Its tools that differ from ours. Hooks get them under its own names.
pub(super) const TOOLS: &[Tool] = &[Tool::alike("spawn_agent", "Agent", &[("message", "prompt")])];

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            // A tool of an MCP server that takes no arguments.
            if fields.get("tool_input") == Some(&Value::Null) {
                fields.insert("tool_input".into(), Map::new().into());
            }
        })
        .map(|mut payload| {
            // A call may start a shell, and `write_stdin` then types into it without an event.
            payload.host.types_unseen = true;
            payload
        })
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    /// A shell may continue as a session, and Codex does not report its end.
    fn reports_end(&self, call: &ToolCall) -> bool {
        call.kind != ToolKind::Shell
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let Row { form, mut abilities, .. } = TABLE.row(outcome.payload.name());
        if form == Form::BlockOnce && went_on_already(outcome) {
            abilities.deny = false;
        }
        if form == Form::Permission && !outcome.payload.event.call().is_some_and(is_taken_whole) {
            abilities.edit = Editing::Cannot;
        }
        abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let row = TABLE.row(outcome.payload.name());
        let mut answer = row.begin(outcome);
        let reason = reason(outcome);
        let denied = outcome.decision == Decision::Deny;
        match row.form {
            Form::Permission => permission(&mut answer, outcome, reason),
            Form::Behaviour => behaviour(&mut answer, outcome, &reason),
            Form::Replace => result(&mut answer, outcome),
            Form::Block if denied => answer.block(reason),
            Form::BlockOnce if denied && !went_on_already(outcome) => answer.block(reason),
            Form::EndTurn if denied => end_turn(&mut answer, &reason),
            Form::Block
            | Form::BlockOnce
            | Form::Withhold
            | Form::Decline
            | Form::EndTurn
            | Form::ExitCode
            | Form::Never => {}
        }
        row.reply(answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        TABLE.refuse(event, reason)
    }
}

/// Returns true if Codex would take every change of this call. Of some tools it takes one argument and drops the
/// others, and then something else would run than what the judges saw.
fn is_taken_whole(call: &ToolCall) -> bool {
    if !BY_COMMAND.contains(&call.name.as_str()) {
        return true;
    }
    let before = call.original_input();
    let kept = |one: &Map, other: &Map| {
        one.iter().all(|(key, value)| key == "command" || other.get(key) == Some(value))
    };
    call.text("command").is_some() && kept(&call.input, before) && kept(before, &call.input)
}

/// Writes the answer to `PreToolUse`.
fn permission(answer: &mut Answer, outcome: &Outcome, reason: String) {
    match outcome.decision {
        Decision::Deny => {
            answer.nested("permissionDecision", "deny");
            answer.nested("permissionDecisionReason", reason);
        }
        // By now `allow` has become `abstain`, and `ask` has become `deny`.
        Decision::Abstain | Decision::Allow | Decision::Ask => {
            if let (true, Some(call)) = (outcome.is_edited(), outcome.payload.event.call()) {
                // A rewrite needs this word; Codex's own approvals still apply.
                answer.nested("permissionDecision", "allow");
                answer.nested("updatedInput", call.input.clone());
            }
        }
    }
}

/// Writes the answer to `PermissionRequest`.
fn behaviour(answer: &mut Answer, outcome: &Outcome, reason: &str) {
    match outcome.decision {
        // Without an answer the host asks the user, as it was about to.
        Decision::Abstain | Decision::Ask => {}
        Decision::Deny => answer.nested("decision", json!({"behavior": "deny", "message": reason})),
        Decision::Allow => answer.nested("decision", json!({"behavior": "allow"})),
    }
}

/// Writes the answer to `PostToolUse`: a withheld result is an error with the reason, an edited one stays a result.
fn result(answer: &mut Answer, outcome: &Outcome) {
    if outcome.decision == Decision::Deny {
        return answer.block(withheld(outcome));
    }
    if let (true, Some(output)) = (outcome.is_edited(), outcome.payload.event.output()) {
        // This ends nothing here: the model reads `reason` in place of the result, or `stopReason` if `reason` is
        // empty.
        end_turn(answer, "the output was changed by a hook");
        answer.top("reason", output.text());
    }
}
