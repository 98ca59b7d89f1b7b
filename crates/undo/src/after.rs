//! The state in which a call left the paths of its record, by which a later change is noticed.

use crate::{
    entry::{Time, changed, mode, modified},
    keep::new_file,
    record::Record,
};
use rustix::fs::{AtFlags, CWD};
use serde_json::{Value, json};
use std::{fs, io, io::Write, path::Path};

/// The file with one line for each entry.
const AFTER: &str = "after";

/// The state of a path: enough to notice that it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    inode: u64,
    mode: u32,
    size: u64,
    modified: Time,
    changed: Time,
}

impl State {
    /// Returns the state of a path; `None` if nothing is there.
    ///
    /// # Errors
    ///
    /// If it is not known.
    pub fn of(path: &Path) -> io::Result<Option<Self>> {
        use rustix::io::Errno;
        match rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Self {
                inode: stat.st_ino,
                mode: mode(&stat),
                size: u64::try_from(stat.st_size).unwrap_or(0),
                modified: modified(&stat),
                changed: changed(&stat),
            })),
            Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn to_json(self) -> Value {
        let (modified, changed) = (self.modified, self.changed);
        json!([
            self.inode,
            self.mode,
            self.size,
            modified.seconds,
            modified.nanos,
            changed.seconds,
            changed.nanos
        ])
    }

    fn read(value: &Value) -> Option<Self> {
        let [inode, mode, size, modified, modified_nanos, changed, changed_nanos] =
            value.as_array()?.as_slice()
        else {
            return None;
        };
        let time = |seconds: &Value, nanos: &Value| {
            Some(Time { seconds: seconds.as_i64()?, nanos: nanos.as_u64()?.try_into().ok()? })
        };
        Some(Self {
            inode: inode.as_u64()?,
            mode: mode.as_u64()?.try_into().ok()?,
            size: size.as_u64()?,
            modified: time(modified, modified_nanos)?,
            changed: time(changed, changed_nanos)?,
        })
    }
}

/// The states that are known of the entries of a record. An entry is `None` if its state is not known.
pub(crate) type After = Vec<Option<Option<State>>>;

impl Record {
    /// Notes the state in which the call left the paths: what still has it may be replaced.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn note_after(&self) -> io::Result<()> {
        let mut lines = String::new();
        for entry in &self.entries {
            let line = match State::of(&entry.path) {
                Ok(Some(state)) => state.to_json(),
                Ok(None) => Value::Bool(false),
                Err(_) => Value::Null,
            };
            lines.push_str(&format!("{line}\n"));
        }
        let unfinished = self.directory.join(format!("{AFTER}-{}", std::process::id()));
        let mut file = new_file(&unfinished)?;
        file.write_all(lines.as_bytes())?;
        fs::rename(&unfinished, self.directory.join(AFTER))
    }

    /// Returns the state in which the call left each entry, as far as it is known.
    pub(crate) fn after(&self) -> After {
        let text = fs::read_to_string(self.directory.join(AFTER)).unwrap_or_default();
        let state = |line: &str| match serde_json::from_str(line).ok()? {
            Value::Bool(false) => Some(None),
            value => State::read(&value).map(Some),
        };
        let mut known: After = text.lines().map(state).collect();
        known.resize(self.entries.len(), None);
        known
    }
}
