//! What the programs themselves hold and their help does not say: hidden options, variables of the environment.

use crate::{hold, packages, table};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What a hidden option is called that could lead round the hooks.
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
/// The same of a variable.
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

/// The same of a variable of Codex.
const CODEX_VARIABLES: [&str; 9] =
    ["HOOK", "SETTING", "CONFIG", "HOME", "EXEC_SERVER_URL", "MANAGED", "PERMISSION", "SANDBOX", "BWRAP"];

/// The only directory below `directory` that starts so.
fn only(directory: &Path, start: &str) -> PathBuf {
    let entries = fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(start)).unwrap()
}

/// The program of Claude Code.
fn claude() -> PathBuf {
    only(&packages().join("@anthropic-ai"), "claude-code-linux-").join("claude")
}

/// The program of Codex.
fn codex() -> PathBuf {
    only(&only(&packages().join("@openai"), "codex-linux-").join("vendor"), "").join("bin/codex")
}

/// What fits an expression in a program. Programs are large, and `grep` is fast.
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
        // The longer form of the two says whether it takes a value.
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

/// Texts of a program in Rust follow each other without a gap, so that a name may begin in the middle of another or end in the first
/// letters of the next text.
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
