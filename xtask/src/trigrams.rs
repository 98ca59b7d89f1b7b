//! Trains the model with which the scanner of secrets tells a random value from a word.

use crate::{Failed, Result, cargo, root, run, say};
use std::{env, fs, path::PathBuf};

/// Trains on the sources of packages that cargo has unpacked, or on those below `directories`.
pub(crate) fn trigrams(directories: &[&str]) -> Result<()> {
    let sources: Vec<PathBuf> = match directories {
        [] => unpacked(),
        given => given.iter().map(PathBuf::from).collect(),
    };
    if sources.is_empty() {
        return Err(Failed::Because("cargo has unpacked no packages yet: build something first".to_owned()));
    }
    let target = root().join("crates/secrets/data/trigrams.bin");
    say(&format!("training {}", target.display()));
    let mut train = cargo();
    train.args(["run", "--release", "--package", "checkrein-secrets", "--example", "trigrams", "--"]);
    run(train.arg(target).args(sources))
}

/// The directories in which cargo keeps what it has unpacked, one for each registry.
fn unpacked() -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let below = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    let mut directories: Vec<PathBuf> =
        below.into_iter().flatten().filter_map(|entry| entry.ok()).map(|entry| entry.path()).collect();
    directories.sort();
    directories
}
