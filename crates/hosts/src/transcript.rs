//! The records that agents keep of their own sessions.
//!
//! Each agent writes down every call of its model, in a format of its own, without documentation. A [`Transcripts`] says where
//! these files are and reads them, record by record. A reader is tolerant: a record that it does not know is counted, never an
//! error, because agents change their formats often. It is also suspicious: everything in a record comes from a model.

use crate::names::{self, Tool};
use checkrein_core::{Map, ToolKind};
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
    /// Returns the file with more about the same session, by the path of its record. It is read first.
    pub companion: Option<fn(&str) -> Option<String>>,
    /// The agent's tools.
    pub tools: &'static [Tool],
    /// Creates the reader of one file.
    pub reader: fn() -> Box<dyn Reader>,
}

impl Transcripts {
    /// Returns the name of a tool that hooks get, for the one that is recorded.
    pub fn tool<'n>(&self, recorded: &'n str) -> &'n str {
        names::tool(self.tools, recorded).filter(|tool| tool.is_ours()).map_or(recorded, |tool| tool.ours)
    }
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
    /// An SQLite database with these tables. A record is `{"table": …, "row": {…}}`, and its line is the number of the row.
    Database(&'static [&'static str]),
}

/// Reads the records of one session.
pub trait Reader {
    /// Reads one record and adds the calls in it. Returns whether its kind is known.
    fn record(&mut self, record: &Map, line: u64, calls: &mut Vec<RecordedCall>) -> bool;

    /// Adds calls that were complete only with the last record.
    fn finish(&mut self, calls: &mut Vec<RecordedCall>) {
        let _ = calls;
    }

    /// Returns how many records were about a call that they do not hold as a whole.
    fn incomplete(&self) -> u64 {
        0
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
    /// The name of the tool, as the agent recorded it: see [`Transcripts::tool`].
    pub tool: String,
    /// The id of the call.
    pub call: String,
    /// The input, as a hook of this host gets it.
    pub input: Map,
    /// The working directory, if the record names one.
    pub cwd: Option<String>,
    /// The line of the record, the position of the call in a document, or the number of its row.
    pub line: u64,
    /// The kind of the tool, if its name does not tell.
    pub kind: Option<ToolKind>,
    /// The host, in records about several hosts.
    pub host: Option<String>,
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

/// Returns the time in milliseconds since 1970 at a path of keys, as most agents write times; empty if there is none.
pub(crate) fn time(record: &Map, keys: &[&str]) -> String {
    let Some((last, path)) = keys.split_last() else { return String::new() };
    let mut map = record;
    for key in path {
        match map.get(*key).and_then(Value::as_object) {
            Some(below) => map = below,
            None => return String::new(),
        }
    }
    map.get(*last).and_then(Value::as_u64).map_or_else(String::new, timestamp)
}

/// Returns the time in seconds since 1970 at a path of keys, whole or with a fraction; empty if there is none.
pub(crate) fn seconds(record: &Map, keys: &[&str]) -> String {
    let Some((last, path)) = keys.split_last() else { return String::new() };
    let map = path.iter().try_fold(record, |map, key| map.get(*key).and_then(Value::as_object));
    let seconds =
        map.and_then(|map| map.get(*last)).and_then(Value::as_f64).filter(|time| (0.0..1e11).contains(time));
    // The range leaves nothing to be cut off.
    seconds.map_or_else(String::new, |seconds| timestamp((seconds * 1000.0) as u64))
}

/// Writes milliseconds since 1970 as `2026-11-16T10:28:08.795Z`.
pub(crate) fn timestamp(millis: u64) -> String {
    let (seconds, millis) = (millis / 1000, millis % 1000);
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years that begin in March, in cycles of 400 years: the day that is added in leap years is then the last one.
    let shifted = days + 719_468;
    let (cycle, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + 400 * cycle + later;
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
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

#[cfg(test)]
mod tests {
    use super::timestamp;

    #[test]
    fn times_are_written_as_agents_write_them() {
        assert_eq!(timestamp(1_794_824_888_795), "2026-11-16T10:28:08.795Z");
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(timestamp(951_782_400_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(timestamp(1_709_251_199_999), "2024-02-29T23:59:59.999Z");
        // Nothing here is too large for the arithmetic.
        assert!(!timestamp(u64::MAX).is_empty());
    }
}
