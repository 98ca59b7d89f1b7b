//! Keeps secrets out of the conversation: the scanner of `checkrein-secrets` with the key of this machine, as hooks.
//!
//! | event | hook | what it does |
//! | --- | --- | --- |
//! | before a tool | `rewrite.rs` | `cat .env` becomes `checkrein cat .env`, which hides the values |
//! | before a tool | `handles` | a command with a tag becomes `checkrein run`, which gives the value to the program |
//! | before a tool | `leaks.rs` | objects to a secret that goes to a foreign host, a tracked file, a log or a commit |
//! | after a tool | `redact.rs` | replaces secrets in the result by tags |
//! | around a write | `restore.rs` | tags that the model writes back into a file become the values of the file before |
//! | a prompt | `prompt.rs` | tells the user that it has a secret, or denies it |
//!
//! No values are kept. A tag is a keyed digest, and a session keeps where its value came from; only while a file with tags is being written, its last version is kept in the state
//! directory.

pub(crate) mod handles;
mod key;
mod known;
mod leaks;
mod origin;
mod prompt;
mod redact;
mod restore;
mod rewrite;
pub(crate) mod settings;
mod text;
mod tracked;

pub use handles::{Descriptor, Granted, redeem};

pub use checkrein_secrets::{Class, Exact, Finding, Key, Known, Redactor, Scanner, is_tag, tags};
pub(crate) use key::digest_key;
pub use key::machine_key;

use checkrein_core::{Entry, EventName, Role};
use checkrein_guard::Exception;
use settings::{OutputRule, PromptRule};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The name of the hooks.
pub(crate) const NAME: &str = "secrets";

/// Returns a redactor with the built-in rules and the key of this machine, for whatever is written to disk or shown: a log, a record
/// of a call, a report. `state` is the state directory, [`Places::state`](crate::Places).
///
/// ```no_run
/// # fn main() -> std::io::Result<()> {
/// let redactor = checkrein::secrets::redactor(None)?;
/// let (line, found) = redactor.text("PGPASSWORD=kR4vT9xQ2mWz7LpB psql");
/// assert_eq!(found.len(), 1);
/// # Ok(())
/// # }
/// ```
pub fn redactor(state: Option<&Path>) -> io::Result<Redactor> {
    Ok(Redactor::new(Scanner::new(), machine_key(state)?))
}

/// The facts that the hooks about secrets work with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets {
    /// The state directory, which has the key.
    pub(crate) state: Option<PathBuf>,
    /// True if something may be kept there from one event of a call to the next.
    pub(crate) remembers: bool,
    /// True if an event follows when the call is over.
    pub(crate) reports_end: bool,
    /// The program whose command `cat` can replace that of the system.
    pub(crate) program: Option<PathBuf>,
    pub(crate) prompt: PromptRule,
    pub(crate) output: OutputRule,
    /// Exceptions: what the guard does not ask about needs no rewrite.
    pub(crate) exceptions: Vec<Exception>,
    /// The programs of configurations that may be given a secret.
    pub(crate) handles: Vec<handles::table::Handle>,
}

impl Secrets {
    /// The events that the hooks are about.
    pub(crate) const EVENTS: &'static [EventName] = &[
        EventName::PreToolUse,
        EventName::PermissionRequest,
        EventName::PostToolUse,
        EventName::PostToolUseFailure,
        EventName::UserPromptSubmit,
    ];

    /// Passes the hooks for these events to `add`.
    pub(crate) fn join(&self, events: &[EventName], mut add: impl FnMut(Entry)) {
        for event in events {
            match event {
                EventName::PreToolUse => {
                    if self.program.is_some() {
                        let rewrite = rewrite::Rewrite(self.clone());
                        add(Entry::new(*event, rewrite).with_role(Role::Edit).with_own_voice(true));
                    }
                    add(Entry::new(*event, leaks::Leaks(self.clone())).with_role(Role::Judge));
                }
                EventName::PermissionRequest => {
                    add(Entry::new(*event, leaks::Leaks(self.clone())).with_role(Role::Judge));
                }
                EventName::PostToolUse | EventName::PostToolUseFailure => {
                    add(Entry::new(*event, redact::Redact(self.clone())).with_role(Role::Edit));
                }
                EventName::UserPromptSubmit => {
                    add(Entry::new(*event, prompt::Prompt(self.clone())).with_role(Role::Judge));
                }
                _ => {}
            }
        }
    }

    fn key(&self) -> io::Result<Key> {
        machine_key(self.state.as_deref())
    }
}
