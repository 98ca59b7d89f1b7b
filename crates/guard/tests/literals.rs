//! No command of the corpus is known by its spelling.
//!
//! The corpus is a sample. A guard that names its commands would score well here and nowhere else, so neither code nor
//! data may hold one of them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use std::{
    fs,
    path::{Path, PathBuf},
};
use support::corpus;

/// Commands that are this short once they are normalised (`env`, `git status`) are in every text about shells.
const SHORTEST: usize = 12;

/// Returns true if a command is only a program and its subcommand, which the table of programs has to name.
fn is_a_name(command: &str) -> bool {
    let words: Vec<&str> = command.split(' ').collect();
    words.len() <= 2 && words.iter().all(|word| word.chars().all(|char| char.is_ascii_lowercase()))
}

/// The character for the end of a literal once the quotes are gone.
const END: char = '\u{1}';

/// A line without what its quoting, its spacing and its case say. Where a literal of the file ends, so does a command.
fn normalised(line: &str) -> String {
    // The signs of a comment are not part of what it says.
    let line = line.trim_start().trim_start_matches(['/', '!', '#']);
    let line = line.replace("\\\"", "").replace('"', &format!(" {END} ")).replace('`', &format!(" {END} "));
    let unquoted: String = line.chars().filter(|char| !matches!(char, '\'' | '\\')).collect();
    unquoted.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A command in the same form.
fn command(text: &str) -> String {
    let unquoted: String = text.chars().filter(|char| !matches!(char, '\'' | '"' | '`' | '\\')).collect();
    unquoted.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn no_command_of_the_corpus_is_in_code_or_data() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for directory in ["build", "src", "programs", "rules", "data"] {
        files(&root.join(directory), &mut paths);
    }
    assert!(paths.len() > 40, "{paths:?}");
    let lines = |path: &PathBuf| -> Vec<String> {
        fs::read_to_string(path).unwrap().lines().map(normalised).collect()
    };
    let texts: Vec<(PathBuf, Vec<String>)> =
        paths.into_iter().map(|path| (path.clone(), lines(&path))).collect();
    let mut wrong = Vec::new();
    for case in corpus() {
        let wanted = command(&case.command);
        if wanted.len() <= SHORTEST || is_a_name(&wanted) {
            continue;
        }
        for (path, _) in texts.iter().filter(|(_, lines)| lines.iter().any(|line| is_in(line, &wanted))) {
            wrong.push(format!("{}: {} {:?}", path.display(), case.id, case.command));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns true if a line contains the command as a whole, and not as a part of another one.
fn is_in(line: &str, command: &str) -> bool {
    let bounds = |char: Option<char>| char.is_none_or(|char| char == END || ";&|([{=,#)]}:".contains(char));
    line.match_indices(command).any(|(place, _)| {
        let before = line.get(..place).unwrap_or_default().trim_end().chars().next_back();
        let after = line.get(place + command.len()..).unwrap_or_default().trim_start().chars().next();
        bounds(before) && bounds(after)
    })
}

#[test]
fn a_command_is_found_however_it_is_quoted() {
    let wanted = command("rm -rf \"$SOMEWHERE\"/*");
    for line in [
        "match = [\"ls\", \"Rm   -rf  \\\"$SOMEWHERE\\\"/*\"]",
        "match = ['rm -rf $SOMEWHERE/*']",
        "    /// rm -rf $SOMEWHERE/*",
        "if text == \"rm -rf $SOMEWHERE/*\" {",
        "say: `rm -rf $SOMEWHERE/*` is bad",
    ] {
        assert!(is_in(&normalised(line), &wanted), "{line}");
    }
    for line in [
        "match = [\"rm -rf $SOMEWHERE/*.log\"]",
        "\"echo rm -rf $SOMEWHERE/*\"",
        "\"rm -rf $SOMEWHERE/* other\"",
    ] {
        assert!(!is_in(&normalised(line), &wanted), "{line}");
    }
}
