//! The sessions that Gemini CLI keeps: `tmp/<project>/chats/session-<time>-<id>.jsonl`.
//!
//! Measured on 0.61.0: a message is written again when its calls are done, so the last record of a call holds; its input is the
//! one that ran, after hooks rewrote it. The working directory is not recorded.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, objects, owned, text};
use checkrein_core::Map;
use serde_json::Value;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: None,
    home: ".gemini",
    directories: &["tmp"],
    is_record: |path| path.contains("/chats/") && path.ends_with(".jsonl"),
    form: Form::Lines,
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::<Session>::default(),
};

#[derive(Default)]
struct Session {
    id: String,
    found: Vec<RecordedCall>,
}

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, _calls: &mut Vec<RecordedCall>) -> bool {
        if let Some(id) = text(record, &["sessionId"]) {
            id.clone_into(&mut self.id);
            return true;
        }
        for call in objects(record, &["toolCalls"]) {
            let (Some(tool), Some(input)) =
                (text(call, &["name"]), call.get("args").and_then(Value::as_object))
            else {
                continue;
            };
            let found = RecordedCall {
                session: self.id.clone(),
                agent: owned(call, &["agentId"]),
                time: text(call, &["timestamp"]).map_or_else(|| owned(record, &["timestamp"]), str::to_owned),
                tool: tool.to_owned(),
                call: owned(call, &["id"]),
                input: input.clone(),
                cwd: None,
                line,
                ..RecordedCall::default()
            };
            match self.found.iter_mut().find(|known| !known.call.is_empty() && known.call == found.call) {
                Some(known) => *known = found,
                None => self.found.push(found),
            }
        }
        record.contains_key("type") || record.keys().any(|key| key.starts_with('$'))
    }

    fn finish(&mut self, calls: &mut Vec<RecordedCall>) {
        calls.append(&mut self.found);
    }
}
