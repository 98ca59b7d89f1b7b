//! Conditions that make every answer unknown: an unfinished operation, formats that are not read, filters, and
//! settings that move the work tree. Settings are searched for and never obeyed.

use crate::{Objection, discover::Found};
use std::{fs, path::Path};

/// The longest settings file that is read.
const LONGEST: u64 = 256 * 1024;

/// Files that show an unfinished operation, or another process at work.
const UNFINISHED: [&str; 10] = [
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-merge",
    "rebase-apply",
    "sequencer",
    "index.lock",
    "HEAD.lock",
    "AUTO_MERGE",
];
/// Files that say that objects or names are kept in another way.
const OTHERWISE: [&str; 4] = ["reftable", "refs/replace", "info/grafts", "objects/info/alternates"];

/// Settings, with their sections, that make it unknown whatever their value is.
const SETTINGS: [(&str, &str); 7] = [
    ("core", "worktree"),
    ("core", "attributesfile"),
    ("core", "sparsecheckout"),
    ("extensions", ""),
    ("include", ""),
    ("includeif", ""),
    ("remote", "promisor"),
];

/// Refuses a repository about which an answer could be wrong. Returns true if names that differ only in case are equal in it.
pub(crate) fn check(found: &Found, home: Option<&Path>) -> Result<bool, Objection> {
    if let Some(name) = UNFINISHED.iter().find(|name| is_there(&found.own.join(name))) {
        return Err(Objection::unknown(format!("`{name}` says that an operation is not finished")));
    }
    if let Some(name) = OTHERWISE.iter().find(|name| has_content(&found.common.join(name))) {
        return Err(Objection::unknown(format!("the repository has `{name}`")));
    }
    let own = text(&found.common.join("config"))?;
    let of_tree = text(&found.own.join("config.worktree"))?;
    for settings in [&own, &of_tree] {
        if let Some((section, key)) = setting(settings, &SETTINGS) {
            return Err(Objection::unknown(format!("the repository sets `{section}.{key}`")));
        }
    }
    let users = home.map(|home| [home.join(".gitconfig"), home.join(".config/git/config")]);
    for path in users.iter().flatten() {
        if setting(&text(path)?, &[("core", "attributesfile"), ("core", "worktree")]).is_some() {
            return Err(Objection::unknown("the user's settings change what files are"));
        }
    }
    if let Some(home) = home {
        refuse_filters(&home.join(".config/git/attributes"))?;
    }
    refuse_filters(Path::new("/etc/gitattributes"))?;
    refuse_filters(&found.common.join("info/attributes"))?;
    let folds = own.lines().any(|line| {
        let line = line.to_ascii_lowercase().replace([' ', '\t'], "");
        line.starts_with("ignorecase=true") || line == "ignorecase"
    });
    Ok(folds)
}

/// Refuses attributes that put a filter between the disk and git: what is on the disk is then not what git has.
pub(crate) fn refuse_filters(path: &Path) -> Result<(), Objection> {
    let text = text(path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace);
    if words.any(|word| word.contains("filter=") || word == "lfs") {
        return Err(Objection::unknown("files go through a filter"));
    }
    Ok(())
}

/// The section and the key of the first of these settings.
fn setting<'a>(text: &str, wanted: &[(&'a str, &'a str)]) -> Option<(&'a str, String)> {
    let mut section = String::new();
    for line in text.lines() {
        let mut line = line.trim();
        if let Some((name, rest)) = line.strip_prefix('[').and_then(|line| line.split_once(']')) {
            section = name.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
            line = rest.trim();
        }
        let key: String =
            line.chars().take_while(|char| char.is_ascii_alphanumeric() || *char == '-').collect();
        let key = key.to_ascii_lowercase();
        let is_wanted = |(of, name): &&(&str, &str)| {
            section == *of && !key.is_empty() && (name.is_empty() || key == *name)
        };
        if let Some((of, _)) = wanted.iter().find(is_wanted) {
            return Some((of, key));
        }
    }
    None
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// Returns true if there is a file, or a directory that is not empty.
fn has_content(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => {
            fs::read_dir(path).map_or(true, |mut files| files.next().is_some())
        }
        Ok(_) => true,
        Err(_) => false,
    }
}

/// The text of a file; nothing, if there is none.
fn text(path: &Path) -> Result<String, Objection> {
    let Ok(metadata) = path.metadata() else { return Ok(String::new()) };
    if !metadata.is_file() || metadata.len() > LONGEST {
        return Err(Objection::unknown("a settings file of git is too long"));
    }
    Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
}
