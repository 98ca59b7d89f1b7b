//! Conversations on disk: one file each, replaced atomically, so that none is ever half written.

use crate::model::Message;
use checkrein_harness::checkrein::variable;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    fs,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

/// A saved session.
#[derive(Default, Deserialize, Serialize)]
struct Saved {
    messages: Vec<Message>,
    /// A record of each call: as the model sent it, and as it ran.
    records: Vec<Value>,
}

/// The place of this session on disk.
pub(crate) struct Store {
    id: String,
    file: Option<PathBuf>,
    resumed: bool,
    earlier: Saved,
}

impl Store {
    /// Opens a new session, or the one to resume.
    pub(crate) fn open(directory: Option<PathBuf>, resume: Option<&str>) -> Result<Self, String> {
        let directory = directory.or_else(default_directory);
        let Some(wanted) = resume else {
            let id = new_id();
            let file = directory.map(|directory| directory.join(format!("{id}.json")));
            return Ok(Self { id, file, resumed: false, earlier: Saved::default() });
        };
        let directory =
            directory.ok_or("there is no directory of saved sessions; name one with `--sessions`")?;
        let id = if wanted == "latest" { latest(&directory)? } else { wanted.to_owned() };
        if !id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("`{id}` is no id of a session"));
        }
        let file = directory.join(format!("{id}.json"));
        let text = fs::read_to_string(&file).map_err(|error| format!("no session `{id}`: {error}"))?;
        let earlier = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { id, file: Some(file), resumed: true, earlier })
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) const fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Returns the conversation so far.
    pub(crate) fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.earlier.messages)
    }

    /// Saves the session. If that fails, it reports the error and the session goes on.
    pub(crate) fn keep(&self, messages: &[Message], records: &[Value]) {
        let Some(file) = &self.file else { return };
        let records = self.earlier.records.iter().chain(records).cloned().collect();
        let saved = Saved { messages: messages.to_vec(), records };
        let write = || -> Result<(), String> {
            let text = serde_json::to_string_pretty(&saved).map_err(|error| error.to_string())?;
            let directory = file.parent().ok_or("it has no directory")?;
            // Conversations are private.
            fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(directory)
                .map_err(|error| error.to_string())?;
            let new = file.with_extension("new");
            let mut options = fs::OpenOptions::new();
            options.write(true).create(true).truncate(true).mode(0o600);
            let mut out = options.open(&new).map_err(|error| error.to_string())?;
            out.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
            fs::rename(&new, file).map_err(|error| error.to_string())
        };
        if let Err(why) = write() {
            crate::view::remark(&format!("the session cannot be saved: {}: {why}", file.display()));
        }
    }
}

fn default_directory() -> Option<PathBuf> {
    let state = variable("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    state.or_else(home).map(|state| state.join("mini-agent/sessions"))
}

fn new_id() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{:06}-{}", now.as_secs(), now.subsec_micros(), std::process::id())
}

fn latest(directory: &PathBuf) -> Result<String, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let times = entries.flatten().filter_map(|entry| {
        let path = entry.path();
        let id = path.file_stem()?.to_str()?.to_owned();
        let is_session = path.extension().is_some_and(|extension| extension == "json");
        is_session.then(|| Some((entry.metadata().ok()?.modified().ok()?, id))).flatten()
    });
    times.max().map(|(_, id)| id).ok_or_else(|| format!("there is no session in `{}`", directory.display()))
}
