//! `checkrein init` and `uninstall`: whole output, real files, real processes.

mod atomic;
mod confirmation;
mod entries;
mod files;
mod new_user;
mod output;
mod places;
mod preset;
mod project;

use std::path::{Path, PathBuf};

/// Removes what makes a snapshot long: the diff itself, which another test checks, and names that are
/// digests.
fn without_diff(text: &str) -> String {
    let mut shown = String::new();
    let mut inside = false;
    for line in text.lines() {
        inside = line.starts_with("--- /")
            || line.starts_with("--- [directory]")
            || inside && line.starts_with(DIFF);
        if !inside {
            shown += line;
            shown.push('\n');
        }
    }
    match shown.split_once("/installed/") {
        Some((before, after)) => {
            let after = after.split_once(".json").unwrap().1;
            format!("{before}/installed/[digest].json{after}")
        }
        None => shown,
    }
}

/// The first characters of lines in a diff.
const DIFF: [char; 5] = ['+', '-', ' ', '@', '\\'];

fn corpus(directory: &str) -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/agents").join(directory);
    let mut files: Vec<PathBuf> = corpus.read_dir().unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 5, "only {} files in {directory}", files.len());
    files
}
