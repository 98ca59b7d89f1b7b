//! `checkrein test --as-trusted`: a project's hooks run as if the user had trusted them.
//!
//! CI tests the code that it checked out, and no user is there to review it. The trust is kept in a directory of its own, which is
//! removed at the end, so that it holds for this run only.

use crate::caller;
use anyhow::{Context, bail};
use checkrein::{HookStatus, LayeredConfig, Places, trust::Store, variable};
use std::{
    fs::{self, DirBuilder},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// A state directory for one run.
pub(super) struct Trusting {
    state: PathBuf,
}

impl Trusting {
    /// Creates the directory. An agent may not do that: it would run hooks that no user has seen.
    pub(super) fn start() -> anyhow::Result<Self> {
        if let Some(why) = caller::agent_above() {
            bail!("an agent cannot run hooks that no user has trusted: {why}");
        }
        let above =
            Places::of(variable).state.context("HOME is not set; cannot keep the trust of this run")?;
        let state = above.join(format!("test-{}", std::process::id()));
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&state);
        made.with_context(|| format!("cannot create the directory `{}`", state.display()))?;
        Ok(Self { state })
    }

    pub(super) fn state(&self) -> &Path {
        &self.state
    }

    /// Trusts every hook of the projects in `stack`.
    pub(super) fn trust(&self, stack: &LayeredConfig) -> anyhow::Result<()> {
        let store = Store::new(&self.state);
        for row in stack.rows(None).iter().filter(|row| matches!(row.status, HookStatus::Untrusted)) {
            let content = row.content().with_context(|| format!("cannot read the hook `{}`", row.label()))?;
            store.trust_uncovered(&content).with_context(|| format!("the hook `{}`", row.label()))?;
        }
        Ok(())
    }
}

impl Drop for Trusting {
    fn drop(&mut self) {
        // The files that are left behind are copies of a project's files without secrets.
        let _ = fs::remove_dir_all(&self.state);
    }
}
