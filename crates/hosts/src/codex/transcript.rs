//! The sessions that Codex keeps: `sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`, compressed with zstd after a
//! while.
//!
//! Measured on 0.166.0: a call is recorded under the name that the model used, and hooks get it as `Bash` or `apply_patch`
//! with a `command`. What ran in code mode is recorded only as the command that ran.

use crate::transcript::{Form, Reader, RecordedCall, Transcripts, object, owned, text};
use checkrein_core::Map;
use serde_json::Value;
use std::collections::HashSet;

pub(crate) const TRANSCRIPTS: Transcripts = Transcripts {
    variable: Some("CODEX_HOME"),
    home: ".codex",
    directories: &["sessions", "archived_sessions"],
    is_record: |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.starts_with("rollout-") && (name.ends_with(".jsonl") || name.ends_with(".jsonl.zst"))
    },
    form: Form::Lines,
    companion: None,
    tools: &[],
    reader: || Box::<Session>::default(),
};

#[derive(Default)]
struct Session {
    id: String,
    agent: String,
    cwd: Option<String>,
    /// The calls that the model asked for by themselves, and not in a script.
    asked: HashSet<String>,
}

impl Reader for Session {
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool {
        let Some(kind) = text(record, &["type"]) else { return false };
        let Some(payload) = record.get("payload").and_then(Value::as_object) else {
            return is_of_no_call(kind);
        };
        match (kind, text(payload, &["type"])) {
            ("session_meta", _) => {
                // A session that continues another one has the description of that one further down.
                if self.id.is_empty() {
                    self.id = owned(payload, &["id"]);
                    self.agent = owned(payload, &["agent_role"]);
                }
                self.moved(payload);
            }
            ("turn_context", _) => self.moved(payload),
            ("response_item", Some("function_call" | "custom_tool_call" | "local_shell_call")) => {
                let Some((tool, input, cwd)) = asked(payload) else { return true };
                let call = owned(payload, &["call_id"]);
                self.asked.insert(call.clone());
                calls.push(self.call(record, line, tool, call, input, cwd));
            }
            ("event_msg", Some("item_completed")) => {
                let item = payload.get("item").and_then(Value::as_object);
                let ran = item.filter(|item| text(item, &["type"]) == Some("CommandExecution"));
                if let Some((call, input, cwd)) = ran.and_then(|item| self.in_code_mode(item)) {
                    calls.push(self.call(record, line, "Bash".to_owned(), call, input, cwd));
                }
            }
            (kind, _) => return is_of_no_call(kind),
        }
        true
    }
}

impl Session {
    fn moved(&mut self, payload: &Map) {
        if let Some(cwd) = text(payload, &["cwd"]) {
            self.cwd = Some(plain_path(cwd));
        }
    }

    fn call(
        &self,
        record: &Map,
        line: u64,
        tool: String,
        call: String,
        input: Map,
        cwd: Option<String>,
    ) -> RecordedCall {
        RecordedCall {
            session: self.id.clone(),
            agent: self.agent.clone(),
            time: owned(record, &["timestamp"]),
            tool,
            call,
            input,
            cwd: cwd.or_else(|| self.cwd.clone()),
            line,
            ..RecordedCall::default()
        }
    }

    /// Returns a command that a script of the model ran.
    fn in_code_mode(&self, item: &Map) -> Option<(String, Map, Option<String>)> {
        let call = text(item, &["id"]).filter(|id| !self.asked.contains(*id))?;
        let words: Vec<&str> = item.get("command")?.as_array()?.iter().filter_map(Value::as_str).collect();
        Some((call.to_owned(), command(script(&words)?), text(item, &["cwd"]).map(plain_path)))
    }
}

/// Returns whether records of this kind are known, and hold no call or hold calls next to much else.
fn is_of_no_call(kind: &str) -> bool {
    matches!(
        kind,
        "response_item"
            | "event_msg"
            | "compacted"
            | "world_state"
            | "token_usage_record"
            | "inter_agent_communication_metadata"
    )
}

/// Returns what the model asked for, as a hook gets it, with its own working directory.
fn asked(payload: &Map) -> Option<(String, Map, Option<String>)> {
    let name = text(payload, &["name"]);
    if text(payload, &["type"]) == Some("custom_tool_call") {
        // The script of code mode: what it ran is recorded by itself.
        let name = name.filter(|name| *name != "exec")?;
        return Some((name.to_owned(), command(text(payload, &["input"])?.to_owned()), None));
    }
    let input = object(payload.get("arguments").or_else(|| payload.get("action")))?;
    let cwd = text(&input, &["workdir"]).or_else(|| text(&input, &["working_directory"])).map(str::to_owned);
    match name.unwrap_or("local_shell") {
        "exec_command" | "shell" | "shell_command" | "local_shell" | "container.exec" => {
            let text = match input.get("cmd").or_else(|| input.get("command"))? {
                Value::String(text) => text.clone(),
                Value::Array(words) => script(&words.iter().filter_map(Value::as_str).collect::<Vec<_>>())?,
                _ => return None,
            };
            Some(("Bash".to_owned(), command(text), cwd))
        }
        name => Some((name.to_owned(), input, cwd)),
    }
}

/// Returns the text that a shell in front of it runs, or the words as a shell would read them.
fn script(words: &[&str]) -> Option<String> {
    match words {
        [] => None,
        [_shell, "-lc" | "-c", text] => Some((*text).to_owned()),
        words => Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")),
    }
}

fn quoted(word: &str) -> String {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-./=:,+@%".contains(char);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

fn command(text: String) -> Map {
    let mut input = Map::new();
    input.insert("command".to_owned(), Value::String(text));
    input
}

fn plain_path(path: &str) -> String {
    path.strip_prefix("file://").unwrap_or(path).to_owned()
}
