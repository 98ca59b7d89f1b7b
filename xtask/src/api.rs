//! The public API of the published libraries, as committed listings: a change of it shows in a diff.
//!
//! rustdoc describes a library as JSON, with macros expanded and re-exports resolved, and `xtask/api` renders that. The JSON
//! output of rustdoc is not stable, so it is unlocked for our own crates only.

use crate::{Failed, Result, cannot, cargo, output, root, run, say, target};
use std::{fs, path::PathBuf};

/// The published libraries: the listing's name and the package.
const LIBRARIES: [(&str, &str); 13] = [
    ("core", "checkrein-core"),
    ("secrets", "checkrein-secrets"),
    ("shell", "checkrein-shell"),
    ("code", "checkrein-code"),
    ("sql", "checkrein-sql"),
    ("git", "checkrein-git"),
    ("guard", "checkrein-guard"),
    ("trail", "checkrein-trail"),
    ("undo", "checkrein-undo"),
    ("exec", "checkrein-exec"),
    ("hosts", "checkrein-hosts"),
    ("checkrein", "checkrein"),
    ("harness", "checkrein-harness"),
];

/// The directory of the listings, below the root.
const DIRECTORY: &str = "docs/api";

const USAGE: &str = "use `api [LIBRARY]...` or `api --check`";

pub(crate) fn api(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["--check"] => check(),
        names => {
            let unknown = names.iter().find(|name| LIBRARIES.iter().all(|(known, _)| known != *name));
            match unknown {
                Some(unknown) => Err(Failed::Because(format!("unknown library `{unknown}`; {USAGE}"))),
                None => write(names),
            }
        }
    }
}

/// Writes the listings of these libraries, or of all.
fn write(names: &[&str]) -> Result<()> {
    let directory = root().join(DIRECTORY);
    fs::create_dir_all(&directory).map_err(|error| cannot("create", DIRECTORY, &error))?;
    for (name, package) in LIBRARIES {
        if names.is_empty() || names.contains(&name) {
            let file = file(name);
            fs::write(&file, listing(package)?)
                .map_err(|error| cannot("write", &file.to_string_lossy(), &error))?;
        }
    }
    Ok(())
}

/// Compares the committed listings with the sources, and shows what differs.
fn check() -> Result<()> {
    let mut differing = Vec::new();
    for (name, package) in LIBRARIES {
        let Ok(committed) = fs::read_to_string(file(name)) else {
            say(&format!("SKIPPED: `{DIRECTORY}/{name}.txt` is not committed yet"));
            continue;
        };
        let current = listing(package)?;
        let (gone, new) = difference(&committed, &current);
        if !(gone.is_empty() && new.is_empty()) {
            differing.push(name);
            println!("{DIRECTORY}/{name}.txt");
            gone.iter().for_each(|line| println!("  - {line}"));
            new.iter().for_each(|line| println!("  + {line}"));
        }
    }
    if differing.is_empty() {
        return Ok(());
    }
    let names = differing.join(" ");
    Err(Failed::Because(format!(
        "the public API changed; if that is intended, run `cargo xtask api {names}`"
    )))
}

fn file(name: &str) -> PathBuf {
    root().join(DIRECTORY).join(name).with_extension("txt")
}

/// Returns the lines that only the first or only the second listing has, in their order.
fn difference<'a>(before: &'a str, after: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let without = |text: &'a str, other: &str| {
        let mut others: Vec<&str> = other.lines().collect();
        let is_missing = |line: &&'a str| match others.iter().position(|other| other == line) {
            Some(index) => {
                others.swap_remove(index);
                false
            }
            None => true,
        };
        text.lines().filter(is_missing).collect()
    };
    (without(before, after), without(after, before))
}

/// Returns the public API of a library's package.
fn listing(package: &str) -> Result<String> {
    let krate = package.replace('-', "_");
    let target = target();
    let rustdoc = ["rustdoc", "--quiet", "--package", package, "--lib", "--locked"];
    // A list of crates: build scripts of dependencies must not see a nightly compiler.
    run(cargo()
        .args(rustdoc)
        .arg("--target-dir")
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json"])
        .env("RUSTC_BOOTSTRAP", &krate))?;
    let tool = root().join("xtask/api/Cargo.toml");
    let json = target.join("doc").join(krate).with_extension("json");
    output(
        cargo()
            .args(["run", "--quiet", "--locked", "--manifest-path"])
            .arg(tool)
            .arg("--target-dir")
            .arg(target.join("api"))
            .arg("--")
            .arg(json),
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn added_removed_and_repeated_lines_are_differences() {
        let cases: [(&str, &str, &[&str], &[&str]); 4] = [
            ("a\nb\n", "a\nb\n", &[], &[]),
            ("a\nb\n", "b\na\n", &[], &[]),
            ("a\nb\n", "b\nc\n", &["a"], &["c"]),
            ("a\na\n", "a\n", &["a"], &[]),
        ];
        for (before, after, gone, new) in cases {
            assert_eq!(difference(before, after), (gone.to_vec(), new.to_vec()), "{before:?} {after:?}");
        }
    }

    #[test]
    fn every_published_library_is_listed() {
        let root = root();
        for entry in fs::read_dir(root.join("crates")).unwrap() {
            let directory = entry.unwrap().path();
            let manifest = fs::read_to_string(directory.join("Cargo.toml")).unwrap();
            let name = directory.file_name().unwrap().to_str().unwrap().to_owned();
            let is_library = directory.join("src/lib.rs").exists() && !manifest.contains("publish = false");
            let listed = LIBRARIES.iter().any(|(known, _)| *known == name);
            // The proofs are for the program, and the extension module is for Python.
            let is_exempt = ["live", "model", "python"].contains(&name.as_str());
            assert_eq!(listed, is_library && !is_exempt, "{name}");
        }
    }
}
