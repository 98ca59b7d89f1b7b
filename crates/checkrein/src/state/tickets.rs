//! Tickets: each lets `checkrein run` give a program a secret, once. Only the hook writes them, under the key of this machine.
//!
//! A ticket is bound to the session, the directory, the program, its arguments, its environment and the tags, by a keyed digest over
//! all of it. The hook checks it when the rewritten call comes back, and `checkrein run` checks it and takes it away.

use super::{now, prune, secure_fs};
use checkrein_secrets::Key;
use serde_json::{Value, json};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// Maximum number of tickets, and how long one is valid: as long as a user may take to answer the agent's question.
const MOST: usize = 500;
const LIFE: Duration = Duration::from_secs(2 * 3600);
const LONGEST: u64 = 1024 * 1024;

/// The call that a ticket is for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticket {
    pub(crate) session: String,
    pub(crate) directory: String,
    /// The words on the command line after `--`: the program by its path, and its words with the tags.
    pub(crate) words: Vec<String>,
    /// The words before that: each tag and how its value is passed.
    pub(crate) secrets: Vec<String>,
    /// Everything else that `checkrein run` does: an object without values of secrets.
    pub(crate) plan: Value,
}

impl Ticket {
    fn bytes(&self, id: &str, made: u64) -> Vec<u8> {
        let all = json!({
            "id": id, "made": made, "session": self.session, "directory": self.directory, "words": self.words, "secrets": self.secrets,
            "plan": self.plan,
        });
        format!("checkrein ticket\n{all}").into_bytes()
    }
}

fn directory(state: &Path) -> PathBuf {
    state.join("tickets")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a ticket and returns its id.
pub(crate) fn issue(state: &Path, key: &Key, random: [u8; 12], ticket: &Ticket) -> io::Result<String> {
    let directory = directory(state);
    secure_fs::directory(&directory)?;
    prune(&directory, MOST, LIFE);
    let (id, made) = (hex(&random), now());
    let digest = hex(&key.digest(&ticket.bytes(&id, made)));
    let text = json!({
        "made": made, "session": ticket.session, "directory": ticket.directory, "words": ticket.words, "secrets": ticket.secrets,
        "plan": ticket.plan, "digest": digest,
    });
    secure_fs::create_new(&directory.join(&id))
        .and_then(|mut file| io::Write::write_all(&mut file, text.to_string().as_bytes()))?;
    Ok(id)
}

/// Returns the ticket of an id, if the hook wrote it on this machine and it is not too old.
pub(crate) fn read(state: &Path, key: &Key, id: &str) -> Option<Ticket> {
    is_id(id).then(|| parsed(&directory(state).join(id), key, id)).flatten()
}

/// Returns the ticket of an id and takes it away. Of several processes, one gets it.
pub(crate) fn take(state: &Path, key: &Key, id: &str) -> Option<Ticket> {
    let (directory, used) = (directory(state), format!("{id}.used-{}", std::process::id()));
    let used = directory.join(used);
    if !is_id(id) || fs::rename(directory.join(id), &used).is_err() {
        return None;
    }
    let ticket = parsed(&used, key, id);
    // It has another name already, so that nothing finds it.
    let _ = fs::remove_file(&used);
    ticket
}

fn is_id(id: &str) -> bool {
    id.len() == 24 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn parsed(file: &Path, key: &Key, id: &str) -> Option<Ticket> {
    if !file.parent().is_some_and(secure_fs::is_our_directory) {
        return None;
    }
    let value: Value = serde_json::from_slice(&secure_fs::read(file, LONGEST).ok()?).ok()?;
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let texts = |key: &str| {
        let list = value.get(key)?.as_array()?.iter().map(|word| word.as_str().map(str::to_owned));
        list.collect::<Option<Vec<String>>>()
    };
    let made = value.get("made")?.as_u64()?;
    let ticket = Ticket {
        session: text("session")?,
        directory: text("directory")?,
        words: texts("words")?,
        secrets: texts("secrets")?,
        plan: value.get("plan")?.clone(),
    };
    let is_ours = hex(&key.digest(&ticket.bytes(id, made))) == text("digest")?;
    let age = now().checked_sub(made)?;
    (is_ours && age <= LIFE.as_secs()).then_some(ticket)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket() -> Ticket {
        Ticket {
            session: "s".into(),
            directory: "/p".into(),
            words: vec!["/bin/gh".into(), "api".into()],
            secrets: vec!["secret_value_aaaaaaa=GH_TOKEN".into()],
            plan: json!({"environment": []}),
        }
    }

    #[test]
    fn a_ticket_is_used_once() {
        let (state, key) = (tempfile::tempdir().unwrap(), Key::new([7; 32]));
        let id = issue(state.path(), &key, [1; 12], &ticket()).unwrap();
        assert_eq!(read(state.path(), &key, &id), Some(ticket()));
        assert_eq!(take(state.path(), &key, &id), Some(ticket()));
        assert_eq!(take(state.path(), &key, &id), None);
        assert_eq!(read(state.path(), &key, &id), None);
        assert_eq!(fs::read_dir(directory(state.path())).unwrap().count(), 0);
    }

    #[test]
    fn of_many_processes_one_gets_it() {
        let (state, key) = (tempfile::tempdir().unwrap(), Key::new([7; 32]));
        let id = issue(state.path(), &key, [1; 12], &ticket()).unwrap();
        let taken: usize = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| take(state.path(), &key, &id).is_some())).collect();
            threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum()
        });
        assert_eq!(taken, 1);
    }

    #[test]
    fn a_ticket_that_was_changed_or_made_elsewhere_is_none() {
        let (state, key) = (tempfile::tempdir().unwrap(), Key::new([7; 32]));
        let id = issue(state.path(), &key, [1; 12], &ticket()).unwrap();
        assert_eq!(read(state.path(), &Key::new([8; 32]), &id), None, "another key");
        let file = directory(state.path()).join(&id);
        let text = fs::read_to_string(&file).unwrap();
        for (old, new) in [
            ("\"/p\"", "\"/q\""),
            ("\"api\"", "\"auth\""),
            ("\"s\"", "\"t\""),
            ("GH_TOKEN", "HH_TOKEN"),
            ("[]", "[1]"),
        ] {
            assert!(text.contains(old), "{text}");
            fs::write(&file, text.replace(old, new)).unwrap();
            assert_eq!(read(state.path(), &key, &id), None, "{new}");
        }
        fs::write(&file, &text).unwrap();
        assert!(read(state.path(), &key, &id).is_some());
        let other = hex(&[2; 12]);
        fs::rename(&file, directory(state.path()).join(&other)).unwrap();
        assert_eq!(read(state.path(), &key, &other), None, "under another id");
        assert_eq!(read(state.path(), &key, "../secrets.key"), None);
    }

    #[test]
    fn an_old_ticket_is_none() {
        let (state, key) = (tempfile::tempdir().unwrap(), Key::new([7; 32]));
        let id = issue(state.path(), &key, [1; 12], &ticket()).unwrap();
        let file = directory(state.path()).join(&id);
        let mut value: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let made = now() - LIFE.as_secs() - 1;
        value["made"] = made.into();
        value["digest"] = hex(&key.digest(&ticket().bytes(&id, made))).into();
        fs::write(&file, value.to_string()).unwrap();
        assert_eq!(read(state.path(), &key, &id), None);
    }
}
