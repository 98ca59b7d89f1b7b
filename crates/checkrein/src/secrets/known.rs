//! The values that are secret on this machine whatever they look like: those of variables with secret names, and of `.env` files.

use checkrein_secrets::{Key, Known, Redactor, Scanner};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The files of a project whose values are looked for in what tools print.
const FILES: &[&str] = &[
    ".env",
    ".env.local",
    ".env.development",
    ".env.development.local",
    ".env.production",
    ".env.production.local",
    ".env.staging",
    ".envrc",
];

/// The largest file that is read.
const MOST: u64 = 1024 * 1024;

/// Returns the secret values of the environment and of the `.env` files in these directories; nothing if there are none.
pub(super) fn known(directories: &[&Path], key: &mut dyn FnMut() -> Option<Key>) -> Option<Known> {
    let variables = crate::environment::with_secret_names();
    let files: Vec<String> =
        directories.iter().flat_map(|directory| files(directory)).filter_map(|path| text(&path)).collect();
    if variables.is_empty() && files.is_empty() {
        return None;
    }
    let key = key()?;
    let mut known = Known::new(&key);
    known.add_named(variables.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let redactor = Redactor::new(Scanner::new(), key);
    for file in &files {
        for finding in redactor.file(".env", file).1 {
            known.add(".env", file.get(finding.range).unwrap_or_default().as_bytes());
        }
    }
    Some(known)
}

/// The files of a directory whose values are looked for.
pub(super) fn files(directory: &Path) -> impl Iterator<Item = PathBuf> {
    FILES.iter().map(|name| directory.join(name))
}

/// The text of an ordinary file that is not too large.
pub(super) fn text(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MOST {
        return None;
    }
    fs::read_to_string(path).ok()
}
