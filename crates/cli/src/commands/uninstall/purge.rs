//! `checkrein uninstall --purge`: removes what Checkrein keeps about the past.
//!
//! Kept copies are the only ones of what agents have deleted, so the user sees what would go before it does. The configuration stays: the
//! user wrote it.

use crate::term::{out, style};
use anyhow::Context;
use serde_json::{Value, json};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The parts of the state that a user knows by name; everything else is shown together.
const KNOWN: [(&str, &str); 2] =
    [("undo", "copies of files that agents deleted or overwrote"), ("trail", "records of what happened")];

/// The content of the state directory.
pub(super) struct Purge {
    directory: PathBuf,
    parts: Vec<Part>,
}

struct Part {
    name: &'static str,
    about: &'static str,
    files: u64,
    bytes: u64,
}

impl Purge {
    /// Looks at what would go.
    pub(super) fn of(state: &Path) -> anyhow::Result<Self> {
        let mut parts: Vec<Part> =
            KNOWN.iter().map(|(name, about)| Part { name, about, files: 0, bytes: 0 }).collect();
        let mut rest = Part {
            name: "other",
            about: "permissions, trust, backups of settings, caches",
            files: 0,
            bytes: 0,
        };
        for entry in children(state).with_context(|| format!("cannot read `{}`", state.display()))? {
            let known = parts.iter_mut().find(|part| entry.file_name().is_some_and(|name| name == part.name));
            let part = known.unwrap_or(&mut rest);
            measure(&entry, part)?;
        }
        parts.push(rest);
        parts.retain(|part| part.files > 0);
        Ok(Self { directory: state.to_owned(), parts })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    pub(super) fn show(&self) {
        out!("{} holds:", style::harmless(&self.directory.to_string_lossy()));
        for Part { name, about, files, bytes } in &self.parts {
            out!("  {name}: {files} files, {} KiB: {about}", bytes.div_ceil(1024));
        }
    }

    /// Removes the directory. Nothing outside it is touched: links are removed and not followed.
    pub(super) fn remove(&self) -> anyhow::Result<()> {
        match fs::remove_dir_all(&self.directory) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove `{}`", self.directory.display()))
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }

    pub(super) fn as_json(&self, status: &str) -> Value {
        let parts: Vec<Value> = self
            .parts
            .iter()
            .map(|part| json!({"name": part.name, "files": part.files, "bytes": part.bytes}))
            .collect();
        json!({"directory": self.directory, "parts": parts, "status": status})
    }
}

fn children(directory: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(directory) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Counts files and bytes below a path.
fn measure(path: &Path, part: &mut Part) -> anyhow::Result<()> {
    let unreadable = || format!("cannot read `{}`", path.display());
    let metadata = path.symlink_metadata().with_context(unreadable)?;
    if metadata.is_dir() {
        for child in children(path).with_context(unreadable)? {
            measure(&child, part)?;
        }
    } else {
        part.files += 1;
        part.bytes += metadata.len();
    }
    Ok(())
}
