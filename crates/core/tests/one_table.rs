//! Checks that there is only one table of hidden characters. A second table would sooner or later disagree with the
//! first, and what one of them forgets would be printed verbatim.
#![allow(clippy::unwrap_used, reason = "tests")]

use regex::Regex;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The file with the table.
const TABLE: &str = "crates/core/src/sanitize.rs";

/// Code that looks for such characters because a grammar or a file system requires it, and prints none.
const GRAMMARS: &[&str] = &[
    "crates/sql/src/token.rs",
    // The classes of a pattern of the shell: `[[:cntrl:]]`.
    "crates/guard/src/glob.rs",
    "crates/guard/src/ours/names.rs",
    "crates/guard/src/tool/mcp/running.rs",
    // What decodes to a line that can be written is a text.
    "crates/guard/src/tool/opened.rs",
];

#[test]
fn no_other_code_has_its_own_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    // A range of code points, two of them as alternatives, or the library's idea of a control character.
    let table = Regex::new(
        r"'\\u\{[0-9a-fA-F]+\}'\s*\.\.|\.\.=?\s*'\\u\{|'\\u\{[0-9a-fA-F]+\}'\s*\|\s*'\\u\{|is_control\(\)|fn is_hidden|char::is_control",
    )
    .unwrap();
    let mut files = Vec::new();
    for directory in ["crates", "examples", "xtask", "benches"] {
        sources(&root.join(directory), &mut files);
    }
    assert!(files.len() > 200, "only {} files were found", files.len());
    let mut seen = false;
    for file in files {
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let found = table.find(code).map(|found| found.as_str().to_owned());
        if name == TABLE {
            seen = found.is_some();
        } else if !GRAMMARS.contains(&name.as_str()) {
            assert_eq!(found, None, "{name} has a table of its own; use checkrein_core::sanitize");
        }
    }
    assert!(seen, "the table is not where it was");
}

/// Returns the source files below a directory, without tests.
fn sources(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_str().unwrap_or_default();
        if path.is_dir() {
            if !matches!(name, "tests" | "target") {
                sources(&path, files);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            files.push(path);
        }
    }
}
