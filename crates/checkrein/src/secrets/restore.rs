//! A file whose values a model has seen as tags can still be written: the tags become the values of the version before.
//!
//! Before the tool, the last version of the file is kept in the state directory. After it, each tag in the file becomes the value
//! that it replaced in that version, and the copy is removed. Only tags of that very file come back: a value goes nowhere that it
//! was not.

use super::{NAME, Secrets, known};
use crate::state::{self, secure_fs};
use checkrein_core::{Payload, ToolCall, ToolKind, Verdict};
use checkrein_guard::{Action, CallContext, FileAccess, Judgement, Target, ToolCommand, World};
use checkrein_secrets::{Key, Redactor, Scanner, tags};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// The arguments that hold text that must be in a file already.
const OLD: &[&str] = &["old_string", "oldString", "old_str", "old_text", "search"];
/// The time for which the copy is kept if the end of the call is never reported.
const LIFE: Duration = Duration::from_secs(24 * 60 * 60);
const MOST: usize = 200;
/// The number of characters of a tag that depend on the value.
const DIGEST: usize = 7;

/// Judges a call with tags in its input. `None`: nothing is to be said about them.
pub(super) fn before(
    secrets: &Secrets,
    payload: &Payload,
    call: &ToolCall,
    judgement: &Judgement,
    place: &CallContext,
    world: &dyn World,
) -> Option<Verdict> {
    let cwd = place.cwd.as_deref().map(Path::new).unwrap_or(Path::new(""));
    let writes = writes(call, judgement, cwd);
    if call.kind == ToolKind::Shell && writes.is_empty() {
        return Some(Verdict::deny(super::handles::elsewhere(secrets)));
    }
    if writes.is_empty() {
        return None;
    }
    let first = |text: &String| tags(text).next().and_then(|tag| text.get(tag)).map(str::to_owned);
    if let Some(old) = old_texts(call).iter().find_map(first) {
        return Some(Verdict::deny(format!(
            "the old text has `{old}` in it, which is a tag and not what the file has there. Choose old text without the tag: another \
             line, or only the name before the value. To rewrite the line with the tag, write the whole file and leave the tags in it"
        )));
    }
    let ends_unseen = !secrets.reports_end || goes_on(call, place, judgement, world);
    let kept = match last_versions(secrets, writes, ends_unseen) {
        Ok(kept) => kept,
        Err(reason) => return Some(Verdict::deny(reason)),
    };
    let state = secrets.state.as_deref()?;
    for (number, (path, current)) in kept.iter().enumerate() {
        if let Err(error) = keep(state, &call_name(payload, call), number, path, current) {
            return Some(Verdict::deny(format!(
                "the last version cannot be kept until the values are put back: {error}"
            )));
        }
    }
    None
}

/// Returns the files that are written with tags, each with the text that has the values now; an error is the reason for a denial.
/// `ends_unseen`: the agent does not report the end of this call.
fn last_versions(
    secrets: &Secrets,
    writes: Vec<(PathBuf, String)>,
    ends_unseen: bool,
) -> Result<Vec<(PathBuf, String)>, String> {
    let key = secrets.key().map_err(|_| "there is no key for tags, so the values cannot be put back")?;
    let redactor = Redactor::new(Scanner::new(), key.clone());
    let mut kept = Vec::new();
    for (path, content) in writes {
        let wanted: Vec<&str> = tags(&content).filter_map(|tag| content.get(tag)).collect();
        let Some(tag) = wanted.first() else { continue };
        let current = known::text(&path);
        let values = current.as_deref().map(|text| values(&redactor, &key, &path, text)).unwrap_or_default();
        if let Some(foreign) = wanted.iter().find(|tag| !values.contains_key(digest_of(tag))) {
            return Err(format!(
                "`{foreign}` is a tag for a value that `{}` does not have; a value can only be put back where it was. \
                 Refer to the value by the name of its variable instead",
                path.display(),
            ));
        }
        if ends_unseen {
            return Err(format!(
                "`{tag}` is a tag, and this agent does not report when such a call ends, so the value cannot be put back. \
                 Change only lines without a tag, or write the file with a tool for files"
            ));
        }
        let Some(current) = current.filter(|_| secrets.remembers) else {
            return Err(format!(
                "`{tag}` is a tag, and its value cannot be put back here; change other lines only"
            ));
        };
        kept.push((path, current));
    }
    Ok(kept)
}

/// Puts values back after a call, and returns messages about what went wrong.
pub(super) fn after(secrets: &Secrets, payload: &Payload) -> Vec<String> {
    let Some((state, call)) = secrets.state.as_deref().zip(payload.event.call()) else { return Vec::new() };
    let directory = directory(state);
    let start = call_name(payload, call);
    // Almost always there is no such directory.
    let copies: Vec<PathBuf> = secure_fs::entries(&directory)
        .into_iter()
        .filter(|path| {
            path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(&start))
        })
        .collect();
    let mut told = Vec::new();
    for copy in copies {
        match restore(secrets, &copy) {
            // A copy that is left behind is removed when it is old.
            Ok(()) => drop(fs::remove_file(&copy)),
            Err(error) => told.push(format!(
                "{NAME}: the file has tags in place of its values ({error}); its last version is in `{}`",
                copy.display(),
            )),
        }
    }
    told
}

/// Returns whether a part of a shell call goes on after the event about its end.
fn goes_on(call: &ToolCall, place: &CallContext, judgement: &Judgement, world: &dyn World) -> bool {
    let Some(ToolCommand::Shell(text)) = ToolCommand::of(call) else { return false };
    super::text::goes_on(&super::text::script(text, place, world), judgement)
}

/// The files that a call would write, with the text in which tags may be.
fn writes(call: &ToolCall, judgement: &Judgement, cwd: &Path) -> Vec<(PathBuf, String)> {
    let is_write =
        |action: Action| matches!(action, Action::Write | Action::Append | Action::Create | Action::Truncate);
    if call.kind == ToolKind::Shell {
        let text: String = ["command", "cmd", "script"].iter().filter_map(|key| call.text(key)).collect();
        let mut paths: Vec<PathBuf> = judgement
            .effects
            .iter()
            .filter(|effect| is_write(effect.action))
            .filter_map(|effect| {
                if let Target::Path(path) = &effect.target { Some(cwd.join(&path.path)) } else { None }
            })
            .filter(|path| path.is_file())
            .collect();
        paths.dedup();
        return paths.into_iter().map(|path| (path, text.clone())).collect();
    }
    FileAccess::of(call)
        .into_iter()
        .filter(|access| is_write(access.action))
        .map(|access| (cwd.join(access.path.as_ref()), access.content.unwrap_or_default().into_owned()))
        .collect()
}

/// The texts of a call that must be in the file already.
fn old_texts(call: &ToolCall) -> Vec<String> {
    let mut texts = Vec::new();
    let mut left: Vec<(&str, &Value)> = call.input.iter().map(|(key, value)| (key.as_str(), value)).collect();
    while let Some((key, value)) = left.pop() {
        match value {
            Value::String(text) if OLD.contains(&key) => texts.push(text.clone()),
            // The lines of a patch that are not new.
            Value::String(text) if text.trim_start().starts_with("*** Begin Patch") => {
                texts.extend(text.lines().filter(|line| line.starts_with(['-', ' '])).map(str::to_owned));
            }
            Value::Array(items) => left.extend(items.iter().map(|item| (key, item))),
            Value::Object(members) => left.extend(members.iter().map(|(key, value)| (key.as_str(), value))),
            Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    texts
}

/// The values of a file by the digests of their tags, as any of our answers may have shown them.
fn values(redactor: &Redactor, key: &Key, path: &Path, text: &str) -> BTreeMap<String, String> {
    let shown = path.to_string_lossy();
    let found = redactor.file(&shown, text).1.into_iter().chain(redactor.text(text).1);
    let mut values: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |value: &str| {
        let tag = key.tag("value", value.as_bytes());
        values.insert(digest_of(&tag).to_owned(), value.to_owned());
    };
    found.filter_map(|finding| text.get(finding.range)).for_each(&mut add);
    values
}

/// The part of a tag that depends on the value alone: the kind is a guess that may differ with what is around the value.
fn digest_of(tag: &str) -> &str {
    tag.len().checked_sub(DIGEST).and_then(|at| tag.get(at..)).unwrap_or(tag)
}

/// Writes the values of the version in `copy` into the file that it is of.
fn restore(secrets: &Secrets, copy: &Path) -> io::Result<()> {
    let kept = fs::read_to_string(copy)?;
    let (path, before) = kept.split_once('\0').ok_or_else(|| io::Error::other("the copy is not whole"))?;
    // Through a link to the file itself, so that the link stays.
    let path = fs::canonicalize(path)?;
    let now = fs::read_to_string(&path)?;
    let key = secrets.key()?;
    let redactor = Redactor::new(Scanner::new(), key.clone());
    let values = values(&redactor, &key, &path, before);
    let (mut whole, mut at) = (String::with_capacity(now.len()), 0);
    for tag in tags(&now) {
        let Some(value) = now.get(tag.clone()).and_then(|tag| values.get(digest_of(tag))) else { continue };
        whole.push_str(now.get(at..tag.start).unwrap_or_default());
        whole.push_str(value);
        at = tag.end;
    }
    whole.push_str(now.get(at..).unwrap_or_default());
    if whole == now { Ok(()) } else { replace(&path, whole.as_bytes()) }
}

/// Replaces a file as a whole, with the same permissions and times: an agent that compares them would read it again.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let metadata = path.metadata()?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let unfinished = path.with_file_name(format!(".{name}.checkrein-{}", std::process::id()));
    let written = secure_fs::write_new(&unfinished, bytes, metadata.permissions().mode() & 0o7777)
        .and_then(|()| fs::File::options().write(true).open(&unfinished)?.set_modified(metadata.modified()?))
        .and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn keep(state: &Path, call: &str, number: usize, path: &Path, text: &str) -> io::Result<()> {
    let directory = directory(state);
    secure_fs::directory(&directory)?;
    state::prune(&directory, MOST, LIFE);
    let path = path.to_str().ok_or_else(|| io::Error::other("its path is not text"))?;
    secure_fs::replace(&directory.join(format!("{call}-{number}")), format!("{path}\0{text}").as_bytes())
}

fn directory(state: &Path) -> PathBuf {
    state.join("unfinished-writes")
}

/// A name for a call that its events share.
fn call_name(payload: &Payload, call: &ToolCall) -> String {
    let session = payload.session.id.as_deref().unwrap_or_default();
    let digest = Sha256::new().chain_update(session).chain_update([0]);
    let digest = match &call.id {
        Some(id) => digest.chain_update(id),
        None => digest.chain_update(&call.name).chain_update(Value::Object(call.input.clone()).to_string()),
    };
    digest.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}
