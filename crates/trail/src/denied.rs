//! Calls that were denied, so that a result for one of them is noticed at once, without reading the trail.
//!
//! A denied call is an empty directory `denied/<digest>`: making and removing one is a single system call.

use crate::Store;
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
    time::{Duration, SystemTime},
};

/// The time for which a denied call is remembered.
const LIFE: Duration = Duration::from_secs(24 * 3600);

impl Store {
    /// Remembers that a call was denied.
    pub fn note_denied(&self, session: &str, call: &str) {
        let marker = self.marker(session, call);
        // Without the marker a disobedient host is found later, by `log --verify`.
        if self.disk.directory(&marker).is_err() {
            let _ = self.disk.directory(&self.denied()).and_then(|()| self.disk.directory(&marker));
        }
    }

    /// Returns whether a call was denied whose result has arrived, and forgets it.
    pub fn was_denied(&self, session: &str, call: &str) -> bool {
        self.disk.remove_directory(&self.marker(session, call)).is_ok()
    }

    /// Forgets old calls.
    pub(crate) fn forget_denied(&self) {
        let now = SystemTime::now();
        for entry in fs::read_dir(self.denied()).into_iter().flatten().flatten() {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            if modified.is_ok_and(|then| now.duration_since(then).is_ok_and(|age| age > LIFE)) {
                let _ = self.disk.remove_directory(&entry.path());
            }
        }
    }

    fn denied(&self) -> PathBuf {
        self.directory.join("denied")
    }

    fn marker(&self, session: &str, call: &str) -> PathBuf {
        // It only has to be the same in every process, and to tell the calls of a day apart.
        let mut digest = DefaultHasher::new();
        (session, call).hash(&mut digest);
        self.directory.join(format!("denied/{:016x}", digest.finish()))
    }
}
