//! Which functions an event needs, so that the linker can put them beside each other.
//!
//! A process that answers one event runs a small part of the program, and that part was spread over all of it: most of the
//! time went into pages of code that were touched for a few functions each. So the functions that ran in some usual events
//! come first in the program. They are found by running it under callgrind, and written down as patterns, since parts of
//! their names differ from build to build. A pattern that no longer fits does nothing; when many do not, run this again.

use crate::{Failed, Result, cannot, root, say, target};
use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What the linker is given, from the root of the repository.
pub(super) const SCRIPT: &str = "xtask/src/dist/order.ld";

/// The texts that agents give to a shell, the usual ones first.
const TEXTS: [&str; 4] =
    ["git status --short && git log --oneline -5", "ls -la src | head", "cargo check", ""];

/// Runs the program on some events, and writes the order of its functions.
pub(super) fn write(program: &Path) -> Result<()> {
    say("running some events under valgrind, to see which functions they need");
    let mut patterns = Patterns::default();
    for event in events()? {
        patterns.add(&ran(program, &event)?);
    }
    if patterns.list.is_empty() {
        return Err(Failed::Because("callgrind names no function of the program; is it stripped?".into()));
    }
    let script = root().join(SCRIPT);
    fs::write(&script, patterns.script()).map_err(|error| cannot("write", SCRIPT, &error))?;
    println!("functions   {}, written to {SCRIPT}", patterns.list.len());
    Ok(())
}

/// Events as a host sends them: one after the fact, and shell commands from short ones to scripts.
fn events() -> Result<Vec<String>> {
    let event = |name: &str, command: &str| {
        serde_json::json!({
            "session_id": "1", "transcript_path": "/tmp/transcript.jsonl", "cwd": root(), "hook_event_name": name,
            "tool_name": "Bash", "tool_input": { "command": command }, "tool_response": { "stdout": "", "stderr": "" },
        })
        .to_string()
    };
    let folder = root().join("benches/texts");
    let files = fs::read_dir(&folder).map_err(|error| cannot("read", "benches/texts", &error))?;
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let mut events = vec![event("PostToolUse", "true")];
    events.extend(TEXTS.iter().map(|text| event("PreToolUse", text)));
    for file in files {
        let text =
            fs::read_to_string(&file).map_err(|error| cannot("read", &file.to_string_lossy(), &error))?;
        events.push(event("PreToolUse", &text));
    }
    Ok(events)
}

/// What callgrind writes about one run.
fn ran(program: &Path, event: &str) -> Result<String> {
    let (input, profile) = (target().join("order/event.json"), target().join("order/callgrind.out"));
    fs::write(&input, event).map_err(|error| cannot("write", &input.to_string_lossy(), &error))?;
    let stdin = fs::File::open(&input).map_err(|error| cannot("read", &input.to_string_lossy(), &error))?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--demangle=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", profile.display()));
    // Any answer will do, and an empty home has no configuration.
    valgrind.arg(program).args(["hook", "--host", "claude"]).env("HOME", target().join("order"));
    valgrind.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    valgrind.status().map_err(|error| cannot("start", "valgrind", &error))?;
    fs::read_to_string(&profile).map_err(|error| cannot("read", &profile.to_string_lossy(), &error))
}

/// Names of sections, each once, in the order in which they were seen.
#[derive(Default)]
struct Patterns {
    list: Vec<String>,
    known: BTreeSet<String>,
}

impl Patterns {
    fn add(&mut self, profile: &str) {
        for name in profile.lines().filter_map(function) {
            if let Some(pattern) = pattern(name)
                && self.known.insert(pattern.clone())
            {
                self.list.push(pattern);
            }
        }
    }

    fn script(&self) -> String {
        let mut script =
            "/* Functions that usual events need. Written by `cargo xtask order`. */\n".to_owned();
        script.push_str("SECTIONS\n{\n  .text.event :\n  {\n");
        for pattern in &self.list {
            // Writing to a text cannot fail.
            let _ = writeln!(script, "    *(.text.{pattern})");
        }
        script.push_str("  }\n}\nINSERT BEFORE .text;\n");
        script
    }
}

/// The function that a line of a profile names: `fn=(12) name` and `cfn=(12) name'2`.
fn function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
    let (_, name) = rest.split_once(") ")?;
    Some(name.split_once('\'').map_or(name, |(name, _)| name))
}

/// The name with a star for what differs from build to build; nothing for a function that is not Rust's.
fn pattern(name: &str) -> Option<String> {
    let name = name.split_once(".llvm.").map_or(name, |(name, _)| name);
    if name.starts_with("_ZN") {
        let (path, hash) = name.rsplit_once("17h")?;
        return (hash.len() == 17).then(|| format!("{path}17h*"));
    }
    let mut rest = name.strip_prefix("_R")?;
    let mut pattern = "_R".to_owned();
    while let Some((before, after)) = rest.split_once("Cs") {
        pattern.push_str(before);
        pattern.push_str("Cs");
        rest = after;
        // A crate has a number before its name.
        if let Some((number, after)) = after.split_once('_')
            && number.chars().all(|char| char.is_ascii_alphanumeric())
        {
            pattern.push_str("*_");
            rest = after;
        }
    }
    pattern.push_str(rest);
    Some(pattern)
}

/// Where a program with its symbols is built for this.
pub(super) fn folder() -> Result<PathBuf> {
    let folder = target().join("order");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder.to_string_lossy(), &error))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_names_functions_once_without_what_differs() {
        let mut patterns = Patterns::default();
        patterns.add(
            "fl=(1) a.rs\nfn=(1) _ZN4core3ptr17h0123456789abcdefE\n+1 2\ncfn=(2) _RNvCs2Nb3gJ4iU0I_5alloc3fmt\n\
             fn=(1)\nfn=(3) memcpy\nfn=(4) _ZN4core3ptr17hfedcba9876543210E.llvm.12'2\n",
        );
        assert_eq!(patterns.list, ["_ZN4core3ptr17h*", "_RNvCs*_5alloc3fmt"]);
        assert!(patterns.script().contains("*(.text._ZN4core3ptr17h*)\n"));
    }
}
