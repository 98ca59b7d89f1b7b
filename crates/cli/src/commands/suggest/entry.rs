//! A suggestion as a user sees it: the entry, what it covers, and what it would also cover.

use super::choose::{Choice, Key};
use crate::{
    commands::allow::lasting::{literal, quoted},
    term::{data, out, style},
};
use checkrein::guard::{AllowRule, Zone};
use serde_json::{Value, json};

/// A suggestion.
#[derive(Debug)]
pub(super) struct Suggestion {
    /// The entry for the configuration.
    pub(super) entry: String,
    calls: u64,
    days: usize,
    sessions: usize,
    examples: Vec<String>,
    also_covers: Vec<String>,
}

impl Suggestion {
    pub(super) fn of(choice: &Choice) -> Self {
        let covered = &choice.covered;
        let programs: Vec<&str> = choice.keys.iter().filter_map(program).collect();
        let mut entry = String::new();
        let mut also_covers = Vec::new();
        if !programs.is_empty() {
            entry.push_str(&allow(&programs, covered.zones.iter().map(String::as_str)));
            also_covers.extend(programs.iter().map(|program| {
                format!("`{program}` with any other words, in every session, if reading is all that it does")
            }));
            let all: Vec<&str> = AllowRule::ZONES.iter().map(Zone::as_str).collect();
            let seen: Vec<&str> = covered.zones.iter().map(String::as_str).collect();
            let zones = if seen.is_empty() { all } else { seen };
            also_covers.push(format!("reading any other file in these zones: {}", zones.join(", ")));
        }
        for key in &choice.keys {
            if let Key::File { rule, program, target, directory } = key {
                entry.push_str(&exception(rule, program.as_deref(), target, directory));
                let by = program.as_deref().map_or_else(|| "any tool".to_owned(), |name| format!("`{name}`"));
                also_covers
                    .push(format!("{by} reads `{target}` with any other words, as often as an agent likes"));
            }
        }
        Self {
            entry,
            calls: covered.calls,
            days: covered.days.len(),
            sessions: covered.sessions.len(),
            examples: covered.examples.iter().cloned().collect(),
            also_covers,
        }
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "entry": self.entry,
            "covers": {"calls": self.calls, "days": self.days, "sessions": self.sessions},
            "examples": self.examples,
            "also_covers": self.also_covers,
        })
    }

    pub(super) fn show(&self) {
        for line in self.entry.trim_end().lines() {
            data!("\x1b[1m{}\x1b[0m", style::harmless(line));
        }
        out!("  covers {} calls on {} days, in {} sessions", self.calls, self.days, self.sessions);
        for example in &self.examples {
            out!("    {}", style::dim(&style::one_line(example)));
        }
        for more in &self.also_covers {
            out!("  also covers: {}", style::harmless(more));
        }
        out!("");
    }
}

fn program(key: &Key) -> Option<&str> {
    match key {
        Key::Program(program) => Some(program),
        Key::File { .. } => None,
    }
}

/// Writes an allow rule for reading in these zones.
fn allow<'z>(programs: &[&str], zones: impl Iterator<Item = &'z str>) -> String {
    let list = |texts: Vec<String>| texts.join(", ");
    let programs = programs.iter().map(|program| quoted(&format!("{} *", literal(program)))).collect();
    let zones: Vec<String> = zones.map(quoted).collect();
    let mut entry = format!("[[allow]]\nprograms = [{}]\neffect = [\"read\"]\n", list(programs));
    // Without the key, an allow rule is about all of these zones.
    if !zones.is_empty() && zones.len() < AllowRule::ZONES.iter().count() {
        entry.push_str(&format!("zone = [{}]\n", list(zones)));
    }
    entry
}

fn exception(rule: &str, program: Option<&str>, target: &str, directory: &str) -> String {
    let programs =
        program.map_or_else(String::new, |name| format!("programs = [{}]\n", quoted(&literal(name))));
    format!(
        "[[exception]]\nrules = [{}]\n{programs}target = [{}]\ndirectory = [{}]\nreason = \"suggested: it was read again and \
         again\"\nuntil = \"never\"\n",
        quoted(rule),
        quoted(&literal(target)),
        quoted(directory),
    )
}
