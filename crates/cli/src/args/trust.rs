//! The arguments of `checkrein trust`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// The project's directory
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Revoke trust
    #[arg(long)]
    pub(crate) revoke: bool,
    /// Also trust hooks whose arguments cannot be pinned before they run
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) uncovered: bool,
    /// Only these hooks
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
}
