//! Finds the record of a call at a later event of the same call.

use crate::state::{self, prune, secure_fs};
use checkrein_core::Payload;
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// The maximum number of calls that are waited for, and how long.
const MOST: usize = 500;
const LIFE: Duration = Duration::from_secs(24 * 3600);

/// The calls whose end is waited for.
pub(super) struct Calls {
    directory: PathBuf,
}

impl Calls {
    pub(super) fn new(state: &Path) -> Self {
        Self { directory: state::undo_calls(state) }
    }

    /// Notes a record of a call. A call has several if it is asked about at several events, or by several copies of the program.
    pub(super) fn add(&self, payload: &Payload, id: &str) {
        let Some(key) = key(payload) else { return };
        let path = self.directory.join(key);
        let before = read(&path);
        if secure_fs::directory(&self.directory).is_ok() {
            prune(&self.directory, MOST, LIFE);
            // Without it the record is only less useful.
            let _ = secure_fs::replace(&path, format!("{before}{id}\n").as_bytes());
        }
    }

    /// Takes the records of a call that has ended.
    pub(super) fn take(&self, payload: &Payload) -> Vec<String> {
        let Some(key) = key(payload) else { return Vec::new() };
        let path = self.directory.join(key);
        let ids: Vec<String> = read(&path).lines().map(str::to_owned).collect();
        if !ids.is_empty() {
            let _ = fs::remove_file(&path);
        }
        ids
    }
}

fn read(path: &Path) -> String {
    secure_fs::read(path, 4096).ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Returns the name of a call: by its id, or by what it is.
fn key(payload: &Payload) -> Option<String> {
    let call = payload.event.call()?;
    let mut digest = Sha256::new();
    digest.update(payload.session.id.as_deref().unwrap_or_default());
    digest.update([0]);
    match &call.id {
        Some(id) => digest.update(id),
        None => digest.update(serde_json::to_vec(&call.input).ok()?),
    }
    Some(digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}
