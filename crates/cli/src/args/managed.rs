//! The arguments of `checkrein managed`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Managed {
    #[command(subcommand)]
    pub(crate) command: ManagedCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ManagedCommand {
    /// Validate a file and install it as the administrator's configuration
    ///
    /// Replaces the active file in one step. Root only. Exit code 0: the file is active, or would be. 1: the file is broken,
    /// and nothing was changed. 3: cannot be done here.
    Apply(Apply),
}

#[derive(Debug, Args)]
pub(crate) struct Apply {
    /// Only validate the file, and show whether it differs from the active one
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The new configuration file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}
