//! The sessions that Copilot CLI keeps: `session-state/<session>/events.jsonl`.
//!
//! Measured on 1.0.102: the recorded input is the one that the model asked for, also after a hook rewrote it.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, objects, owned, text};
use checkrein_core::Map;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("COPILOT_HOME"),
    home: ".copilot",
    directories: &["session-state"],
    is_record: |path| path.ends_with("/events.jsonl"),
    form: Form::Lines,
    companion: None,
    tools: super::payload::TOOLS,
    reader: || Box::<Session>::default(),
};

#[derive(Default)]
struct Session {
    id: String,
    cwd: Option<String>,
}

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        match text(record, &["type"]) {
            Some("session.start") => {
                self.id = owned(record, &["data", "sessionId"]);
                self.cwd = text(record, &["data", "context", "cwd"]).map(str::to_owned);
            }
            Some("assistant.message") => {
                calls.extend(objects(record, &["data", "toolRequests"]).filter_map(|request| {
                    Some(RecordedCall {
                        session: self.id.clone(),
                        agent: String::new(),
                        time: owned(record, &["timestamp"]),
                        tool: text(request, &["name"])?.to_owned(),
                        call: owned(request, &["toolCallId"]),
                        input: object(request.get("arguments"))?,
                        cwd: self.cwd.clone(),
                        line,
                        ..RecordedCall::default()
                    })
                }));
            }
            Some(_) => {}
            None => return false,
        }
        true
    }
}
