//! The record of a changed file: its backup, and what to remove again.
//!
//! It is one small file per changed file below the state directory, readable only by its owner, since
//! settings may contain keys. It is written before the change: a record of a change that did not happen is
//! harmless, a change without a record is not.

use super::write;
use anyhow::Context;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The record of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The file without our entries; `None` if there was none.
    pub(crate) before: Option<String>,
    /// The digest of the file as we left it.
    pub(crate) after: String,
    /// Containers that were created in the file for our entries.
    pub(crate) made: Vec<String>,
    /// True if the directory was created for it.
    pub(crate) made_directory: bool,
}

/// Returns the digest of a text.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the path of the record of `file`.
pub(crate) fn place(state: &Path, file: &Path) -> PathBuf {
    let name: String = digest(&file.to_string_lossy()).chars().take(16).collect();
    state.join("installed").join(format!("{name}.json"))
}

impl Record {
    /// Returns the record of `file`, if there is a readable one.
    pub(crate) fn load(state: &Path, file: &Path) -> Option<Self> {
        let text = fs::read_to_string(place(state, file)).ok()?;
        let fields: Value = serde_json::from_str(&text).ok()?;
        (fields.get("file")?.as_str()? == file.to_string_lossy()).then_some(())?;
        let made = fields.get("made")?.as_array()?.iter();
        Some(Self {
            before: match fields.get("before")? {
                Value::Null => None,
                before => Some(before.as_str()?.to_owned()),
            },
            after: fields.get("after")?.as_str()?.to_owned(),
            made: made.map(|name| Some(name.as_str()?.to_owned())).collect::<Option<_>>()?,
            made_directory: fields.get("made_directory")?.as_bool()?,
        })
    }

    pub(crate) fn save(&self, state: &Path, file: &Path) -> anyhow::Result<PathBuf> {
        let place = place(state, file);
        write::private_directory(place.parent().context("it has no directory")?)?;
        let fields = json!({
            "file": file.to_string_lossy(),
            "before": self.before,
            "after": self.after,
            "made": self.made,
            "made_directory": self.made_directory,
        });
        let old = write::read(&place)?;
        write::replace(&place, old.as_deref(), Some(&format!("{fields}\n")), 0o600)
            .with_context(|| format!("cannot write the backup `{}`", place.display()))?;
        Ok(place)
    }

    pub(crate) fn forget(state: &Path, file: &Path) {
        // It is harmless where it is.
        let _ = fs::remove_file(place(state, file));
    }
}
