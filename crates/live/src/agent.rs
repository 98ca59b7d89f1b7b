//! The agents that are tried: one file each, one row in [`ALL`].

mod claude;
mod codex;

use crate::{Place, Trial};
use checkrein_model::Call;
use serde_json::{Value, json};
use std::{ffi::OsString, io, path::Path};

/// Every agent that can be tried.
pub const ALL: &[&dyn Agent] = &[&claude::ClaudeCode, &codex::Codex];

/// How an agent is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Behind the program.
    pub arguments: Vec<OsString>,
    /// Beside what every trial has.
    pub environment: Vec<(&'static str, OsString)>,
}

/// What the agent's own entry for us says.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// What stands where our program should be.
    pub program: &'a Path,
    /// How long the agent waits, in seconds.
    pub patience: u64,
}

/// An agent program, and how it is made to work offline.
pub trait Agent: Sync {
    /// Its name on our command line.
    fn name(&self) -> &'static str;

    /// Its name for a person.
    fn title(&self) -> &'static str;

    /// The name of its program.
    fn program(&self) -> &'static str;

    /// What can be tried with it.
    fn trials(&self) -> &'static [Trial];

    /// How it calls its shell.
    fn shell(&self, command: &str) -> Call;

    /// How it makes a new file.
    fn write(&self, file: &Path, text: &str) -> Call;

    /// Writes its own configuration: a model at `url`, everything allowed but for what our entry says.
    fn settle(&self, place: &Place, url: &str, entry: Entry<'_>) -> io::Result<()>;

    /// How it is started for one prompt, without a terminal.
    fn launch(&self, place: &Place, url: &str, trial: Trial, prompt: &str) -> Launch;
}

/// The events that a trial is about.
const EVENTS: [&str; 2] = ["PreToolUse", "PostToolUse"];

/// Our entry in the form that Claude Code invented and others took over.
fn entries(host: &str, entry: Entry<'_>) -> Value {
    let program = quoted(entry.program);
    let groups = EVENTS.map(|event| {
        let command = format!("{program} hook --host {host} --event {event}");
        let hook = json!({"type": "command", "command": command, "timeout": entry.patience});
        (event.to_owned(), json!([{"matcher": "*", "hooks": [hook]}]))
    });
    json!({"hooks": Value::Object(groups.into_iter().collect())})
}

/// A path as one word of a shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"))
}
