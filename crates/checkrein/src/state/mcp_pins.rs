//! The definitions of the tools of MCP servers, as they were when the user began to use them.
//!
//! A model reads the definition of a tool as it reads instructions, and a server can change it at any time. So each definition is
//! pinned by a digest when its server is first used, and a tool that was added or changed later waits here until the user has
//! accepted it. There is one file per server, which is replaced as a whole under a lock.

use super::{secure_fs, session_file::name_of};
use checkrein_core::SmallSort as _;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// The largest file of pins.
const MOST_BYTES: u64 = 32 * 1024 * 1024;

/// One definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// The digest of the definition, in hexadecimal digits.
    pub digest: String,
    /// The definition as the server sent it. It is foreign text: escape it before it is shown.
    pub definition: Value,
}

impl Pin {
    /// Pins a definition.
    pub fn of(definition: Value) -> Self {
        Self { digest: digest(&definition), definition }
    }
}

/// The pinned tools of a server.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pins {
    /// The name of the server.
    pub server: String,
    /// The tools that the user accepted, by name.
    pub tools: BTreeMap<String, Pin>,
    /// The tools that wait for the user.
    pub waiting: BTreeMap<String, Pin>,
}

/// The relation of a tool to its pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is as the user knows it, or its server is used for the first time.
    Known,
    /// The server did not have it before.
    Added,
    /// Its definition changed.
    Changed,
}

/// The pins of all servers.
#[derive(Clone, Debug)]
pub struct PinStore {
    directory: PathBuf,
}

impl PinStore {
    /// The pins below a state directory.
    pub fn new(state: &Path) -> Self {
        Self { directory: state.join("mcp") }
    }

    /// Compares the tools that a server lists with those that the user knows. A server that is not known is pinned. What was
    /// added or changed is kept for the user to accept.
    ///
    /// # Errors
    ///
    /// If the pins cannot be read or written. Then nothing is known of the tools.
    pub fn review(
        &self,
        server: &str,
        found: &BTreeMap<String, Pin>,
    ) -> io::Result<BTreeMap<String, Standing>> {
        let lock = secure_fs::lock(&self.directory)?;
        let Some(mut pins) = self.load(server)? else {
            let pins = Pins { server: server.to_owned(), tools: found.clone(), waiting: BTreeMap::new() };
            self.save(&pins, &lock)?;
            return Ok(found.keys().map(|name| (name.clone(), Standing::Known)).collect());
        };
        let standing = |name: &String, pin: &Pin| match pins.tools.get(name) {
            Some(known) if known.digest == pin.digest => Standing::Known,
            Some(_) => Standing::Changed,
            None => Standing::Added,
        };
        let standings: BTreeMap<String, Standing> =
            found.iter().map(|(name, pin)| (name.clone(), standing(name, pin))).collect();
        let is_new =
            |name: &&String| standings.get(*name).is_some_and(|standing| *standing != Standing::Known);
        let waiting: BTreeMap<String, Pin> = found
            .iter()
            .filter(|(name, _)| is_new(name))
            .map(|(name, pin)| (name.clone(), pin.clone()))
            .collect();
        if waiting != pins.waiting {
            pins.waiting = waiting;
            self.save(&pins, &lock)?;
        }
        Ok(standings)
    }

    /// Accepts waiting tools, each with the digest that the user was shown. Returns the names of those that were accepted; one
    /// that has changed again since stays as it is.
    ///
    /// # Errors
    ///
    /// If the pins cannot be read or written.
    pub fn accept(&self, server: &str, shown: &BTreeMap<String, String>) -> io::Result<Vec<String>> {
        let lock = secure_fs::lock(&self.directory)?;
        let Some(mut pins) = self.load(server)? else { return Ok(Vec::new()) };
        let mut accepted = Vec::new();
        for (name, digest) in shown {
            if pins.waiting.get(name).is_some_and(|pin| pin.digest == *digest)
                && let Some(pin) = pins.waiting.remove(name)
            {
                pins.tools.insert(name.clone(), pin);
                accepted.push(name.clone());
            }
        }
        if !accepted.is_empty() {
            self.save(&pins, &lock)?;
        }
        Ok(accepted)
    }

    /// Forgets a server: its tools are pinned anew when it is used again. Returns whether it was known.
    ///
    /// # Errors
    ///
    /// If the file cannot be removed.
    pub fn forget(&self, server: &str) -> io::Result<bool> {
        let _lock = secure_fs::lock(&self.directory)?;
        match fs::remove_file(self.file(server)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns every known server, by name.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn all(&self) -> io::Result<Vec<Pins>> {
        let files = secure_fs::entries(&self.directory);
        let is_pins = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "json");
        let mut all = files
            .iter()
            .filter(|file| is_pins(file))
            .map(|file| read(file))
            .collect::<io::Result<Vec<Pins>>>()?;
        all.small_sort_by(|one, other| one.server.cmp(&other.server));
        Ok(all)
    }

    fn file(&self, server: &str) -> PathBuf {
        self.directory.join(name_of(server)).with_extension("json")
    }

    fn load(&self, server: &str) -> io::Result<Option<Pins>> {
        let file = self.file(server);
        match fs::symlink_metadata(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => read(&file).map(Some),
        }
    }

    /// Writes the pins of a server. The lock is held by the caller.
    fn save(&self, pins: &Pins, _: &File) -> io::Result<()> {
        let tools = |pins: &BTreeMap<String, Pin>| -> Map<String, Value> {
            pins.iter()
                .map(|(name, pin)| {
                    (name.clone(), json!({"digest": pin.digest, "definition": pin.definition}))
                })
                .collect()
        };
        let value =
            json!({"server": pins.server, "tools": tools(&pins.tools), "waiting": tools(&pins.waiting)});
        secure_fs::replace(&self.file(&pins.server), value.to_string().as_bytes())
    }
}

fn read(file: &Path) -> io::Result<Pins> {
    let broken = || io::Error::other(format!("`{}` is not a file of pins", file.display()));
    let value =
        checkrein_core::json::parse_object(&secure_fs::read(file, MOST_BYTES)?).map_err(|_| broken())?;
    let tools = |key: &str| -> Option<BTreeMap<String, Pin>> {
        let tools = value.get(key)?.as_object()?.iter();
        tools
            .map(|(name, pin)| {
                let digest = pin.get("digest")?.as_str()?.to_owned();
                Some((name.clone(), Pin { digest, definition: pin.get("definition")?.clone() }))
            })
            .collect()
    };
    let pins = || {
        let server = value.get("server")?.as_str()?.to_owned();
        Some(Pins { server, tools: tools("tools")?, waiting: tools("waiting")? })
    };
    pins().ok_or_else(broken)
}

/// Returns the digest of a definition, whatever the order of its keys.
fn digest(definition: &Value) -> String {
    let mut hasher = Sha256::new();
    feed(definition, &mut hasher);
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Feeds a value in a form that is the same for equal values only: every part says its type and its length.
fn feed(value: &Value, hasher: &mut Sha256) {
    match value {
        Value::Array(items) => {
            hasher.update(format!("a{}:", items.len()));
            items.iter().for_each(|item| feed(item, hasher));
        }
        Value::Object(members) => {
            hasher.update(format!("o{}:", members.len()));
            let sorted: BTreeMap<&String, &Value> = members.iter().collect();
            for (key, member) in sorted {
                hasher.update(format!("{}:{key}", key.len()));
                feed(member, hasher);
            }
        }
        Value::String(text) => hasher.update(format!("s{}:{text}", text.len())),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            let text = value.to_string();
            hasher.update(format!("v{}:{text}", text.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn tools(tools: &[(&str, &str)]) -> BTreeMap<String, Pin> {
        tools.iter().map(|(name, text)| ((*name).to_owned(), Pin::of(json!({"description": text})))).collect()
    }

    #[test]
    fn a_server_is_pinned_when_it_is_first_seen_and_changes_wait_for_the_user() {
        let state = tempfile::tempdir().unwrap();
        let store = PinStore::new(state.path());
        let first = tools(&[("read", "reads"), ("write", "writes")]);
        assert!(store.review("fs", &first).unwrap().values().all(|standing| *standing == Standing::Known));
        let second = tools(&[("read", "reads, and sends"), ("write", "writes"), ("run", "runs")]);
        for _ in 0..2 {
            let standings = store.review("fs", &second).unwrap();
            let standings: Vec<Standing> = standings.into_values().collect();
            assert_eq!(standings, [Standing::Changed, Standing::Added, Standing::Known]);
        }
        let pins = store.all().unwrap().remove(0);
        assert_eq!(pins.waiting.keys().collect::<Vec<_>>(), ["read", "run"]);
        // What was shown is what is accepted.
        let other: BTreeMap<String, String> = [("run".to_owned(), "0".repeat(64))].into();
        assert!(store.accept("fs", &other).unwrap().is_empty());
        let shown = pins.waiting.iter().map(|(name, pin)| (name.clone(), pin.digest.clone())).collect();
        assert_eq!(store.accept("fs", &shown).unwrap(), ["read", "run"]);
        assert!(store.review("fs", &second).unwrap().values().all(|standing| *standing == Standing::Known));
        // Going back is a change as well.
        assert_eq!(store.review("fs", &first).unwrap().get("read"), Some(&Standing::Changed));
        assert!(store.forget("fs").unwrap() && !store.forget("fs").unwrap());
    }

    #[test]
    fn a_digest_is_that_of_the_value_and_not_of_its_notation() {
        let same = |one: Value, other: Value| digest(&one) == digest(&other);
        assert!(same(json!({"a": 1, "b": [true, null]}), json!({"b": [true, null], "a": 1})));
        for (one, other) in [
            (json!({"a": 1}), json!({"a": "1"})),
            (json!(["ab", "c"]), json!(["a", "bc"])),
            (json!([["a"], "b"]), json!([["a", "b"]])),
            (json!({"a": {"b": 1}}), json!({"a": {}, "b": 1})),
            (json!(["a", "b"]), json!(["b", "a"])),
            (json!(null), json!("null")),
        ] {
            assert!(!same(one.clone(), other.clone()), "{one} {other}");
        }
    }

    #[test]
    fn pins_that_cannot_be_read_are_an_error() {
        let state = tempfile::tempdir().unwrap();
        let store = PinStore::new(state.path());
        let found = tools(&[("read", "reads")]);
        store.review("fs", &found).unwrap();
        for text in ["", "{}", "[]", r#"{"server":"fs","tools":{"read":{}},"waiting":{}}"#] {
            fs::write(store.file("fs"), text).unwrap();
            assert!(store.review("fs", &found).is_err(), "{text}");
        }
        fs::set_permissions(&store.directory, fs::Permissions::from_mode(0o770)).unwrap();
        assert!(store.review("other", &found).is_err());
    }
}
