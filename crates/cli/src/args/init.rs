//! The arguments of `checkrein init`.

use super::Target;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask before adding entries; changes to existing entries still need confirmation
    #[arg(long, conflicts_with_all = ["dry_run", "print"])]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only print the entries, to install them by other means
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    pub(crate) print: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
