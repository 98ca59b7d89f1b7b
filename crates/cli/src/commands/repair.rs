//! `checkrein repair`: a way in when a configuration is broken.
//!
//! A broken configuration denies everything that can be denied, also the agent's attempt to mend it. A user can mend
//! it in an editor, or let the agent do it for a while. The permit is a file in the directory of our state; only a user
//! at a terminal gets it written. It never covers the managed layer.

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

/// What a denial says about the way out.
const HOW: &str = "to repair it, a user can edit the file outside of the agent (`checkrein hooks --check` \
                              shows what is wrong), or run `checkrein repair` in a terminal to let the agent do it";

/// The same for the administrator's file, which no repair passes over.
const HOW_MANAGED: &str = "this is the administrator's file, and `checkrein repair` does not pass over it; the administrator \
                           can put a valid one in its place with `sudo checkrein managed apply FILE`";

/// What a denial says about the way out of these problems.
pub(crate) fn how(problems: &ConfigError) -> &'static str {
    let managed = problems.iter().any(|problem| problem.file() == Path::new(MANAGED_FILE));
    if managed { HOW_MANAGED } else { HOW }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

pub(crate) fn run(repair: &Repair, authority: &Authority) -> anyhow::Result<ExitStatus> {
    let state = Places::of(variable).state.context("there is no home directory to remember the permit in")?;
    let permit = state.join(PERMIT);
    if repair.end {
        if permit.exists() {
            fs::remove_file(&permit).with_context(|| format!("`{}` cannot be removed", permit.display()))?;
        }
        crate::term::out!("A broken configuration denies again.");
        return Ok(ExitStatus::Success);
    }
    let question = format!(
        "For {} minutes, let agents work although a configuration of yours or of a project is broken, without the hooks \
         in it?",
        repair.minutes
    );
    if !authority.confirms(&question)? {
        crate::term::out!("Nothing was allowed.");
        return Ok(ExitStatus::Failure);
    }
    let time = Duration::from_secs(60 * u64::from(repair.minutes));
    DirBuilder::new().recursive(true).mode(0o700).create(&state)?;
    let unfinished = state.join(format!("{PERMIT}.{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    writeln!(file, "{}", now() + time.as_secs())?;
    fs::rename(&unfinished, &permit)?;
    crate::term::out!(
        "For {} minutes, a broken configuration of yours or of a project is passed over instead of denying. \
         `checkrein repair --end` ends that.",
        repair.minutes
    );
    Ok(ExitStatus::Success)
}
