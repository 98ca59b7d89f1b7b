//! The sessions that Kimi Code keeps: `sessions/<project>/<session>/agents/<agent>/wire.jsonl`.
//!
//! Measured on 2.1.0: no record names the session, so the time at which the file was begun is its name here.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, owned, text, time};
use checkrein_core::Map;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("KIMI_CODE_HOME"),
    home: ".kimi-code",
    directories: &["sessions"],
    is_record: |path| path.ends_with("/wire.jsonl"),
    form: Form::Lines,
    companion: None,
    tools: &[],
    reader: || Box::<Session>::default(),
};

/// The agent that the user talks to.
const MAIN: &str = "main";

#[derive(Default)]
struct Session {
    begun: String,
}

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        match text(record, &["type"]) {
            Some("metadata") => self.begun = time(record, &["created_at"]),
            Some("context.append_loop_event") if text(record, &["event", "type"]) == Some("tool.call") => {
                let Some(event) = record.get("event").and_then(|event| event.as_object()) else {
                    return false;
                };
                let Some(input) = object(event.get("args")) else { return false };
                calls.push(RecordedCall {
                    session: self.begun.clone(),
                    agent: text(record, &["agentId"])
                        .filter(|agent| *agent != MAIN)
                        .unwrap_or_default()
                        .to_owned(),
                    time: time(record, &["time"]),
                    tool: owned(event, &["name"]),
                    call: owned(event, &["toolCallId"]),
                    input,
                    cwd: text(event, &["display", "cwd"]).map(str::to_owned),
                    line,
                    ..RecordedCall::default()
                });
            }
            Some(_) => {}
            None => return false,
        }
        true
    }
}
