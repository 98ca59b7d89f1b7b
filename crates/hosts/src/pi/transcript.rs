//! The sessions that Pi keeps: `sessions/--<directory>--/<time>_<session>.jsonl`.
//!
//! Measured on 1.5.0: the recorded input is the one that the model asked for, also after an extension rewrote it.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, objects, owned, text};
use checkrein_core::Map;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("PI_CODING_AGENT_DIR"),
    home: ".pi/agent",
    directories: &["sessions"],
    is_record: |path| path.contains("/sessions/") && path.ends_with(".jsonl"),
    form: Form::Lines,
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::<Session>::default(),
};

#[derive(Default)]
pub(crate) struct Session {
    id: String,
    cwd: Option<String>,
}

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        match text(record, &["type"]) {
            Some("session") => {
                self.id = owned(record, &["id"]);
                self.cwd = text(record, &["cwd"]).map(str::to_owned);
            }
            Some("message") if text(record, &["message", "role"]) == Some("assistant") => {
                let blocks = objects(record, &["message", "content"]);
                let asked = blocks.filter(|block| text(block, &["type"]) == Some("toolCall"));
                calls.extend(asked.filter_map(|block| {
                    Some(RecordedCall {
                        session: self.id.clone(),
                        time: owned(record, &["timestamp"]),
                        tool: text(block, &["name"])?.to_owned(),
                        call: owned(block, &["id"]),
                        input: object(block.get("arguments"))?,
                        cwd: self.cwd.clone(),
                        line,
                        ..RecordedCall::default()
                    })
                }));
            }
            // Other messages, changes of the model, summaries, notes of extensions: none of them is a call.
            Some(_) => {}
            None => return false,
        }
        true
    }
}
