//! A comment, or a string that is not used, never weakens a verdict.
//!
//! Whatever makes the guard milder must be a value or a structure that it followed. A check that looks for words in a source would be
//! answered by writing the words.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{ShellEnv, Word, read};
use std::{collections::BTreeMap, fs};
use support::{in_project, quoted, workspace};

/// Fragments that occur in mildly judged programs, and that a search for words would find.
#[rustfmt::skip]
const MENTIONS: &[&str] = &[
    ":memory:", "connect(:memory:)", "f.endswith(.pyc)", "if f.endsWith(.log)", "extname(f) === .map", "wait", "os.wait()", "waitpid", "break", "exit",
    "{print $1}", "-q", "-c --count", "--dry-run", "-n --help", "--version", "test", "RAILS_ENV=test", "localhost 127.0.0.1", "/tmp/x", "mktemp -d", "./build dist",
    "checkrein", "sandbox", "throwaway", "example.com", "WHERE id = 1", "LIMIT 1", "BEGIN; ROLLBACK", "EXPLAIN", "s/=.*$/", "sleep 1", "read -p", "echo", "/dev/null",
    "git stash", "backup", "return", "false", "none", "filter(f => f.endsWith(.x))", "--interactive", "TEMP TABLE", "local",
];

/// A language: the programs that run it, the options before its code, and the syntax of a comment and of an unused
/// string. `<m>` is the mention.
struct Language {
    name: &'static str,
    programs: &'static [&'static str],
    /// The end of the option before the code; empty, if the code is recognized by its content.
    option: &'static str,
    before: &'static [&'static str],
    after: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "python",
        programs: &["python3", "python"],
        option: "c",
        before: &["# <m>\n", "_u = \"<m>\"\n", "\"<m>\"\n"],
        after: &["\n# <m>", "\n_u = \"<m>\""],
    },
    Language {
        name: "javascript",
        programs: &["node", "bun", "deno"],
        option: "e",
        before: &["// <m>\n", "/* <m> */ ", "const _u = \"<m>\";\n"],
        after: &["\n// <m>", "\n;var _v = \"<m>\""],
    },
    Language {
        name: "ruby",
        programs: &["ruby"],
        option: "e",
        before: &["# <m>\n", "_u = \"<m>\"\n"],
        after: &["\n# <m>", "\n_u = \"<m>\""],
    },
    Language {
        name: "perl",
        programs: &["perl"],
        option: "e",
        before: &["# <m>\n", "my $u = \"<m>\";\n"],
        after: &["\n# <m>", "\n;my $v = \"<m>\";"],
    },
    Language {
        name: "php",
        programs: &["php"],
        option: "r",
        before: &["// <m>\n", "/* <m> */ ", "$u = \"<m>\";\n"],
        after: &["\n// <m>", "\n;$u = \"<m>\";"],
    },
    Language {
        name: "awk",
        programs: &["awk", "gawk", "mawk"],
        option: "{",
        before: &["# <m>\n", "BEGIN { u = \"<m>\" }\n"],
        after: &["\n# <m>", "\nEND { u = \"<m>\" }"],
    },
    Language {
        name: "sql",
        programs: &["psql", "mysql", "mariadb", "sqlite3"],
        option: " ",
        // A word that begins with a dash would be an option.
        before: &[" -- <m>\n", "/* <m> */ ", "SELECT '<m>';\n"],
        after: &[";\n-- <m>", "; /* <m> */", "; SELECT '<m>'"],
    },
];

/// Commands of this repository: the labelled ones, those of the packs and classes, and the rules' examples.
fn commands() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let root = workspace();
    let mut lists = vec![root.join("corpus/guard/commands.jsonl")];
    for directory in ["corpus/guard/blind", "corpus/guard/packs", "crates/guard/tests/classes"] {
        lists.extend(fs::read_dir(root.join(directory)).unwrap().map(|entry| entry.unwrap().path()));
    }
    lists.sort();
    for list in lists {
        let name = list.to_string_lossy().into_owned();
        // Those that are held back are not for this.
        if name.ends_with("-open.jsonl") || name.ends_with("commands.jsonl") {
            all.extend(
                support::cases(&fs::read_to_string(list).unwrap()).into_iter().map(|case| case.command),
            );
        } else if name.ends_with(".txt") && !name.ends_with("carriers.txt") {
            let text = fs::read_to_string(list).unwrap();
            let command = |line: &str| line.split_once(' ').map(|(_, command)| command.replace('⏎', "\n"));
            all.extend(text.lines().filter_map(command));
        }
    }
    all.extend(checkrein_guard::rules().iter().flat_map(|rule| rule.matches.iter()).map(ToString::to_string));
    all.extend(OWN.iter().map(|text| (*text).to_owned()));
    all.sort();
    all.dedup();
    all
}

/// Programs that are like mild ones but for what the mention would add.
#[rustfmt::skip]
const OWN: &[&str] = &[
    "python3 -c 'import sqlite3; sqlite3.connect(\"shop.db\").execute(\"drop table orders\")'",
    "python3 -c 'import os\nfor f in os.listdir(\".\"): os.remove(f)'",
    "python3 -c 'import os\nwhile True: os.fork()'",
    "node -e 'const fs = require(\"fs\"); for (const f of fs.readdirSync(\".\")) fs.unlinkSync(f)'",
    "node -e 'const D = require(\"better-sqlite3\"); new D(\"shop.db\").exec(\"drop table orders\")'",
    "ruby -e 'Dir.children(\".\").each { |f| File.delete(f) }'",
    "ruby -e 'require \"sqlite3\"; SQLite3::Database.new(\"shop.db\").execute(\"drop table orders\")'",
    "ruby -e 'loop { fork }'",
    "perl -e 'while (1) { fork }'",
    "perl -MDBI -e 'DBI->connect(\"dbi:SQLite:dbname=shop.db\")->do(\"drop table orders\")'",
    "php -r '$d = new PDO(\"sqlite:shop.db\"); $d->exec(\"drop table orders\");'",
    "php -r 'for (;;) pcntl_fork();'",
    "awk -F= '{ print $2 }' .env",
    "awk 'BEGIN { system(\"rm -rf ~\") }'",
    "while true; do ./work & done",
    "cat .env | grep KEY",
    "psql -c 'delete from orders'",
    "sqlite3 shop.db 'drop table orders'",
];

fn with(pattern: &str, mention: &str) -> String {
    pattern.replace("<m>", mention)
}

/// The mentions for a case: some of them, others for the next one, so that all meet many commands.
fn some(of: usize, count: usize) -> impl Iterator<Item = &'static str> {
    (0..count).map(move |at| MENTIONS[(of * 7 + at * 5) % MENTIONS.len()])
}

/// Judges a command with something added, and says if that made it milder.
fn weakened(plain: Decision, text: &str) -> Option<String> {
    let got = in_project(text).decision;
    (got < plain).then(|| format!("{plain}, but {got}: {text:?}"))
}

#[test]
fn in_a_shell() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (at, command) in commands().iter().enumerate() {
        let plain = in_project(command).decision;
        if plain == Decision::Abstain || !read(command, &ShellEnv::default()).opaque.is_empty() {
            continue;
        }
        for mention in some(at, 1) {
            let ways = [
                format!("{command}\n# {mention}"),
                format!("# {mention}\n{command}"),
                format!("UNUSED={}\n{command}", quoted(mention)),
            ];
            for way in ways {
                compared += 1;
                wrong.extend(weakened(plain, &way));
            }
        }
    }
    assert!(compared > 5000, "{compared}");
    assert!(wrong.is_empty(), "{} {:#?}", wrong.len(), &wrong[..wrong.len().min(40)]);
}

/// The place of the code in a command, and the code.
fn code_of(language: &Language, command: &str) -> Option<(std::ops::Range<usize>, String)> {
    let script = read(command, &ShellEnv::default());
    script.commands.iter().find_map(|simple| {
        let (name, rest) = simple.words.split_first()?;
        let name = name.constant()?;
        if !language.programs.contains(&name.rsplit('/').next()?) {
            return None;
        }
        let constant = |word: &Word| word.constant().map(std::borrow::Cow::into_owned);
        let code = match language.option {
            "{" => rest.iter().find(|word| constant(word).is_some_and(|text| text.contains('{')))?,
            " " => rest.iter().rfind(|word| constant(word).is_some_and(|text| text.contains(' ')))?,
            letter => {
                let is_option = |word: &Word| {
                    constant(word).is_some_and(|text| {
                        text.starts_with('-') && !text.starts_with("--") && text.ends_with(letter)
                    })
                };
                rest.get(rest.iter().position(is_option)? + 1)?
            }
        };
        // A command of the shell of a database takes the rest of its line.
        if language.name == "sql" && constant(code)?.starts_with(['.', '\\']) {
            return None;
        }
        // As it is written there: whole, and in quotes.
        let written = command.get(code.span.clone())?;
        let whole = written.starts_with(['\'', '"', '$']) && written.ends_with(['\'', '"']);
        whole.then(|| Some((code.span.clone(), constant(code)?)))?
    })
}

#[test]
fn in_every_language() {
    let commands = commands();
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, command) in commands.iter().enumerate() {
        let plain = in_project(command).decision;
        if plain == Decision::Abstain {
            continue;
        }
        for language in LANGUAGES {
            let Some((span, code)) = code_of(language, command) else { continue };
            let own = OWN.contains(&command.as_str());
            for mention in some(at, if own { MENTIONS.len() } else { 3 }) {
                let before = language.before.iter().map(|way| with(way, mention) + &code);
                let after = language.after.iter().map(|way| format!("{code}{}", with(way, mention)));
                for code in before.chain(after) {
                    let mut text = command.clone();
                    text.replace_range(span.clone(), &quoted(&code));
                    *counts.entry(language.name).or_default() += 1;
                    wrong.extend(weakened(plain, &text));
                }
            }
        }
    }
    println!("{counts:?}");
    for language in LANGUAGES {
        assert!(
            counts.get(language.name).is_some_and(|count| *count >= 200),
            "{}: {counts:?}",
            language.name
        );
    }
    assert!(wrong.is_empty(), "{} {:#?}", wrong.len(), &wrong[..wrong.len().min(60)]);
}
