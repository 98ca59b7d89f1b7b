//! The path of our own program that agents are given: absolute, and the same after an upgrade.

use super::agents::on_path;
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};

/// The path to register. Where `PATH` leads to this very program, that way is taken: packagers turn a link when they put
/// a new version beside the old one.
pub(crate) fn stable() -> anyhow::Result<PathBuf> {
    let real = std::env::current_exe().context("it is not known where this program lies")?;
    let same =
        |named: &PathBuf| named.canonicalize().is_ok_and(|named| Some(named) == real.canonicalize().ok());
    let program = on_path("checkrein").filter(same).unwrap_or(real);
    if program.file_name().is_none_or(|name| name != "checkrein") {
        bail!("this program is called `{}`; agents are told of one called `checkrein`", program.display());
    }
    if program.to_str().is_none() {
        bail!("`{}` cannot be written into an agent's file", program.display());
    }
    Ok(program)
}

/// Why this path may not last.
pub(crate) fn doubt(program: &Path) -> Option<String> {
    // What build tools leave in folders that are emptied now and then.
    let built =
        |folder: &&Path| [".fingerprint", "CACHEDIR.TAG"].iter().any(|mark| folder.join(mark).exists());
    let builds = program.ancestors().skip(1).take(3).find(built)?;
    Some(format!(
        "`{}` lies below `{}`, where builds do not stay; put it on your PATH first, for example with `cargo install \
         --path crates/cli`, and run `checkrein init` again",
        program.display(),
        builds.display()
    ))
}
