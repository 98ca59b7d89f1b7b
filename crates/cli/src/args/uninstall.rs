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
    /// Also remove what checkrein keeps: records, permissions, trust, and the copies that `undo` restores
    #[arg(long, conflicts_with_all = ["agents", "project"])]
    pub(crate) purge: bool,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
