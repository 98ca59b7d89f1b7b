//! The words of CONTRIBUTING.md: those that must not come back are in no page, rule text, help text or message, and in no
//! comment, documentation or function name of the directories that are finished.
//!
//! Pages and comments are read without their code blocks and code spans, which quote programs.

mod lists;
mod source;

use lists::{BANNED, BANNED_AT_THE_START, BANNED_IN_COMMENTS, FINISHED, LEFT, UNLESS_BEFORE};
use source::{Source, without_code_spans};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns the files below `directory` with this ending, without build output and hidden directories.
fn files(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            if !name.starts_with('.') && !["target", "node_modules"].contains(&name.as_str()) {
                found.extend(files(&entry.path(), ending));
            }
        } else if name.ends_with(ending) {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

/// Returns the prose of a page. Omitted parts keep their line breaks, so that line numbers are right.
fn page(text: &str) -> String {
    let (mut plain, mut fenced, mut glossary) = (String::new(), false, false);
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if let Some(title) = line.strip_prefix("## ").filter(|_| !fenced) {
            glossary = title == "Words";
        } else if !(fenced || glossary && line.starts_with('|')) {
            plain += &without_code_spans(line);
        }
        plain.push('\n');
    }
    plain
}

/// Returns the values of the keys that a user or a model reads.
fn rule_texts(text: &str) -> String {
    let is_text = |line: &&str| ["reason", "summary", "suggestion"].iter().any(|key| line.starts_with(key));
    text.lines().map(|line| Some(line).filter(is_text).unwrap_or_default().to_owned() + "\n").collect()
}

/// Returns the words of a text, each with its line. Punctuation between two words keeps them from being a phrase.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut word = String::new();
        for letter in line.chars().chain([' ']) {
            if letter.is_alphanumeric() || (letter == '-' && !word.is_empty()) {
                word.extend(letter.to_lowercase());
            } else {
                words.extend((!word.is_empty()).then(|| (index + 1, std::mem::take(&mut word))));
                words.extend((!" *_'".contains(letter)).then(|| (index + 1, letter.to_string())));
            }
        }
    }
    words
}

/// Returns the phrases of these lists in a text, with their lines.
fn found_in(text: &str, lists: &[&'static [(&'static str, &'static str)]]) -> Vec<(usize, &'static str)> {
    let words = words(text);
    let is = |word: &str, pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == pattern,
    };
    let mut found = Vec::new();
    for (phrase, _) in lists.iter().copied().flatten() {
        let parts: Vec<&str> = phrase.split(' ').collect();
        for (index, window) in words.windows(parts.len()).enumerate() {
            let matches = window.iter().zip(&parts).all(|((_, word), part)| is(word, part));
            let next = words.get(index + parts.len()).map(|(_, word)| word.as_str());
            let has_other_meaning =
                UNLESS_BEFORE.iter().any(|(other, word)| other == phrase && next == Some(word));
            if matches && !has_other_meaning {
                found.push((window[0].0, *phrase));
            }
        }
    }
    found
}

/// Returns the phrases that are banned everywhere, with their lines.
fn banned(text: &str) -> Vec<(usize, &'static str)> {
    found_in(text, &[BANNED])
}

/// Returns true for code that is not a test.
fn is_shipped(name: &str) -> bool {
    name.contains("/src/") && !name.ends_with("tests.rs") && !name.contains("/tests/")
}

/// Returns the part of a source file before its tests.
fn before_tests(code: &str) -> &str {
    code.split("#[cfg(test)]\nmod ").next().unwrap()
}

/// Returns every source file below these directories, by its path.
fn sources(directories: &[&str]) -> BTreeMap<String, String> {
    let root = repository();
    let files = directories.iter().flat_map(|directory| files(&root.join(directory), ".rs"));
    files.map(|file| (relative(&file, &root), fs::read_to_string(&file).unwrap())).collect()
}

fn relative(file: &Path, root: &Path) -> String {
    file.strip_prefix(root).unwrap().display().to_string()
}

/// Returns every text that a user or a model reads, by its path.
fn texts() -> BTreeMap<String, String> {
    let root = repository();
    let mut texts = BTreeMap::new();
    let mut add = |file: PathBuf, plain: &dyn Fn(&str) -> String| {
        texts.insert(relative(&file, &root), plain(&fs::read_to_string(file).unwrap()));
    };
    files(&root, ".md").into_iter().for_each(|file| add(file, &page));
    files(&root.join("crates/guard/rules"), ".toml").into_iter().for_each(|file| add(file, &rule_texts));
    for (name, code) in sources(FINISHED) {
        if is_shipped(&name) {
            let source = Source::of(before_tests(&code));
            // `clap` turns the documentation of the arguments into help.
            let is_help = name.starts_with("crates/cli/src/args/");
            texts.insert(name, if is_help { source.comments } else { source.literals });
        }
    }
    texts
}

#[test]
fn words_that_must_not_come_back() {
    // Code is counted by crate, so that moving a message changes nothing.
    let mut places: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
    for (name, text) in texts() {
        let part = name.split_once("/src/").map_or(name.as_str(), |(part, _)| part);
        for (line, phrase) in banned(&text) {
            places.entry((part.to_owned(), phrase)).or_default().push(format!("{name}:{line}"));
        }
    }
    let mut wrong = Vec::new();
    for ((part, phrase), found) in places {
        let left =
            LEFT.iter().find(|(other, word, _)| *other == part && *word == phrase).map_or(0, |row| row.2);
        if found.len() > left {
            let found = found.join(", ");
            wrong.push(format!("{part}: `{phrase}` ({left} allowed); write: {}\n  {found}", better(phrase)));
        }
    }
    assert!(wrong.is_empty(), "see the words of CONTRIBUTING.md:\n{}", wrong.join("\n"));
}

/// Returns what to write instead of a banned phrase.
fn better(phrase: &str) -> &'static str {
    BANNED.iter().chain(BANNED_IN_COMMENTS).find(|(word, _)| *word == phrase).unwrap().1
}

#[test]
fn comments_and_names_are_plain() {
    let mut wrong = Vec::new();
    for (name, code) in sources(FINISHED) {
        // This module and its lists quote the words.
        if name.contains("/program/words/") {
            continue;
        }
        let source = Source::of(&code);
        let lists = &[BANNED, BANNED_IN_COMMENTS];
        // A name has no grammar, so phrases do not count there: a `stand_in` is a noun.
        let names =
            found_in(&source.functions, lists).into_iter().filter(|(_, phrase)| !phrase.contains(' '));
        for (line, phrase) in found_in(&source.comments, lists).into_iter().chain(names) {
            wrong.push(format!("{name}:{line}: `{phrase}`; write: {}", better(phrase)));
        }
        for (line, text) in &source.documentation {
            let start = BANNED_AT_THE_START.iter().find(|start| {
                text.strip_prefix(**start).is_some_and(|rest| rest.starts_with([' ', ',', '.']))
            });
            if let Some(start) = start {
                wrong
                    .push(format!("{name}:{line}: starts with `{start}`; write a complete sentence: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "see the words of CONTRIBUTING.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_text_is_checked() {
    let texts = texts();
    for name in
        ["README.md", "CONTRIBUTING.md", "corpus/guard/README.md", "docs/decisions/0001-typed-hooks.md"]
    {
        assert!(texts.contains_key(name), "{name}");
    }
    assert!(texts["crates/guard/rules/git.toml"].contains("reason"));
    assert!(texts["crates/cli/src/args/mod.rs"].contains("the host's dialect"), "help is checked");
    assert!(texts["crates/cli/src/commands/hook.rs"].contains("is missing"), "messages are checked");
    let sources = sources(FINISHED);
    for name in ["crates/core/src/hook.rs", "crates/cli/tests/program/main.rs", "xtask/src/main.rs"] {
        assert!(sources.contains_key(name), "{name}");
    }
    for directory in FINISHED {
        assert!(sources.keys().any(|name| name.starts_with(directory)), "{directory}");
    }
}

#[test]
fn pages_and_literals_are_split_correctly() {
    let pages = [
        ("How to mend it.", 1),
        ("Amend and recommend.", 0),
        ("It stands\nin a file, and * stands for all.", 2),
        ("A stand-in for it.", 0),
        ("We run out of memory. It has run out.", 1),
        ("`folder` and\n```\nfolder\n```\n", 0),
        ("Folders. Whoever.", 2),
        ("## Words\n\n| user | whoever |\n\n## Next\n\nwhoever", 1),
        ("the\nperson", 1),
        ("in, force", 0),
    ];
    for (text, count) in pages {
        assert_eq!(banned(&page(text)).len(), count, "{text:?}");
    }
    let literals = [
        ("// mend\nlet a = \"mend\";", 1),
        ("/// mend\nlet a = '\"'; let mend = 1;", 0),
        ("let a = r#\"a \"folder\" b\"#; let folder = 1;", 1),
        ("let a = \"in \\\n    force\";", 1),
        ("let a = [\"in\", \"force\"];", 0),
        ("let a = \"\\\"\"; let mend = \"x\";", 0),
        ("let a = 1;\n#[cfg(test)]\nmod tests { const A: &str = \"mend\"; }", 0),
    ];
    for (code, count) in literals {
        assert_eq!(banned(&Source::of(before_tests(code)).literals).len(), count, "{code:?}");
    }
}

#[test]
fn comments_and_names_are_split_correctly() {
    let comments = [
        ("/// mend", 1),
        ("let a = 1; // mend it", 1),
        ("/// `mend`\n/// ```\n/// mend\n/// ```\n/// mend", 1),
        ("let a = \"// mend\";", 0),
    ];
    for (code, count) in comments {
        assert_eq!(banned(&Source::of(code).comments).len(), count, "{code:?}");
    }
    let functions = [("fn whoever_asks() {}", 1), ("let whoever = fn_whoever;", 0), ("// fn whoever()", 0)];
    for (code, count) in functions {
        assert_eq!(banned(&Source::of(code).functions).len(), count, "{code:?}");
    }
    let code = "//! One.\n//! Two.\n\n/// What.\nfn a() {\n    \"\n/// Not.\"; // No.\n}\n/// Three.";
    let documentation = Source::of(code).documentation;
    let expected = [(1, "One.".to_owned()), (4, "What.".to_owned()), (9, "Three.".to_owned())];
    assert_eq!(documentation, expected);
}
