//! The blocks of README.md and PROTOCOL.md are true: files are written, commands are run, output is compared.
//!
//! A block whose first line names a file (```` ```toml hooks.toml ````) is written to that file. In a `console` block a
//! line that starts with `$ ` is run by `sh` in the directory of those files, and the lines below it are what it prints on
//! stdout; `[..]` stands for anything. `cargo run --release --` is the program that is being tested.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use crate::{detached::Detached, machine::Machine};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

struct Block {
    language: String,
    file: Option<String>,
    text: String,
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
        && expected.iter().zip(found).all(|(expected, found)| line_fits(expected, found))
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

fn run(page: &str) {
    let machine = Machine::new();
    let directory = &machine.place.directory;
    let path = format!("{}:{}", machine.path("bin").display(), std::env::var("PATH").unwrap());
    let mut commands = 0;
    for block in blocks(page) {
        if let Some(file) = &block.file {
            let file = directory.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, &block.text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        } else if block.language == "console" {
            for part in format!("\n{}", block.text).split("\n$ ").skip(1) {
                let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
                commands += 1;
                if command == "cargo xtask test" {
                    // That is what runs this test; what CI runs must be the same.
                    let ci = fs::read_to_string(repository().join(".ci/run")).unwrap();
                    assert!(
                        ci.lines().any(|line| line.ends_with(command)),
                        ".ci/run does not run `{command}`"
                    );
                    continue;
                }
                let script = command.replace("cargo run --release --", "checkrein");
                // Nothing on a page may reach the settings of whoever runs this test, who may be an agent.
                let home = directory.path().to_str().unwrap();
                let variables = [("PATH", path.as_str()), ("NO_COLOR", "1"), ("HOME", home)];
                let output = Detached::start(&format!("cd {home} && {{\n{script}\n}}"), &variables).output();
                let found = String::from_utf8(output.stdout).unwrap();
                let talk = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(
                    fits(expected, &found),
                    "{page}: {command}\n--- expected\n{expected}\n--- found\n{found}\n--- stderr\n{talk}"
                );
            }
        }
    }
    assert!(commands > 0, "{page} has no command");
}

#[test]
fn readme() {
    run("README.md");
}

#[test]
fn protocol() {
    run("PROTOCOL.md");
}

/// SECURITY.md names the test that holds each promise.
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
