//! The records that agents keep of their own sessions.
//!
//! Each agent writes down every call of its model, in a format of its own, without documentation. A [`Transcripts`] says where
//! these files are and reads them, record by record. A reader is tolerant: a record that it does not know is counted, never an
//! error, because agents change their formats often. It is also suspicious: everything in a record comes from a model.

use checkrein_core::Map;
use serde_json::Value;

/// The records of a host: their directories, and their reader.
#[derive(Clone, Copy)]
pub struct Transcripts {
    /// The variable that names the agent's directory.
    pub variable: Option<&'static str>,
    /// The agent's directory below the user's home, without the variable.
    pub home: &'static str,
    /// The directories with records, below the agent's directory.
    pub directories: &'static [&'static str],
    /// Returns whether a file holds a session, by its path below the agent's directory.
    pub is_record: fn(&str) -> bool,
    /// The way a file is divided into records.
    pub form: Form,
    /// Creates the reader of one file.
    pub reader: fn() -> Box<dyn Reader>,
}

impl std::fmt::Debug for Transcripts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Transcripts").field("home", &self.home).finish_non_exhaustive()
    }
}

/// The way a file is divided into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One JSON object per line.
    Lines,
    /// One JSON object in the whole file.
    Document,
}

/// Reads the records of one session.
pub trait Reader {
    /// Reads one record and adds the calls in it. Returns whether its kind is known.
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool;

    /// Adds calls that were complete only with the last record.
    fn finish(&mut self, calls: &mut Vec<RecordedCall>) {
        let _ = calls;
    }
}

/// A call of a tool, as an agent recorded it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedCall {
    /// The session.
    pub session: String,
    /// The subagent that made the call; empty for the agent itself.
    pub agent: String,
    /// The time, as the agent wrote it.
    pub time: String,
    /// The name of the tool, as a hook of this host gets it.
    pub tool: String,
    /// The id of the call.
    pub call: String,
    /// The input, as a hook of this host gets it.
    pub input: Map,
    /// The working directory, if the record names one.
    pub cwd: Option<String>,
    /// The line of the record, or the position of the call in a document.
    pub line: u64,
}

/// Returns the text at a path of keys.
pub(crate) fn text<'a>(record: &'a Map, keys: &[&str]) -> Option<&'a str> {
    let (last, path) = keys.split_last()?;
    let mut map = record;
    for key in path {
        map = map.get(*key)?.as_object()?;
    }
    map.get(*last)?.as_str()
}

/// Returns the text at a path of keys as a `String`, which is empty if there is none.
pub(crate) fn owned(record: &Map, keys: &[&str]) -> String {
    text(record, keys).unwrap_or_default().to_owned()
}

/// Returns the objects of the list at a path of keys.
pub(crate) fn objects<'a>(record: &'a Map, keys: &[&str]) -> impl Iterator<Item = &'a Map> {
    let list = keys.split_last().and_then(|(last, path)| {
        let mut map = record;
        for key in path {
            map = map.get(*key)?.as_object()?;
        }
        map.get(*last)?.as_array()
    });
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// Returns an object that may also be written as a text.
pub(crate) fn object(value: Option<&Value>) -> Option<Map> {
    match value? {
        Value::Object(map) => Some(map.clone()),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Object(map)) => Some(map),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the content blocks `{type, id, name, input}` of a message that asks for tools, in Anthropic's format.
pub(crate) fn tool_uses<'a>(
    message: &'a Map,
    keys: &[&str],
) -> impl Iterator<Item = (&'a str, &'a str, &'a Map)> {
    objects(message, keys).filter(|block| text(block, &["type"]) == Some("tool_use")).filter_map(|block| {
        let input = block.get("input")?.as_object()?;
        Some((text(block, &["id"]).unwrap_or_default(), text(block, &["name"])?, input))
    })
}
