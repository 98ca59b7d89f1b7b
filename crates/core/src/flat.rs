//! The payload as one flat JSON object: the format that command hooks read on stdin under every host, and that our
//! own dialect sends.
//!
//! It is Claude Code's format, since most existing hooks are written for that, with additional fields: the
//! predecessors' `tool_output`, `tool_result_is_error`, `user_message` and `workspace_root`, and ours (`host`,
//! `tool_kind`, `host_tool_name`, `original_tool_input`, `attempt`, `agent_lineage`, `project_dir`).

use crate::{
    Agent, Event, EventName, Host, Map, Output, Payload, Session, ToolCall, ToolKind, UnknownEventError,
    json::type_name, tool::UnknownKind,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// The reason why a payload could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The input is not JSON, or is JSON that two readers could understand differently.
    #[error("the event on stdin is not valid JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The input is empty.
    #[error("the event on stdin is empty")]
    Empty,
    /// No field names the event.
    #[error("the payload does not name its event; expected `{0}`, or `--event` on the command line")]
    NoEvent(&'static str),
    /// The event is unknown.
    #[error(transparent)]
    Event(#[from] UnknownEventError),
    /// The command line names another event than the payload.
    #[error("the command line says `{expected}`, the payload says `{found}`")]
    OtherEvent {
        /// The event on the command line.
        expected: EventName,
        /// The event in the payload.
        found: EventName,
    },
    /// A field that the event needs is missing.
    #[error("`{event}` needs the field `{field}`")]
    Missing {
        /// The event.
        event: EventName,
        /// The field.
        field: &'static str,
    },
    /// A field has the wrong type.
    #[error("the field `{field}` should be {expected}, found {found}")]
    WrongType {
        /// The field.
        field: &'static str,
        /// The expected type.
        expected: &'static str,
        /// The actual type.
        found: &'static str,
    },
    /// The kind of tool is unknown.
    #[error(transparent)]
    Kind(#[from] UnknownKind),
    /// An error in a payload whose event is known.
    #[error("{defect}")]
    Of {
        /// The event.
        event: EventName,
        /// The error.
        defect: Box<InputError>,
    },
}

/// A payload that serialises as flat JSON without being copied.
#[derive(Clone, Copy, Debug)]
pub struct Flat<'a>(pub &'a Payload);

impl Flat<'_> {
    /// Returns the bytes that a hook gets on stdin.
    pub fn to_bytes(self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(&self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// The names that a field of [`Payload::extra`] cannot have, because they have a typed field.
const TYPED: &[&str] = &[
    "session_id",
    "transcript_path",
    "cwd",
    "permission_mode",
    "hook_event_name",
    "agent_id",
    "agent_type",
    "agent_lineage",
    "tool_name",
    "tool_input",
    "tool_use_id",
    "tool_response",
    "tool_output",
    "tool_result_is_error",
    "error",
    "prompt",
    "user_message",
    "workspace_root",
    "project_dir",
    "host",
    "host_event_name",
    "host_tool_name",
    "tool_kind",
    "original_tool_input",
    "attempt",
    "session_extra",
    REQUEST,
    RESPONSE,
];

/// The field of the request that is about to go to a model.
const REQUEST: &str = "model_request";

/// The field of a model's answer.
const RESPONSE: &str = "model_response";

impl Serialize for Flat<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Payload { event, session, agent, host, attempt, extra, raw: _, id: _ } = self.0;
        let mut map = serializer.serialize_map(None)?;
        optional(&mut map, "session_id", session.id.as_ref())?;
        optional(&mut map, "transcript_path", session.transcript_path.as_ref())?;
        optional(&mut map, "cwd", session.cwd.as_ref())?;
        optional(&mut map, "permission_mode", session.permission_mode.as_ref())?;
        map.serialize_entry("hook_event_name", event.name().as_str())?;
        optional(&mut map, "agent_id", agent.id.as_ref())?;
        optional(&mut map, "agent_type", agent.kind.as_ref())?;
        if let Some(call) = event.call() {
            map.serialize_entry("tool_name", &call.name)?;
            map.serialize_entry("tool_input", &call.input)?;
            optional(&mut map, "tool_use_id", call.id.as_ref())?;
        }
        if let Event::ModelResponse { response } = event {
            optional(&mut map, RESPONSE, response.native().as_deref())?;
        } else if let Some(output) = event.output() {
            let failed = event.name() == EventName::PostToolUseFailure;
            if failed {
                map.serialize_entry("error", output.text())?;
            } else {
                optional(&mut map, "tool_response", output.native().as_deref())?;
            }
            map.serialize_entry("tool_output", output.text())?;
            map.serialize_entry("tool_result_is_error", &failed)?;
        }
        if let Some(prompt) = event.prompt() {
            map.serialize_entry("prompt", prompt)?;
            map.serialize_entry("user_message", prompt)?;
        }
        if let Some(request) = event.request() {
            map.serialize_entry(REQUEST, request)?;
        }
        if event.name() == EventName::SessionStart {
            optional(&mut map, "workspace_root", session.project_dir.as_ref().or(session.cwd.as_ref()))?;
        }
        let typed = |key: &str| TYPED.contains(&key) && (event.has_typed(key));
        for (key, value) in extra.iter().filter(|(key, _)| !typed(key)) {
            map.serialize_entry(key, value)?;
        }
        optional(&mut map, "host", host.name.as_ref())?;
        optional(&mut map, "host_event_name", host.event.as_ref())?;
        optional(&mut map, "project_dir", session.project_dir.as_ref())?;
        if !session.extra.is_empty() {
            map.serialize_entry("session_extra", &session.extra)?;
        }
        if let Some(call) = event.call() {
            optional(&mut map, "host_tool_name", call.host_name.as_ref())?;
            map.serialize_entry("tool_kind", call.kind.as_str())?;
            optional(&mut map, "original_tool_input", call.original.as_ref())?;
            map.serialize_entry("attempt", attempt)?;
        }
        if !agent.lineage.is_empty() {
            map.serialize_entry("agent_lineage", &agent.lineage)?;
        }
        map.end()
    }
}

fn optional<M: SerializeMap, T: Serialize + ?Sized>(
    map: &mut M,
    key: &'static str,
    value: Option<&T>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}

impl Event {
    /// Returns true if the flat field `key` has a typed field in this event, so that it cannot also be an extra one.
    fn has_typed(&self, key: &str) -> bool {
        match key {
            "tool_name"
            | "tool_input"
            | "tool_use_id"
            | "host_tool_name"
            | "tool_kind"
            | "original_tool_input"
            | "attempt" => self.call().is_some(),
            "tool_response" | "tool_output" | "tool_result_is_error" => {
                self.output().is_some() && self.call().is_some()
            }
            REQUEST => self.request().is_some(),
            RESPONSE => matches!(self, Self::ModelResponse { .. }),
            "error" => self.name() == EventName::PostToolUseFailure,
            "prompt" | "user_message" => self.prompt().is_some(),
            "workspace_root" => self.name() == EventName::SessionStart,
            _ => true,
        }
    }
}

/// Reads a flat object. `expected` is the event of the command line: it is used if the payload names none, and it is
/// an error if the payload names another.
pub fn read(mut fields: Map, expected: Option<EventName>) -> Result<Payload, InputError> {
    let name = match (text(&mut fields, "hook_event_name")?, expected) {
        (None, None) => return Err(InputError::NoEvent("hook_event_name")),
        (None, Some(expected)) => expected,
        (Some(found), expected) => {
            let found: EventName = found.parse()?;
            match expected {
                Some(expected) if expected != found => {
                    return Err(InputError::OtherEvent { expected, found });
                }
                _ => found,
            }
        }
    };
    read_fields(name, fields).map_err(|defect| InputError::Of { event: name, defect: Box::new(defect) })
}

fn read_fields(name: EventName, mut fields: Map) -> Result<Payload, InputError> {
    let event = read_event(name, &mut fields)?;
    let project_dir = text(&mut fields, "project_dir")?;
    let workspace_root =
        if name == EventName::SessionStart { text(&mut fields, "workspace_root")? } else { None };
    let session = Session {
        id: text(&mut fields, "session_id")?,
        cwd: text(&mut fields, "cwd")?,
        project_dir: project_dir.or(workspace_root),
        transcript_path: text(&mut fields, "transcript_path")?,
        permission_mode: text(&mut fields, "permission_mode")?,
        extra: object(&mut fields, "session_extra")?.unwrap_or_default(),
    };
    let agent = Agent {
        id: text(&mut fields, "agent_id")?,
        kind: text(&mut fields, "agent_type")?,
        lineage: lineage(&mut fields)?,
    };
    let host = Host {
        name: text(&mut fields, "host")?,
        event: text(&mut fields, "host_event_name")?,
        ..Host::default()
    };
    let attempt = if name.has_tool() { attempt(&mut fields)? } else { 1 };
    Ok(Payload {
        event,
        session: session.into(),
        agent,
        host,
        attempt,
        extra: fields,
        raw: Vec::new(),
        id: None,
    })
}

fn read_event(name: EventName, fields: &mut Map) -> Result<Event, InputError> {
    Ok(match name {
        EventName::PreToolUse => Event::PreToolUse { call: call(name, fields)? },
        EventName::PermissionRequest => Event::PermissionRequest { call: call(name, fields)? },
        EventName::PermissionDenied => Event::PermissionDenied { call: call(name, fields)? },
        EventName::PostToolUse => {
            let call = call(name, fields)?;
            let response = fields.shift_remove("tool_response");
            let output = text(fields, "tool_output")?;
            fields.shift_remove("tool_result_is_error");
            let output = response.map(Output::from_native).or(output.map(Output::from));
            Event::PostToolUse { call, output: output.unwrap_or_default() }
        }
        EventName::PostToolUseFailure => {
            let call = call(name, fields)?;
            let error = text(fields, "error")?;
            let output = text(fields, "tool_output")?;
            fields.shift_remove("tool_result_is_error");
            Event::PostToolUseFailure { call, error: error.or(output).unwrap_or_default().into() }
        }
        EventName::UserPromptSubmit => {
            let prompt = text(fields, "prompt")?;
            let message = text(fields, "user_message")?;
            let prompt = prompt.or(message).ok_or(InputError::Missing { event: name, field: "prompt" })?;
            Event::UserPromptSubmit { prompt }
        }
        // Hosts that send these events without their content only report them.
        EventName::PreModelRequest if fields.get(REQUEST).is_some_and(Value::is_object) => {
            Event::ModelRequest { request: object(fields, REQUEST)?.unwrap_or_default() }
        }
        EventName::PostModelResponse if fields.contains_key(RESPONSE) => {
            let response = fields.shift_remove(RESPONSE).unwrap_or_default();
            Event::ModelResponse { response: Output::from_native(response) }
        }
        other => Event::Other(other),
    })
}

fn call(event: EventName, fields: &mut Map) -> Result<ToolCall, InputError> {
    let name = text(fields, "tool_name")?.ok_or(InputError::Missing { event, field: "tool_name" })?;
    let input = object(fields, "tool_input")?.unwrap_or_default();
    let kind = text(fields, "tool_kind")?;
    Ok(ToolCall {
        kind: kind.map_or_else(|| Ok(ToolKind::of(&name)), |kind| kind.parse())?,
        name,
        host_name: text(fields, "host_tool_name")?,
        id: text(fields, "tool_use_id")?,
        input,
        original: object(fields, "original_tool_input")?,
    })
}

fn text(fields: &mut Map, field: &'static str) -> Result<Option<String>, InputError> {
    match fields.shift_remove(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(InputError::WrongType { field, expected: "a string", found: type_name(&other) }),
    }
}

fn object(fields: &mut Map, field: &'static str) -> Result<Option<Map>, InputError> {
    match fields.shift_remove(field) {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(other) => Err(InputError::WrongType { field, expected: "an object", found: type_name(&other) }),
    }
}

fn lineage(fields: &mut Map) -> Result<Vec<String>, InputError> {
    let field = "agent_lineage";
    let wrong = |found| InputError::WrongType { field, expected: "a list of strings", found };
    match fields.shift_remove(field) {
        None => Ok(Vec::new()),
        Some(Value::Array(ids)) => ids
            .into_iter()
            .map(|id| if let Value::String(id) = id { Ok(id) } else { Err(wrong(type_name(&id))) })
            .collect(),
        Some(other) => Err(wrong(type_name(&other))),
    }
}

fn attempt(fields: &mut Map) -> Result<u32, InputError> {
    let field = "attempt";
    let Some(value) = fields.shift_remove(field) else { return Ok(1) };
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
    number.ok_or(InputError::WrongType { field, expected: "a number from 1", found: type_name(&value) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map {
        let Value::Object(map) = value else { panic!("not an object") };
        map
    }

    #[test]
    fn written_payloads_are_read_back() {
        for fields in [
            json!({"session_id": "s", "cwd": "/p", "hook_event_name": "PreToolUse", "tool_name": "Bash",
                   "tool_input": {"command": "ls"}, "tool_use_id": "t", "prompt_id": "p", "agent_id": "a",
                   "agent_type": "general", "agent_lineage": ["m"], "attempt": 2,
                   "original_tool_input": {"command": "l"}}),
            json!({"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {},
                   "tool_response": {"stdout": "x", "stderr": ""}, "duration_ms": 3}),
            json!({"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {}, "error": "no"}),
            json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"}),
            json!({"hook_event_name": "SessionStart", "workspace_root": "/w", "source": "startup"}),
            json!({"hook_event_name": "PreModelRequest", "model_request": {"model": "m"}, "session_extra": {"a": 1}}),
            json!({"hook_event_name": "PostModelResponse", "model_response": {"text": "hi"}}),
            json!({"hook_event_name": "PostModelResponse", "prompt": "hi"}),
            json!({"hook_event_name": "StopFailure", "error": "rate_limit", "prompt": 3}),
        ] {
            let payload = read(map(fields), None).unwrap();
            let again = read(json::object(&payload), None).unwrap();
            assert_eq!(payload, again);
        }
    }

    mod json {
        use super::*;
        pub(super) fn object(payload: &Payload) -> Map {
            crate::json::parse_object(&Flat(payload).to_bytes().unwrap()).unwrap()
        }
    }

    #[test]
    fn the_predecessors_fields_are_present() {
        let payload =
            read(map(json!({"hook_event_name": "UserPromptSubmit", "user_message": "hi"})), None).unwrap();
        assert_eq!(json::object(&payload)["user_message"], "hi");
        let failed =
            json!({"hook_event_name": "PostToolUseFailure", "tool_name": "t", "tool_output": "boom"});
        let fields = json::object(&read(map(failed), None).unwrap());
        assert_eq!(fields["tool_output"], "boom");
        assert_eq!(fields["tool_result_is_error"], true);
    }

    #[test]
    fn every_error_is_named() {
        for (fields, expected, message) in [
            (
                json!({}),
                None,
                "the payload does not name its event; expected `hook_event_name`, or `--event` on the command line",
            ),
            (json!({"hook_event_name": "PreToolUse"}), None, "`PreToolUse` needs the field `tool_name`"),
            (
                json!({"hook_event_name": 3}),
                None,
                "the field `hook_event_name` should be a string, found a number",
            ),
            (
                json!({"hook_event_name": "PreToolUse", "tool_name": "a", "tool_input": "x"}),
                None,
                "the field `tool_input` should be an object, found a string",
            ),
            (
                json!({"hook_event_name": "Stop"}),
                Some(EventName::PreToolUse),
                "the command line says `PreToolUse`, the payload says `Stop`",
            ),
            (
                json!({"hook_event_name": "PreToolUse", "tool_name": "a", "attempt": 0}),
                None,
                "the field `attempt` should be a number from 1, found a number",
            ),
        ] {
            assert_eq!(read(map(fields), expected).unwrap_err().to_string(), message);
        }
    }
}
