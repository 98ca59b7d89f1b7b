//! The store of trusted hooks: `<state>/trust/<hook>/<content>/`.

use super::content::{Content, copy_place};
use crate::state::{self, secure_fs};
use checkrein_exec::Program;
use serde_json::Value;
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

const MANIFEST: &str = "manifest.json";
/// The key of a manifest for what the user accepted although trust does not cover it.
const ACCEPTED: &str = "accepted_uncovered";
/// The prefix of an unfinished entry's name.
const UNFINISHED: &str = ".unfinished-";
/// When an unfinished entry is the remains of a process that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// The store of trusted hooks.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
}

/// The trust in a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrustState {
    /// It is trusted, and this runs exactly what was trusted.
    Trusted(Program),
    /// It was never trusted.
    Never,
    /// It was trusted, until this changed.
    Changed(String),
}

impl Store {
    /// Opens the store below the state directory.
    pub fn new(state: &Path) -> Self {
        Self { directory: state::trust(state) }
    }

    /// Returns true if a hook of this name was ever trusted, whatever it was made of.
    pub(crate) fn knows(&self, identity: &str) -> io::Result<bool> {
        Ok(self.is_there()? && self.directory.join(identity).symlink_metadata().is_ok())
    }

    /// Returns true if there is a store. One that others could have written to is an error.
    fn is_there(&self) -> io::Result<bool> {
        match fs::symlink_metadata(&self.directory) {
            Ok(metadata) => self.check_owner(&metadata).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the trust in exactly this. Reads nothing from a store that others could have written to.
    pub fn look(&self, content: &Content) -> io::Result<TrustState> {
        if !self.is_there()? {
            return Ok(TrustState::Never);
        }
        let hook = self.directory.join(content.identity());
        let entry = hook.join(content.digest());
        if entry.join(MANIFEST).is_file() {
            // Only what was accepted is trusted.
            let accepted = content.uncovered.is_empty()
                || manifest(&entry.join(MANIFEST)).is_some_and(|known| {
                    known.get(ACCEPTED).is_some() && known.get(ACCEPTED) == known.get("uncovered")
                });
            if accepted {
                return Ok(TrustState::Trusted(content.program_below(&entry)));
            }
            return Ok(TrustState::Never);
        }
        Ok(newest_manifest(&hook)
            .map_or(TrustState::Never, |known| TrustState::Changed(content.difference(&known))))
    }

    /// Returns what a file of a hook was when the user last trusted the hook.
    pub fn trusted_text(&self, content: &Content, file: &str) -> io::Result<Option<String>> {
        if !self.is_there()? {
            return Ok(None);
        }
        let Some(entry) = newest_entry(&self.directory.join(content.identity())) else { return Ok(None) };
        match fs::read(copy_place(&entry, file)) {
            Ok(bytes) => Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Trusts exactly this. What trust does not cover, it does not cover: such a hook is refused.
    pub fn trust(&self, content: &Content) -> io::Result<()> {
        match content.uncovered.first() {
            None => self.remember(content, &content.manifest()),
            Some(uncovered) => {
                Err(io::Error::other(format!("trust does not cover `{}`: {}", uncovered.word, uncovered.why)))
            }
        }
    }

    /// Trusts exactly this, although some of its words are not covered: the user has said that they know, and that is
    /// remembered.
    pub fn trust_uncovered(&self, content: &Content) -> io::Result<()> {
        let mut manifest = content.manifest();
        if let Some(manifest) = manifest.as_object_mut() {
            manifest.insert(ACCEPTED.to_owned(), manifest.get("uncovered").cloned().unwrap_or_default());
        }
        self.remember(content, &manifest)
    }

    fn remember(&self, content: &Content, manifest: &Value) -> io::Result<()> {
        secure_fs::directory(&self.directory)?;
        self.check_owner(&fs::symlink_metadata(&self.directory)?)?;
        state::sweep(&self.directory, UNFINISHED, ABANDONED);
        let hook = self.directory.join(content.identity());
        secure_fs::directory(&hook)?;
        let unfinished = self.directory.join(unfinished_name());
        secure_fs::directory(&unfinished)?;
        for file in &content.files {
            let copy = copy_place(&unfinished, &file.name);
            copy.parent().map_or(Ok(()), secure_fs::directory)?;
            secure_fs::write_new(&copy, &file.bytes, if file.executable { 0o500 } else { 0o400 })?;
        }
        secure_fs::write_new(&unfinished.join(MANIFEST), manifest.to_string().as_bytes(), 0o400)?;
        match fs::rename(&unfinished, hook.join(content.digest())) {
            Ok(()) => Ok(()),
            // Another process trusted the same a moment ago.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists
                ) =>
            {
                fs::remove_dir_all(&unfinished)
            }
            Err(error) => Err(error),
        }
    }

    /// Trusts no version of this hook any more, and says whether one was trusted.
    pub fn revoke(&self, content: &Content) -> io::Result<bool> {
        self.forget(&content.identity())
    }

    /// Revokes the trust in a hook by its identity alone.
    pub(crate) fn forget(&self, identity: &str) -> io::Result<bool> {
        let gone = self.directory.join(unfinished_name());
        match fs::rename(self.directory.join(identity), &gone) {
            Ok(()) => fs::remove_dir_all(&gone).map(|()| true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Only the user themselves may be able to write what we believe.
    fn check_owner(&self, metadata: &fs::Metadata) -> io::Result<()> {
        if metadata.is_dir() && secure_fs::is_ours(metadata) {
            return Ok(());
        }
        Err(secure_fs::not_ours(&self.directory))
    }
}

fn unfinished_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{UNFINISHED}{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn newest_manifest(hook: &Path) -> Option<Value> {
    manifest(&newest_entry(hook)?.join(MANIFEST))
}

/// Returns the directory of what was trusted last.
fn newest_entry(hook: &Path) -> Option<PathBuf> {
    let entries = fs::read_dir(hook).ok()?.flatten().map(|entry| entry.path());
    entries
        .max_by_key(|entry| fs::metadata(entry.join(MANIFEST)).and_then(|metadata| metadata.modified()).ok())
}

fn manifest(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}
