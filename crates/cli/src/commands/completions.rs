//! `checkrein completions` and `checkrein man`: made from the same description as the help texts.

use crate::{
    args::{Cli, Completions, Man},
    exit::ExitStatus,
};
use anyhow::Context;
use clap::CommandFactory;
use std::io::Write;

pub(crate) fn run(completions: &Completions) -> anyhow::Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut Cli::command(), "checkrein", &mut script);
    // The generators would panic if stdout is closed.
    std::io::stdout().write_all(&script).context("cannot write the completions")?;
    Ok(ExitStatus::Success)
}

/// Writes one page for the program and one for each command to an existing directory.
pub(crate) fn man(man: &Man) -> anyhow::Result<ExitStatus> {
    clap_mangen::generate_to(Cli::command(), &man.directory)
        .with_context(|| format!("cannot write the manual pages to `{}`", man.directory.display()))?;
    Ok(ExitStatus::Success)
}
