//! The index of a session: where the value of each tag came from, so that it can be read again there. It has no values.
//!
//! One line for each value, and the first line counts: what is written into a file after it was shown changes neither where a value
//! comes from nor where it may go.

use super::{prune, secure_fs, session_file};
use serde_json::{Value, json};
use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Maximum number of sessions, how long their files are kept, and how long one may become.
const MOST: usize = 200;
const LIFE: Duration = Duration::from_secs(14 * 24 * 3600);
const LONGEST: u64 = 4 * 1024 * 1024;

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// In a file.
    File(PathBuf),
    /// In a variable of this name, of the process that the agent starts us with.
    Variable(String),
}

/// A machine that a value belongs to, by what is written next to it. Without a port, the one that the program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) host: String,
    pub(crate) port: Option<u16>,
}

/// Everything that is known of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The end of its tag.
    pub(crate) tag: String,
    /// The keyed digest of the whole value, in hexadecimal digits.
    pub(crate) digest: String,
    pub(crate) source: Source,
    /// The name that it has there; empty if it has none.
    pub(crate) name: String,
    pub(crate) servers: Vec<Server>,
}

/// Returns the directory of the indexes.
pub(crate) fn directory(state: &Path) -> PathBuf {
    state.join("secret-origins")
}

fn file(state: &Path, session: &str) -> PathBuf {
    directory(state).join(session_file::name_of(session))
}

/// Returns what a session knows, the oldest first.
pub(crate) fn read(state: &Path, session: &str) -> Vec<Origin> {
    let bytes = secure_fs::read(&file(state, session), LONGEST).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().filter_map(parsed).collect()
}

/// Returns what a session knows of the value of a tag.
pub(crate) fn find(state: &Path, session: &str, tag: &str) -> Option<Origin> {
    read(state, session).into_iter().find(|origin| tag.ends_with(&origin.tag))
}

/// Adds what the session does not know yet.
pub(crate) fn add(state: &Path, session: &str, origins: Vec<Origin>) -> io::Result<()> {
    let known = read(state, session);
    let mut lines = String::new();
    for origin in origins {
        if !known.iter().any(|one| one.digest == origin.digest) {
            lines.push_str(&line(&origin));
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let (directory, file) = (directory(state), file(state, session));
    secure_fs::directory(&directory)?;
    if !file.exists() {
        prune(&directory, MOST, LIFE);
    }
    // Of two processes at once, each appends whole lines.
    OpenOptions::new().append(true).create(true).mode(0o600).open(file)?.write_all(lines.as_bytes())
}

fn line(origin: &Origin) -> String {
    let (file, variable) = match &origin.source {
        Source::File(path) => (path.to_str(), None),
        Source::Variable(name) => (None, Some(name)),
    };
    let servers: Vec<Value> =
        origin.servers.iter().map(|server| json!({"host": server.host, "port": server.port})).collect();
    let value = json!({
        "tag": origin.tag, "digest": origin.digest, "file": file, "variable": variable, "name": origin.name, "servers": servers,
    });
    format!("{value}\n")
}

fn parsed(line: &str) -> Option<Origin> {
    let value: Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let source = match text("file") {
        Some(file) => Source::File(file.into()),
        None => Source::Variable(text("variable")?),
    };
    let server = |value: &Value| {
        let port = value.get("port").and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok());
        Some(Server { host: value.get("host")?.as_str()?.to_owned(), port })
    };
    let servers =
        value.get("servers").and_then(Value::as_array).into_iter().flatten().filter_map(server).collect();
    let tag = text("tag").filter(|tag| !tag.is_empty())?;
    Some(Origin { tag, digest: text("digest")?, source, name: text("name")?, servers })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origin(digest: &str, name: &str) -> Origin {
        Origin {
            tag: digest.to_owned(),
            digest: digest.to_owned(),
            source: Source::File("/p/.env".into()),
            name: name.to_owned(),
            servers: vec![Server { host: "db.test".into(), port: Some(5432) }],
        }
    }

    #[test]
    fn the_first_origin_of_a_value_counts_and_sessions_are_apart() {
        let state = tempfile::tempdir().unwrap();
        let variable = Origin { source: Source::Variable("A_TOKEN".into()), ..origin("bbbbbbb", "A_TOKEN") };
        add(state.path(), "s", vec![origin("aaaaaaa", "ONE"), variable.clone()]).unwrap();
        add(state.path(), "s", vec![origin("aaaaaaa", "TWO")]).unwrap();
        assert_eq!(read(state.path(), "s"), [origin("aaaaaaa", "ONE"), variable]);
        assert_eq!(find(state.path(), "s", "secret_value_aaaaaaa").unwrap().name, "ONE");
        assert_eq!(find(state.path(), "other", "secret_value_aaaaaaa"), None);
    }

    #[test]
    fn a_line_that_is_not_whole_is_skipped() {
        let state = tempfile::tempdir().unwrap();
        add(state.path(), "s", vec![origin("aaaaaaa", "ONE")]).unwrap();
        let file = file(state.path(), "s");
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{{\"tag\":\"\n{text}nonsense\n")).unwrap();
        assert_eq!(read(state.path(), "s").len(), 1);
    }
}
