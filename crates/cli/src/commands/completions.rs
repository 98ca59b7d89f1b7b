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
    // The generators would panic if nobody listens.
    std::io::stdout().write_all(&script).context("the completions cannot be written")?;
    Ok(ExitStatus::Success)
}

/// One page for the program and one for each command, in a directory that is there already.
pub(crate) fn man(man: &Man) -> anyhow::Result<ExitStatus> {
    clap_mangen::generate_to(Cli::command(), &man.directory)
        .with_context(|| format!("the manual pages cannot be written to `{}`", man.directory.display()))?;
    Ok(ExitStatus::Success)
}
