//! Support for the tests of the guard: the corpus, and the place in which its commands are judged.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod score;
pub(crate) mod sealed;

use checkrein_core::Decision;
use checkrein_guard::{CallContext, EmptyWorld, Judgement, judge};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A labelled command of the corpus.
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) command: String,
    pub(crate) category: String,
    pub(crate) expect: Decision,
    /// True if another label can be defended, so that it is not scored.
    pub(crate) open: bool,
}

/// The corpus. Its commands are text to be read, and are never run.
pub(crate) fn corpus() -> Vec<Case> {
    cases(include_str!("../../../../corpus/guard/commands.jsonl"))
}

/// The commands of a list, one on each line.
pub(crate) fn cases(list: &str) -> Vec<Case> {
    list.lines().map(|line| case(&serde_json::from_str(line).unwrap())).collect()
}

fn case(value: &Value) -> Case {
    let text = |key: &str| value[key].as_str().unwrap().to_owned();
    let expect = match value["expect"].as_str().unwrap() {
        "deny" => Decision::Deny,
        "ask" => Decision::Ask,
        "allow" => Decision::Abstain,
        other => panic!("{other}"),
    };
    let open = value.get("alt").is_some();
    Case { id: text("id"), command: text("command"), category: text("category"), expect, open }
}

/// Judges a text in a project in an otherwise empty home directory.
pub(crate) fn in_project(text: &str) -> Judgement {
    let project = Some("/home/dev/proj".to_owned());
    judge(
        text,
        &CallContext { cwd: project.clone(), project, ..CallContext::default() },
        &EmptyWorld::new("/home/dev"),
    )
}

/// The rules that found something.
pub(crate) fn rules(judgement: &Judgement) -> Vec<&str> {
    judgement.findings.iter().map(|finding| finding.rule.id.as_ref()).collect()
}

/// A text as one word of a shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The commands of all blind lists that are open.
pub(crate) fn open_lists() -> Vec<Case> {
    let directory = workspace().join("corpus/guard/blind");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with("-open.jsonl"));
    files.sort();
    assert!(!files.is_empty(), "no list in {}", directory.display());
    files.iter().flat_map(|path| cases(&std::fs::read_to_string(path).unwrap())).collect()
}

/// The directory that holds the whole workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A table of TOML.
pub(crate) fn table(path: &Path) -> toml::Table {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Words that the shell itself understands: in another program's arguments they mean nothing, or something else.
const BUILT_IN: &[&str] = &[
    ":",
    ".",
    "alias",
    "bg",
    "bind",
    "builtin",
    "cd",
    "chdir",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "fc",
    "fg",
    "getopts",
    "hash",
    "history",
    "jobs",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "time",
    "times",
    "trap",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
    // Commands of another shell, which no program of ours is called.
    "del",
    "erase",
    "rd",
];

/// Returns true if a name is that of a program, and not of a built-in command or a keyword of the shell.
pub(crate) fn is_program(name: &str) -> bool {
    !name.is_empty() && !name.contains('=') && !BUILT_IN.contains(&name)
}
