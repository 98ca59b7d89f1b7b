//! The sessions that opencode keeps: tables of `opencode.db`.
//!
//! Measured on 1.18.33: each call is a row of `part`, in the order of the calls. Its input is the one that ran, after plugins rewrote
//! it. A call that is still being written by the model has no input yet.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, owned, text, time};
use checkrein_core::Map;
use std::collections::HashMap;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("XDG_DATA_HOME"),
    home: ".local/share",
    directories: &["opencode"],
    is_record: |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        // Versions for testers have a file of their own, `opencode-<channel>.db`.
        name.starts_with("opencode") && name.ends_with(".db")
    },
    form: Form::Database(&["session", "part"]),
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::<Sessions>::default(),
};

/// The number of sessions whose directory is remembered.
const MOST: usize = 100_000;

#[derive(Default)]
pub(crate) struct Sessions {
    /// The directory of each session, and the session that started it.
    sessions: HashMap<String, (Option<String>, bool)>,
}

impl Reader for Sessions {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(row) = record.get("row").and_then(|row| row.as_object()) else { return false };
        if text(record, &["table"]) == Some("session") {
            if self.sessions.len() < MOST {
                let directory = text(row, &["directory"]).map(str::to_owned);
                let is_started = text(row, &["parent_id"]).is_some();
                self.sessions.insert(owned(row, &["id"]), (directory, is_started));
            }
            return row.contains_key("id");
        }
        let Some(data) = object(row.get("data")) else { return false };
        match text(&data, &["type"]) {
            Some("tool") => {}
            Some(_) => return true,
            None => return false,
        }
        let state = data.get("state").and_then(|state| state.as_object());
        let Some(input) = state.and_then(|state| object(state.get("input"))) else { return false };
        if text(&data, &["state", "status"]) == Some("pending") {
            return true;
        }
        let session = owned(row, &["session_id"]);
        let (cwd, is_started) = self.sessions.get(&session).cloned().unwrap_or_default();
        calls.push(RecordedCall {
            agent: if is_started { session.clone() } else { String::new() },
            session,
            time: time(row, &["time_created"]),
            tool: owned(&data, &["tool"]),
            call: owned(&data, &["callID"]),
            input,
            cwd,
            line,
            ..RecordedCall::default()
        });
        true
    }
}
