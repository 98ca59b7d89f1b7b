//! The form in which a host's own hooks read payloads and answer.

use checkrein_core::{EventName, Map, Payload, ToolCall, flat::Flat};
use serde_json::{Value, json};
use std::borrow::Cow;

/// The form in which a host's own hooks read payloads and answer.
#[derive(Debug)]
pub struct HookForm {
    /// Names of events that the host has in addition to those that we register, and ours for them.
    pub(crate) events: &'static [(&'static str, EventName)],
    /// Returns true if hooks under this key get our names of tools and arguments.
    pub(crate) knows_ours: fn(&str) -> bool,
    /// Writes a call of ours as one of the host, where that has another shape.
    pub(crate) together: fn(&ToolCall) -> Option<ToolCall>,
    /// Returns the host's name of a tool of an MCP server.
    pub(crate) of_server: fn(&str, &str) -> String,
    /// Adds what the host's input has in addition; `false` if the host does not send this call under the key.
    pub(crate) adjust: fn(&str, &mut ToolCall, &Payload) -> bool,
    /// Turns the common fields into the host's.
    pub(crate) write: fn(&mut Map, &Sending<'_>),
    /// Removes what the host does not take for the answer.
    pub(crate) strip: fn(&str) -> Cow<'_, str>,
    /// Gives the fields of an answer our names, where they mean something else or are not known.
    pub(crate) read: fn(EventName, &mut Map),
    /// Returns true if the host takes this exit code, other than 0 and 2, for a denial.
    pub(crate) denies: fn(EventName, i32) -> bool,
}

impl HookForm {
    /// The form of Claude Code's hooks, which the others are variations of.
    pub(crate) const CLAUDE: Self = Self {
        events: &[],
        knows_ours: |_| false,
        together: |_| None,
        of_server: |server, tool| format!("mcp__{server}__{tool}"),
        adjust: |_, _, _| true,
        write: |_, _| {},
        strip: |stdout| Cow::Borrowed(stdout),
        read: |_, _| {},
        denies: |_, _| false,
    };
}

/// An event on its way to a hook.
pub(crate) struct Sending<'a> {
    /// The key of the event in a file of the hook's host.
    pub(crate) key: &'static str,
    /// The event as it arrived.
    pub(crate) payload: &'a Payload,
    /// The call in the words of the hook's host.
    pub(crate) call: Option<&'a ToolCall>,
    /// The time in milliseconds since 1970.
    pub(crate) now: u64,
}

impl Sending<'_> {
    /// Returns the text of the result.
    pub(crate) fn output(&self) -> Option<&str> {
        self.payload.event.output().map(checkrein_core::Output::text)
    }

    /// Returns the time as most hosts write it.
    pub(crate) fn timestamp(&self) -> Value {
        crate::transcript::timestamp(self.now).into()
    }
}

/// Our own fields, which no hook of another host expects.
const OURS: &[&str] = &[
    "tool_output",
    "tool_result_is_error",
    "user_message",
    "workspace_root",
    "host",
    "host_event_name",
    "project_dir",
    "session_extra",
    "host_tool_name",
    "tool_kind",
    "original_tool_input",
    "attempt",
    "agent_lineage",
];

/// Fields without a typed place that mean the same on every host that has them.
const SHARED: &[&str] = &[
    "agent_transcript_path",
    "custom_instructions",
    "details",
    "duration_ms",
    "error",
    "is_interrupt",
    "last_assistant_message",
    "message",
    "model",
    "notification_type",
    "permission_suggestions",
    "prompt",
    "prompt_id",
    "reason",
    "source",
    "stop_hook_active",
    "title",
    "tool_calls",
    "trigger",
    "turn_id",
];

/// Returns the fields that all hosts have, in Claude Code's words. Of an event of the hook's own host everything stays.
pub(crate) fn common(payload: &Payload, is_at_home: bool) -> Map {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(Flat(payload)) else { return Map::new() };
    fields.retain(|key, _| !OURS.contains(&key.as_str()));
    if !is_at_home {
        fields.retain(|key, _| !payload.extra.contains_key(key) || SHARED.contains(&key.as_str()));
    }
    let none = |key: &str, value: Value, fields: &mut Map| none(fields, &[(key, value)]);
    let session = &payload.session;
    none("session_id", "".into(), &mut fields);
    none("transcript_path", Value::Null, &mut fields);
    none("cwd", session.project_dir.clone().unwrap_or_default().into(), &mut fields);
    none("permission_mode", "default".into(), &mut fields);
    if payload.event.call().is_some() {
        let id = identify(&fields);
        none("tool_use_id", id.into(), &mut fields);
    }
    match payload.name() {
        EventName::Stop | EventName::SubagentStop => {
            none("stop_hook_active", false.into(), &mut fields);
            // Gemini CLI's name.
            if let Some(text) = payload.field("prompt_response").filter(|text| text.is_string()) {
                none("last_assistant_message", text.clone(), &mut fields);
            }
        }
        EventName::SessionStart => none("source", "startup".into(), &mut fields),
        EventName::SessionEnd => none("reason", "other".into(), &mut fields),
        EventName::PreCompact => none("trigger", "auto".into(), &mut fields),
        _ => {}
    }
    fields
}

/// Returns an id for a call whose host gives it none: the same before and after the call.
fn identify(fields: &Map) -> String {
    let text: String = ["session_id", "agent_id", "tool_name", "tool_input"]
        .iter()
        .filter_map(|key| fields.get(*key))
        .map(Value::to_string)
        .collect();
    // FNV-1a: an id and no secret.
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("call_{hash:016x}")
}

/// Sets fields that are not there.
pub(crate) fn none(fields: &mut Map, defaults: &[(&str, Value)]) {
    for (key, value) in defaults {
        fields.entry(*key).or_insert_with(|| value.clone());
    }
}

/// Returns the result of a shell command as Claude Code has it, from a text.
pub(crate) fn shell_result(text: &str) -> Value {
    json!({"stdout": text, "stderr": "", "interrupted": false})
}
