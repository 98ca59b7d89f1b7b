//! The sessions that Qwen Code keeps: `projects/<directory>/chats/<session>.jsonl`.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, objects, owned, text};
use checkrein_core::Map;
use serde_json::Value;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: None,
    home: ".qwen",
    directories: &["projects", "tmp"],
    is_record: |path| {
        path.contains("/chats/") && path.ends_with(".jsonl") && !path.ends_with(".ledger.jsonl")
    },
    form: Form::Lines,
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::new(Session),
};

struct Session;

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(kind) = text(record, &["type"]) else { return false };
        if kind != "assistant" {
            return matches!(kind, "user" | "tool_result" | "system");
        }
        let asked = objects(record, &["message", "parts"])
            .filter_map(|part| part.get("functionCall").and_then(Value::as_object));
        calls.extend(asked.filter_map(|call| {
            Some(RecordedCall {
                session: owned(record, &["sessionId"]),
                agent: owned(record, &["agentId"]),
                time: owned(record, &["timestamp"]),
                tool: text(call, &["name"])?.to_owned(),
                call: owned(call, &["id"]),
                input: call.get("args")?.as_object()?.clone(),
                cwd: text(record, &["cwd"]).map(str::to_owned),
                line,
                ..RecordedCall::default()
            })
        }));
        true
    }
}
