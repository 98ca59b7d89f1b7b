//! The sessions that Hermes keeps: tables of `state.db`.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, owned, seconds, text};
use checkrein_core::Map;
use serde_json::Value;
use std::collections::HashMap;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("HERMES_HOME"),
    home: ".hermes",
    directories: &[""],
    is_record: |path| path == "state.db" || path.ends_with("/state.db"),
    form: Form::Database(&["sessions", "messages"]),
    companion: None,
    tools: super::dialect::TOOLS,
    reader: || Box::<Sessions>::default(),
};

/// The number of sessions whose directory is remembered.
const MOST: usize = 100_000;

#[derive(Default)]
struct Sessions {
    /// The directory of each session, and whether another session started it.
    sessions: HashMap<String, (Option<String>, bool)>,
}

impl Reader for Sessions {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(row) = record.get("row").and_then(Value::as_object) else { return false };
        if text(record, &["table"]) == Some("sessions") {
            if self.sessions.len() < MOST {
                let directory = text(row, &["cwd"]).map(str::to_owned);
                self.sessions
                    .insert(owned(row, &["id"]), (directory, text(row, &["parent_session_id"]).is_some()));
            }
            return row.contains_key("id");
        }
        let asked = match row.get("tool_calls") {
            Some(Value::String(asked)) => asked,
            Some(Value::Null) | None => return row.contains_key("role"),
            Some(_) => return false,
        };
        let Ok(Value::Array(asked)) = serde_json::from_str(asked) else { return false };
        let session = owned(row, &["session_id"]);
        let (cwd, is_started) = self.sessions.get(&session).cloned().unwrap_or_default();
        calls.extend(asked.iter().filter_map(|call| {
            let call = call.as_object()?;
            Some(RecordedCall {
                agent: if is_started { session.clone() } else { String::new() },
                session: session.clone(),
                time: seconds(row, &["timestamp"]),
                tool: owned(call, &["function", "name"]),
                call: owned(call, &["id"]),
                input: object(call.get("function")?.get("arguments"))?,
                cwd: cwd.clone(),
                line,
                ..RecordedCall::default()
            })
        }));
        true
    }
}
