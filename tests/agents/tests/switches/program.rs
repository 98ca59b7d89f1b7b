//! What the programs themselves hold and their help does not say: hidden options, variables of the environment.

use crate::{hold, packages, table};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// What a hidden option is called that could lead round the hooks.
const OPTIONS: [&str; 13] = [
    "hook", "setting", "config", "plugin", "permission", "prompt-tool", "socket", "sdk-url", "channels", "profile", "managed", "approv", "rewind",
];
/// The same of a variable.
const VARIABLES: [&str; 13] = [
    "HOOK", "SETTINGS", "_SIMPLE", "SAFE_MODE", "PERSONAL_", "SKIP_PERMISSIONS", "CONFIG_DIR", "PLUGIN_DIRS", "PLUGIN_CACHE", "PLUGIN_SEED",
    "CODE_SHELL", "ENV_FILE", "CODEX_HOME",
];

/// The only folder below `folder` that starts so.
fn only(folder: &Path, start: &str) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.file_name().unwrap().to_string_lossy().starts_with(start)).unwrap()
}

fn claude() -> Vec<u8> {
    fs::read(only(&packages().join("@anthropic-ai"), "claude-code-linux-").join("claude")).unwrap()
}

fn codex() -> Vec<u8> {
    let vendor = only(&packages().join("@openai"), "codex-linux-").join("vendor");
    fs::read(only(&vendor, "").join("bin/codex")).unwrap()
}

/// The texts of these characters that begin so.
fn texts(bytes: &[u8], start: &[u8], is: impl Fn(u8) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut at = 0;
    while let Some(next) = bytes[at..].windows(start.len()).position(|window| window == start) {
        at += next;
        let length = bytes[at + start.len()..].iter().take(80).take_while(|byte| is(**byte)).count();
        let whole = &bytes[at..at + start.len() + length];
        // Not the end of another name.
        if at == 0 || !is(bytes[at - 1]) {
            found.insert(String::from_utf8_lossy(whole).into_owned());
        }
        at += start.len();
    }
    found
}

#[test]
fn every_hidden_option_is_covered() {
    let quoted = texts(&claude(), b"(\"--", |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"- <>[]|".contains(&byte));
    let harmless = table("hidden");
    let values = table("values");
    let mut found = BTreeMap::new();
    for text in quoted {
        let text = text.trim_start_matches("(\"");
        let name = text.split(' ').next().unwrap();
        let value = if text.contains(['<', '[']) { values.get(&format!("claude {name}")).map_or("x", String::as_str) } else { "" };
        if OPTIONS.iter().any(|word| name.contains(word)) {
            found.insert(name.to_owned(), format!("claude {name} {value} -p x"));
        }
    }
    assert!(found.contains_key("--permission-prompt-tool"), "the program was not read: {found:#?}");
    hold(&found, &harmless);
}

#[test]
fn every_variable_is_covered() {
    let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let mut found = BTreeMap::new();
    for (agent, names) in [("claude", texts(&claude(), b"CLAUDE_", is_name)), ("codex", texts(&codex(), b"CODEX_", is_name))] {
        for name in names.into_iter().filter(|name| VARIABLES.iter().any(|word| name.contains(word))) {
            let line = format!("{name}=/tmp/x {agent} x");
            found.insert(name, line);
        }
    }
    assert!(found.contains_key("CLAUDE_CONFIG_DIR") && found.contains_key("CODEX_HOME"), "{found:#?}");
    hold(&found, &table("variables"));
}
