//! The sessions that Claude Code keeps: `projects/<directory>/<session>.jsonl`, and those of its subagents in
//! `projects/<directory>/<session>/subagents/`.
//!
//! Measured on 2.1.325: the recorded input is the one that the model asked for, also after a hook rewrote it.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, owned, text, tool_uses};
use checkrein_core::Map;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("CLAUDE_CONFIG_DIR"),
    home: ".claude",
    directories: &["projects"],
    is_record: |path| path.ends_with(".jsonl"),
    form: Form::Lines,
    companion: None,
    tools: &[],
    reader: || Box::new(Session),
};

struct Session;

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(kind) = text(record, &["type"]) else { return false };
        if kind != "assistant" {
            // Prompts, results, attachments and notes of many kinds: none of them is a call.
            return true;
        }
        calls.extend(tool_uses(record, &["message", "content"]).map(|(id, name, input)| RecordedCall {
            session: owned(record, &["sessionId"]),
            agent: owned(record, &["agentId"]),
            time: owned(record, &["timestamp"]),
            tool: name.to_owned(),
            call: id.to_owned(),
            input: input.clone(),
            cwd: text(record, &["cwd"]).map(str::to_owned),
            line,
            ..RecordedCall::default()
        }));
        true
    }
}
