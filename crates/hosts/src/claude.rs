//! Claude Code's dialect.
//!
//! Facts, as measured on 2.1.325 where that was possible: a JSON denial with exit code 0 is the safest form (with exit
//! code 2 the model is shown our whole command line); `updatedInput` is applied without a decision and then grants
//! nothing; `continue: false` before a tool lets the tool run first; `block` after a tool only *adds* its reason, so an
//! output is withheld by replacing it, in the tool's own shape, since one that lost its shape is ignored.

use crate::{
    Dialect, Reply,
    answer::{Answer, blocked},
    decode_flat,
    text::{CONTEXT, REASON, cut, for_the_person, join, withheld},
};
use checkrein_core::{
    Abilities, Asking, BadInput, Class, Decision, Editing, EventName, Outcome, Output, Payload, Session,
    Stopping, ToolKind,
};
use serde_json::json;

pub(crate) struct Claude;

/// How a denial is said on an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `hookSpecificOutput.permissionDecision`.
    Permission,
    /// `hookSpecificOutput.decision.behavior`.
    Behaviour,
    /// `decision: "block"` beside the reason.
    Block,
    /// `hookSpecificOutput.updatedToolOutput` with the reason in it.
    Withhold,
    /// `hookSpecificOutput.action: "decline"`.
    Decline,
    /// Exit code 2 with the reason on stderr.
    ExitCode,
    /// Not at all.
    Never,
}

/// What Claude Code does with answers to one event.
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
        ConfigChange, Elicitation, ElicitationResult, Notification, PermissionDenied, PermissionRequest,
        PostModelSwitch, PostToolBatch, PostToolUse, PostToolUseFailure, PreCompact, PreModelSwitch,
        PreToolUse, SessionStart, Setup, Stop, SubagentStart, SubagentStop, TaskCompleted, TaskCreated,
        TeammateIdle, UserPromptExpansion, UserPromptSubmit, WorktreeCreate,
    };
    use Stopping::{Afterwards, Cannot, Prevents};
    &[
        row(PreToolUse, Form::Permission, true, Afterwards, true),
        row(PermissionRequest, Form::Behaviour, false, Cannot, true),
        row(PermissionDenied, Form::Never, false, Cannot, true),
        row(PostToolUse, Form::Withhold, true, Prevents, true),
        row(PostToolUseFailure, Form::Block, true, Prevents, true),
        row(PostToolBatch, Form::Block, true, Prevents, true),
        row(UserPromptSubmit, Form::Block, true, Prevents, true),
        row(UserPromptExpansion, Form::Block, true, Prevents, true),
        row(SessionStart, Form::Never, true, Cannot, true),
        row(Setup, Form::Never, true, Cannot, true),
        row(SubagentStart, Form::Never, true, Cannot, true),
        row(Notification, Form::Never, true, Cannot, false),
        row(PostModelSwitch, Form::Never, true, Cannot, true),
        row(Stop, Form::Block, true, Prevents, true),
        row(SubagentStop, Form::Block, true, Prevents, true),
        row(PreCompact, Form::Block, false, Cannot, false),
        row(ConfigChange, Form::Block, false, Cannot, false),
        row(PreModelSwitch, Form::Permission, false, Cannot, true),
        row(TaskCreated, Form::Block, false, Cannot, true),
        row(TaskCompleted, Form::ExitCode, false, Prevents, true),
        row(TeammateIdle, Form::ExitCode, false, Prevents, true),
        row(Elicitation, Form::Decline, false, Cannot, false),
        row(ElicitationResult, Form::Decline, false, Cannot, false),
        row(WorktreeCreate, Form::ExitCode, false, Cannot, false),
    ]
};

fn row_of(event: EventName) -> Row {
    let known = ROWS.iter().find(|row| row.event == event);
    known.map_or(row(event, Form::Never, false, Stopping::Cannot, false), |known| Row { ..*known })
}

/// The permission mode in which the agent asks nobody.
const BYPASS: &str = "bypassPermissions";

/// Whether a question may be dropped without a word. Measured on 2.1.325: where the agent has a question of its own (a command
/// in the background, a file below `.claude`, `.git` or another that it guards), that one takes the place of ours, and in this
/// mode its own are answered with yes. So a question that must be heard is a denial there.
fn drops_questions(session: &Session) -> bool {
    session.permission_mode.as_deref() == Some(BYPASS)
}

impl Dialect for Claude {
    fn name(&self) -> &'static str {
        "claude"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, BadInput> {
        decode_flat(self.name(), bytes, expected)
    }

    fn asking(&self, event: EventName, session: &Session) -> Asking {
        match row_of(event).deny {
            Form::Permission if drops_questions(session) => Asking::Cannot,
            Form::Permission => Asking::Asks,
            Form::Behaviour => Asking::Anyway,
            Form::Block | Form::Withhold | Form::Decline | Form::ExitCode | Form::Never => Asking::Cannot,
        }
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        let event = outcome.payload.name();
        let Row { deny, context, stop, .. } = row_of(event);
        // A result can be replaced if its shape can take a text.
        let output = outcome.payload.event.output();
        let replaceable = output.is_some_and(|output| output.native().is_some());
        let withholdable = output.is_some_and(Output::can_be_withheld);
        Abilities {
            grant: matches!(deny, Form::Permission | Form::Behaviour),
            ask: self.asking(event, &outcome.payload.session),
            deny: match deny {
                Form::Withhold => withholdable,
                Form::Never => false,
                _ => event != EventName::PostToolUseFailure,
            },
            edit: match (event, deny) {
                (EventName::PreToolUse, _) => Editing::Applies,
                (_, Form::Behaviour) => Editing::WithGrant,
                (_, Form::Withhold) if replaceable => Editing::Applies,
                _ => Editing::Cannot,
            },
            context,
            stop,
            retry: event == EventName::PermissionDenied,
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
            answer.top("continue", false);
            answer.top("stopReason", cut(&stop.reason, REASON));
        }
        if outcome.retry.is_some() {
            answer.nested("retry", true);
        }
        if message && let Some(text) = for_the_person(outcome) {
            answer.top("systemMessage", text);
        }
        match deny {
            Form::Permission => permission(&mut answer, outcome, reason),
            Form::Behaviour => behaviour(&mut answer, outcome, &reason),
            Form::Withhold => result(&mut answer, outcome, reason),
            Form::Block if outcome.decision == Decision::Deny => answer.block(reason),
            Form::Decline if outcome.decision == Decision::Deny => answer.nested("action", "decline"),
            Form::ExitCode if outcome.decision == Decision::Deny => {
                return reply(event, answer).and_exit_2(&reason);
            }
            Form::Block | Form::Decline | Form::ExitCode | Form::Never => {}
        }
        reply(event, answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        let reason = &cut(reason, REASON);
        let Some(event) = event else {
            // The form that most events understand; exit code 2 speaks for itself on the others.
            return blocked(reason).and_exit_2(reason);
        };
        let mut answer = Answer::new(event);
        if event.class() != Class::Gate {
            if row_of(event).message {
                answer.top("systemMessage", format!("checkrein: {reason}"));
            }
            return reply(event, answer);
        }
        match row_of(event).deny {
            Form::Permission => {
                answer.nested("permissionDecision", "deny");
                answer.nested("permissionDecisionReason", reason.as_str());
            }
            Form::Behaviour => answer.nested("decision", json!({"behavior": "deny", "message": reason})),
            Form::Decline => answer.nested("action", "decline"),
            Form::Block | Form::Withhold | Form::ExitCode | Form::Never => answer.block(reason.clone()),
        }
        answer.reply().and_exit_2(reason)
    }
}

/// The neutral answer is `{}`, except where the host takes stdout for a path.
fn reply(event: EventName, answer: Answer) -> Reply {
    if answer.is_empty() && event == EventName::WorktreeCreate { Reply::default() } else { answer.reply() }
}

/// `PreToolUse` and its like.
fn permission(answer: &mut Answer, outcome: &Outcome, reason: String) {
    if outcome.decision != Decision::Abstain {
        answer.nested("permissionDecision", outcome.decision.as_str());
        if !reason.is_empty() {
            answer.nested("permissionDecisionReason", reason);
        }
    }
    // Without a decision the rewrite is applied and grants nothing: the host still asks, on the new input.
    if outcome.decision != Decision::Deny
        && outcome.is_edited()
        && let Some(call) = outcome.payload.event.call()
    {
        answer.nested("updatedInput", call.input.clone());
    }
}

/// `PermissionRequest`.
fn behaviour(answer: &mut Answer, outcome: &Outcome, reason: &str) {
    match outcome.decision {
        // Silence: the host asks the person, as it was about to.
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

/// `PostToolUse`: an edited or withheld output takes the place of the real one.
fn result(answer: &mut Answer, outcome: &Outcome, reason: String) {
    let Some(output) = outcome.payload.event.output() else { return };
    if outcome.decision == Decision::Deny {
        let output = output.clone().withheld(withheld(outcome));
        let Some(native) = output.native() else { return answer.block(reason) };
        answer.nested("updatedToolOutput", native.into_owned());
        // A write or an edit is shown as a sentence of the host's own, so the reason goes apart. Not as `block`, which
        // shows the model our whole command line.
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
