//! The words of CONTRIBUTING.md hold: what must not come back is in no page, rule text, help text or message.
//!
//! Pages are read without their code blocks and code spans, which quote programs. Of the code only string literals count,
//! and the documentation comments that `clap` turns into help.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Words and phrases that must not come back, and what to write. `*` at the end of a word matches any ending.
const BANNED: &[(&str, &str)] = &[
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("mending", "fixing"),
    ("the person", "the user"),
    ("a person", "a user"),
    ("folder*", "directory"),
    ("loosenable", "overridable"),
    ("realm*", "environment"),
    ("in force", "active"),
    ("all is well", "ok"),
    ("leave for one call", "one-time permission"),
    ("run out", "expired"),
    ("ran out", "expired"),
    ("runs out", "expires"),
    ("stand in", "is in"),
    ("stands in", "is in"),
    ("stand for", "means"),
    ("stands for", "means"),
    ("stand beside", "is next to"),
    ("stands beside", "is next to"),
    ("whoever", "users who, anyone who"),
    ("ancestor*", "predecessor"),
];

/// Phrases that mean something else if this word follows: memory does run out.
const UNLESS_BEFORE: &[(&str, &str)] = &[("run out", "of"), ("ran out", "of"), ("runs out", "of")];

/// What is left, by page or crate, and phrase. A number may fall and not rise; remove a row when it reaches zero.
const LEFT: &[(&str, &str, usize)] = &[
    ("crates/checkrein", "folder*", 2), // what other programs call an argument
    ("crates/checkrein", "loosenable", 1), // the old name of a key, in the message about it
    ("crates/checkrein", "stand for", 1),
    ("crates/checkrein", "stand in", 1),
    ("crates/checkrein", "stands for", 2),
    ("crates/cli", "all is well", 2),
    ("crates/cli", "mend", 4),
    ("crates/cli", "ran out", 1),
    ("crates/cli", "run out", 2),
    ("crates/cli", "stand beside", 1),
    ("crates/cli", "stand in", 1),
    ("crates/cli", "stands for", 1),
    ("crates/cli", "whoever", 2),
    ("crates/hosts", "mend", 1),
    ("crates/hosts", "stand in", 1),
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files below `directory` whose names end so, without what is built and hidden.
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

/// A text with the lines of what it leaves out kept, so that places are right.
fn page(text: &str) -> String {
    let (mut plain, mut fenced, mut glossary) = (String::new(), false, false);
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if let Some(title) = line.strip_prefix("## ").filter(|_| !fenced) {
            glossary = title == "Words";
        } else if !(fenced || glossary && line.starts_with('|')) {
            // Every second part is a code span.
            let spans = line.split('`').enumerate();
            plain.extend(spans.map(|(index, part)| if index % 2 == 0 { part } else { "`" }));
        }
        plain.push('\n');
    }
    plain
}

/// The values of the keys that a user or a model reads.
fn rule_texts(text: &str) -> String {
    let is_text = |line: &&str| ["reason", "summary", "suggestion"].iter().any(|key| line.starts_with(key));
    text.lines().map(|line| Some(line).filter(is_text).unwrap_or_default().to_owned() + "\n").collect()
}

/// The string literals of Rust code before its tests, and with `help` its documentation comments.
fn literals(code: &str, help: bool) -> String {
    let code = code.split("#[cfg(test)]\nmod ").next().unwrap();
    let mut kept = String::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            let comment = rest.find('\n').unwrap_or(rest.len());
            if help && rest.starts_with("///") {
                kept += &rest[3..comment];
            }
            comment
        } else if let Some((open, hashes)) = raw(rest) {
            let close = format!("\"{}", "#".repeat(hashes));
            let end = rest[open..].find(&close).map_or(rest.len(), |end| open + end + close.len());
            kept += &rest[open..end];
            end
        } else if first == '"' {
            let mut escaped = false;
            let is_end = |letter: char| {
                let end = letter == '"' && !escaped;
                escaped = letter == '\\' && !escaped;
                end
            };
            let end = rest[1..].find(is_end).map_or(rest.len(), |end| end + 2);
            // A line end that is escaped joins two lines into one text.
            kept += &rest[..end].replace("\\\n", " \n");
            kept.push('.');
            end
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find("'").unwrap() + 2
        } else {
            if first == '\n' {
                kept.push('\n');
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    kept
}

/// Where the text of a raw string starts, and how many `#` end it.
fn raw(code: &str) -> Option<(usize, usize)> {
    let after = code.strip_prefix('r')?;
    let text = after.trim_start_matches('#');
    let hashes = after.len() - text.len();
    text.starts_with('"').then_some((hashes + 2, hashes))
}

/// The words of a text, each with its line. A mark between two words keeps them from being a phrase.
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

/// The banned phrases of a text, with their lines.
fn banned(text: &str) -> Vec<(usize, &'static str)> {
    let words = words(text);
    let is = |word: &str, pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => word.starts_with(start),
        None => word == pattern,
    };
    let mut found = Vec::new();
    for (phrase, _) in BANNED {
        let parts: Vec<&str> = phrase.split(' ').collect();
        for (index, window) in words.windows(parts.len()).enumerate() {
            let matches = window.iter().zip(&parts).all(|((_, word), part)| is(word, part));
            let next = words.get(index + parts.len()).map(|(_, word)| word.as_str());
            let excused = UNLESS_BEFORE.iter().any(|(other, word)| other == phrase && next == Some(word));
            if matches && !excused {
                found.push((window[0].0, *phrase));
            }
        }
    }
    found
}

/// Every text that is looked at, by its path.
fn texts() -> BTreeMap<String, String> {
    let root = repository();
    let mut texts = BTreeMap::new();
    let mut add = |file: PathBuf, plain: &dyn Fn(&str) -> String| {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        texts.insert(name, plain(&fs::read_to_string(file).unwrap()));
    };
    files(&root, ".md").into_iter().for_each(|file| add(file, &page));
    files(&root.join("crates/guard/rules"), ".toml").into_iter().for_each(|file| add(file, &rule_texts));
    for part in ["cli", "checkrein", "core", "hosts"] {
        for file in files(&root.join("crates").join(part).join("src"), ".rs") {
            let name = file.file_name().unwrap().to_str().unwrap().to_owned();
            if !name.ends_with("tests.rs") && !file.components().any(|part| part.as_os_str() == "tests") {
                add(file, &|code| literals(code, name == "args.rs"));
            }
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
            let better = BANNED.iter().find(|(word, _)| *word == phrase).unwrap().1;
            let found = found.join(", ");
            wrong.push(format!("{part}: `{phrase}` ({left} allowed); write: {better}\n  {found}"));
        }
    }
    assert!(wrong.is_empty(), "see the words of CONTRIBUTING.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_text_is_looked_at() {
    let texts = texts();
    for name in
        ["README.md", "CONTRIBUTING.md", "corpus/guard/README.md", "docs/decisions/0001-typed-hooks.md"]
    {
        assert!(texts.contains_key(name), "{name}");
    }
    assert!(texts["crates/guard/rules/git.toml"].contains("reason"));
    assert!(texts["crates/cli/src/args.rs"].contains("the host's dialect"), "help is looked at");
    assert!(texts["crates/cli/src/commands/hook.rs"].contains("is missing"), "messages are looked at");
}

#[test]
fn what_is_found_and_what_is_not() {
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
    let codes = [
        ("// mend\nlet a = \"mend\";", 1),
        ("/// mend\nlet a = '\"'; let mend = 1;", 0),
        ("let a = r#\"a \"folder\" b\"#; let folder = 1;", 1),
        ("let a = \"in \\\n    force\";", 1),
        ("let a = [\"in\", \"force\"];", 0),
        ("let a = \"\\\"\"; let mend = \"x\";", 0),
        ("let a = 1;\n#[cfg(test)]\nmod tests { const A: &str = \"mend\"; }", 0),
    ];
    for (code, count) in codes {
        assert_eq!(banned(&literals(code, false)).len(), count, "{code:?}");
    }
    assert_eq!(banned(&literals("/// mend", true)).len(), 1);
}
