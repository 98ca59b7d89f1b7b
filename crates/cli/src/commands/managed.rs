//! `checkrein managed apply`: validates and installs the administrator's configuration.
//!
//! A broken file denies all preventable actions on every machine that has it. So the file is validated, with the examples of
//! its rules, before it replaces the active one. The replacement is one rename, so no event sees an incomplete file.

use crate::{
    args::Apply,
    commands::hooks,
    exit::ExitStatus,
    term::{data, out, style},
};
use anyhow::{Context, bail};
use checkrein::{ConfigError, LayeredConfig, MANAGED_FILE, Places, exposed};
use serde_json::json;
use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

pub(crate) fn apply(apply: &Apply) -> anyhow::Result<ExitStatus> {
    if !apply.dry_run && !rustix::process::geteuid().is_root() {
        bail!(
            "only root can change the administrator's configuration: run `sudo checkrein managed apply FILE`"
        );
    }
    let target = Path::new(MANAGED_FILE);
    let stack = match validated(&apply.file) {
        Ok(stack) => stack,
        Err(problems) => return Ok(refused(apply, &problems)),
    };
    let warnings = hooks::warnings(&stack, &stack.rows(None));
    let warnings: Vec<String> = warnings.iter().map(|warning| style::harmless(warning)).collect();
    let bytes = fs::read(&apply.file).with_context(|| format!("cannot read `{}`", apply.file.display()))?;
    let same = fs::read(target).is_ok_and(|known| known == bytes);
    let done = match (apply.dry_run, same) {
        (true, false) => "would be written",
        (true, true) | (false, true) => "the same",
        (false, false) => "written",
    };
    if !apply.dry_run {
        // Even if nothing changes: this fixes the file's owner, without which it does not count.
        put(&bytes, target)?;
    }
    if apply.json {
        let file = apply.file.to_string_lossy();
        data!(
            "{}",
            style::json(
                json!({"file": file, "target": MANAGED_FILE, "done": done, "problems": [], "warnings": warnings})
            )
        );
    } else {
        for warning in &warnings {
            crate::term::err!("warning: {}", style::harmless(warning));
        }
        let shown = apply.file.display().to_string();
        out!("{} is valid. {MANAGED_FILE}: {done}.", style::harmless(&shown));
    }
    Ok(ExitStatus::Success)
}

/// Reads a file as the managed layer is read, with everything that a user would see.
fn validated(file: &Path) -> Result<LayeredConfig, ConfigError> {
    // Not as a layer of the machine: a missing one would count as empty.
    checkrein::Config::load_as(checkrein::Layer::Managed, file)?;
    checkrein::whole(LayeredConfig::load(&Places { managed: Some(file.to_owned()), ..Places::default() }))
}

fn refused(apply: &Apply, problems: &ConfigError) -> ExitStatus {
    if apply.json {
        let file = apply.file.to_string_lossy();
        let problems: Vec<String> =
            problems.iter().map(|problem| style::harmless(&problem.one_line())).collect();
        data!(
            "{}",
            style::json(
                json!({"file": file, "target": MANAGED_FILE, "done": "refused", "problems": problems, "warnings": []})
            )
        );
    } else {
        crate::term::err!(
            "{}\n\nthe file is broken; {MANAGED_FILE} was not changed",
            style::lines(&problems.to_string())
        );
    }
    ExitStatus::Failure
}

/// Installs the bytes at the target atomically. It validates them once more before that: a file can change
/// between two reads.
fn put(bytes: &[u8], target: &Path) -> anyhow::Result<()> {
    let directory = target.parent().context("the target has no directory")?;
    let was_there = directory.symlink_metadata().is_ok();
    DirBuilder::new()
        .recursive(true)
        .mode(0o755)
        .create(directory)
        .with_context(|| format!("cannot create `{}`", directory.display()))?;
    if !was_there {
        // Whatever the umask is: users who cannot read the file are denied everything.
        fs::set_permissions(directory, Permissions::from_mode(0o755))?;
    }
    if let Some(exposed) = exposed(directory) {
        bail!("{exposed}");
    }
    sweep(directory);
    let unfinished = Unfinished(directory.join(format!("{UNFINISHED}{}", std::process::id())));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(&unfinished.0)?;
    file.write_all(bytes)?;
    // Whatever the umask is.
    rustix::fs::fchmod(&file, rustix::fs::Mode::from_raw_mode(0o644))?;
    rustix::fs::fchown(&file, Some(rustix::fs::Uid::ROOT), Some(rustix::fs::Gid::ROOT))?;
    file.sync_all()?;
    if validated(&unfinished.0).is_err() {
        bail!("the file changed while it was read; nothing was written");
    }
    fs::rename(&unfinished.0, target)?;
    File::open(directory)?.sync_all()?;
    Ok(())
}

/// The prefix of temporary file names.
const UNFINISHED: &str = ".config.toml.";

/// Removes temporary files of killed processes.
fn sweep(directory: &Path) {
    const ABANDONED: Duration = Duration::from_secs(600);
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|of| of.modified()).map(|then| then.elapsed());
        let is_old = age.is_ok_and(|age| age.is_ok_and(|age| age > ABANDONED));
        if is_old && entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
            // Another process may remove it at the same time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary file that is removed on drop, unless it was renamed.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After the rename it no longer exists.
        let _ = fs::remove_file(&self.0);
    }
}
