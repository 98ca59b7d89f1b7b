//! The sessions that Grok Build keeps: `sessions/<directory>/<session>/updates.jsonl`.
//!
//! Measured on 1.0.41: the recorded input of a `tool_call` is the one that the model asked for, also after a hook rewrote
//! it. No record names the working directory; the name of the directory above is the project's path, percent-encoded.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, owned, seconds, text};
use checkrein_core::Map;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("GROK_HOME"),
    home: ".grok",
    directories: &["sessions"],
    is_record: |path| path.ends_with("/updates.jsonl"),
    form: Form::Lines,
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::new(Session),
};

struct Session;

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let update = record.get("params").and_then(|params| params.get("update"));
        let Some(update) = update.and_then(|update| update.as_object()) else { return false };
        match text(update, &["sessionUpdate"]) {
            Some("tool_call") => {}
            Some(_) => return true,
            None => return false,
        }
        let Some(input) = object(update.get("rawInput")) else { return false };
        calls.push(RecordedCall {
            session: owned(record, &["params", "sessionId"]),
            time: seconds(record, &["timestamp"]),
            tool: owned(update, &["title"]),
            call: owned(update, &["toolCallId"]),
            input,
            line,
            ..RecordedCall::default()
        });
        true
    }
}
