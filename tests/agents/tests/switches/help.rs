//! Options and subcommands, as the agents' own help describes them.

use crate::{hold, table};
use checkrein_agents::installed::subjects;
use checkrein_live::{Sandbox, Subject};
use std::{collections::BTreeMap, process::Stdio};

/// Words in the description of an option or a subcommand that suggest a way around the hooks.
const WORDS: [&str; 16] = [
    "hook",
    "setting",
    "command",
    "script",
    "path",
    "custom",
    "plugin",
    "extension",
    "config",
    "profile",
    "sandbox",
    "permission",
    "approv",
    "policy",
    "trust",
    "mcp",
];
/// The depth to which subcommands are followed.
const DEPTH: usize = 3;

/// Returns the help of a command.
fn help(subject: &Subject, sandbox: &Sandbox, words: &[String]) -> String {
    let home = tempfile::tempdir().unwrap();
    let output = sandbox
        .command(&subject.program)
        .args(&words[1..])
        .arg("--help")
        .env_clear()
        .env("HOME", home.path())
        .env("PATH", &subject.path)
        .env("TERM", "dumb")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A part of the help: a name and its description.
struct Part {
    names: String,
    about: String,
}

impl Part {
    fn speaks(&self) -> bool {
        let text = format!("{} {}", self.names, self.about).to_lowercase();
        WORDS.iter().any(|word| text.contains(word))
    }

    /// Returns the longest name of an option.
    fn option(&self) -> &str {
        let names = self.names.split([' ', ',', '=', '[', '<']).filter(|name| name.starts_with('-'));
        names.max_by_key(|name| name.len()).unwrap_or_default()
    }

    fn takes_value(&self) -> bool {
        self.names.contains('<') || self.names.contains('[')
    }
}

/// Returns the parts below a heading or in all of the text: lines that `is_start` accepts, and the lines
/// below with a deeper indentation.
fn parts(text: &str, is_start: impl Fn(&str) -> bool) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        let words = line.trim();
        if (2..=6).contains(&indent) && is_start(words) {
            let (names, about) = words.split_once("  ").unwrap_or((words, ""));
            found.push(Part { names: names.to_owned(), about: about.trim().to_owned() });
            open = true;
        } else if indent > 6 || words.is_empty() {
            if let Some(part) = found.last_mut().filter(|_| open) {
                part.about.push(' ');
                part.about.push_str(words);
            }
        } else {
            open = false;
        }
    }
    found
}

fn options(text: &str) -> Vec<Part> {
    let mut found =
        parts(text, |words| words.starts_with('-') && words.chars().nth(1).is_some_and(|char| char != ' '));
    found.retain(|part| !matches!(part.option(), "--help" | "--version"));
    found
}

fn subcommands(text: &str) -> Vec<Part> {
    let Some((_, list)) = text.split_once("\nCommands:\n") else { return Vec::new() };
    let list = list.split("\n\n").next().unwrap_or_default();
    let mut found = parts(list, |words| words.starts_with(|char: char| char.is_ascii_lowercase()));
    // The description of a command may begin on the next line.
    found.retain(|part| !part.names.starts_with("help"));
    found
}

/// Walks through the help of a command and its subcommands.
fn walk(
    subject: &Subject,
    sandbox: &Sandbox,
    words: &[String],
    text: &str,
    found: &mut BTreeMap<String, String>,
) {
    let values = table("values");
    let command = words.join(" ");
    let operands = values.get(&command).cloned().unwrap_or_else(|| "x".to_owned());
    for part in options(text).iter().filter(|part| part.speaks()) {
        let key = format!("{command} {}", part.option());
        // An option of the whole program is listed there.
        let outer = words.len() > 1 && found.contains_key(&format!("{} {}", words[0], part.option()));
        let value = if part.takes_value() { values.get(&key).map_or("x", String::as_str) } else { "" };
        if !outer {
            found.insert(key, format!("{command} {} {value} {operands}", part.option()));
        }
    }
    if words.len() > DEPTH {
        return;
    }
    for part in subcommands(text) {
        let name = part.names.split([' ', '|']).next().unwrap_or_default().to_owned();
        let inner: Vec<String> = words.iter().cloned().chain([name]).collect();
        let key = inner.join(" ");
        let text = help(subject, sandbox, &inner);
        if part.speaks() && subcommands(&text).is_empty() {
            let operands = values.get(&key).cloned().unwrap_or_else(|| "x".to_owned());
            found.insert(key.clone(), format!("{key} {operands}"));
        }
        walk(subject, sandbox, &inner, &text, found);
    }
}

fn held(program: &str) {
    let sandbox = Sandbox::find().unwrap();
    let subjects = subjects(None).unwrap();
    let subject = subjects.iter().find(|subject| subject.agent.program() == program).unwrap();
    let mut found = BTreeMap::new();
    let words = [program.to_owned()];
    walk(subject, &sandbox, &words, &help(subject, &sandbox, &words), &mut found);
    assert!(found.len() > 30, "the help of `{program}` was not read: {found:#?}");
    hold(&found, &table(program));
}

#[test]
fn every_option_of_claude_is_covered() {
    held("claude");
}

#[test]
fn every_option_of_codex_is_covered() {
    held("codex");
}
