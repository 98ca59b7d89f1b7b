//! Measures whether a user is there to answer a question. The agent's mode does not tell: users watch agents in automatic
//! mode, and leave agents alone that ask.
//!
//! The user is absent if the agent says that it runs without a user interface, if the session's terminal has been idle for
//! some time, or if there is no terminal and no prompt came for a longer time. Where nothing can be measured, the user is there.
//! Only a question comes here, so an ordinary event pays nothing for it.

use crate::sys::processes;
use checkrein::{EventName, Payload, state_file, variable};
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The time for which a terminal can be idle before its user counts as away.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// The time for which a session without a terminal can go on after a prompt.
const PROMPT: Duration = Duration::from_secs(30 * 60);
/// The longest chain of processes that is followed to a terminal.
const MOST: usize = 64;

/// Returns whether the agent says that it runs without a user interface.
pub(crate) fn is_headless(payload: &Payload) -> bool {
    let dialect = payload.host.name.as_deref().and_then(|name| checkrein_hosts::find(name).ok());
    dialect.is_some_and(|dialect| dialect.is_headless(&|name| variable(name)))
}

/// Returns whether no user is there to answer a question about this event.
pub(crate) fn is_absent(payload: &Payload, state: &Path) -> bool {
    if is_headless(payload) {
        return true;
    }
    match terminal() {
        // Key presses change the access time of a terminal, and output does not.
        Some(terminal) => seconds_since(&terminal, fs::Metadata::atime).is_some_and(|idle| idle > IDLE),
        None => prompt_file(payload, state)
            .and_then(|file| seconds_since(&file, fs::Metadata::mtime))
            .is_some_and(|since| since > PROMPT),
    }
}

/// Remembers that a prompt came, for a session without a terminal.
pub(crate) fn note_prompt(payload: &Payload, state: Option<&Path>) {
    if payload.name() != EventName::UserPromptSubmit || terminal().is_some() {
        return;
    }
    if let Some(file) = state.and_then(|state| prompt_file(payload, state)) {
        // Without it, the user counts as there.
        let _ = state_file::touch(&file);
    }
}

fn prompt_file(payload: &Payload, state: &Path) -> Option<PathBuf> {
    let session = payload.session.id.as_deref().filter(|id| !id.is_empty())?;
    Some(state_file::prompts(state).join(state_file::name_of(session)))
}

fn seconds_since(path: &Path, time: fn(&fs::Metadata) -> i64) -> Option<Duration> {
    let then = u64::try_from(time(&fs::metadata(path).ok()?)).ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(Duration::from_secs(now.saturating_sub(then)))
}

/// Returns the terminal of the session: ours, or that of the nearest process above us that has one. An agent may start its hooks
/// without its terminal.
pub(crate) fn terminal() -> Option<PathBuf> {
    let mut id = std::process::id();
    for _ in 0..MOST {
        if let Some(number) = processes::terminal(id) {
            return processes::terminal_file(number);
        }
        id = processes::parent(id).filter(|parent| *parent > 1)?;
    }
    None
}
