//! Claims: of several processes that answer the same event, one does what must happen once.
//!
//! A host may call us twice about one event: an entry of `init` and a plugin, or two files that it both reads. Each process
//! judges by itself, and no verdict is shared. But one line in the trail, one notice to the user and one kept copy are enough.
//! So the process that comes first *claims* the event for such a purpose, and the others learn what the first one noted.
//!
//! Two processes answer the same event if session, event, call id and input are the same. A host that sends no call id can send
//! equal events that are different ones, so there they must come within two seconds, and to different copies of the program: a
//! copy that is asked again is asked about the next event. A process that rewrites the input also claims the rewritten event,
//! because a host may call the next copy with it.
//!
//! `<state>/claims/<period>/<key>-<purpose>` is a symbolic link whose text is the note: one system call creates it, and only for one
//! process. If claims cannot be kept, every process is the first: something happens twice rather than not at all.

use super::{now, secure_fs, session_file::name_of};
use checkrein_core::{Event, EventName, Map, Payload, ToolKind};
use checkrein_trail::{Hash, hash, hex, input_text};
use rustix::io::Errno;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The seconds in which events with the same call id are of one call.
const WITH_ID: u64 = 120;
/// The seconds in which equal events without a call id are the same event.
const WITHOUT_ID: u64 = 2;
/// The seconds that one directory of claims is for.
const PERIOD: u64 = 1200;
/// The variable with which the selector of a plugin says that it started us.
const PLUGIN: &str = "CHECKREIN_PLUGIN";
/// The usual length of what a key is made of.
const PARTS: usize = 256;
/// The usual length of the path of a claim.
const PATH: usize = 192;
/// The maximum length of a note in bytes.
const NOTE: usize = 1024;

/// The identity of an event, by which another process recognises it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventKey {
    name: String,
    /// The copy of the program that this is, if the event names no call id.
    copy: Option<String>,
    /// The hash of the input.
    input: Option<Hash>,
}

impl EventKey {
    /// Returns the key of an event as the host sent it; `None` if it names no session, or is about a request to a
    /// model, which has no identity.
    pub fn of(payload: &Payload) -> Option<Self> {
        Self::with(payload, payload.event.call().map(checkrein_core::ToolCall::original_input))
    }

    /// Returns the key of an event with the input that runs, which another process may be asked about.
    pub fn of_final_input(payload: &Payload) -> Option<Self> {
        Self::with(payload, payload.event.call().map(|call| &call.input))
    }

    fn with(payload: &Payload, input: Option<&Map>) -> Option<Self> {
        let session = payload.session.id.as_deref().filter(|id| !id.is_empty())?;
        if matches!(payload.event, Event::ModelRequest { .. } | Event::ModelResponse { .. }) {
            return None;
        }
        let mut parts = Vec::with_capacity(PARTS);
        // The byte after it occurs in no text, and a hash comes last.
        let mut add = |part: &[u8]| {
            parts.extend_from_slice(part);
            parts.push(0xff);
        };
        add(session.as_bytes());
        add(payload.name().as_str().as_bytes());
        let call = payload.event.call();
        let again = is_sent_again(payload);
        let id = call.and_then(|call| call.id.as_deref()).filter(|id| !id.is_empty() && !again);
        add(id.unwrap_or_default().as_bytes());
        match call {
            // Dialects of one host may have different names for a tool of a known kind.
            Some(call) if call.kind == ToolKind::Other => add(call.name.as_bytes()),
            Some(call) => add(call.kind.as_str().as_bytes()),
            None => {
                add(payload.agent.id.as_deref().unwrap_or_default().as_bytes());
                add(payload.event.prompt().unwrap_or_default().as_bytes());
            }
        }
        match &payload.event {
            // These happen one at a time in an agent, and dialects of one host may spell their fields differently.
            Event::Other(name) if is_turning_point(*name) => {
                let active = payload.field("stop_hook_active").map(ToString::to_string);
                add(active.unwrap_or_default().as_bytes());
            }
            Event::Other(_) => {
                let mut fields = payload.extra.clone();
                fields.shift_remove("timestamp");
                add(&input_text(&fields));
            }
            _ => {}
        }
        // The two events about a command differ in what else they say of it.
        let command = input.and_then(|input| input.get("command")).filter(|_| again);
        let input = input.map(|input| hash(&input_text(input)));
        if let Some(known) = command.map(|command| hash(command.to_string().as_bytes())).or(input) {
            add(&known);
        }
        let name = hash(&parts).first_chunk::<16>().map(|half| hex(half)).unwrap_or_default();
        Some(Self { name, copy: id.is_none().then(|| this_copy(payload)), input })
    }

    /// The hash of the input, which the digests of the trail are made of.
    pub const fn input(&self) -> Option<Hash> {
        self.input
    }

    /// Returns the key as a text, which says nothing about the event, for [`is_same`](Self::is_same).
    pub fn noted(&self) -> String {
        [self.name.as_str(), ":", self.copy.as_deref().unwrap_or_default()].concat()
    }

    /// Returns true if another process [noted](Self::noted) this very event, `age` seconds ago.
    pub fn is_same(&self, noted: &str, age: u64) -> bool {
        let Some((name, copy)) = noted.split_once(':') else { return false };
        name == self.name && age <= self.window() && self.copy.as_deref().is_none_or(|this| this != copy)
    }

    /// Returns the seconds in which two events with this key are the same.
    pub const fn window(&self) -> u64 {
        if self.copy.is_none() { WITH_ID } else { WITHOUT_ID }
    }
}

/// Returns which copy of the program this is: its file, the dialect in which it is asked, and whether a plugin started it.
pub(crate) fn this_copy(payload: &Payload) -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let plugin = crate::variable(PLUGIN).unwrap_or_default();
    let host = payload.host.name.as_deref().unwrap_or_default();
    // The second event about a call is like a second copy that is asked about the first.
    let event = payload.host.event.as_deref().filter(|_| is_sent_again(payload)).unwrap_or_default();
    name_of(&format!("{}\0{}\0{host}\0{event}", program.display(), plugin.display()))
}

/// Returns true if the host sends two events before this call, and only one has the call's id.
fn is_sent_again(payload: &Payload) -> bool {
    let Event::PreToolUse { call } = &payload.event else { return false };
    let host = payload.host.name.as_deref().and_then(checkrein_hosts::host);
    host.is_some_and(|host| host.dialect.sends_again(call))
}

/// Returns true if an agent has at most one such event at a time.
const fn is_turning_point(event: EventName) -> bool {
    matches!(
        event,
        EventName::SessionStart
            | EventName::SessionEnd
            | EventName::Stop
            | EventName::SubagentStop
            | EventName::AfterAgent
    )
}

/// The answer to a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// No other process has claimed it.
    First,
    /// Another process has, with this note.
    Repeated(String),
}

/// The claims below a state directory.
#[derive(Clone, Debug)]
pub struct Claims {
    directory: PathBuf,
}

impl Claims {
    /// Opens the claims below a state directory. Nothing is created before the first claim.
    pub fn new(state: &Path) -> Self {
        Self { directory: state.join("claims") }
    }

    /// Claims an event for a purpose, a short word. The note is for processes that come later; it has no secrets and at most 1024
    /// bytes.
    pub fn claim(&self, key: &EventKey, purpose: &str, note: &str) -> Claim {
        self.claim_at(key, purpose, note, now())
    }

    fn claim_at(&self, key: &EventKey, purpose: &str, note: &str, now: u64) -> Claim {
        let name = (key.name.as_str(), purpose);
        let period = now / PERIOD;
        // Shortly after a new period began, the first process may have used the one before.
        if now % PERIOD < key.window()
            && let Some(note) = self.read(&self.place(period.saturating_sub(1), name), key, now)
        {
            return Claim::Repeated(note);
        }
        let place = self.place(period, name);
        let copy = key.copy.as_deref().unwrap_or_default();
        let text = [&key.name, ":", copy, "=", note.get(..NOTE).unwrap_or(note)].concat();
        match rustix::fs::symlink(&text, &place) {
            Ok(()) => Claim::First,
            Err(Errno::EXIST) => match self.read(&place, key, now) {
                Some(note) => Claim::Repeated(note),
                None => {
                    self.renew(&place, &text);
                    Claim::First
                }
            },
            Err(Errno::NOENT) => {
                self.begin(period);
                // Another process that creates the directory at the same time may be first.
                match rustix::fs::symlink(&text, &place) {
                    Err(Errno::EXIST) => self.read(&place, key, now).map_or(Claim::First, Claim::Repeated),
                    Ok(()) | Err(_) => Claim::First,
                }
            }
            Err(_) => Claim::First,
        }
    }

    fn place(&self, period: u64, (name, purpose): (&str, &str)) -> PathBuf {
        let mut place = PathBuf::with_capacity(PATH);
        place.push(&self.directory);
        place.push(period.to_string());
        place.push(name);
        place.as_mut_os_string().push("-");
        place.as_mut_os_string().push(purpose);
        place
    }

    /// Reads a claim. One of another user, one that is too old, and one for another event do not count.
    fn read(&self, place: &Path, key: &EventKey, now: u64) -> Option<String> {
        let link = rustix::fs::lstat(place).ok()?;
        if link.st_uid != rustix::process::geteuid().as_raw() {
            return None;
        }
        let text = fs::read_link(place).ok()?;
        let (noted, note) = text.to_str()?.split_once('=')?;
        // A clock that was set back makes no claim that lasts.
        let age = now.abs_diff(u64::try_from(link.st_mtime).unwrap_or_default());
        key.is_same(noted, age).then(|| note.to_owned())
    }

    /// Replaces a claim that does not count.
    fn renew(&self, place: &Path, text: &str) {
        let new = place.with_extension(std::process::id().to_string());
        // If this fails, the next process is the first as well.
        let _ = rustix::fs::symlink(text, &new).and_then(|()| rustix::fs::rename(&new, place));
    }

    /// Creates the directory of a period, and removes those of periods that are over.
    fn begin(&self, period: u64) {
        for entry in fs::read_dir(&self.directory).into_iter().flatten().flatten() {
            let begun = entry.file_name().to_str().and_then(|name| name.parse::<u64>().ok());
            if begun.is_none_or(|begun| begun.abs_diff(period) > 1) {
                // Another process may remove it at the same time.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        // A home directory that does not exist is not created. If nothing can be created, nothing is claimed.
        if secure_fs::is_below_something(&self.directory) {
            let _ = secure_fs::directory(&self.directory.join(period.to_string()));
        }
    }
}

#[cfg(test)]
mod tests;
