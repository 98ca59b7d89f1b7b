//! Our own trail as a record of calls.
//!
//! It has one line per event. A call can be judged again if the line holds all of it: its input at the level `full`, or a command
//! or path that was neither shortened nor redacted. What a tool wrote into a file is never kept, so calls that write are incomplete.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, owned, text};
use checkrein_core::{Map, ToolKind};
use serde_json::Value;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("XDG_STATE_HOME"),
    home: ".local/state",
    directories: &["checkrein/trail"],
    is_record: |path| {
        let name =
            path.strip_suffix(".jsonl").and_then(|path| path.rsplit_once("/trail/")).map(|(_, name)| name);
        name.is_some_and(|name| name == "current" || name.starts_with("segment-"))
    },
    form: Form::Lines,
    companion: None,
    tools: &[],
    reader: || Box::<Trail>::default(),
};

#[derive(Default)]
struct Trail {
    incomplete: u64,
}

impl Reader for Trail {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(event) = text(record, &["event"]) else { return false };
        // A question for permission is about a call that was announced before.
        if event != "PreToolUse" {
            return true;
        }
        let Some(tool) = text(record, &["tool"]) else { return false };
        let Some(input) = input(record, tool) else {
            self.incomplete += 1;
            return true;
        };
        calls.push(RecordedCall {
            session: owned(record, &["session"]),
            agent: owned(record, &["agent"]),
            time: owned(record, &["time"]),
            tool: tool.to_owned(),
            call: owned(record, &["call"]),
            input,
            cwd: text(record, &["cwd"]).map(str::to_owned),
            line,
            kind: None,
            host: Some(owned(record, &["host"])),
        });
        true
    }

    fn incomplete(&self) -> u64 {
        self.incomplete
    }
}

/// Returns the input of a call, if the record has all of it.
fn input(record: &Map, tool: &str) -> Option<Map> {
    if let Some(input) = record.get("input").and_then(Value::as_object) {
        return Some(input.clone());
    }
    let summary = text(record, &["summary"]).filter(|_| record.get("whole") == Some(&Value::Bool(true)))?;
    let name = match ToolKind::of(tool) {
        ToolKind::Shell => "command",
        ToolKind::Read => "file_path",
        _ => return None,
    };
    Some(Map::from_iter([(name.to_owned(), summary.into())]))
}
