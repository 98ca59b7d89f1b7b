//! The sessions that Cline keeps: `data/sessions/<session>/<session>.messages.json`, and `<session>.json` with the directory.
//!
//! Measured on 3.0.65: the recorded input is the one that the model asked for, also after a hook rewrote it. A file is one JSON
//! object, which is written anew with every message.

use super::payload;
use crate::transcript::{Form, Reader, RecordedCall, Transcripts, objects, owned, text, time, tool_uses};
use checkrein_core::Map;
use serde_json::Value;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("CLINE_DIR"),
    home: ".cline",
    directories: &["data/sessions"],
    is_record: |path| path.ends_with(".messages.json"),
    form: Form::Document,
    companion: Some(|path| path.strip_suffix(".messages.json").map(|session| format!("{session}.json"))),
    tools: &[],
    reader: || Box::<Session>::default(),
};

#[derive(Default)]
struct Session {
    cwd: Option<String>,
}

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        if let Some(cwd) = text(record, &["cwd"]) {
            self.cwd = Some(cwd.to_owned());
            return true;
        }
        if !record.contains_key("messages") {
            return false;
        }
        let mut line = line;
        for message in objects(record, &["messages"]) {
            if text(message, &["role"]) != Some("assistant") {
                continue;
            }
            for (id, name, input) in tool_uses(message, &["content"]) {
                let (tool, input) = payload::tool(name, Value::Object(input.clone()));
                let Value::Object(input) = input else { continue };
                calls.push(RecordedCall {
                    session: owned(record, &["sessionId"]),
                    agent: text(record, &["agent"])
                        .filter(|agent| *agent != "lead")
                        .unwrap_or_default()
                        .to_owned(),
                    time: time(message, &["ts"]),
                    tool: tool.to_owned(),
                    call: id.to_owned(),
                    input,
                    cwd: self.cwd.clone(),
                    line,
                    kind: payload::kind(tool).and_then(|kind| kind.parse().ok()),
                    host: None,
                });
                line += 1;
            }
        }
        true
    }
}
