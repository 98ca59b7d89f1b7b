//! Grok Build's dialect: Claude Code's words, every field in two spellings, and an input that may be cut.
//!
//! Measured on 1.0.41: the nested denial with exit code 0 is honoured and the model is told the reason; `ask` runs the
//! call; `updatedInput` replaces the input, and so does nothing else; context before and after a call arrives in a `user`
//! message. After a call a denial adds its reason and the result stays: nothing can be withheld. `continue: false` is
//! ignored. A prompt is refused by `decision: "block"`. A denial of 4 MiB runs the call. A hook that crashes, is killed, is
//! missing or is late does not stop a call.
//!
//! It shows a hook only the first 128 KiB of an input, as a text, and runs the whole call. What is cut off cannot be judged, so
//! such a call is denied.

use crate::{
    Dialect, Reply,
    answer::Answer,
    decode_flat_after,
    names::{self, Tool},
    table::{Form, Row, Table},
    text::reason_with_notices,
};
use checkrein_core::{
    Abilities, Asking, Decision, Editing, EventName, InputError, Map, Outcome, Payload, Session, ToolCall,
};
use serde_json::{Value, json};

pub(crate) struct Grok;

const TABLE: Table = {
    use EventName::{PostToolUse, PostToolUseFailure, PreToolUse, Stop, SubagentStop, UserPromptSubmit};
    Table(&[
        Row::new(PreToolUse, Form::Permission).edits(Editing::Applies).tells(),
        Row::new(PostToolUse, Form::Block).in_vain().tells(),
        Row::new(PostToolUseFailure, Form::Block).in_vain().tells(),
        Row::new(UserPromptSubmit, Form::Block),
        // It ends the turn itself after eight denials in a row.
        Row::new(Stop, Form::Block),
        Row::new(SubagentStop, Form::Block),
    ])
};

/// Its tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool::same("run_terminal_command", "Bash"),
    Tool::same("write", "Write"),
    Tool::same("search_replace", "Edit"),
    Tool::same("web_fetch", "WebFetch"),
    Tool::same("web_search", "WebSearch"),
    Tool::same("todo_write", "TodoWrite"),
    Tool::same("spawn_subagent", "Agent"),
];

/// The arguments that its schemas require in addition to those that other agents have too. A hook that was written for another agent leaves
/// them out of its rewrite, and Grok denies a rewrite without them.
const REQUIRED: &[(&str, &[&str])] = &[("Bash", &["description"])];

/// Its fields that have no second spelling of the flat form.
const FIELDS: names::Names = &[("stopHookActive", "stop_hook_active")];

/// The field that says that the input was cut.
const CUT: &str = "toolInputTruncated";

/// The key of the rest of a cut input, where the call has been made already.
const REST: &str = "cut_input";

impl Dialect for Grok {
    fn name(&self) -> &'static str {
        "grok"
    }

    fn decode(&self, bytes: Vec<u8>, expected: Option<EventName>) -> Result<Payload, InputError> {
        decode_flat_after(self.name(), bytes, expected, |fields| {
            for (theirs, ours) in FIELDS {
                if let Some(value) = fields.get(*theirs).cloned() {
                    fields.entry(*ours).or_insert(value);
                }
            }
            put_right(fields, expected);
            names::rename_tool(fields, TOOLS);
        })
    }

    fn asking(&self, event: EventName, _: &Session) -> Asking {
        TABLE.row(event).abilities.ask
    }

    fn abilities(&self, outcome: &Outcome) -> Abilities {
        TABLE.row(outcome.payload.name()).abilities
    }

    fn encode(&self, outcome: &Outcome) -> Reply {
        let row = TABLE.row(outcome.payload.name());
        let mut answer = row.begin(outcome);
        let denied = outcome.decision == Decision::Deny;
        match row.form {
            Form::Permission => permission(&mut answer, outcome),
            Form::Block if denied => answer.block(reason_with_notices(outcome)),
            _ => {}
        }
        row.reply(answer)
    }

    fn refuse(&self, event: Option<EventName>, reason: &str) -> Reply {
        TABLE.refuse(event, reason)
    }
}

/// Makes a cut input one that the reader refuses before a call, and one that has no arguments after it.
fn put_right(fields: &mut Map, expected: Option<EventName>) {
    let is_cut =
        fields.get(CUT) == Some(&Value::Bool(true)) || fields.get("tool_input").is_some_and(Value::is_string);
    if !is_cut {
        return;
    }
    let named = fields.get("hook_event_name").and_then(Value::as_str).and_then(|name| name.parse().ok());
    let is_before = named.or(expected).is_none_or(EventName::is_preventable);
    let rest = fields.get("tool_input").cloned().unwrap_or_default();
    let input = if is_before { Value::from("cut by Grok Build at 128 KiB") } else { json!({REST: rest}) };
    fields.insert("tool_input".to_owned(), input);
}

/// Returns the arguments of a call that was rewritten, with those that a rewrite left out although they are required.
fn complete(call: &ToolCall) -> Map {
    let mut input = call.input.clone();
    let required = REQUIRED.iter().filter(|(tool, _)| *tool == call.name).flat_map(|(_, names)| *names);
    for name in required {
        if let Some(value) = call.original.as_ref().and_then(|original| original.get(*name)) {
            input.entry(*name).or_insert_with(|| value.clone());
        }
    }
    input
}

/// Writes the answer to `PreToolUse`.
fn permission(answer: &mut Answer, outcome: &Outcome) {
    match outcome.decision {
        Decision::Deny => {
            answer.nested("permissionDecision", "deny");
            answer.nested("permissionDecisionReason", reason_with_notices(outcome));
        }
        // By now `allow` has become `abstain`, and `ask` has become `deny`.
        Decision::Abstain | Decision::Allow | Decision::Ask => {
            if let (true, Some(call)) = (outcome.is_edited(), outcome.payload.event.call()) {
                // A rewrite needs this word; Grok's own approvals still apply.
                answer.nested("permissionDecision", "allow");
                answer.nested("updatedInput", complete(call));
            }
        }
    }
}
