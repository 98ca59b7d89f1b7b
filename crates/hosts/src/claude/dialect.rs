//! Claude Code's dialect.
//!
//! Measured on 2.1.325 where possible: a JSON denial with exit code 0 is the safest form (with exit code 2 the model
//! sees our whole command line); `updatedInput` is applied without a decision and then allows nothing; `continue:
//! false` before a tool lets the tool run first; `block` after a tool only *adds* its reason, so an output is
//! withheld by replacing it, in the tool's own shape, since an output that lost its shape is ignored.

use crate::{
    Dialect, Reply,
    answer::Answer,
    decode_flat,
    table::{Form, Row, Table},
    text::{CONTEXT, cut, join, reason, withheld},
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Outcome, Output, Payload, Session, Stopping,
    ToolCall, ToolKind,
};
use serde_json::json;

pub(crate) struct Claude;

const TABLE: Table = {
    use EventName::{
        ConfigChange, Elicitation, ElicitationResult, Notification, PermissionDenied, PermissionRequest,
        PostModelSwitch, PostToolBatch, PostToolUse, PostToolUseFailure, PreCompact, PreModelSwitch,
        PreToolUse, SessionStart, Setup, Stop, SubagentStart, SubagentStop, TaskCompleted, TaskCreated,
        TeammateIdle, UserPromptExpansion, UserPromptSubmit, WorktreeCreate,
    };
    use Stopping::{Afterwards, Prevents};
    const fn permission(event: EventName) -> Row {
        Row::new(event, Form::Permission).allows().asks(Asking::Asks)
    }
    const fn report(event: EventName) -> Row {
        Row::new(event, Form::Never).tells()
    }
    const fn block(event: EventName) -> Row {
        Row::new(event, Form::Block)
    }
    const fn exit_code(event: EventName) -> Row {
        Row::new(event, Form::ExitCode)
    }
    Table(&[
        permission(PreToolUse).edits(Editing::Applies).tells().stops(Afterwards).shows(),
        Row::new(PermissionRequest, Form::Behaviour)
            .allows()
            .asks(Asking::Anyway)
            .edits(Editing::WithAllow)
            .shows(),
        Row::new(PermissionDenied, Form::Never).retries().shows(),
        Row::new(PostToolUse, Form::Withhold).edits(Editing::Applies).tells().stops(Prevents).shows(),
        block(PostToolUseFailure).in_vain().tells().stops(Prevents).shows(),
        block(PostToolBatch).tells().stops(Prevents).shows(),
        block(UserPromptSubmit).tells().stops(Prevents).shows(),
        block(UserPromptExpansion).tells().stops(Prevents).shows(),
        report(SessionStart).shows(),
        report(Setup).shows(),
        report(SubagentStart).shows(),
        report(Notification),
        report(PostModelSwitch).shows(),
        block(Stop).tells().stops(Prevents).shows(),
        block(SubagentStop).tells().stops(Prevents).shows(),
        block(PreCompact),
        block(ConfigChange),
        permission(PreModelSwitch).shows(),
        block(TaskCreated).shows(),
        exit_code(TaskCompleted).stops(Prevents).shows(),
        exit_code(TeammateIdle).stops(Prevents).shows(),
        Row::new(Elicitation, Form::Decline),
        Row::new(ElicitationResult, Form::Decline),
        // The host reads its stdout as the path of the worktree.
        exit_code(WorktreeCreate).bare(),
    ])
};

/// The permission mode in which the agent does not ask the user.
const BYPASS: &str = "bypassPermissions";

/// The way in which `claude -p` was started, as it tells its hooks. Not measured yet; a session
/// with a screen is taken to say `cli`.
const HEADLESS: &str = "sdk-cli";

/// Returns true if the agent may drop a question silently. Measured on 2.1.325: where the agent has a question of
/// its own (a command in the background, a file below `.claude`, `.git` or another protected path), that question
/// replaces ours, and in this mode the agent answers its own questions with yes. So `ask` becomes a denial there.
fn drops_questions(session: &Session) -> bool {
    session.permission_mode.as_deref() == Some(BYPASS)
}

impl Dialect for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat(self.name(), bytes, expected)
    }

    fn asking(&self, event: EventName, session: &Session) -> Asking {
        match TABLE.row(event).abilities.ask {
            Asking::Asks if drops_questions(session) => Asking::Cannot,
            asking => asking,
        }
    }

    fn is_headless(&self, variable: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> bool {
        variable("CLAUDE_CODE_ENTRYPOINT").is_some_and(|entry| entry == HEADLESS)
    }

    fn reports_end(&self, call: &ToolCall) -> bool {
        !crate::goes_on(call)
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let event = outcome.payload.name();
        let Row { form, mut abilities, .. } = TABLE.row(event);
        abilities.ask = self.asking(event, &outcome.payload.session);
        if form == Form::Withhold {
            // A result can be replaced if its shape has room for a text.
            let output = outcome.payload.event.output();
            abilities.deny = output.is_some_and(Output::can_be_withheld);
            if output.is_none_or(|output| output.native().is_none()) {
                abilities.edit = Editing::Cannot;
            }
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
            Form::Withhold => result(&mut answer, outcome, reason),
            Form::Block if denied => answer.block(reason),
            Form::Decline if denied => answer.nested("action", "decline"),
            Form::ExitCode if denied => return row.reply(answer).and_exit_2(&reason),
            Form::Block
            | Form::BlockOnce
            | Form::Replace
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

/// Writes the answer to `PreToolUse` and similar events.
fn permission(answer: &mut Answer, outcome: &Outcome, reason: String) {
    if outcome.decision != Decision::Abstain {
        answer.nested("permissionDecision", outcome.decision.as_str());
        if !reason.is_empty() {
            answer.nested("permissionDecisionReason", reason);
        }
    }
    // Without a decision the rewrite is applied and allows nothing: the host still asks, about the new input.
    if outcome.decision != Decision::Deny
        && outcome.is_edited()
        && let Some(call) = outcome.payload.event.call()
    {
        answer.nested("updatedInput", call.input.clone());
    }
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

/// Writes the answer to `PostToolUse`: an edited or withheld output replaces the real one.
fn result(answer: &mut Answer, outcome: &Outcome, reason: String) {
    let Some(output) = outcome.payload.event.output() else { return };
    if outcome.decision == Decision::Deny {
        let output = output.clone().withheld(withheld(outcome));
        let Some(native) = output.native() else { return answer.block(reason) };
        answer.nested("updatedToolOutput", native.into_owned());
        // The host shows a write or an edit as a sentence of its own, so the reason is sent separately. Not as
        // `block`, which shows the model our whole command line.
        let kind = outcome.payload.event.call().map(|call| call.kind);
        if matches!(kind, Some(ToolKind::Write | ToolKind::Edit | ToolKind::Delete)) {
            let contexts = join(&outcome.contexts());
            answer.nested("additionalContext", cut(format!("{reason}\n{contexts}").trim(), CONTEXT));
        }
    } else if outcome.is_edited()
        && let Some(native) = output.native()
    {
        answer.nested("updatedToolOutput", native.into_owned());
    }
}
