//! The exact content of a project's hook: its definition, and the bytes of every file that belongs to it.

use super::{
    coverage::{Coverage, coverage},
    scripts::{self, Named, PathKind},
    shebang,
    uncovered::Uncovered,
};
use crate::config::{bounds::HASHED, hook::HookDefinition, serialize::settings};
use checkrein_exec::{Callable, Program};
use rustix::fs::{Mode, OFlags};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    fs, io,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// The maximum total size of a hook's files: they are in memory at once, and a process that the system kills because
/// memory is short denies nothing.
const LIMIT: u64 = 64 * 1024 * 1024;

/// Files that were hashed already. A file that several hooks name is read once, and their total size is bounded.
#[derive(Debug)]
pub(crate) struct Hashed {
    files: HashMap<PathBuf, File>,
    left: u64,
}

impl Default for Hashed {
    fn default() -> Self {
        Self { files: HashMap::new(), left: HASHED }
    }
}

/// The treatment of the bytes of files.
enum Bytes<'a> {
    /// They are shown and copied.
    Kept,
    /// They are only compared.
    Hashed(&'a mut Hashed),
}

/// A file that belongs to a hook, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// As the configuration names it.
    pub name: String,
    /// Its path with links resolved.
    pub target: PathBuf,
    /// The SHA-256 of its bytes.
    pub sha256: String,
    /// True if it may be run.
    pub executable: bool,
    pub(crate) bytes: Vec<u8>,
}

/// A hook with everything that it would run.
#[derive(Clone, Debug)]
pub struct Content {
    /// The configuration that holds it, links followed.
    pub config: PathBuf,
    /// Its name.
    pub label: String,
    /// The event that it is for.
    pub event: &'static str,
    /// Its definition as JSON with every key.
    pub definition: Value,
    /// The command as it is written.
    pub command: String,
    /// The files that belong to it.
    pub files: Vec<File>,
    /// Words of the command that trust does not cover.
    pub uncovered: Vec<Uncovered>,
    /// Paths in the command at which there is nothing. Trust is revoked if something appears there.
    pub absent: Vec<String>,
    /// The directory of the configuration, as it was named.
    directory: PathBuf,
    program: Program,
    named: Vec<Named>,
}

impl Content {
    /// Reads everything that belongs to `definition`.
    pub(crate) fn read(definition: &HookDefinition, config: &Path, directory: &Path) -> io::Result<Self> {
        Self::read_as(definition, config, directory, Bytes::Kept)
    }

    /// Reads the content without the bytes of the files: enough to compare, and nothing that could be trusted.
    pub(crate) fn digests(
        definition: &HookDefinition,
        config: &Path,
        directory: &Path,
        hashed: &mut Hashed,
    ) -> io::Result<Self> {
        Self::read_as(definition, config, directory, Bytes::Hashed(hashed))
    }

    fn read_as(
        definition: &HookDefinition,
        config: &Path,
        directory: &Path,
        mut bytes: Bytes<'_>,
    ) -> io::Result<Self> {
        let Coverage { named, mut uncovered, absent, imported, reached: _ } =
            coverage(&definition.program, directory, &definition.files);
        let mut files: Vec<File> = Vec::new();
        let words = named.iter().filter(|named| named.kind == PathKind::File);
        let words = words.map(|named| (named.word.clone(), named.path.clone()));
        let listed = imported.iter().chain(&definition.files);
        let listed = listed.map(|name| (name.clone(), directory.join(name)));
        for (name, path) in words.chain(listed) {
            // One file can be named in several ways, and has one copy.
            let place = copy_place(Path::new(""), &name);
            let is_known = |file: &File| {
                file.name == name
                    || copy_place(Path::new(""), &file.name) == place
                        && fs::canonicalize(&path).is_ok_and(|target| target == file.target)
            };
            if !files.iter().any(is_known) {
                files.push(match &mut bytes {
                    Bytes::Kept => {
                        let held: u64 = files.iter().map(|file| file.bytes.len() as u64).sum();
                        File::read(name, &path, LIMIT.saturating_sub(held))?
                    }
                    Bytes::Hashed(hashed) => File::hashed(name, &path, hashed)?,
                });
            }
        }
        let executable = files.iter().filter(|file| file.executable);
        uncovered.extend(executable.filter_map(|file| shebang::uncovered(&file.bytes, directory)));
        Ok(Self {
            config: fs::canonicalize(config)?,
            label: definition.label(),
            event: definition.event.as_str(),
            definition: definition.to_json(),
            command: definition.program.to_string(),
            files,
            uncovered,
            absent,
            directory: directory.to_owned(),
            program: definition.program.clone(),
            named,
        })
    }

    /// Returns what a project wants to disable, as content that can be trusted: it runs nothing.
    pub(crate) fn of_disable(config: &Path, names: &[String]) -> io::Result<Self> {
        Ok(Self {
            config: fs::canonicalize(config)?,
            label: "disable".to_owned(),
            event: "disable",
            definition: json!({"disable": names}),
            command: String::new(),
            files: Vec::new(),
            uncovered: Vec::new(),
            absent: Vec::new(),
            directory: PathBuf::new(),
            program: Program::List(Vec::new()),
            named: Vec::new(),
        })
    }

    /// Returns the keys that the definition sets, without those that identify the hook and its command.
    pub fn settings(&self) -> Vec<(String, Value)> {
        let shown = ["event", "name", "command"];
        let set = settings(&self.definition);
        set.into_iter().filter(|(key, _)| !shown.contains(&key.as_str())).collect()
    }

    /// Returns lessons that a project shares, as content that can be trusted: it runs nothing.
    pub(crate) fn of_lessons(path: &Path, most: u64) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files = vec![File::read(name, path, most)?];
        let config = fs::canonicalize(path)?;
        Ok(Self {
            config,
            label: "learned".to_owned(),
            event: "learned",
            definition: json!({}),
            files,
            ..Self::of_disable(path, &[])?
        })
    }

    /// Names the hook, whatever its content is.
    pub(crate) fn identity(&self) -> String {
        identity(&self.config, self.event, &self.label)
    }

    /// Names the content: any changed byte is another one.
    pub(crate) fn digest(&self) -> String {
        hash(&[self.manifest().to_string().as_bytes()])
    }

    /// Returns the manifest for the store.
    pub(crate) fn manifest(&self) -> Value {
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|file| {
                json!({
                    "name": file.name,
                    "target": file.target.to_string_lossy(),
                    "sha256": file.sha256,
                    "executable": file.executable,
                })
            })
            .collect();
        let uncovered: Vec<&str> = self.uncovered.iter().map(|uncovered| uncovered.word.as_str()).collect();
        json!({
            "config": self.config.to_string_lossy(),
            "definition": self.definition,
            "files": files,
            "absent": self.absent,
            "uncovered": uncovered,
        })
    }

    /// The command that runs the copies below `directory`.
    pub(crate) fn program_below(&self, directory: &Path) -> Program {
        if let Program::Callable(callable) = &self.program {
            // An interpreter runs where it is: it would not find its packages elsewhere.
            let python = match callable.python.contains('/') {
                true => self.directory.join(&callable.python).to_string_lossy().into_owned(),
                false => callable.python.clone(),
            };
            let from = Some(copy_place(directory, ""));
            return Program::Callable(Callable { path: callable.path.clone(), python, from });
        }
        let instead = |named: &Named| match named.kind {
            PathKind::File => copy_place(directory, &named.word),
            // What is listed below a directory is named from the configuration's.
            PathKind::Directory => {
                let below = named.path.strip_prefix(&self.directory).unwrap_or(&named.path);
                copy_place(directory, &below.to_string_lossy())
            }
            // Not wherever the agent happens to be.
            PathKind::Absent => named.path.clone(),
        };
        let copies: Vec<(Named, PathBuf)> =
            self.named.iter().map(|named| (named.clone(), instead(named))).collect();
        scripts::replaced(&self.program, &copies)
    }

    /// Describes the differences from a stored manifest.
    pub(crate) fn difference(&self, remembered: &Value) -> String {
        let mut changes = Vec::new();
        if remembered.get("definition") != Some(&self.definition) {
            changes.push("its definition".to_owned());
        }
        let list = |value: &Value, key: &str| -> Vec<Value> {
            value.get(key).and_then(Value::as_array).cloned().unwrap_or_default()
        };
        let manifest = self.manifest();
        let (known, now) = (list(remembered, "files"), list(&manifest, "files"));
        let (were_absent, are_absent) = (list(remembered, "absent"), list(&manifest, "absent"));
        let name = |file: &Value| file.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let appeared = |name: &str| {
            let is_in = |names: &[Value]| names.iter().any(|other| other.as_str() == Some(name));
            is_in(&were_absent) && !is_in(&are_absent)
        };
        // A changed definition names other paths, and was already reported.
        if changes.is_empty() {
            for path in were_absent.iter().filter_map(Value::as_str).filter(|path| appeared(path)) {
                changes.push(format!("`{path}`, which was not there"));
            }
        }
        for file in now.iter().filter(|file| !known.contains(file) && !appeared(&name(file))) {
            changes.push(format!("`{}`", name(file)));
        }
        for file in &known {
            if !now.iter().any(|other| name(other) == name(file)) {
                changes.push(format!("`{}`, which is gone", name(file)));
            }
        }
        if changes.is_empty() {
            changes.push("what its words name".to_owned());
        }
        changes.join(", ")
    }
}

/// Names the hook of this label in the configuration `config`, links followed.
pub(crate) fn identity(config: &Path, event: &str, label: &str) -> String {
    hash(&[config.as_os_str().as_encoded_bytes(), event.as_bytes(), label.as_bytes()])
}

/// Returns the path for the copy of a file. Names are flattened into one directory level per part, so that files that
/// belong together find each other.
pub(crate) fn copy_place(directory: &Path, name: &str) -> PathBuf {
    let mut place = directory.join("files");
    for part in Path::new(name).components() {
        match part {
            std::path::Component::Normal(part) => place.push(part),
            std::path::Component::ParentDir => place.push("__above__"),
            std::path::Component::RootDir => place.push("__root__"),
            std::path::Component::CurDir | std::path::Component::Prefix(_) => {}
        }
    }
    place
}

impl File {
    /// Returns its length in bytes.
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns true if it is empty.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its text, to be shown, if it is one.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok().filter(|text| !text.contains('\0'))
    }

    /// With no more of its bytes than its first line takes, and read only if no other hook named it before.
    fn hashed(name: String, path: &Path, hashed: &mut Hashed) -> io::Result<Self> {
        let blame = |error: io::Error| io::Error::new(error.kind(), format!("`{name}`: {error}"));
        let target = fs::canonicalize(path).map_err(blame)?;
        if let Some(known) = hashed.files.get(&target) {
            return Ok(Self { name, ..known.clone() });
        }
        let mut file = Self::read(name, &target, LIMIT.min(hashed.left))?;
        hashed.left = hashed.left.saturating_sub(file.bytes.len() as u64);
        file.bytes.truncate(shebang::MOST);
        file.bytes.shrink_to_fit();
        hashed.files.insert(target, file.clone());
        Ok(file)
    }

    fn read(name: String, path: &Path, limit: u64) -> io::Result<Self> {
        let blame = |error: io::Error| io::Error::new(error.kind(), format!("`{name}`: {error}"));
        let target = fs::canonicalize(path).map_err(blame)?;
        // Opening a pipe waits for its other end, unless a flag says otherwise.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = rustix::fs::open(&target, flags, Mode::empty()).map_err(|error| blame(error.into()))?;
        let file = fs::File::from(file);
        let metadata = file.metadata().map_err(blame)?;
        if !metadata.is_file() {
            return Err(blame(io::Error::other("not a file")));
        }
        let mut bytes = Vec::new();
        file.take(limit + 1).read_to_end(&mut bytes).map_err(blame)?;
        if bytes.len() as u64 > limit {
            return Err(blame(io::Error::other("too large to be trusted")));
        }
        let executable = metadata.permissions().mode() & 0o111 != 0;
        let sha256 = hex(Sha256::digest(&bytes));
        Ok(Self { name, target, sha256, executable, bytes })
    }
}

/// The SHA-256 of some parts, each with its length, so that no two lists of parts look alike.
fn hash(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(hash.finalize())
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
