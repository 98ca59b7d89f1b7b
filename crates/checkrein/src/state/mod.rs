//! The files that checkrein keeps below the user's state directory, and the rules for reading and writing them.
//!
//! | entry | contents | lifetime |
//! | --- | --- | --- |
//! | `compiled/` | configurations in indexed form ([`config::compiled`](crate::config)) | until the file changes |
//! | `trust/` | hooks that the user trusts ([`trust::Store`](crate::trust::Store)) | until they are revoked |
//! | `denials/` | what each session was denied ([`approval::DenialLog`](crate::approval)) | 14 days |
//! | `trail/` | what was decided about each event ([`trail`](crate::trail)) | 30 days, if not configured otherwise |
//! | `prompts/` | when the last prompt of a session without a terminal came ([`session_file`]) | 2 days |
//! | `greetings/` | the last greeting of each agent in each project ([`session_file`]) | 2 days |
//! | `suggested/` | which rewrites a session was told of ([`rewrites`](crate::rewrites)) | 2 days |
//! | `notify/` | what the user was notified about ([`notify`](crate::notify)) | 2 days |
//! | `undo/` | files as they were before a call ([`undo`](crate::undo)) | 14 days, if not configured otherwise |
//! | `undo-calls/` | which of these belongs to a call that has not ended | a day |
//! | `learned/` | which commands failed in a project, and what worked ([`learn`](crate::learn)) | 30 days, if not configured otherwise |
//! | `learning/` | failures of a session that nothing has answered yet | 2 days |
//! | `once/` | one-time permissions ([`approval::Permits`](crate::approval::Permits)) | at most 2 hours |
//! | `claims/` | which process does what must happen once for an event ([`claims`]) | 40 minutes |
//! | `mcp/` | definitions of the tools of MCP servers ([`mcp_pins`]) | until the user forgets them |
//! | `secrets.key` | key of the tags that replace secrets ([`secrets::machine_key`](crate::secrets::machine_key)) | forever |
//! | `unfinished-writes/` | last versions of files that are being written with tags | until the write ends, at most a day |
//! | `secret-origins/` | where the value of each tag came from, per session, without the values | 14 days |
//! | `tickets/` | what `checkrein run` may give to a program, once | until used, at most 2 hours |
//! | `repair-until` | permission to ignore a broken configuration ([`repair`]) | at most 2 hours |
//! | `confirming-<pid>` | marker of an open confirmation ([`Confirming`]) | while its lock is held |
//!
//! Every directory has mode 700 and every file is private to the user ([`secure_fs`]). An entry that another user can write
//! is never believed.

pub mod claims;
mod confirming;
pub mod mcp_pins;
pub(crate) mod origins;
pub mod repair;
pub(crate) mod secure_fs;
pub mod session_file;
pub(crate) mod tickets;

pub use confirming::{Confirming, is_confirming};

use checkrein_core::SmallSort as _;
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Version of the files in `compiled/`. It changes whenever the same bytes would mean something else.
pub(crate) const COMPILED_VERSION: u32 = 8;

/// Returns the directory of compiled configurations.
pub(crate) fn compiled(state: &Path) -> PathBuf {
    state.join("compiled")
}

/// Returns the directory of trusted hooks.
pub(crate) fn trust(state: &Path) -> PathBuf {
    state.join("trust")
}

/// Returns the directory of denied calls, which has a directory per session.
pub(crate) fn denials(state: &Path) -> PathBuf {
    state.join("denials")
}

/// Returns the directory of the trail.
pub(crate) fn trail(state: &Path) -> PathBuf {
    state.join("trail")
}

/// Returns the directory of what was kept for undo.
pub(crate) fn undo(state: &Path) -> PathBuf {
    state.join("undo")
}

/// Returns the directory of the calls with a record for undo that have not ended.
pub(crate) fn undo_calls(state: &Path) -> PathBuf {
    state.join("undo-calls")
}

/// Returns the directory of the memory of failures.
pub(crate) fn learned(state: &Path) -> PathBuf {
    state.join("learned")
}

/// Returns the directory of the failures of sessions.
pub(crate) fn learning(state: &Path) -> PathBuf {
    state.join("learning")
}

/// Returns the directory of one-time permissions.
pub(crate) fn permits(state: &Path) -> PathBuf {
    state.join("once")
}

/// Returns the current time in seconds since 1970.
///
/// This is the clock of the standard library. The one of `rustix` looks for the kernel's page by itself, and crashes where an
/// instruction counter has hidden it.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Removes the entries of a directory that are older than `life`, and the oldest ones beyond the first `most`.
pub(crate) fn prune(directory: &Path, most: usize, life: Duration) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    let mut known: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    known.small_sort();
    let too_many = known.len().saturating_sub(most);
    let now = SystemTime::now();
    for (place, (then, path)) in known.into_iter().enumerate() {
        if place < too_many || now.duration_since(then).is_ok_and(|age| age > life) {
            // Another process may remove it at the same time.
            let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        }
    }
}

/// Removes the directories whose name starts with `prefix` and that are older than `age`: remains of killed processes.
pub(crate) fn sweep(directory: &Path, prefix: &str, age: Duration) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let is_old = entry.metadata().and_then(|metadata| metadata.modified()).is_ok_and(|modified| {
            SystemTime::now().duration_since(modified).is_ok_and(|passed| passed > age)
        });
        if is_old && entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()) {
            // Another process may sweep at the same time.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
