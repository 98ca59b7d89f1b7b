//! Measures whether a user is there to answer a question. A mode of the agent does not say: users sit in front of agents that
//! run in automatic mode, and leave others alone that ask.
//!
//! The user is absent if the agent says that it runs without a user interface, if the session's terminal has been idle for
//! some time, or if there is no terminal and no prompt came for a longer time. Where nothing can be measured, the user is there.
//! Only a question comes here, so an ordinary event pays nothing for it.

use checkrein::{EventName, Payload, state_file, variable};
use std::{
    fs,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The time for which a terminal can be idle before its user counts as away.
const IDLE: Duration = Duration::from_secs(10 * 60);
/// The time for which a session without a terminal can go on after a prompt.
const PROMPT: Duration = Duration::from_secs(30 * 60);
/// The longest chain of processes that is followed to a terminal.
const MOST: usize = 64;

/// Returns whether no user is there to answer a question about this event.
pub(crate) fn is_absent(payload: &Payload, state: &Path) -> bool {
    let dialect = payload.host.name.as_deref().and_then(|name| checkrein_hosts::find(name).ok());
    if dialect.is_some_and(|dialect| dialect.is_headless(&|name| variable(name))) {
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
fn terminal() -> Option<PathBuf> {
    let mut id = std::process::id();
    for _ in 0..MOST {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let parent: u32 = fields.nth(1)?.parse().ok()?;
        let number: u32 = fields.nth(2)?.parse().ok()?;
        if number != 0 {
            return device(number);
        }
        if parent <= 1 {
            return None;
        }
        id = parent;
    }
    None
}

/// Returns the file of a terminal with this number.
fn device(number: u32) -> Option<PathBuf> {
    let (major, minor) = (number >> 8 & 0xfff, number & 0xff | number >> 12 & 0xf_ff00);
    let path = match major {
        // Pseudo-terminals have eight major numbers, of which Linux uses the first.
        136..=143 => format!("/dev/pts/{}", (major - 136) * 256 + minor),
        4 if minor < 64 => format!("/dev/tty{minor}"),
        4 => format!("/dev/ttyS{}", minor - 64),
        _ => return None,
    };
    let path = PathBuf::from(path);
    fs::metadata(&path).ok().filter(|metadata| metadata.file_type().is_char_device()).map(|_| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_have_numbers() {
        // Where there is no terminal, there is no file of one.
        assert_eq!(device(1 << 8 | 3), None);
        for path in ["/dev/tty1", "/dev/ttyS0", "/dev/pts/0"] {
            let Ok(metadata) = fs::metadata(path) else { continue };
            let number = u32::try_from(metadata.rdev()).unwrap();
            assert_eq!(device(number), Some(path.into()));
        }
    }
}
