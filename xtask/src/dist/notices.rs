//! The licences of everything in a program, in one text.

use super::packages::Package;
use std::{fmt::Write, fs, path::Path};

/// The parts that are in every program and in no package. Their notices ask to be kept.
const SYSTEM: &str = "\
Rust standard library: MIT OR Apache-2.0. Copyright The Rust Project Contributors.
musl, in the Linux programs: MIT. Copyright 2005-2020 Rich Felker, et al.
";

/// Returns the notices of all packages from elsewhere, with the texts that they contain.
pub(crate) fn notices(linked: &[Package]) -> String {
    let mut text = String::from("Checkrein contains these packages, each under its own licence.\n\n");
    text.push_str(SYSTEM);
    for package in linked.iter().filter(|package| package.checksum.is_some()) {
        let Package { name, version, license, .. } = package;
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{}\n{name} {version}: {license}\n", "=".repeat(78));
        for licence in texts(&package.directory) {
            let _ = write!(text, "\n{}\n", licence.trim_end());
        }
    }
    text
}

/// Returns the texts of a package's licence files, in the order of their names.
fn texts(directory: &Path) -> Vec<String> {
    const STARTS: [&str; 4] = ["LICENSE", "LICENCE", "COPYING", "NOTICE"];
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().to_uppercase();
            STARTS.iter().any(|start| name.starts_with(start))
        })
        .map(|entry| entry.path())
        .collect();
    files.sort_unstable();
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
}
