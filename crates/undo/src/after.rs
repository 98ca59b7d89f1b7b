//! The state in which a call left the paths of its record, by which a later change is noticed.

use crate::{
    entry::{Entry, Role, Time, changed, mode, modified},
    keep::new_file,
    record::Record,
};
use rustix::fs::{AtFlags, CWD};
use serde_json::{Value, json};
use std::{fs, io, io::Write, path::Path};

/// The file with one line for each entry.
const AFTER: &str = "after";

/// The state of a path: enough to notice that it was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// The facts that the disk has about a file.
    Disk {
        /// The number of the file.
        inode: u64,
        /// Its kind and permissions.
        mode: u32,
        /// Its length.
        size: u64,
        /// The time of its last change.
        modified: Time,
        /// The time of the last change of it, its name or its permissions.
        changed: Time,
    },
    /// The meaning of a file of git.
    Meaning(String),
}

impl State {
    /// Returns the state of the path of an entry now; `None` if nothing is there.
    ///
    /// # Errors
    ///
    /// If it is not known.
    pub fn of(entry: &Entry) -> io::Result<Option<Self>> {
        match entry.role {
            Role::Name => Ok(checkrein_git::name_at(&entry.path).map(Self::Meaning)),
            Role::Index => match checkrein_git::staged(&entry.path) {
                Some(staged) => Ok(Some(Self::Meaning(staged))),
                None => Self::on_disk(&entry.path),
            },
            // Git writes it anew when it collects garbage.
            Role::Git => match fs::read(&entry.path) {
                Ok(bytes) => Ok(Some(Self::Meaning(digest(&bytes)))),
                Err(_) => Self::on_disk(&entry.path),
            },
            Role::Plain | Role::Object => Self::on_disk(&entry.path),
        }
    }

    fn on_disk(path: &Path) -> io::Result<Option<Self>> {
        use rustix::io::Errno;
        match rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Self::Disk {
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

    fn to_json(&self) -> Value {
        match self {
            Self::Disk { inode, mode, size, modified, changed } => {
                json!([inode, mode, size, modified.seconds, modified.nanos, changed.seconds, changed.nanos])
            }
            Self::Meaning(text) => text.as_str().into(),
        }
    }

    fn read(value: &Value) -> Option<Self> {
        if let Some(text) = value.as_str() {
            return Some(Self::Meaning(text.to_owned()));
        }
        let [inode, mode, size, modified, modified_nanos, changed, changed_nanos] =
            value.as_array()?.as_slice()
        else {
            return None;
        };
        let time = |seconds: &Value, nanos: &Value| {
            Some(Time { seconds: seconds.as_i64()?, nanos: nanos.as_u64()?.try_into().ok()? })
        };
        Some(Self::Disk {
            inode: inode.as_u64()?,
            mode: mode.as_u64()?.try_into().ok()?,
            size: size.as_u64()?,
            modified: time(modified, modified_nanos)?,
            changed: time(changed, changed_nanos)?,
        })
    }
}

/// Returns a text that differs for other bytes.
pub(crate) fn digest(bytes: &[u8]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
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
            let line = match State::of(entry) {
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
