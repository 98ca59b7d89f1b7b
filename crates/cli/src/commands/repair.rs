//! `checkrein repair`: temporarily ignores a broken configuration.
//!
//! A broken configuration denies all preventable actions, including the agent's attempt to fix it. A user can fix it in an
//! editor, or let the agent do it for a limited time. The permit is a file in the state directory, and only a user at a
//! terminal can create it. It never covers the managed layer.

use crate::{args::Repair, authority::Authority, exit::ExitStatus};
use anyhow::Context;
use checkrein::{ConfigError, MANAGED_FILE, Places, repair::PERMIT, variable};
use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Advice for a denial under a broken user or project configuration.
const HOW: &str = "To fix it, the user can edit the file outside the agent (`checkrein hooks --check` shows \
                   the errors), or run `checkrein repair` in a terminal to let the agent do it";

/// Advice for a denial under a broken administrator's file, which `repair` does not cover.
const HOW_MANAGED: &str = "This is the administrator's file, and `checkrein repair` does not cover it; the administrator \
                           can replace it with `sudo checkrein managed apply FILE`";

/// Returns how these problems can be fixed.
pub(crate) fn how(problems: &ConfigError) -> &'static str {
    let managed = problems.iter().any(|problem| problem.file() == Path::new(MANAGED_FILE));
    if managed { HOW_MANAGED } else { HOW }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

pub(crate) fn run(repair: &Repair, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let state = Places::of(variable).state.context("HOME is not set; cannot store the permit")?;
    let permit = state.join(PERMIT);
    if repair.end {
        if permit.exists() {
            fs::remove_file(&permit).with_context(|| format!("cannot remove `{}`", permit.display()))?;
        }
        crate::term::out!("Broken configuration is enforced again.");
        return Ok(ExitStatus::Success);
    }
    let question = format!(
        "For {} minutes, ignore broken user and project configuration, and let agents work without its hooks?",
        repair.minutes
    );
    if !authority.confirms(&question)? {
        crate::term::out!("Nothing was changed.");
        return Ok(ExitStatus::Failure);
    }
    let time = Duration::from_secs(60 * u64::from(repair.minutes));
    DirBuilder::new().recursive(true).mode(0o700).create(&state)?;
    let unfinished = state.join(format!("{PERMIT}.{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    writeln!(file, "{}", now() + time.as_secs())?;
    fs::rename(&unfinished, &permit)?;
    crate::term::out!(
        "For {} minutes, broken user or project configuration is ignored. To end this now, run \
         `checkrein repair --end`.",
        repair.minutes
    );
    Ok(ExitStatus::Success)
}
