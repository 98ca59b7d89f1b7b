//! The places in this repository that contain commands.

use crate::{
    literals::literals,
    sealed,
    worlds::{Place, of_payloads},
};
use checkrein::Guard;
use checkrein_core::{Payload, flat};
use checkrein_guard::Judgement;
use checkrein_testkit::corpus;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// One case: a command, or a tool call.
pub(crate) struct Case {
    /// The file, and the id or the line in it.
    pub(crate) origin: String,
    /// Its identity: the command, or the bytes of the payload.
    pub(crate) text: String,
    pub(crate) world: Place,
    pub(crate) held_back: bool,
    payload: Option<Box<Payload>>,
}

impl Case {
    fn command(origin: String, text: String, world: Place) -> Self {
        Self { origin, text, world, held_back: false, payload: None }
    }

    /// Returns the guard's judgement; `None` if the event does not concern it.
    pub(crate) fn judge(&self) -> Option<Judgement> {
        match &self.payload {
            Some(payload) => Guard::of(of_payloads()).judgement(payload),
            None => Some(self.world.judge(&self.text)),
        }
    }
}

type Cases = Result<Vec<Case>, String>;
type Source = fn() -> Cases;

/// Directories with tests whose tables contain commands, and the endings of their file names.
const TABLES: [(&str, &str); 7] = [
    ("crates/guard/tests", ".rs"),
    ("crates/code/tests", ".rs"),
    ("crates/shell/tests", ".rs"),
    ("crates/sql/tests", ".rs"),
    ("crates/guard/src", "tests.rs"),
    ("crates/checkrein/src", "tests.rs"),
    ("crates/checkrein/src/builtin/tests", ".rs"),
];

/// Returns every case, in an order that depends only on the repository. A source without a case is an
/// error: a net with a hole is worse than none.
pub(crate) fn all() -> Cases {
    let sources: [(&str, Source); 8] = [
        ("labelled commands", labelled),
        ("packs", packs),
        ("examples of rules", examples),
        ("classes", classes),
        ("carriers", carriers),
        ("payloads of agents", payloads),
        ("semantics", semantics),
        ("tables of tests", tables),
    ];
    let mut all = Vec::new();
    for (name, source) in sources {
        let cases = source()?;
        if cases.is_empty() {
            return Err(format!("{name}: there is no case any more"));
        }
        all.extend(cases);
    }
    Ok(all)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Returns the files below a directory of the repository with an ending, sorted, with their paths from the
/// root.
fn files(below: &str, ending: &str) -> Result<Vec<(String, PathBuf)>, String> {
    let mut found = Vec::new();
    let mut left = vec![below.to_owned()];
    while let Some(directory) = left.pop() {
        let entries =
            fs::read_dir(root().join(&directory)).map_err(|error| format!("{directory}: {error}"))?;
        for entry in entries.filter_map(Result::ok) {
            let name = format!("{directory}/{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                left.push(name);
            } else if name.ends_with(ending) {
                found.push((name, entry.path()));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn labelled() -> Cases {
    let mut cases = Vec::new();
    for (name, path) in files("corpus/guard", ".jsonl")? {
        cases.extend(lines(&name, &read(&path)?, false)?);
    }
    let sealed = fs::read(root().join(sealed::FILE)).map_err(|error| format!("{}: {error}", sealed::FILE))?;
    cases.extend(lines(sealed::FILE, &String::from_utf8_lossy(&sealed::veil(&sealed)), true)?);
    Ok(cases)
}

fn lines(name: &str, list: &str, held_back: bool) -> Cases {
    let case = |line: &str| {
        let value: Value = serde_json::from_str(line).map_err(|error| format!("{name}: {error}"))?;
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let origin = if held_back { name.to_owned() } else { format!("{name}:{}", text("id")) };
        Ok(Case { held_back, ..Case::command(origin, text("command"), Place::PLAIN) })
    };
    list.lines().map(case).collect()
}

/// Reads lists with a label and a command on each line. `⏎` is a line end.
fn lists(below: &str, left_out: &str) -> Cases {
    let mut cases = Vec::new();
    for (name, path) in files(below, ".txt")? {
        for (number, line) in read(&path)?.lines().enumerate().filter(|_| !name.ends_with(left_out)) {
            let command = line.split_once(' ').map_or(line, |(_, command)| command).replace('⏎', "\n");
            cases.push(Case::command(format!("{name}:{}", number + 1), command, Place::PLAIN));
        }
    }
    Ok(cases)
}

fn packs() -> Cases {
    lists("corpus/guard", "-")
}

const CARRIERS: &str = "carriers.txt";

fn classes() -> Cases {
    let mut cases = lists("crates/guard/tests/classes", CARRIERS)?;
    // Later input changes what a call may start, and whether we notice it.
    let typed = |case: &Case| Case::command(case.origin.clone(), case.text.clone(), Place::TYPED);
    let again: Vec<Case> = cases.iter().map(typed).collect();
    cases.extend(again);
    Ok(cases)
}

fn carriers() -> Cases {
    let name = format!("crates/guard/tests/classes/{CARRIERS}");
    let mut cases = Vec::new();
    for (number, line) in read(&root().join(&name))?.lines().enumerate() {
        for [program, first, second] in [
            ["rm", "-rf", "/home/dev"],
            ["rm", "-rf", "./build"],
            ["ls", "-la", "src"],
            ["git", "push", "--force"],
        ] {
            let command = line
                .replace("<command>", &[program, first, second].join(" "))
                .replace("<program>", program)
                .replace("<rest>", &format!("{first} {second}"))
                .replace("<first>", first)
                .replace("<second>", second)
                .replace('⏎', "\n");
            cases.push(Case::command(
                format!("{name}:{}:{program}-{second}", number + 1),
                command,
                Place::PLAIN,
            ));
        }
    }
    Ok(cases)
}

fn examples() -> Cases {
    let mut cases = Vec::new();
    for rule in checkrein_guard::rules() {
        let world = Place::of(rule);
        for (kind, examples) in [("found", &rule.matches), ("harmless", &rule.not_matches)] {
            for (number, example) in examples.iter().enumerate() {
                let origin = format!("{} {kind} {}", rule.id, number + 1);
                cases.push(Case::command(origin, example.to_string(), world));
            }
        }
    }
    Ok(cases)
}

fn payloads() -> Cases {
    let mut cases = Vec::new();
    for dialect in checkrein_hosts::ALL {
        let directory = format!("corpus/payloads/{}", dialect.name());
        if !root().join(&directory).is_dir() {
            continue;
        }
        for (name, path) in files(&directory, ".json")? {
            let text = read(&path)?;
            // A file is named after the host's own name of the event.
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let own = stem.split('-').next().unwrap_or_default();
            let event = dialect.recipe.and_then(|recipe| recipe.event(own)).or_else(|| own.parse().ok());
            let payload = dialect.dialect.decode(text.clone().into_bytes(), event);
            let payload = payload.map_err(|error| format!("{name}: {error}"))?;
            let case = Case::command(name, text, Place::PLAIN);
            cases.push(Case { payload: Some(Box::new(payload)), ..case });
        }
    }
    Ok(cases)
}

fn semantics() -> Cases {
    let mut cases = Vec::new();
    for case in corpus::load(&corpus::directory())? {
        let case = corpus::library::filled(&case);
        // Some show how a payload is refused.
        let Ok(payload) = flat::read(case.payload.clone(), None) else { continue };
        let text = Value::Object(case.payload.into_iter().collect()).to_string();
        let found = Case::command(format!("corpus/semantics:{}", case.name), text, Place::PLAIN);
        cases.push(Case { payload: Some(Box::new(payload)), ..found });
    }
    Ok(cases)
}

/// Returns the string literals in the tables of tests, each as a command. Many are only parts of one; their
/// verdicts must not change either.
fn tables() -> Cases {
    let mut cases = Vec::new();
    for (directory, ending) in TABLES {
        for (name, path) in files(directory, ending)? {
            for (line, text) in literals(&read(&path)?) {
                if text.trim().contains(' ') {
                    cases.push(Case::command(format!("{name}:{line}"), text, Place::PLAIN));
                }
            }
        }
    }
    Ok(cases)
}
