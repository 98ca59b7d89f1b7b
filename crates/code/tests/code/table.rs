//! The notation and the comparison of the tables of every language.
//!
//! An act is written as one line: `delete -r /x`, with `«?»` for what depends on the run, `«home»` for the home directory and
//! `«*»` for a pattern of file names.

use checkrein_code::{Does, From, Language, Started, acts, acts_with};
use checkrein_shell::{Part, Unknown, UnknownSource, Word};

pub(crate) const ALL: [Language; 12] = [
    Language::Python,
    Language::Perl,
    Language::Ruby,
    Language::JavaScript,
    Language::Php,
    Language::Lua,
    Language::Go,
    Language::Awk,
    Language::Sed,
    Language::PowerShell,
    Language::AppleScript,
    Language::Make,
];

pub(crate) fn word(word: &Word) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Glob(glob) => format!("«{glob}»"),
        Part::Unknown(Unknown { why: UnknownSource::Home(None), .. }) => "«home»".to_owned(),
        Part::Unknown(_) => "«?»".to_owned(),
    };
    word.parts.iter().map(part).collect()
}

pub(crate) fn words(all: &[Word]) -> String {
    all.iter().map(word).collect::<Vec<_>>().join(" | ")
}

fn line(does: &Does) -> String {
    let deep = |recursive: &bool| if *recursive { "-r " } else { "" };
    match does {
        Does::Shell(text) => format!("shell {}", word(text)),
        Does::Run(all) => format!("run {}", words(all)),
        Does::Delete { path, recursive } => format!("delete {}{}", deep(recursive), word(path)),
        Does::Write { path, append } => {
            format!("{} {}", if *append { "append" } else { "write" }, word(path))
        }
        Does::Fill { path, text } => format!("fill {} : {}", word(path), word(text)),
        Does::Load(module) => format!("load {module}"),
        Does::Indirect(text) => format!("indirect {}", word(text)),
        Does::Move { from, to } => format!("move {} | {}", word(from), word(to)),
        Does::Copy { from, to } => format!("copy {} | {}", word(from), word(to)),
        Does::Link { path, to } => format!("link {} | {}", word(path), word(to)),
        Does::Mode { path, mode, recursive } => {
            format!("mode {}{} {}", deep(recursive), word(mode), word(path))
        }
        Does::Owner { path } => format!("owner {}", word(path)),
        Does::Read(path) => format!("read {}", word(path)),
        Does::Connect(to) => format!("connect {}", word(to)),
        Does::Send { to, what } => format!("send {} : {}", word(to), words(what)),
        Does::Evaluate(From::Network) => "evaluate network".to_owned(),
        Does::Evaluate(From::Decoded) => "evaluate decoded".to_owned(),
        Does::Evaluate(From::Unknown) => "evaluate unknown".to_owned(),
        Does::Evaluate(From::Input) => "evaluate input".to_owned(),
        Does::Evaluate(From::TooMuch) => "evaluate too much".to_owned(),
        Does::Query(text) => format!("query {}", word(text)),
        Does::Wipe => "wipe".to_owned(),
        Does::Destroy { what, whole } => {
            format!("destroy{} {}", if *whole { " all of" } else { "" }, word(what))
        }
        Does::Kill => "kill".to_owned(),
        Does::KillCounted => "kill counted".to_owned(),
        Does::KillAll => "kill all".to_owned(),
        Does::KillParent => "kill parent".to_owned(),
        Does::Processes => "processes".to_owned(),
        Does::Type(text) => format!("type {}", word(text)),
        Does::Environment => "environment".to_owned(),
        Does::KillListed => "kill listed".to_owned(),
    }
}

pub(crate) fn lines(language: Language, source: &str) -> Vec<String> {
    acts(language, source).iter().map(|act| line(&act.does)).collect()
}

/// The acts of a program that is started with something.
pub(crate) fn lines_started(language: Language, source: &str, started: &Started) -> Vec<String> {
    acts_with(language, source, started, |_| false).iter().map(|act| line(&act.does)).collect()
}

/// Compares a whole table, and shows all that differs at once.
pub(crate) fn check(language: Language, table: &[(&str, &[&str])]) {
    let mut wrong = String::new();
    for (source, expected) in table {
        let found = lines(language, source);
        if found != *expected {
            wrong.push_str(&format!("\n{source}\n  expected {expected:?}\n  found    {found:?}\n"));
        }
        for act in acts(language, source) {
            assert!(source.get(act.span.clone()).is_some(), "{source}: {:?}", act.span);
        }
    }
    assert!(wrong.is_empty(), "{language:?}{wrong}");
}
