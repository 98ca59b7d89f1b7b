//! Runs the blocks of README.md, PROTOCOL.md, docs/guide.md, docs/secrets.md, docs/rewrites.md and docs/mcp-proxy.md: writes the files, runs the commands, compares the output.
//!
//! A block whose first line names a file (```` ```toml hooks.toml ````) is written to that file. In a `console` block, a
//! line that starts with `$ ` is run by `sh` in the directory of those files, and the lines below it are what it prints
//! on stdout. `cargo run --release --` is the program under test.
//!
//! The pages show real output. Before the comparison, everything that differs from run to run is normalised
//! on both sides (see [`normal`]); `[..]` matches anything, for the few lines that are too long to show.
//! `UPDATE_PAGES=1` writes changed output into the page. With a release build it also writes the times,
//! which are those that a reader wants to see: `UPDATE_PAGES=1 cargo test --release -p checkrein-cli --test
//! program -- docs`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use crate::{detached::Detached, machine::Machine};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The home directory that the pages show in place of the scratch directory.
const HOME: &str = "/home/dev";

struct Block {
    language: String,
    file: Option<String>,
    text: String,
}

/// One command of a `console` block, and its output on the page.
struct Step {
    command: String,
    expected: String,
}

impl Block {
    fn steps(&self) -> Vec<Step> {
        let text = format!("\n{}", self.text);
        let step = |part: &str| {
            let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
            Step { command: command.to_owned(), expected: expected.to_owned() }
        };
        text.split("\n$ ").skip(1).map(step).collect()
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(repository().join(page)).unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(info), None) => {
                let mut words = info.split_whitespace().map(str::to_owned);
                let language = words.next().unwrap_or_default();
                open = Some(Block { language, file: words.next(), text: String::new() });
            }
            (None, Some(mut block)) => {
                block.text += line;
                block.text += "\n";
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: a block is not closed");
    blocks
}

fn fits(expected: &str, found: &str) -> bool {
    let (expected, found): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), found.lines().collect());
    expected.len() == found.len()
        && expected.iter().zip(found).all(|(expected, found)| line_fits(&normal(expected), &normal(found)))
}

fn line_fits(expected: &str, found: &str) -> bool {
    let mut parts = expected.split("[..]");
    let Some(mut rest) = found.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some((_, after)) = rest.split_once(part) else { return false };
        rest = after;
    }
    rest.ends_with(last)
}

/// Replaces everything that differs from run to run and from version to version: times, approval codes
/// and the number of rules. Nothing else: each replacement applies only
/// where the program prints it.
fn normal(line: &str) -> String {
    let line = without_time(line);
    let line = number_after(&line, "\"micros\":");
    let line = without_counts(&line);
    without_id(&without_code(&line))
}

/// Replaces the id of an event: `checkrein why 2jny6n0hfjkc`.
fn without_id(line: &str) -> String {
    match line.split_once("checkrein why ") {
        Some((before, after))
            if after.get(..12).is_some_and(|id| id.parse::<checkrein::EventId>().is_ok()) =>
        {
            format!("{before}checkrein why ID{}", after.get(12..).unwrap_or_default())
        }
        _ => line.to_owned(),
    }
}

/// Removes a time at the end of a line, after at least two spaces: `denied  12 µs`.
fn without_time(line: &str) -> String {
    let time = || {
        let (rest, unit) = line.rsplit_once(' ')?;
        let digits = rest.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let is_time = ["ns", "µs", "ms", "s"].contains(&unit) && digits.len() < rest.len();
        (is_time && digits.ends_with("  ")).then(|| format!("{}  TIME", digits.trim_end()))
    };
    time().unwrap_or_else(|| line.to_owned())
}

/// Replaces the number that follows `key`, once.
fn number_after(line: &str, key: &str) -> String {
    match line.split_once(key) {
        Some((before, after)) => {
            let rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            let number = if rest.len() < after.len() { "N" } else { "" };
            format!("{before}{key}{number}{rest}")
        }
        None => line.to_owned(),
    }
}

/// Removes the counts from a list of rules by pack: `160 rules: cloud 3, git 17`.
fn without_counts(line: &str) -> String {
    let (count, packs) = line.split_once(" rules: ").unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_digit());
    let pack = |text: &str| {
        text.rsplit_once(' ').filter(|(_, count)| is_number(count)).map(|(name, _)| name.to_owned())
    };
    match packs.split(", ").map(pack).collect::<Option<Vec<String>>>() {
        Some(names) if is_number(count.trim_start()) => format!("N rules: {}", names.join(", ")),
        _ => line.to_owned(),
    }
}

/// Removes an approval code, after `allow ` or at the start of its own line: `7kq2-m0xd`.
fn without_code(line: &str) -> String {
    let code = |text: &str| {
        let is_letter = |letter: u8| b"0123456789abcdefghjkmnpqrstvwxyz".contains(&letter);
        let text = text.as_bytes();
        let groups = text.get(..4).into_iter().chain(text.get(5..9)).flatten();
        text.len() >= 9
            && text.get(4) == Some(&b'-')
            && groups.copied().all(is_letter)
            && text.get(9).is_none_or(|next| !next.is_ascii_alphanumeric() && *next != b'-')
    };
    if code(line) && line.get(9..).is_some_and(|rest| rest.is_empty() || rest.starts_with("  ")) {
        return format!("CODE{}", line.get(9..).unwrap_or_default());
    }
    match line.split_once("allow ") {
        Some((before, after)) if code(after) => {
            format!("{before}allow CODE{}", after.get(9..).unwrap_or_default())
        }
        _ => line.to_owned(),
    }
}

fn run(page: &str) {
    let machine = Machine::new();
    let directory = &machine.place.directory;
    let path = format!("{}:{}", machine.path("bin").display(), std::env::var("PATH").unwrap());
    let update = std::env::var_os("UPDATE_PAGES").is_some();
    let mut text = fs::read_to_string(repository().join(page)).unwrap();
    let mut commands = 0;
    for block in blocks(page) {
        if let Some(file) = &block.file {
            let file = directory.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &block.text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        } else if block.language == "console" {
            for Step { command, expected } in block.steps() {
                commands += 1;
                if command == "cargo xtask test" {
                    // This is how this test is run, and CI must do the same.
                    let ci = fs::read_to_string(repository().join(".ci/run")).unwrap();
                    assert!(
                        ci.lines().any(|line| line.ends_with(&command)),
                        ".ci/run does not run `{command}`"
                    );
                    continue;
                }
                let script = command.replace("cargo run --release --", "checkrein");
                // Nothing on a page may reach the settings of the user who runs this test, who may be an
                // agent.
                let home = directory.path().to_str().unwrap();
                let variables = [("PATH", path.as_str()), ("NO_COLOR", "1"), ("HOME", home)];
                let output = Detached::start(&format!("cd {home} && {{\n{script}\n}}"), &variables).output();
                let found = String::from_utf8(output.stdout).unwrap().replace(home, HOME);
                let talk = String::from_utf8_lossy(&output.stderr).into_owned();
                let retimed = cfg!(not(debug_assertions)) && !expected.contains("[..]");
                if update && (retimed || !fits(&expected, &found)) {
                    let end = if expected.is_empty() || expected.ends_with('\n') { "\n" } else { "" };
                    let new = format!("\n$ {command}\n{}{end}", found.strip_suffix('\n').unwrap_or(&found));
                    text = text.replacen(&format!("\n$ {command}\n{expected}"), &new, 1);
                    continue;
                }
                assert!(
                    fits(&expected, &found),
                    "{page}: {command}\n--- expected\n{expected}\n--- found\n{found}\n--- stderr\n{talk}"
                );
            }
        }
    }
    assert!(commands > 0, "{page} has no command");
    if update {
        fs::write(repository().join(page), text).unwrap();
    }
}

#[test]
fn readme() {
    run("README.md");
}

#[test]
fn guide() {
    run("docs/guide.md");
}

#[test]
fn secrets() {
    run("docs/secrets.md");
}

#[test]
fn rewrites() {
    run("docs/rewrites.md");
}

#[test]
fn mcp_proxy() {
    run("docs/mcp-proxy.md");
}

#[test]
fn protocol() {
    run("PROTOCOL.md");
}

/// A line of a page, a line of output, and whether they match.
const LINES: &[(&str, &str, bool)] = &[
    ("denied  12 µs", "denied  1.4 ms", true),
    ("denied  12 µs", "allowed  12 µs", false),
    ("denied  12 µs", "denied", false),
    ("denied", "denied  12 µs", false),
    ("  read           12 µs", "  read          120 µs", true),
    ("  read  12 µs", "  hooks  12 µs", false),
    ("  • dry-run  Bash, edit, 5 s, on failure deny", "  • dry-run  Bash, edit, 6 s, on failure deny", false),
    ("  timeout 5 s", "  timeout 6 s", false),
    ("  12 files", "  13 files", false),
    (r#"{"decision":"deny","micros":12.5}"#, r#"{"decision":"deny","micros":345.0}"#, true),
    (r#"{"decision":"deny","micros":12}"#, r#"{"decision":"ask","micros":12}"#, false),
    (r#"{"decision":"deny","micros":12}"#, r#"{"decision":"deny","micros":null}"#, false),
    ("failed  dry-run.test.toml:3: make", "failed  dry-run.test.toml:4: make", false),
    ("checkrein: typo.toml:2:9: hook[0]", "checkrein: typo.toml:3:9: hook[0]", false),
    ("    20 rules: cloud 3, git 17", "    21 rules: cloud 3, git 18", true),
    ("    20 rules: cloud 3, git 17", "    20 rules: cloud 3", false),
    ("    20 rules: cloud 3, git 17", "    20 hooks: cloud 3, git 17", false),
    ("allow 7kq2-m0xd", "allow 0000-zzzz", true),
    ("allow 7kq2-m0xd", "allow", false),
    ("allow 7kq2-m0xd", "deny 7kq2-m0xd", false),
    ("7kq2-m0xd  can be allowed once", "9999-zzzz  can be allowed once", true),
    ("7kq2-m0xd  can be allowed once", "9999-zzzz  was used", false),
    ("read-only", "data-base", false),
    ("Written: /home/dev/a", "Written: /home/dev/b", false),
    ("a [..] c", "a b c", true),
    ("a [..] c", "a b d", false),
];

#[test]
fn only_what_differs_from_run_to_run_is_normalised() {
    for (expected, found, same) in LINES {
        assert_eq!(fits(expected, found), *same, "{expected:?} and {found:?}");
    }
    assert!(!fits("a\nb\n", "a\n"), "a missing line");
    assert!(!fits("a\n", "a\nb\n"), "one line more");
}

/// Every decision on the pages counts: with another one in its place, the output no longer matches.
#[test]
fn another_decision_never_matches() {
    let decisions = ["denied", "no objection", "allowed", "ask", "deny", "abstain"];
    let mut changed = 0;
    for page in ["README.md", "PROTOCOL.md", "docs/guide.md"] {
        for step in blocks(page).iter().filter(|block| block.language == "console").flat_map(Block::steps) {
            for decision in decisions.into_iter().filter(|decision| step.expected.contains(decision)) {
                let found = step.expected.replace(decision, "other");
                assert!(!fits(&step.expected, &found), "{page}: {}: {decision}", step.command);
                changed += 1;
            }
        }
    }
    assert!(changed > 30, "only {changed} decisions are on the pages");
}

/// SECURITY.md names a test for each promise, and each of them exists.
#[test]
fn every_promise_has_its_test() {
    let page = fs::read_to_string(repository().join("SECURITY.md")).unwrap();
    let mut named = 0;
    for test in page.split('`').filter(|text| text.contains(".rs::")) {
        let (file, name) = test.split_once("::").unwrap();
        let code =
            fs::read_to_string(repository().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let (before, _) =
            code.split_once(&format!("fn {name}(")).unwrap_or_else(|| panic!("{test} is not there"));
        let attributes = before.rsplit("\n\n").next().unwrap();
        assert!(attributes.contains("#[test]") && !attributes.contains("#[ignore"), "{test} is not run");
        named += 1;
    }
    assert!(named > 60, "only {named} tests are named");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    for row in rows.filter(|row| *row != "| promise | test |") {
        assert!(row.contains(".rs::"), "a promise without a test: {row}");
    }
}

/// ARCHITECTURE.md names functions of the walk, and each of them is in the named file.
#[test]
fn the_walk_matches_the_code() {
    let page = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let (_, walk) = page.split_once("## One payload, step by step").unwrap();
    let rows = walk.split("\n## ").next().unwrap().lines().filter(|line| line.contains("| `crates/"));
    let (mut steps, mut crossings, mut before) = (0, 0, "");
    for row in rows {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [_, file, functions, ..] = cells.as_slice() else { panic!("{row}") };
        let krate = file.split('/').nth(1).unwrap();
        crossings += usize::from(steps > 0 && krate != before);
        before = krate;
        let code = fs::read_to_string(repository().join(file.trim_matches('`'))).expect(file);
        for function in functions.split(", ").map(|name| name.trim_matches('`')) {
            let is_there = ["(", "<"].iter().any(|next| code.contains(&format!("fn {function}{next}")));
            assert!(is_there, "{file} has no function `{function}`");
        }
        steps += 1;
    }
    assert!(steps > 30, "only {steps} steps");
    let sentence = format!("the path enters another crate {crossings} times");
    assert!(walk.contains(&sentence), "{sentence}");
    assert!(crossings <= 20, "a step that belongs to another crate: {crossings} crossings");
}

/// ARCHITECTURE.md names files by their ends (`guard/judge.rs`, `late.rs`), and each of them exists.
#[test]
fn the_files_that_the_architecture_names_exist() {
    fn sources(directory: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(directory).unwrap().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" && name != ".git" {
                sources(&path, found);
            } else if name.to_string_lossy().ends_with(".rs") {
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    sources(&repository(), &mut found);
    // `guard/judge.rs` is short for `guard/src/judge.rs`.
    let exists = |name: &str| {
        let long = name.split_once('/').map(|(krate, rest)| format!("/{krate}/src/{rest}"));
        let ends = [Some(format!("/{name}")), long];
        ends.iter().flatten().any(|end| found.iter().any(|file| file.ends_with(end.as_str())))
    };
    let page = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let named = page.split('`').skip(1).step_by(2).filter(|name| {
        name.ends_with(".rs")
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-/.".contains(&byte))
    });
    let named: Vec<&str> = named.collect();
    assert!(named.len() > 100, "only {} files", named.len());
    let gone: Vec<&&str> = named.iter().filter(|name| !exists(name)).collect();
    assert!(gone.is_empty(), "{gone:?}");
}
