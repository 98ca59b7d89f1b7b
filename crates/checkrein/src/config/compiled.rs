//! Compiled configurations: an indexed form that a process reads only as far as its one event needs.
//!
//! A configuration of a thousand hooks takes longer to parse than the whole rest of an event, and most events concern
//! none of them. So a configuration that was read without a problem is kept below the state directory, with an
//! index by event and tool, and a later process reads the index and the few hooks that may match.
//!
//! What is kept belongs to one state of one file: device, inode, size, times of change of content and of inode. The
//! content itself is not compared, because to look at every byte is what should be avoided; the inode's time of change
//! cannot be set, and a file that changed within the resolution of clocks before it was read is not kept.
//! Nothing is believed that another user could have written.

mod written;

use crate::config::{
    Config,
    content::{FileContent, Settings},
    hook::HookDefinition,
    hook_files,
    keys::{ALLOW, EXCEPTION, FILE, GRADE, RULE},
    layer::Layer,
    needs_rules,
};
use crate::state::{self, now, secure_fs};
use crate::this_program;
use checkrein_core::SmallSort as _;
use checkrein_core::{EventName, ToolCall};
use rustix::fs::{Mode, OFlags, Stat};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io,
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

#[cfg(test)]
mod tests;

/// The number of seconds for which a file must have been unchanged before it is read: more than the resolution of any
/// clock.
const SETTLED: i64 = 2;

/// The cache of compiled configurations.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
}

/// The identity of a file when it was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileIdentity(Value);

impl FileIdentity {
    fn new(layer: Layer, path: &Path, stat: &Stat) -> Self {
        // An upgrade of the program may understand the same text in another way.
        let program = this_program()
            .and_then(fs::metadata)
            .map(|exe| (exe.dev(), exe.ino(), exe.mtime(), exe.mtime_nsec()));
        Self(json!([
            state::COMPILED_VERSION,
            env!("CARGO_PKG_VERSION"),
            program.ok().map(|(dev, ino, mtime, nsec)| json!([dev, ino, mtime, nsec])),
            layer.as_str(),
            path.to_string_lossy(),
            stat.st_dev,
            stat.st_ino,
            stat.st_size,
            stat.st_mtime,
            stat.st_mtime_nsec,
            stat.st_ctime,
            stat.st_ctime_nsec,
        ]))
    }
}

impl Cache {
    /// Opens the cache below the state directory.
    pub(crate) fn new(state: &Path) -> Self {
        Self { directory: state::compiled(state) }
    }

    fn place(&self, layer: Layer, path: &Path) -> PathBuf {
        let mut name = fnv(layer.as_str().as_bytes());
        name = name.wrapping_mul(31) ^ fnv(path.as_os_str().as_encoded_bytes());
        self.directory.join(format!("{name:016x}"))
    }

    /// Returns the cached form of the file at `path`, with those hooks that an event may concern; `None` if there is
    /// none, or not of this state of the file.
    pub(crate) fn read(
        &self,
        layer: Layer,
        path: &Path,
        event: EventName,
        call: Option<&ToolCall>,
    ) -> Option<Config> {
        let (file, head) = self.open(layer, path)?;
        let mut hooks = Vec::new();
        if let Some((at, length)) = head.section(event) {
            let section = Section::read(&file, head.end.checked_add(at)?, length)?;
            for place in section.candidates(call)? {
                hooks.push(section.hook(&file, layer, place)?);
            }
        }
        let mut content = FileContent { settings: head.settings(layer)?, hooks, ..FileContent::default() };
        if needs_rules(event, call) {
            head.add_rules(&file, layer, &mut content)?;
        }
        let directory = crate::config::directory_of(path).ok()?;
        let digest = head.fields.get("digest")?.as_str()?.to_owned();
        Some(Config { layer, path: path.to_owned(), directory, content, digest })
    }

    /// The words that name what the hooks of the file at `path` run.
    pub(crate) fn runs(&self, layer: Layer, path: &Path) -> Option<Vec<String>> {
        let (file, head) = self.open(layer, path)?;
        head.list(&file, "runs", |word| word.as_str().map(str::to_owned))
    }

    /// Opens the cached form of the file at `path`, if it is of this state of the file.
    fn open(&self, layer: Layer, path: &Path) -> Option<(File, Head)> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        // This comes first: most users have no configuration, so nothing is cached.
        let file = File::from(rustix::fs::open(self.place(layer, path), flags, Mode::empty()).ok()?);
        let stat = rustix::fs::stat(path).ok()?;
        let metadata = file.metadata().ok()?;
        if !secure_fs::is_ours(&metadata) || !metadata.is_file() {
            return None;
        }
        let head = Head::read(&file)?;
        (head.key == FileIdentity::new(layer, path, &stat).0).then_some((file, head))
    }

    /// Returns true if there is a cached form of the file at `path`, so that the file existed then.
    pub(crate) fn knows(&self, layer: Layer, path: &Path) -> bool {
        self.place(layer, path).exists()
    }

    /// Keeps nothing of the file at `path` any more.
    pub(crate) fn forget(&self, layer: Layer, path: &Path) {
        // Another process may remove it at the same time.
        let _ = fs::remove_file(self.place(layer, path));
    }

    /// Keeps `config` for later processes. Whether that succeeds makes no difference to the answer, only to the time.
    pub(crate) fn write(&self, config: &Config, stat: &Stat) -> io::Result<()> {
        self.write_at(config, stat, i64::try_from(now()).unwrap_or_default())
    }

    fn write_at(&self, config: &Config, stat: &Stat, now: i64) -> io::Result<()> {
        if now - stat.st_ctime.max(stat.st_mtime) < SETTLED {
            return Ok(());
        }
        // A home directory that does not exist is not created.
        if !secure_fs::is_below_something(&self.directory) {
            return Ok(());
        }
        secure_fs::directory(&self.directory)?;
        let bytes = compile(config, &FileIdentity::new(config.layer, &config.path, stat));
        secure_fs::replace(&self.place(config.layer, &config.path), &bytes)
    }
}

/// The part before the hooks.
struct Head {
    key: Value,
    fields: Value,
    /// The start of the sections.
    end: u64,
}

impl Head {
    fn read(file: &File) -> Option<Self> {
        let mut first = [0_u8; 4096];
        let length = file.read_at(&mut first, 0).ok()?;
        let size = usize::try_from(number(first.get(..4)?)?).ok()?;
        let end = size.checked_add(4)?;
        let fields: Value = if end <= length {
            serde_json::from_slice(first.get(4..end)?).ok()?
        } else {
            serde_json::from_slice(&read_at(file, 4, u64::try_from(size).ok()?)?).ok()?
        };
        Some(Self { key: fields.get("key")?.clone(), end: u64::try_from(end).ok()?, fields })
    }

    /// Returns the place of an event's hooks: the offset after the head, and the length of the index.
    fn section(&self, event: EventName) -> Option<(u64, u64)> {
        let section = self.fields.get("sections")?.get(event.as_str())?;
        Some((section.get(0)?.as_u64()?, section.get(1)?.as_u64()?))
    }

    /// Adds the rules, exceptions and allow rules. They are read only for events that they can be about, so they come after all hooks.
    fn add_rules(&self, file: &File, layer: Layer, content: &mut FileContent) -> Option<()> {
        content.rules = self.list(file, "rules", |value| {
            let mut ids = BTreeSet::new();
            written::read(layer, &RULE, value, |reader, fields| reader.rule(fields, &mut ids))
                .map(|(rule, _)| rule)
        })?;
        content.exceptions = self.list(file, "exceptions", |value| {
            written::read(layer, &EXCEPTION, value, |reader, fields| reader.exception(fields))
        })?;
        content.allow_rules = self.list(file, "allow_rules", |value| {
            written::read(layer, &ALLOW, value, |reader, fields| reader.allow_rule(fields))
        })?;
        content.grades = self.list(file, "grades", |value| {
            written::read(layer, &GRADE, value, |reader, fields| reader.grade(fields))
        })?;
        Some(())
    }

    fn settings(&self, layer: Layer) -> Option<Settings> {
        written::read(layer, &FILE, self.fields.get("settings")?, |reader, mut fields| {
            Some(reader.settings(&mut fields))
        })
    }

    fn list<T>(&self, file: &File, key: &str, of: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
        let place = self.fields.get(key)?;
        let (at, length) = (place.get(0)?.as_u64()?, place.get(1)?.as_u64()?);
        if length == 0 {
            return Some(Vec::new());
        }
        let list: Vec<Value> =
            serde_json::from_slice(&read_at(file, self.end.checked_add(at)?, length)?).ok()?;
        list.iter().map(of).collect()
    }
}

/// The hooks of one event: rows of (hash of a tool's name or kind, hook), sorted; hooks that must always be looked at;
/// and where each hook is.
struct Section {
    /// The start of the hooks themselves.
    hooks_at: u64,
    named: Vec<u8>,
    others: Vec<u8>,
    places: Vec<u8>,
}

const ROW: usize = 12;

impl Section {
    fn read(file: &File, at: u64, length: u64) -> Option<Self> {
        let index = read_at(file, at, length)?;
        let mut rest = index.get(..)?;
        let mut part = |width: usize| {
            let (count, after) = rest.split_at_checked(4)?;
            let count = usize::try_from(number(count)?).ok()?;
            let (rows, after) = after.split_at_checked(count.checked_mul(width)?)?;
            rest = after;
            Some(rows.to_vec())
        };
        Some(Self {
            named: part(ROW)?,
            others: part(4)?,
            places: part(8)?,
            hooks_at: at.checked_add(length)?,
        })
    }

    /// The hooks that may concern a call, in the order of configuration.
    fn candidates(&self, call: Option<&ToolCall>) -> Option<Vec<u32>> {
        let mut candidates: Vec<u32> = self.others.chunks_exact(4).map(number).collect::<Option<_>>()?;
        if let Some(call) = call {
            let names = [Some(call.name.as_str()), call.host_name.as_deref()];
            let hashes = names.into_iter().flatten().map(name_hash).chain([kind_hash(call.kind.as_str())]);
            for hash in hashes {
                candidates.extend(self.of(hash)?);
            }
        }
        candidates.small_sort();
        candidates.dedup();
        Some(candidates)
    }

    fn of(&self, hash: u64) -> Option<Vec<u32>> {
        let rows: &[[u8; ROW]] = self.named.as_chunks().0;
        let hash_of = |row: &[u8; ROW]| row.first_chunk().copied().map(u64::from_le_bytes);
        let first = rows.partition_point(|row| hash_of(row) < Some(hash));
        let same = rows.get(first..)?.iter().take_while(|row| hash_of(row) == Some(hash));
        same.map(|row| number(row.get(8..)?)).collect()
    }

    fn hook(&self, file: &File, layer: Layer, place: u32) -> Option<HookDefinition> {
        let row = self.places.chunks_exact(8).nth(usize::try_from(place).ok()?)?;
        let (at, length) = row.split_at_checked(4)?;
        let at = self.hooks_at.checked_add(number(at)?.into())?;
        let value = serde_json::from_slice(&read_at(file, at, number(length)?.into())?).ok()?;
        written::read_hook(layer, &value)
    }
}

fn read_at(file: &File, at: u64, length: u64) -> Option<Vec<u8>> {
    // A broken file may claim any length, so memory is reserved only for bytes that exist.
    if at.checked_add(length)? > file.metadata().ok()?.len() {
        return None;
    }
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.read_exact_at(&mut bytes, at).ok()?;
    Some(bytes)
}

fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().copied().map(u32::from_le_bytes)
}

fn name_hash(name: &str) -> u64 {
    fnv(name.as_bytes())
}

/// No tool is called like this.
fn kind_hash(kind: &str) -> u64 {
    fnv(format!("kind:{kind}").as_bytes())
}

fn fnv(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn compile(config: &Config, key: &FileIdentity) -> Vec<u8> {
    let mut events: BTreeMap<&str, Vec<&HookDefinition>> = BTreeMap::new();
    for hook in &config.content.hooks {
        events.entry(hook.event.as_str()).or_default().push(hook);
    }
    let mut sections = Vec::new();
    let mut places = serde_json::Map::new();
    for (event, hooks) in events {
        let (index, blobs) = section(&hooks);
        places.insert(event.to_owned(), json!([sections.len(), index.len()]));
        sections.extend(index);
        sections.extend(blobs);
    }
    let mut append = |list: Vec<Value>| {
        let text = if list.is_empty() { String::new() } else { Value::from(list).to_string() };
        let place = json!([sections.len(), text.len()]);
        sections.extend(text.into_bytes());
        place
    };
    let content = &config.content;
    let rules = append(content.rules.iter().map(written::rule).collect());
    let exceptions = append(content.exceptions.iter().map(written::exception).collect());
    let allow_rules = append(content.allow_rules.iter().map(written::allow_rule).collect());
    let grades = append(content.grades.iter().map(written::grade).collect());
    let runs =
        append(hook_files::words(&content.hooks, config.directory()).into_iter().map(Value::from).collect());
    let head = json!({
        "key": key.0,
        "digest": config.digest,
        "runs": runs,
        "rules": rules,
        "exceptions": exceptions,
        "allow_rules": allow_rules,
        "grades": grades,
        "settings": written::compact(&FILE, content.settings.to_json()),
        "sections": places,
    })
    .to_string();
    let mut bytes = little(head.len()).to_vec();
    bytes.extend(head.into_bytes());
    bytes.extend(sections);
    bytes
}

fn section(hooks: &[&HookDefinition]) -> (Vec<u8>, Vec<u8>) {
    let mut named: Vec<(u64, usize)> = Vec::new();
    let mut others: Vec<usize> = Vec::new();
    let mut places = Vec::new();
    let mut blobs = Vec::new();
    for (index, hook) in hooks.iter().enumerate() {
        match hook
            .asked()
            .tools()
            .and_then(|tools| tools.iter().map(|tool| tool.exactly()).collect::<Option<Vec<_>>>())
        {
            Some(exact) => named.extend(exact.into_iter().map(|text| (fnv(text.as_bytes()), index))),
            None => others.push(index),
        }
        let blob = written::hook(hook).to_string();
        places.extend(little(blobs.len()));
        places.extend(little(blob.len()));
        blobs.extend(blob.into_bytes());
    }
    named.small_sort();
    let mut index = little(named.len()).to_vec();
    for (hash, hook) in named {
        index.extend(hash.to_le_bytes());
        index.extend(little(hook));
    }
    index.extend(little(others.len()));
    index.extend(others.into_iter().flat_map(little));
    index.extend(little(hooks.len()));
    index.extend(places);
    (index, blobs)
}

/// Configurations are far smaller than this can count.
fn little(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}
