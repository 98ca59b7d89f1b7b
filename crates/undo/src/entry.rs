//! One line of a manifest: a path, what was there, and where its bytes are.

use rustix::fs::Stat;
use serde_json::{Value, json};
use std::{
    ffi::OsString,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The permissions that are kept. Restoring never makes a file that runs with the rights of its owner or group.
pub(crate) const PERMISSIONS: u32 = 0o1777;

/// A point in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds after that.
    pub nanos: u32,
}

/// The kind of thing that was at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file with these bytes.
    File {
        /// Its length.
        size: u64,
        /// The place of its bytes.
        place: Place,
    },
    /// A directory.
    Directory,
    /// A symbolic link to this.
    Link(Vec<u8>),
    /// A named pipe.
    Pipe,
    /// Nothing. Restoring removes what was put there.
    Absent,
}

/// The bytes of a kept file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the file of small files, from here.
    Pack(u64),
    /// In a file of its own, with this number.
    Own(u64),
}

/// The meaning of a kept file: what makes it changed, and if it is one of the user's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A file like any other.
    #[default]
    Plain,
    /// An object of git: what has its name has its content.
    Object,
    /// The file of a name of git, whose value may be elsewhere too.
    Name,
    /// The index of git, which git writes anew without another content.
    Index,
    /// Another file of git.
    Git,
}

impl Role {
    const WORDS: [(Self, &'static str); 4] =
        [(Self::Object, "object"), (Self::Name, "name"), (Self::Index, "index"), (Self::Git, "file")];
}

/// A path and what was there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The absolute path.
    pub path: PathBuf,
    /// The thing that was there.
    pub kind: Kind,
    /// The meaning of it.
    pub role: Role,
    /// Its permissions.
    pub mode: u32,
    /// The time of its last change.
    pub modified: Time,
    /// The time of its last use.
    pub accessed: Time,
    /// Its extended attributes.
    pub attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Entry {
    pub(crate) fn of(path: PathBuf, kind: Kind, stat: &Stat) -> Self {
        Self {
            path,
            kind,
            role: Role::Plain,
            mode: mode(stat) & PERMISSIONS,
            modified: modified(stat),
            accessed: accessed(stat),
            attributes: Vec::new(),
        }
    }

    /// Returns an entry about a path at which nothing is.
    pub(crate) const fn absent(path: PathBuf) -> Self {
        let never = Time { seconds: 0, nanos: 0 };
        Self {
            path,
            kind: Kind::Absent,
            role: Role::Plain,
            mode: 0,
            modified: never,
            accessed: never,
            attributes: Vec::new(),
        }
    }

    /// Returns true if it is neither a directory nor a file of git, so that its loss is the loss of a file.
    pub const fn is_file(&self) -> bool {
        matches!(self.kind, Kind::File { .. } | Kind::Link(_) | Kind::Pipe)
            && matches!(self.role, Role::Plain)
    }

    /// Returns the line of the manifest.
    pub(crate) fn line(&self) -> String {
        let mut line = json!({
            "path": bytes_to_json(self.path.as_os_str().as_bytes()),
            "kind": match self.kind {
                Kind::File { .. } => "file",
                Kind::Directory => "directory",
                Kind::Link(_) => "link",
                Kind::Pipe => "pipe",
                Kind::Absent => "absent",
            },
        });
        let Some(fields) = line.as_object_mut() else { return String::new() };
        let mut set = |name: &str, value: Value| drop(fields.insert(name.to_owned(), value));
        if let Some((_, word)) = Role::WORDS.iter().find(|(role, _)| *role == self.role) {
            set("git", (*word).into());
        }
        match &self.kind {
            Kind::File { size, place } => {
                set("size", (*size).into());
                match place {
                    Place::Pack(start) => set("at", (*start).into()),
                    Place::Own(number) => set("data", (*number).into()),
                }
            }
            Kind::Link(target) => set("target", bytes_to_json(target)),
            Kind::Directory | Kind::Pipe => {}
            Kind::Absent => return line.to_string(),
        }
        set("mode", self.mode.into());
        set("modified", json!([self.modified.seconds, self.modified.nanos]));
        set("accessed", json!([self.accessed.seconds, self.accessed.nanos]));
        if !self.attributes.is_empty() {
            let attributes = self.attributes.iter();
            let attributes =
                attributes.map(|(name, value)| json!([bytes_to_json(name), bytes_to_json(value)]));
            set("attributes", attributes.collect());
        }
        line.to_string()
    }

    /// Reads a line of a manifest.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let line: Value = serde_json::from_str(line).ok()?;
        let path = PathBuf::from(OsString::from_vec(bytes_of(line.get("path")?)?));
        if !is_plain(&path) {
            return None;
        }
        let number = |name: &str| line.get(name).and_then(Value::as_u64);
        let role = match line.get("git") {
            Some(word) => Role::WORDS.iter().find(|(_, known)| word == known)?.0,
            None => Role::Plain,
        };
        let kind = match line.get("kind")?.as_str()? {
            "file" => {
                let place = match (number("at"), number("data")) {
                    (Some(start), None) => Place::Pack(start),
                    (None, Some(own)) => Place::Own(own),
                    _ => return None,
                };
                Kind::File { size: number("size")?, place }
            }
            "directory" => Kind::Directory,
            "link" => Kind::Link(bytes_of(line.get("target")?)?),
            "pipe" => Kind::Pipe,
            "absent" => return Some(Self { role, ..Self::absent(path) }),
            _ => return None,
        };
        let time = |name: &str| {
            let [seconds, nanos] = line.get(name)?.as_array()?.as_slice() else { return None };
            Some(Time { seconds: seconds.as_i64()?, nanos: nanos.as_u64()?.try_into().ok()? })
        };
        let attribute = |pair: &Value| {
            let [name, value] = pair.as_array()?.as_slice() else { return None };
            Some((bytes_of(name)?, bytes_of(value)?))
        };
        let attributes = match line.get("attributes") {
            Some(list) => list.as_array()?.iter().map(attribute).collect::<Option<_>>()?,
            None => Vec::new(),
        };
        let mode = u32::try_from(number("mode")?).ok()? & PERMISSIONS;
        Some(Self {
            path,
            kind,
            role,
            mode,
            modified: time("modified")?,
            accessed: time("accessed")?,
            attributes,
        })
    }
}

/// The fields of a `Stat` that have another type on each system.
mod fields {
    #![allow(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the types differ between systems"
    )]

    use super::Time;
    use rustix::fs::Stat;

    /// Returns the kind and the permissions of a file.
    pub(crate) fn mode(stat: &Stat) -> u32 {
        u32::from(stat.st_mode)
    }

    /// Returns the time of the last change of a file's content.
    pub(crate) fn modified(stat: &Stat) -> Time {
        Time { seconds: stat.st_mtime as i64, nanos: stat.st_mtime_nsec as u32 }
    }

    /// Returns the time of the last use of a file.
    pub(crate) fn accessed(stat: &Stat) -> Time {
        Time { seconds: stat.st_atime as i64, nanos: stat.st_atime_nsec as u32 }
    }

    /// Returns the time of the last change of a file, its name or its permissions.
    pub(crate) fn changed(stat: &Stat) -> Time {
        Time { seconds: stat.st_ctime as i64, nanos: stat.st_ctime_nsec as u32 }
    }
}

pub(crate) use fields::{accessed, changed, mode, modified};

/// Returns true for an absolute path without `.` and `..`.
pub(crate) fn is_plain(path: &Path) -> bool {
    use std::path::Component::{Normal, RootDir};
    path.is_absolute()
        && path.components().all(|step| matches!(step, RootDir | Normal(_)))
        && !path.as_os_str().as_bytes().contains(&0)
}

/// Returns bytes as a text if they are one, otherwise as hexadecimal digits in a list.
fn bytes_to_json(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => json!([bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()]),
    }
}

fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    if let Some(text) = value.as_str() {
        return Some(text.as_bytes().to_vec());
    }
    let [digits] = value.as_array()?.as_slice() else { return None };
    let digits = digits.as_str()?.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits.chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds() -> impl Strategy<Value = Kind> {
        prop_oneof![
            (any::<u32>(), any::<u32>())
                .prop_map(|(size, at)| Kind::File { size: size.into(), place: Place::Pack(at.into()) }),
            any::<u32>().prop_map(|number| Kind::File { size: 7, place: Place::Own(number.into()) }),
            Just(Kind::Directory),
            prop::collection::vec(1_u8.., 1..20).prop_map(Kind::Link),
            Just(Kind::Pipe),
        ]
    }

    proptest! {
        #[test]
        fn a_line_is_read_as_it_was_written(
            name in prop::collection::vec(1_u8.., 1..40),
            kind in kinds(),
            times in (any::<i64>(), 0_u32..1_000_000_000),
            value in prop::collection::vec(any::<u8>(), 0..20),
        ) {
            let name: Vec<u8> = name.into_iter().filter(|byte| *byte != b'/').collect();
            prop_assume!(!name.is_empty() && name != b"." && name != b"..");
            let path = Path::new("/a").join(OsString::from_vec(name));
            let time = Time { seconds: times.0, nanos: times.1 };
            let entry = Entry {
                role: Role::Index,
                path, kind, mode: 0o640, modified: time, accessed: time,
                attributes: vec![(b"user.x".to_vec(), value)],
            };
            let line = entry.line();
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Entry::read(&line), Some(entry));
        }
    }

    #[test]
    fn a_path_that_leads_elsewhere_is_not_read() {
        for path in ["relative", "/a/../b", "", "/a/./../b"] {
            let line = json!({"path": path, "kind": "absent"}).to_string();
            assert_eq!(Entry::read(&line), None, "{path}");
        }
    }

    #[test]
    fn a_set_user_bit_is_not_read() {
        let line =
            r#"{"path":"/a","kind":"file","size":0,"at":0,"mode":2541,"modified":[1,2],"accessed":[1,2]}"#;
        assert_eq!(Entry::read(line).unwrap().mode, 2541 & 0o1777);
    }
}
