//! The sessions that OpenClaw keeps: rows of `agents/<agent>/agent/openclaw-agent.sqlite`, each a line of Pi's form.
//!
//! Measured on 2026.9.6: the recorded input is the one that the model asked for, also after a plugin rewrote it. A long event
//! may be compressed, and is not read then.

use crate::{
    pi,
    transcript::{Form, Reader, RecordedCall, Transcripts, object, text},
};
use checkrein_core::Map;
use std::collections::HashMap;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("OPENCLAW_STATE_DIR"),
    home: ".openclaw",
    directories: &["agents"],
    is_record: |path| path.ends_with("/openclaw-agent.sqlite"),
    form: Form::Database(&["transcript_events"]),
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::<Sessions>::default(),
};

/// The number of sessions that are told apart.
const MOST: usize = 100_000;

#[derive(Default)]
struct Sessions {
    sessions: HashMap<String, pi::Session>,
    compressed: u64,
}

impl Reader for Sessions {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(row) = record.get("row").and_then(|row| row.as_object()) else { return false };
        let Some(event) = object(row.get("event_json")) else {
            self.compressed += 1;
            return row.contains_key("event_zstd");
        };
        let id = text(row, &["session_id"]).unwrap_or_default();
        if self.sessions.len() >= MOST && !self.sessions.contains_key(id) {
            return true;
        }
        self.sessions.entry(id.to_owned()).or_default().record(&event, line, calls)
    }

    fn incomplete(&self) -> u64 {
        self.compressed
    }
}
