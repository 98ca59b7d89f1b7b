//! Compares our parser with two others: `bash -n`, which reads a text and runs nothing, and tree-sitter's grammar.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_shell::{ShellEnv, read};
use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
};
use support::program_or_skip;

/// Harmless even if they were run.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "a", "b", "a", "b c", ";", ";", "&&", "||", "|", "|&", "&", "\n", "\n", "(", ")", "{", "}", "; }", "if a; then", "then", "; fi", "fi", "else",
    "elif", "while a; do", "do", "; done", "done", "for x in a b; do", "for x", "in", "case x in", "a)", "(a|b)", ";;", ";&", ";;&", "esac", "!",
    "time", "[[ a ]]", "[[", "]]", "[[ a && ( b || c ) ]]", "[[ a =~ ^(b|c)$ ]]", "<x", "2>&1", "<<E\nt\nE\n", "<<-E", "<<<x", "<>x", "$(", "\"",
    "'", "`", "$(a)", "`a`", "\"$(a \"b\")\"", "x=1", "x=(a b)", "x=(", "x+=1", "f()", "function f", "coproc", "# c\n", "\\\n", "$((1))", "$((",
    "))", "${x}", "${x:-$(a)}", "((1))", "((", "{ a; }", "(a)", "<(a)", "a{b,c}", "$'a'", "&>x", "a=b c", "\\", "select x in a; do", "until a; do",
];

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// Returns true if bash can parse the text. It runs nothing, and could not: there is no program to find, and only an
/// empty directory.
fn bash_reads(bash: &Path, directory: &Path, text: &str) -> bool {
    let bash = Command::new(bash)
        .args(["-n", "-c", text])
        .env_clear()
        .env("PATH", "/nonexistent")
        .current_dir(directory)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    bash.unwrap().success()
}

#[test]
fn bash_can_read_the_same_texts() {
    let Some(bash) = program_or_skip("bash") else { return };
    let directory = tempfile::tempdir().unwrap();
    let mut numbers = Numbers(7);
    let (mut readable, mut lenient, mut strict) = (0, Vec::new(), Vec::new());
    for _ in 0..4000 {
        let tokens: Vec<&str> =
            (0..1 + numbers.below(6)).map(|_| TOKENS[numbers.below(TOKENS.len())]).collect();
        let text = tokens.join(" ");
        let script = read(&text, &ShellEnv::default());
        match (bash_reads(&bash, directory.path(), &text), script.opaque.is_empty()) {
            (true, true) => readable += 1,
            (false, false) => {}
            (false, true) => lenient.push(text),
            // Without running, bash neither looks into backquotes, nor minds what is wrong in a test.
            (true, false) if text.contains('`') || text.contains("[[") => {}
            (true, false) => strict.push(format!("{text:?} {:?}", script.opaque)),
        }
    }
    assert!(lenient.is_empty(), "read although bash refuses: {lenient:#?}");
    assert!(strict.is_empty(), "refused although bash reads: {strict:#?}");
    assert!(readable > 500, "{readable}");
}

/// Returns the start of each command that tree-sitter finds, if it finds no error.
fn tree_sitter_commands(text: &str) -> Option<BTreeSet<usize>> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).unwrap();
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut cursor = tree.walk();
    let mut starts = BTreeSet::new();
    loop {
        if cursor.node().kind() == "command_name" {
            starts.insert(cursor.node().start_byte());
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(starts);
            }
        }
    }
}

/// Every command that another reader finds in the corpus, we find. (Not the other way round: it does not look behind
/// `time` and `coproc`.)
#[test]
fn tree_sitter_finds_no_command_that_we_miss() {
    let mut found = 0;
    for line in include_str!("../../../corpus/guard/commands.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = case["command"].as_str().unwrap();
        let script = read(text, &ShellEnv::default());
        let ours: BTreeSet<usize> = script
            .commands
            .iter()
            .flat_map(|command| command.words.first())
            .map(|word| word.span.start)
            .collect();
        for start in tree_sitter_commands(text).unwrap_or_default() {
            let rest = text.get(start..).unwrap();
            let prefix = rest.starts_with("time ") || rest.starts_with("coproc ");
            assert!(prefix || ours.contains(&start), "{text:?} at {start}: {script:#?}");
            found += 1;
        }
    }
    assert!(found > 400, "{found}");
}

/// The corpus consists of texts that a shell can read, so we can.
#[test]
fn the_corpus_is_readable() {
    for line in include_str!("../../../corpus/guard/commands.jsonl").lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let script = read(case["command"].as_str().unwrap(), &ShellEnv::default());
        assert!(script.opaque.is_empty(), "{case} {:?}", script.opaque);
    }
}
