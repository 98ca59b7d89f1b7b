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

/// The only directory below `directory` that starts so.
fn only(directory: &Path, start: &str) -> PathBuf {
    let entries = fs::read_dir(directory).unwrap().flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(start)).unwrap()
}

/// What fits an expression in the program of Claude Code. It is large, and `grep` is fast.
fn texts(expression: &str) -> BTreeSet<String> {
    let program = only(&packages().join("@anthropic-ai"), "claude-code-linux-").join("claude");
    let output =
        Command::new("grep").args(["-aoE", expression]).arg(program).env("LC_ALL", "C").output().unwrap();
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn every_hidden_option_is_covered() {
    let quoted = texts("(new [A-Za-z0-9_$]+|option)\\(\"--[a-z][a-z0-9-]+( [<[][^\"]*)?\"");
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
    let names = texts("\\bCLAUDE_[A-Z0-9_]{3,}\\b");
    let names = names.into_iter().filter(|name| VARIABLES.iter().any(|word| name.contains(word)));
    let found: BTreeMap<String, String> =
        names.map(|name| (name.clone(), format!("{name}=/tmp/x claude x"))).collect();
    assert!(found.contains_key("CLAUDE_CONFIG_DIR"), "the program was not read: {found:#?}");
    hold(&found, &table("variables"));
}
