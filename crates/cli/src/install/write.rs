//! Replaces files atomically: a reader sees the old file or the new one, even if this process is killed.

use anyhow::{Context, bail};
use rustix::fs::{Access, FlockOperation, flock};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{ErrorKind, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// A lock that is held while files are changed, so that two processes do not undo each other's changes.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock. The system releases it however this process ends.
    pub(crate) fn take(state: &Path) -> anyhow::Result<Self> {
        private_directory(state)?;
        let path = state.join("install.lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
        let file = file.with_context(|| format!("cannot open `{}`", path.display()))?;
        loop {
            match flock(&file, FlockOperation::LockExclusive) {
                Ok(()) => return Ok(Self { _file: file }),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => bail!("cannot lock `{}`: {error}", path.display()),
            }
        }
    }
}

/// Creates a directory that only its owner can read.
pub(crate) fn private_directory(directory: &Path) -> anyhow::Result<()> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
    made.with_context(|| format!("cannot create the directory `{}`", directory.display()))
}

/// Returns the content of a file; `None` if there is none.
pub(crate) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(text) => Ok(Some(text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let whole =
                    String::from_utf8_lossy(error.as_bytes().get(..at).unwrap_or_default()).into_owned();
                let defect =
                    checkrein_hosts::install::SyntaxError::at(&whole, whole.len(), "the file is not UTF-8");
                bail!(defect.to_string())
            }
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => bail!("cannot be read: {error}"),
    }
}

/// Returns the file behind a path: links are followed, so that they stay links.
pub(crate) fn target(path: &Path) -> anyhow::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => path.canonicalize().context("a broken symbolic link"),
        Ok(found) if !found.is_file() => bail!("not a regular file"),
        Ok(_) | Err(_) => Ok(path.to_owned()),
    }
}

/// Returns true if a file, or the directory that it would be in, is not meant to be written by this user. A file without
/// any permission to write counts as well, although it could be replaced: tools that write settings leave such files.
pub(crate) fn is_read_only(path: &Path) -> bool {
    let refused = |path: &Path| rustix::fs::access(path, Access::WRITE_OK).is_err();
    match fs::metadata(path) {
        Ok(file) => file.permissions().readonly() || refused(path) || path.parent().is_some_and(refused),
        Err(_) => path.ancestors().skip(1).find(|above| above.exists()).is_some_and(refused),
    }
}

/// Replaces `before` with `after`; `None` means no file.
pub(crate) fn replace(
    path: &Path,
    before: Option<&str>,
    after: Option<&str>,
    mode: u32,
) -> anyhow::Result<()> {
    let still = |found: Option<String>| found.as_deref() == before;
    let Some(after) = after else {
        if !still(read(path)?) {
            bail!("the file changed in the meantime; check it and try again");
        }
        return fs::remove_file(path).context("cannot be removed");
    };
    let directory = path.parent().context("it has no parent directory")?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = directory.join(format!(".{name}.checkrein-new"));
    // An unfinished file from an earlier run is useless. This process holds the lock, so no other process is using it.
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove `{}`", unfinished.display()));
        }
        Ok(()) | Err(_) => {}
    }
    let written = write_new(&unfinished, after, fs::metadata(path).ok(), mode).and_then(|()| {
        // The agent itself writes to this file as well.
        if !still(read(path)?) {
            bail!("the file changed in the meantime; check it and try again");
        }
        fs::rename(&unfinished, path).context("cannot move the new file into place")
    });
    if written.is_err() {
        // The error about the file itself is the one to report.
        let _ = fs::remove_file(&unfinished);
        return written;
    }
    // Makes the name durable as well, where the system can do that.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

fn write_new(path: &Path, text: &str, like: Option<fs::Metadata>, mode: u32) -> anyhow::Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let mut file = file.with_context(|| format!("cannot create `{}`", path.display()))?;
    if let Some(like) = like {
        file.set_permissions(like.permissions()).context("cannot keep its permissions")?;
    }
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).context("cannot be written")
}
