//! Changes of the user's own configuration file that a command makes: as one rename, and never to a file that would be broken.

use anyhow::{Context, bail};
use checkrein::{LayeredConfig, Places};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Reads the user's file; `None` if there is none.
pub(crate) fn read(places: &Places) -> anyhow::Result<Option<String>> {
    let Some(file) = &places.user else { bail!("HOME is not set; there is no configuration file of yours") };
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read `{}`", file.display())),
    }
}

/// Changes the user's file, and returns it. If the result would break the configuration, the file stays as it was.
pub(crate) fn change(places: &Places, change: impl FnOnce(&str) -> String) -> anyhow::Result<PathBuf> {
    let old = read(places)?;
    let file = places.user.clone().context("HOME is not set; there is no file to write to")?;
    replace_or_remove(&file, &change(old.as_deref().unwrap_or_default()))?;
    if let Err(problems) = checkrein::whole(LayeredConfig::load(places)) {
        match &old {
            Some(old) => replace(&file, old)?,
            None => fs::remove_file(&file)?,
        }
        return Err(problems).context("the entry would break the configuration, so nothing was written");
    }
    Ok(file)
}

/// Replaces a file, or removes it if nothing is left: an empty file is taken for one that was lost.
pub(crate) fn replace_or_remove(file: &Path, text: &str) -> anyhow::Result<()> {
    if !text.trim().is_empty() {
        return replace(file, text);
    }
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", file.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Replaces a file by one rename, through a link, with the permissions that it has.
fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let directory = file.parent().context("the file has no directory")?;
    fs::create_dir_all(directory).with_context(|| format!("cannot create `{}`", directory.display()))?;
    let unfinished = directory.join(format!(".checkrein-{}.toml", std::process::id()));
    let written = fs::write(&unfinished, text)
        .and_then(|()| match fs::metadata(&file) {
            Ok(metadata) => fs::set_permissions(&unfinished, metadata.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&unfinished, &file));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written.with_context(|| format!("cannot write `{}`", file.display()))
}
