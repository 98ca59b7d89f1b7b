//! The hook of the scratch configuration. It is the program itself, so that a proof needs no interpreter.

use crate::canary::react;
use serde_json::{Value, json};
use std::{
    env,
    fs::OpenOptions,
    io::{self, Read, Write},
    path::PathBuf,
};

/// The file next to the configuration in which the hook records its calls.
pub(crate) const NOTES: &str = "asked.jsonl";

/// Reads one event, answers it as its canary requires, and records it next to the configuration.
///
/// # Errors
///
/// If there is no event on stdin, or stdout is closed.
pub fn answer() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let event: Value = serde_json::from_str(&text)?;
    note(&event)?;
    writeln!(io::stdout(), "{}", react(&event))
}

fn note(event: &Value) -> io::Result<()> {
    let Some(directory) = env::var_os("HOOK_CONFIG_DIR") else { return Ok(()) };
    let about = event.get("tool_input").or_else(|| event.get("prompt"));
    let note = json!({"event": event.get("hook_event_name"), "about": about});
    let mut notes =
        OpenOptions::new().create(true).append(true).open(PathBuf::from(directory).join(NOTES))?;
    writeln!(notes, "{note}")
}
