//! Commands from the guard's own tables: every program with each of its options, on operands that fit their roles.

use super::{is_installed, repository};
use std::fs;
use toml::Value;

/// Programs that wait for input, a terminal or a signal, or that need a service or a disk, which a box does not have.
const LEFT_OUT: &[&str] = &[
    "yes",
    "sleep",
    "watch",
    "top",
    "htop",
    "less",
    "more",
    "man",
    "vi",
    "vim",
    "nano",
    "ed",
    "ex",
    "emacs",
    "screen",
    "tmux",
    "script",
    "strace",
    "unshare",
    "setpriv",
    "nsenter",
    "gdb",
    "valgrind",
    "apt",
    "apt-get",
    "dpkg",
    "pip",
    "pip3",
    "npm",
    "npx",
    "cargo",
    "rustc",
    "init",
    "systemctl",
    "view",
    "vimdiff",
    "rvim",
    "busctl",
    "tail",
    "fsck",
    "debugfs",
    "wipefs",
];

/// Tables of programs that talk to other machines. In a box they do little, so that one try of each option is enough.
const REMOTE: &[&str] =
    &["agents", "cloud", "containers", "databases", "hosting", "infrastructure", "kubernetes", "services"];

/// Returns texts, each with the program and the option that it tries.
pub(super) fn texts() -> Result<Vec<(String, String)>, String> {
    let directory = repository().join("crates/guard/programs");
    let mut files: Vec<_> = fs::read_dir(&directory)
        .map_err(|error| error.to_string())?
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "toml")) {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        let table: toml::Table = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
        let is_remote = file.file_stem().is_some_and(|stem| REMOTE.iter().any(|remote| stem == *remote));
        for (name, entry) in &table {
            for name in names(name, entry) {
                program(&name, entry, if is_remote { 1 } else { 3 }, &mut all);
            }
        }
    }
    Ok(all)
}

/// The names of an entry whose program is installed.
fn names(name: &str, entry: &Value) -> Vec<String> {
    let others = entry.get("as").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let all = std::iter::once(name).chain(others).filter(|name| entry.is_table() && !name.contains('*'));
    let program = |name: &&str| {
        name.split(' ').next().is_some_and(|program| is_installed(program) && !LEFT_OUT.contains(&program))
    };
    all.filter(program).map(str::to_owned).collect()
}

/// An option of a table: its spellings, each with a value if it takes one.
struct Choice {
    words: String,
}

fn program(name: &str, entry: &Value, variants: usize, all: &mut Vec<(String, String)>) {
    let roles = entry.get("operands").and_then(Value::as_str).unwrap_or_default();
    let mut cases: Vec<&str> = vec![roles];
    let others = entry.get("when").and_then(Value::as_table).into_iter().flatten();
    cases.extend(others.filter_map(|(_, roles)| roles.as_str()));
    let choices: Vec<Choice> = options(entry);
    for variant in 0..variants {
        for (number, roles) in cases.iter().enumerate() {
            let operands = operands(roles, variant);
            if number == 0 {
                all.push((name.to_owned(), join(name, "", &operands)));
            }
            for choice in &choices {
                all.push((format!("{name} {}", choice.words), join(name, &choice.words, &operands)));
            }
        }
    }
    if variants == 1 {
        return;
    }
    // Options in pairs, each with its neighbour: what one says may undo what the other does.
    let operands = operands(roles, 0);
    for (one, other) in choices.iter().zip(choices.iter().skip(1)) {
        let words = format!("{} {}", one.words, other.words);
        all.push((format!("{name} {words}"), join(name, &words, &operands)));
    }
}

fn join(name: &str, options: &str, operands: &str) -> String {
    let parts = [name, options, operands];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Reads the notation of options: `-t --target =role :word`.
fn options(entry: &Value) -> Vec<Choice> {
    let lines =
        entry.get("options").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let mut all = Vec::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let roles: Vec<&str> = words.iter().filter_map(|word| word.strip_prefix('=')).collect();
        let joined = words.iter().find_map(|word| word.strip_prefix('?'));
        let spellings = words.iter().filter(|word| word.starts_with('-') && word.len() > 1);
        for (place, spelling) in spellings.enumerate() {
            let values: Vec<&str> = roles.iter().map(|role| value(role, 0)).collect();
            if !values.is_empty() {
                all.push(Choice { words: format!("{spelling} {}", values.join(" ")) });
                let long = spelling.starts_with("--");
                if values.len() == 1 && place < 2 {
                    let joint = if long { "=" } else { "" };
                    all.push(Choice { words: format!("{spelling}{joint}{}", values.concat()) });
                }
            } else {
                all.push(Choice { words: (*spelling).to_owned() });
                if let Some(role) = joined.filter(|_| spelling.starts_with("--")) {
                    all.push(Choice { words: format!("{spelling}={}", value(role, 0)) });
                }
            }
        }
    }
    all
}

/// Words for the roles of operands.
fn operands(roles: &str, variant: usize) -> String {
    let mut words = Vec::new();
    for role in roles.split_whitespace() {
        let many = role.strip_suffix("...");
        words.push(value(many.unwrap_or(role), variant));
        if many.is_some() && variant == 1 {
            words.push(value(many.unwrap_or(role), 2));
        }
    }
    words.join(" ")
}

/// A word that fits a role.
fn value(role: &str, variant: usize) -> &'static str {
    let choices: [&str; 3] = match role {
        "read" | "upload" | "view" | "remote-read" | "variables" | "settings" => {
            ["notes.txt", "src/lib.py", "data.csv"]
        }
        "write" | "append" | "truncate" | "outlet" | "remote-write" => ["old.txt", "new.txt", "logs/app.log"],
        "create" | "made" => ["fresh", "docs/fresh.md", "/tmp/fresh"],
        "delete" | "source" => ["old.txt", "build", "logs/old.log"],
        "mode" | "owner" => ["old.txt", "src", "script.sh"],
        "link" => ["shortcut", "old.txt", "/tmp/shortcut"],
        "directory" | "into" | "root" | "mount" => ["docs", "empty", "/tmp/junk"],
        "exec" => ["./script.sh", "./clean.sh", "build/app"],
        "command" | "script" => ["rm old.txt", "touch fresh", "cp notes.txt copy.txt"],
        "shell" | "escape" => ["'rm old.txt'", "'echo x > new.txt'", "'mv old.txt moved.txt'"],
        "started" => ["true", "echo", "cat"],
        "url" => ["http://127.0.0.1:9/x", "http://localhost:9/", "file:///home/dev/proj/notes.txt"],
        "host" => ["localhost", "127.0.0.1", "example.com"],
        "assignment" => ["A=1", "B=two", "C="],
        "permission" => ["600", "u+x", "755"],
        "size" | "extent" | "amount" => ["3", "0", "10"],
        "pid" => ["999999", "1", "$$"],
        "statement" => ["'select 1'", "'delete from users'", "'drop table users'"],
        _ => ["1", "x", "a"],
    };
    choices.get(variant).copied().unwrap_or("x")
}
