//! Codex's dialect.
//!
//! Codex reads answers with a strict schema and opens its gate on everything that it does not like: one field too many,
//! a bare `allow`, `ask`, a blank reason, `continue: false` before a tool, exit code 2 without a text. So an answer holds
//! exactly the fields that its event has, and nothing is said in a form that was not seen to work.
//!
//! Facts, as measured on 0.166.0 where that was possible: a JSON denial with exit code 0 is honoured and the model is told
//! the reason; nobody can be asked; `updatedInput` is read only beside `allow`, which grants nothing there (its approvals
//! still apply), and of a shell call or a patch only the string `command` is taken; a result is replaced by `block`, as an
//! error, or by `continue: false` with the text as its `reason`, as a result, and neither ends the turn; a `Stop` that is
//! always blocked never ends.

use crate::{
    Dialect, Reply,
    answer::{Answer, blocked},
    decode_flat_after,
    text::{CONTEXT, REASON, cut, for_the_person, join, withheld},
};
use checkrein_core::{
    Abilities, Asking, BadInput, Class, Decision, Editing, EventName, Map, Outcome, Payload, Session,
    Stopping, ToolCall,
};
use serde_json::{Value, json};

pub(crate) struct Codex;

/// How a denial is said on an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `hookSpecificOutput.permissionDecision`.
    Permission,
    /// `hookSpecificOutput.decision.behavior`.
    Behaviour,
    /// `decision: "block"` beside the reason.
    Block,
    /// `decision: "block"`, whose reason takes the place of the result.
    Replace,
    /// `decision: "block"`, once in a row: Codex itself would let it go on for ever.
    BlockOnce,
    /// `continue: false`: a compaction has no other denial.
    EndTurn,
    /// Not at all.
    Never,
}

/// What Codex does with answers to one event.
struct Row {
    event: EventName,
    deny: Form,
    context: bool,
    stop: Stopping,
    /// Whether `systemMessage` is shown.
    message: bool,
}

const fn row(event: EventName, deny: Form, context: bool, stop: Stopping, message: bool) -> Row {
    Row { event, deny, context, stop, message }
}

/// Every event that has an answer; all others are only told.
const ROWS: &[Row] = {
    use EventName::{
        Interrupt, PermissionRequest, PostCompact, PostToolUse, PreCompact, PreToolUse, SessionStart, Stop,
        SubagentStart, SubagentStop, UserPromptSubmit,
    };
    use Stopping::{Cannot, Prevents};
    &[
        row(PreToolUse, Form::Permission, true, Cannot, true),
        row(PermissionRequest, Form::Behaviour, false, Cannot, true),
        row(PostToolUse, Form::Replace, true, Cannot, true),
        row(UserPromptSubmit, Form::Block, true, Prevents, true),
        row(SessionStart, Form::Never, true, Prevents, true),
        row(SubagentStart, Form::Never, true, Cannot, true),
        row(Stop, Form::BlockOnce, false, Prevents, true),
        row(SubagentStop, Form::BlockOnce, false, Prevents, true),
        row(PreCompact, Form::EndTurn, false, Prevents, true),
        row(PostCompact, Form::Never, false, Prevents, true),
        row(Interrupt, Form::Never, false, Cannot, true),
    ]
};

fn row_of(event: EventName) -> Row {
    let known = ROWS.iter().find(|row| row.event == event);
    known.map_or(row(event, Form::Never, false, Stopping::Cannot, false), |known| Row { ..*known })
}

/// The tools of which Codex takes nothing but `command` from a changed input.
const BY_COMMAND: &[&str] = &["Bash", "apply_patch"];

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, BadInput> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            // A tool of an MCP server that takes no arguments.
            if fields.get("tool_input") == Some(&Value::Null) {
                fields.insert("tool_input".into(), Map::new().into());
            }
        })
        .map(|mut payload| {
            // A call may start a shell, and `write_stdin` then types into it: for that no event is fired.
            payload.host.types_unseen = true;
            payload
        })
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        match row_of(event).deny {
            Form::Behaviour => Asking::Anyway,
            Form::Permission
            | Form::Block
            | Form::Replace
            | Form::BlockOnce
            | Form::EndTurn
            | Form::Never => Asking::Cannot,
        }
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let event = outcome.payload.name();
        let Row { deny, context, stop, .. } = row_of(event);
        Abilities {
            grant: deny == Form::Behaviour,
            ask: self.asking(event, &outcome.payload.session),
            deny: match deny {
                Form::BlockOnce => !went_on_already(outcome),
                Form::Never => false,
                Form::Permission | Form::Behaviour | Form::Block | Form::Replace | Form::EndTurn => true,
            },
            edit: match deny {
                Form::Permission if outcome.payload.event.call().is_some_and(is_taken_whole) => {
                    Editing::Applies
                }
                Form::Replace => Editing::Applies,
                Form::Permission
                | Form::Behaviour
                | Form::Block
                | Form::BlockOnce
                | Form::EndTurn
                | Form::Never => Editing::Cannot,
            },
            context,
            stop,
            retry: false,
        }
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let event = outcome.payload.name();
        let Row { deny, context, stop, message, .. } = row_of(event);
        let mut answer = Answer::new(event);
        let reason = cut(&outcome.reason(), REASON);
        let contexts = outcome.contexts();
        if context && !contexts.is_empty() {
            answer.nested("additionalContext", cut(&join(&contexts), CONTEXT));
        }
        if stop != Stopping::Cannot
            && let Some(stop) = &outcome.stop
        {
            end_turn(&mut answer, &stop.reason);
        }
        if message && let Some(text) = for_the_person(outcome) {
            answer.top("systemMessage", text);
        }
        let denied = outcome.decision == Decision::Deny;
        match deny {
            Form::Permission => permission(&mut answer, outcome, reason),
            Form::Behaviour => behaviour(&mut answer, outcome, &reason),
            Form::Replace => result(&mut answer, outcome),
            Form::Block if denied => answer.block(reason),
            Form::BlockOnce if denied && !went_on_already(outcome) => answer.block(reason),
            Form::EndTurn if denied => end_turn(&mut answer, &reason),
            Form::Block | Form::BlockOnce | Form::EndTurn | Form::Never => {}
        }
        answer.reply()
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        let reason = &cut(reason, REASON);
        let Some(event) = event else {
            // With exit code 2 only stderr is read.
            return blocked(reason).and_exit_2(reason);
        };
        let mut answer = Answer::new(event);
        if event.class() != Class::Gate {
            if row_of(event).message {
                answer.top("systemMessage", format!("checkrein: {reason}"));
            }
            return answer.reply();
        }
        match row_of(event).deny {
            Form::Permission => {
                answer.nested("permissionDecision", "deny");
                answer.nested("permissionDecisionReason", reason.as_str());
            }
            Form::Behaviour => answer.nested("decision", json!({"behavior": "deny", "message": reason})),
            // An exit code other than 0 lets a compaction go on.
            Form::EndTurn => {
                end_turn(&mut answer, reason);
                return answer.reply();
            }
            Form::Block | Form::Replace | Form::BlockOnce | Form::Never => answer.block(reason.clone()),
        }
        answer.reply().and_exit_2(reason)
    }
}

/// Whether the agent is at work because it was kept from ending before.
fn went_on_already(outcome: &Outcome) -> bool {
    outcome.payload.field("stop_hook_active") == Some(&Value::Bool(true))
}

/// Whether Codex would take every change of this call. Of some tools it takes one argument and drops the others, and then
/// something else would run than what the judges saw.
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

fn end_turn(answer: &mut Answer, reason: &str) {
    answer.top("continue", false);
    answer.top("stopReason", cut(reason, REASON));
}

/// `PreToolUse`.
fn permission(answer: &mut Answer, outcome: &Outcome, reason: String) {
    match outcome.decision {
        Decision::Deny => {
            answer.nested("permissionDecision", "deny");
            answer.nested("permissionDecisionReason", reason);
        }
        // A grant has become silence, and a question a denial, before we come here.
        Decision::Abstain | Decision::Allow | Decision::Ask => {
            if let (true, Some(call)) = (outcome.is_edited(), outcome.payload.event.call()) {
                // The word belongs to the grammar of a rewrite: Codex's own approvals still apply.
                answer.nested("permissionDecision", "allow");
                answer.nested("updatedInput", call.input.clone());
            }
        }
    }
}

/// `PermissionRequest`.
fn behaviour(answer: &mut Answer, outcome: &Outcome, reason: &str) {
    match outcome.decision {
        // Silence: the host asks the person, as it was about to.
        Decision::Abstain | Decision::Ask => {}
        Decision::Deny => answer.nested("decision", json!({"behavior": "deny", "message": reason})),
        Decision::Allow => answer.nested("decision", json!({"behavior": "allow"})),
    }
}

/// `PostToolUse`: a withheld result is an error with the reason, an edited one stays a result.
fn result(answer: &mut Answer, outcome: &Outcome) {
    if outcome.decision == Decision::Deny {
        return answer.block(withheld(outcome));
    }
    if let (true, Some(output)) = (outcome.is_edited(), outcome.payload.event.output()) {
        // Here it ends nothing: the model reads `reason` in place of the result, or `stopReason` if that is blank.
        end_turn(answer, "the output was changed by a hook");
        answer.top("reason", output.text());
    }
}
