//! The arguments of `checkrein uninstall`.

use super::Target;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask; requires that root listed `uninstall` in `/etc/checkrein/automation`
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
