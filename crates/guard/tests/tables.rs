//! The build's check of the tables: a wrong word is reported with its file and line. The modules of the build script are
//! included here, since a build script has no tests of its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![allow(dead_code, unused_imports, unreachable_pub, reason = "the modules are those of the build script")]

#[path = "../src/program/flag.rs"]
mod flag;
#[path = "../src/notation.rs"]
mod notation;
mod support;
#[path = "../build/tables/mod.rs"]
mod tables;
#[path = "../src/vocabulary/mod.rs"]
mod vocabulary;

use std::path::Path;
use tables::{Section, check};

/// A file, its text, and what the build says about it.
const MISTAKES: &[(&str, &str, &str)] = &[
    // Programs: names of keys, roles, modifiers, effects, handlers, traits.
    (
        "programs/x.toml",
        "[one]\n[two]\noperand = \"delete...\"",
        "3: unknown key `operand`; did you mean `operands`?",
    ),
    (
        "programs/x.toml",
        "[one]\n\n# why\noperands = \"read... delte\"",
        "4: unknown role `delte`; did you mean `delete`?",
    ),
    (
        "programs/x.toml",
        "[one]\noptions = [\n  \"-a\",\n  \"-b =reed\",\n]",
        "4: unknown role `reed`; did you mean `read`?",
    ),
    (
        "programs/x.toml",
        "[one]\noptions = [\"-a\", \"-f :froce\"]",
        "2: unknown modifier, flag, domain or environment `froce`; did you mean `force`?",
    ),
    (
        "programs/x.toml",
        "[one]\nwhen = { \"recursiv\" = \"text\" }",
        "2: unknown modifier, flag, domain or environment `recursiv`; did you mean `recursive`?",
    ),
    (
        "programs/x.toml",
        "[one]\nwhen = { \"recursive\" = \"txt\" }",
        "2: unknown role `txt`; did you mean `text`?",
    ),
    (
        "programs/x.toml",
        "[one]\neffects = \"servce +stop\"",
        "2: unknown effect `servce`; did you mean `service`?",
    ),
    (
        "programs/x.toml",
        "[one]\neffects = \"service stop\"",
        "2: expected `+word`, `?word` or `!word`, found `stop`",
    ),
    ("programs/x.toml", "[one]\nhandler = \"tarr\"", "2: unknown handler `tarr`; did you mean `tar`?"),
    ("programs/x.toml", "[one]\ntraits = [\"copys\"]", "2: unknown trait `copys`; did you mean `copies`?"),
    ("programs/x.toml", "[one]\nstyle = \"posixs\"", "2: unknown style `posixs`; did you mean `posix`?"),
    (
        "programs/x.toml",
        "[one]\nprints = \"input-\"",
        "2: unknown value of `prints` `input-`; did you mean `input`?",
    ),
    ("programs/x.toml", "[one]\nwraps = 1", "2: expected a string"),
    ("programs/x.toml", "[one]\nas = [\"two\"]\n[two]", "3: `two` is already in the tables"),
    ("programs/x.toml", "[one]\noperands = \"read... write...\"", "2: only one role can have `...`"),
    ("programs/x.toml", "[one]\noptions = [\"=text\"]", "2: the option `=text` has no name"),
    (
        "programs/x.toml",
        "[one]\noptions = [\"-a =text ?text\"]",
        "2: the option `-a =text ?text` has both `=` and `?`",
    ),
    ("programs/x.toml", "[same]\nalso = \"on\"\n[one]", "2: unknown program `on`; did you mean `one`?"),
    // Data.
    (
        "data/variables.toml",
        "shell = [\"A\"]\nshel = [\"B\"]",
        "2: unknown kind of variable `shel`; did you mean `shell`?",
    ),
    ("data/variables.toml", "shell = [\"A\",\n\"A\"]", "2: `A` is already in the table"),
    (
        "data/paths.toml",
        "system = [\"bin\"]\n\n[tags]\nsecrt = [\"x\"]",
        "4: unknown tag `secrt`; did you mean `secret`?",
    ),
    ("data/paths.toml", "homes = [\n\"A ~/x\",\n\"B\"]", "3: expected a variable and a directory"),
    (
        "data/consoles.toml",
        "\"sudo\" = [\n\"alon\"]",
        "2: unknown condition `alon`; write `!pattern`, `>option pattern`, `+pattern`, `alone` or a number",
    ),
    ("data/agents.toml", "[x]\nruns = []\ndatas = []", "3: unknown key `datas`; did you mean `data`?"),
    ("data/packages.toml", "our = []", "1: unknown key `our`; did you mean `ours`?"),
    ("data/tools.toml", "shell = []", "1: unknown key `shell`; did you mean `shells`?"),
    (
        "data/arguments.toml",
        "comand = []",
        "1: unknown meaning of an argument `comand`; did you mean `command`?",
    ),
    ("data/arguments.toml", "file = [\"a\"]\npath = [\n\"a\"]", "3: `a` is already in the table"),
    ("data/arguments.toml", "file = [\"a_b\"]", "1: write `a_b` in small letters, without separators"),
    // Rules.
    (
        "rules/x.toml",
        "[[rule]]\nid = \"a\"\neffect = \"delet\"",
        "3: unknown effect `delet`; did you mean `delete`?",
    ),
    (
        "rules/x.toml",
        "[[rule]]\nid = \"a\"\neffect = \"delete\"\nwith = [\n\"al\"]",
        "5: unknown modifier `al`; did you mean `all`?",
    ),
    (
        "rules/x.toml",
        "[[rule]]\nid = \"a\"\neffect = \"delete\"\nzone = \"hom\"",
        "4: unknown zone `hom`; did you mean `home`?",
    ),
    (
        "rules/x.toml",
        "[[rule]]\nid = \"a\"\neffect = \"delete\"\nprograms = \"on\"",
        "4: unknown program `on`; did you mean `one`?",
    ),
    (
        "rules/x.toml",
        "[[rule]]\nid = \"a\"\neffect = \"delete\"\ndecision = \"denie\"",
        "4: unknown decision `denie`; did you mean `deny`?",
    ),
    (
        "rules/x.toml",
        "[[rule]]\nid = \"a\"\neffect = \"delete\"\ndecision = \"deny\"",
        "1: `reason` is missing",
    ),
    ("rules/x.toml", "[[rule]]\neffect = \"delete\"", "1: `id` is missing"),
];

#[test]
fn a_mistake_is_reported_with_file_and_line() {
    let mut wrong = Vec::new();
    for (path, text, expected) in MISTAKES {
        let expected = format!("{path}:{expected}");
        let found = match Section::parse(Path::new(path), (*text).to_owned()).and_then(|file| check(&file)) {
            Ok(()) => "no problem".to_owned(),
            Err(problem) => problem.to_string(),
        };
        if found != expected {
            wrong.push(format!("{expected}\n    {found}"));
        }
    }
    assert!(wrong.is_empty(), "expected, and found:\n{}", wrong.join("\n"));
}

#[test]
fn a_file_that_is_no_toml_is_named() {
    let problem = Section::parse(Path::new("data/x.toml"), "a = [".to_owned()).err();
    let problem = problem.map(|problem| problem.to_string()).unwrap_or_default();
    assert!(problem.starts_with("data/x.toml: TOML parse error at line 1"), "{problem}");
}

/// The page that explains the notation.
const PAGE: &str = include_str!("../programs/README.md");

/// Returns the blocks of the page in a language.
fn blocks(language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    let blocks = PAGE.split(&start).skip(1);
    blocks.filter_map(|rest| rest.split_once("```")).map(|(block, _)| block.to_owned()).collect()
}

#[test]
fn the_entries_of_the_page_are_those_of_the_tables() {
    let blocks = blocks("toml");
    assert!(blocks.len() > 3, "{blocks:?}");
    for block in blocks {
        let (file, entry) = block.split_once('\n').unwrap();
        let file = file.strip_prefix("# ").unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(file);
        let table = std::fs::read_to_string(&path).unwrap();
        assert!(table.contains(entry), "{file} has no longer:\n{entry}");
    }
}

#[test]
fn the_effects_of_the_page_are_what_the_guard_finds() {
    let lines: Vec<String> =
        blocks("effects").iter().flat_map(|block| block.lines()).map(str::to_owned).collect();
    assert!(lines.len() > 7, "{lines:?}");
    let mut wrong = Vec::new();
    for line in lines {
        let (command, expected) = line.split_once(" -> ").unwrap();
        let judgement = support::in_project(command.trim());
        let effects: Vec<String> = judgement.effects.iter().map(ToString::to_string).collect();
        let found = if effects.is_empty() { "nothing".to_owned() } else { effects.join("; ") };
        if found != expected {
            wrong.push(format!("{command}-> {found}"));
        }
    }
    assert!(wrong.is_empty(), "the guard finds:\n{}", wrong.join("\n"));
}

#[test]
fn the_page_has_every_key() {
    for key in tables::KEYS {
        assert!(PAGE.contains(&format!("| `{key}` |")), "`{key}` is not explained in programs/README.md");
    }
}
