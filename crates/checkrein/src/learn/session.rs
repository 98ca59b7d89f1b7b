//! The failures of a session for which no command that works has been seen yet.

use super::{outline::Outline, result::FailureKind};
use crate::state::{self, prune, secure_fs, session_file::name_of};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// The maximum number of failures of a session, of sessions, and how long a session is remembered.
const MOST: usize = 5;
const MOST_SESSIONS: usize = 200;
const LIFE: Duration = Duration::from_secs(2 * 24 * 3600);
/// A command that works teaches something about a failure only within this time and this number of calls.
const SECONDS: u64 = 3600;
const CALLS: u64 = 10;

/// A failure of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) outline: Outline,
    pub(super) kind: FailureKind,
    time: u64,
    /// The number of calls since.
    pub(super) calls: u64,
}

/// The failures of one session in one project.
pub(super) struct SessionFailures {
    file: PathBuf,
    pub(super) failures: Vec<Failed>,
}

impl SessionFailures {
    pub(super) fn open(state: &Path, session: &str, project: &Path) -> Self {
        let name = name_of(&format!("{session}\0{}", project.display()));
        let file = state::learning(state).join(name);
        let read = || {
            let value =
                checkrein_core::json::parse(&secure_fs::read(&file, super::store::MOST_BYTES).ok()?).ok()?;
            Some(value.as_array()?.iter().filter_map(Failed::from_json).collect::<Vec<_>>())
        };
        let failures = read().unwrap_or_default();
        Self { file, failures }
    }

    /// Counts a call, and drops what is too long ago.
    pub(super) fn count(&mut self) {
        let now = state::now();
        for failed in &mut self.failures {
            failed.calls = failed.calls.saturating_add(1);
        }
        self.failures.retain(|failed| failed.calls <= CALLS && now.saturating_sub(failed.time) <= SECONDS);
    }

    pub(super) fn add(&mut self, outline: Outline, kind: FailureKind) {
        self.failures.retain(|failed| failed.outline != outline);
        self.failures.insert(0, Failed { outline, kind, time: state::now(), calls: 0 });
        self.failures.truncate(MOST);
    }

    /// Writes it. A session whose failures cannot be kept teaches nothing.
    pub(super) fn save(&self) {
        if self.failures.is_empty() {
            let _ = fs::remove_file(&self.file);
            return;
        }
        let Some(directory) = self.file.parent() else { return };
        if secure_fs::directory(directory).is_ok() && secure_fs::is_our_directory(directory) {
            if !self.file.exists() {
                prune(directory, MOST_SESSIONS, LIFE);
            }
            let list: Vec<Value> = self.failures.iter().map(Failed::to_json).collect();
            let _ = secure_fs::replace(&self.file, Value::from(list).to_string().as_bytes());
        }
    }
}

impl Failed {
    fn to_json(&self) -> Value {
        json!({"outline": self.outline.to_json(), "kind": self.kind.word(), "time": self.time, "calls": self.calls})
    }

    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            outline: Outline::from_json(value.get("outline")?)?,
            kind: FailureKind::of_word(value.get("kind")?.as_str()?)?,
            time: value.get("time")?.as_u64()?,
            calls: value.get("calls")?.as_u64()?,
        })
    }
}
