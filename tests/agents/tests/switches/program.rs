//! Hidden options and environment variables in the programs themselves.

use crate::{hold, packages, table};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Words in the name of a hidden option that suggest a way around the hooks.
const OPTIONS: [&str; 13] = [
    "hook",
    "setting",
    "config",
    "plugin",
    "permission",
    "prompt-tool",
    "socket",
    "sdk-url",
    "channels",
    "profile",
    "managed",
    "approv",
    "rewind",
];
/// Words in the name of a variable that suggest a way around the hooks.
const VARIABLES: [&str; 12] = [
    "HOOK",
    "SETTINGS",
    "_SIMPLE",
    "SAFE_MODE",
    "PERSONAL_",
    "SKIP_PERMISSIONS",
    "CONFIG_DIR",
    "PLUGIN_DIRS",
    "PLUGIN_CACHE",
    "PLUGIN_SEED",
    "CODE_SHELL",
    "ENV_FILE",
];

/// Words in the name of a Codex variable that suggest a way around the hooks.
const CODEX_VARIABLES: [&str; 9] =
    ["HOOK", "SETTING", "CONFIG", "HOME", "EXEC_SERVER_URL", "MANAGED", "PERMISSION", "SANDBOX", "BWRAP"];

/// Returns the only directory below `directory` whose name starts with `start`.
fn only(directory: &Path, start: &str) -> PathBuf {
    let entries = fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(start)).unwrap()
}

/// Returns Claude Code's program.
fn claude() -> PathBuf {
    only(&packages().join("@anthropic-ai"), "claude-code-linux-").join("claude")
}

/// Returns Codex's program.
fn codex() -> PathBuf {
    only(&only(&packages().join("@openai"), "codex-linux-").join("vendor"), "").join("bin/codex")
}

/// Returns the strings in a program that match an expression. Programs are large, and `grep` is fast.
fn texts(program: &Path, expression: &str) -> BTreeSet<String> {
    let output =
        Command::new("grep").args(["-aoE", expression]).arg(program).env("LC_ALL", "C").output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn every_hidden_option_is_covered() {
    let quoted = texts(&claude(), "(new [A-Za-z0-9_$]+|option)\\(\"--[a-z][a-z0-9-]+( [<[][^\"]*)?\"");
    let harmless = table("hidden");
    let values = table("values");
    let mut found = BTreeMap::new();
    for text in quoted {
        let text = text.split('"').nth(1).unwrap();
        let name = text.split(' ').next().unwrap();
        let plain = if text.contains(['<', '[']) { "x" } else { "" };
        let value = values.get(&format!("claude {name}")).map_or(plain, String::as_str);
        // The longer form of the two shows whether it takes a value.
        if found.get(name).is_some_and(|line: &String| line.contains(" x -p")) {
            continue;
        }
        if OPTIONS.iter().any(|word| name.contains(word)) {
            found.insert(name.to_owned(), format!("claude {name} {value} -p x"));
        }
    }
    assert!(found.contains_key("--permission-prompt-tool"), "the program was not read: {found:#?}");
    hold(&found, &harmless);
}

#[test]
fn every_variable_is_covered() {
    let names = texts(&claude(), "\\bCLAUDE_[A-Z0-9_]{3,}\\b");
    let names = names.into_iter().filter(|name| VARIABLES.iter().any(|word| name.contains(word)));
    let found: BTreeMap<String, String> =
        names.map(|name| (name.clone(), format!("{name}=/tmp/x claude x"))).collect();
    assert!(found.contains_key("CLAUDE_CONFIG_DIR"), "the program was not read: {found:#?}");
    hold(&found, &table("variables"));
}

/// Strings in a Rust program follow each other without a gap, so a name may begin in the middle of another
/// or end in the first letters of the next.
#[test]
fn every_variable_of_codex_is_covered() {
    let runs = texts(&codex(), "CODEX_[A-Z0-9_]{3,}");
    let names: BTreeSet<String> = runs
        .iter()
        .flat_map(|run| run.split("CODEX_").skip(1))
        .map(|rest| {
            format!("CODEX_{}", rest.trim_end_matches(|char: char| char == '_' || char.is_ascii_digit()))
        })
        .collect();
    let continues = |name: &str| {
        let shorter = names.iter().filter_map(|other| name.strip_prefix(other.as_str()));
        shorter.into_iter().any(|rest| !rest.is_empty() && !rest.starts_with('_'))
    };
    let found: BTreeMap<String, String> = names
        .iter()
        .filter(|name| CODEX_VARIABLES.iter().any(|word| name.contains(word)) && !continues(name))
        .map(|name| (name.clone(), format!("{name}=/tmp/x codex x")))
        .collect();
    for known in ["CODEX_HOME", "CODEX_EXEC_SERVER_URL"] {
        assert!(found.contains_key(known), "the program was not read: {found:#?}");
    }
    hold(&found, &table("codex-variables"));
}
