//! Limits how often the user is notified, across the processes that answer events.
//!
//! `<state>/notify/` has an empty file for each period in which something was sent and for each call that was
//! reported, and a byte for each message that was left out and for each denial of a session. The process that creates
//! a file first sends; nothing is locked.

use crate::state::{
    claims::{Claim, Claims, EventKey},
    prune, secure_fs,
    session_file::name_of,
};
use checkrein_core::Payload;
use std::{
    fs::{self, OpenOptions},
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// The period in which at most one message is sent, in seconds.
pub(super) const PERIOD: u64 = 10;
/// Maximum number of files, and how long they are kept.
const MOST: usize = 500;
const LIFE: Duration = Duration::from_secs(2 * 24 * 3600);

/// The files of one layer's notifications.
pub(super) struct Limit {
    directory: PathBuf,
    claims: Claims,
    layer: &'static str,
}

impl Limit {
    /// Opens the files; `None` if they cannot be kept. Then nothing is sent: without a limit a loop would flood the user.
    pub(super) fn open(state: &Path, layer: &'static str) -> Option<Self> {
        let directory = state.join("notify").join(layer);
        secure_fs::directory(&directory).ok()?;
        secure_fs::is_our_directory(&directory).then(|| Self { directory, claims: Claims::new(state), layer })
    }

    /// Returns true if this is the first message about a call. A host may send several events about one, and each to two copies
    /// of us.
    pub(super) fn is_new(&self, payload: &Payload) -> bool {
        let session = payload.session.id.as_deref().unwrap_or_default();
        match payload.event.call().and_then(|call| call.id.as_deref()) {
            Some(call) => self.create(&format!("call-{}", name_of(&format!("{session} {call}")))),
            None => EventKey::of(payload).is_none_or(|key| {
                let purpose = format!("notify-{}", self.layer);
                self.claims.claim(&key, &purpose, "") == Claim::First
            }),
        }
    }

    /// Claims the right to send now, and returns how many messages were left out before; `None` if it is too early.
    pub(super) fn take(&self, now: u64) -> Option<u64> {
        if !self.create(&format!("period-{}", now / PERIOD)) {
            self.count("left-out");
            return None;
        }
        prune(&self.directory, MOST, LIFE);
        Some(self.taken("left-out"))
    }

    /// Counts a denial of a session.
    pub(super) fn denied(&self, session: &str) {
        self.count(&format!("session-{}", name_of(session)));
    }

    /// Returns the number of denials of a session, and forgets it.
    pub(super) fn denials(&self, session: &str) -> u64 {
        self.taken(&format!("session-{}", name_of(session)))
    }

    fn create(&self, name: &str) -> bool {
        secure_fs::create_new(&self.directory.join(name)).is_ok()
    }

    fn count(&self, name: &str) {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(self.directory.join(name));
        // One more or less does no harm.
        let _ = file.and_then(|mut file| file.write_all(b"."));
    }

    fn taken(&self, name: &str) -> u64 {
        let taken = self.directory.join(format!("{name}-{}", std::process::id()));
        if fs::rename(self.directory.join(name), &taken).is_err() {
            return 0;
        }
        let count = fs::metadata(&taken).map(|file| file.len()).unwrap_or_default();
        let _ = fs::remove_file(&taken);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_in_a_period_and_the_others_are_counted() {
        let state = tempfile::tempdir().unwrap();
        let limit = Limit::open(state.path(), "user").unwrap();
        assert_eq!(limit.take(1000), Some(0));
        assert_eq!((limit.take(1001), limit.take(1009)), (None, None));
        assert_eq!(limit.take(1010), Some(2));
        assert_eq!(limit.take(1020), Some(0));
        // Another layer has its own.
        assert_eq!(Limit::open(state.path(), "managed").unwrap().take(1021), Some(0));
    }

    #[test]
    fn a_call_is_spoken_of_once_and_denials_are_counted_by_session() {
        let state = tempfile::tempdir().unwrap();
        let limit = Limit::open(state.path(), "user").unwrap();
        let about = |session: &str, id: Option<&str>, command: &str| {
            let input = serde_json::json!({"command": command}).as_object().cloned().unwrap();
            let mut call = checkrein_core::ToolCall::new("Bash", input);
            call.id = id.map(str::to_owned);
            let mut payload = Payload::new(checkrein_core::Event::PreToolUse { call });
            payload.session.id = Some(session.to_owned());
            payload
        };
        let (first, other) = (about("s", Some("c"), "ls"), about("t", Some("c"), "ls"));
        assert!(limit.is_new(&first) && !limit.is_new(&first) && limit.is_new(&other));
        // Without an id, an equal event at the same moment that another copy of us is asked about is the same one.
        let (first, other) = (about("s", None, "ls"), about("s", None, "pwd"));
        let mut copy = first.clone();
        copy.host.name = Some("copilot".to_owned());
        assert!(limit.is_new(&first) && !limit.is_new(&copy) && limit.is_new(&first) && limit.is_new(&other));
        limit.denied("s");
        limit.denied("s");
        assert_eq!((limit.denials("t"), limit.denials("s"), limit.denials("s")), (0, 2, 0));
    }

    #[test]
    fn of_many_processes_at_once_one_sends() {
        let state = tempfile::tempdir().unwrap();
        let sent = std::sync::atomic::AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..32 {
                scope.spawn(|| {
                    let limit = Limit::open(state.path(), "user").unwrap();
                    if limit.take(5000).is_some() {
                        sent.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(sent.into_inner(), 1);
    }
}
