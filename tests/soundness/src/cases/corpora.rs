//! Commands of the corpora whose programs are all installed.

use super::{is_installed, repository};
use checkrein_guard::{CallContext, EmptyWorld, judge};
use serde_json::Value;
use std::fs;

/// Words that need no program.
const BUILT_IN: &[&str] = &[
    ":",
    ".",
    "[",
    "[[",
    "alias",
    "break",
    "cd",
    "command",
    "continue",
    "declare",
    "echo",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "hash",
    "let",
    "local",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "test",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
    "mapfile",
    "readarray",
    "print",
];

/// Programs that wait for input or a signal: running them shows nothing but the time limit.
const LEFT_OUT: &[&str] =
    &["yes", "sleep", "watch", "top", "less", "man", "vi", "vim", "nano", "tail", "strace", "tmux", "screen"];

/// Returns the commands of the open lists that can run in a cell.
pub(super) fn texts() -> Result<Vec<(String, String)>, String> {
    let directory = repository().join("corpus/guard");
    let read =
        |name: &str| fs::read_to_string(directory.join(name)).map_err(|error| format!("{name}: {error}"));
    let mut all = Vec::new();
    for below in ["", "blind", "own"] {
        let entries = fs::read_dir(directory.join(below)).map_err(|error| error.to_string())?;
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        for name in names.iter().filter(|name| name.ends_with(".jsonl")) {
            let name = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            for line in read(&name)?.lines() {
                let case: Value = serde_json::from_str(line).map_err(|error| format!("{name}: {error}"))?;
                all.extend(
                    case.get("command").and_then(Value::as_str).map(|text| (name.clone(), text.to_owned())),
                );
            }
        }
    }
    for line in read("oneliners.txt")?.lines() {
        all.extend(
            line.split_once(' ').map(|(_, text)| ("oneliners.txt".to_owned(), text.replace('⏎', "\n"))),
        );
    }
    all.retain(|(_, text)| can_run(text));
    Ok(all)
}

/// Whether every program of a text is there.
fn can_run(text: &str) -> bool {
    let judgement = judge(text, &CallContext::default(), &EmptyWorld::new("/home/dev"));
    let programs = judgement.ran.iter().filter_map(|ran| ran.words.first());
    let mut programs = programs.map(|word| word.rsplit('/').next().unwrap_or(word));
    !judgement.ran.is_empty()
        && programs.all(|program| {
            (BUILT_IN.contains(&program) || is_installed(program)) && !LEFT_OUT.contains(&program)
        })
}
