//! The arguments of `checkrein undo`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Undo {
    /// The id of what to restore, as the notice or `--list` names it (default: the last of this project)
    #[arg(value_name = "ID", conflicts_with_all = ["list", "show", "forget", "prune"])]
    pub(crate) id: Option<String>,
    /// List what was kept for this project
    #[arg(long, conflicts_with_all = ["show", "forget", "prune", "dry_run", "to", "force", "yes"])]
    pub(crate) list: bool,
    /// With `--list`: for all projects
    #[arg(long, requires = "list")]
    pub(crate) all: bool,
    /// Show what was kept, and how it differs from what is there now
    #[arg(long, value_name = "ID", conflicts_with_all = ["forget", "prune", "dry_run", "to", "force", "yes"])]
    pub(crate) show: Option<String>,
    /// Show what would be restored, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write copies into this new directory instead
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dry_run", "force"])]
    pub(crate) to: Option<PathBuf>,
    /// Also replace what was changed since, after keeping its present version
    #[arg(long)]
    pub(crate) force: bool,
    /// Restore without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Remove what was kept under this id
    #[arg(long, value_name = "ID", conflicts_with_all = ["prune", "dry_run", "to", "force", "yes"])]
    pub(crate) forget: Option<String>,
    /// Remove what is too old
    #[arg(long, conflicts_with_all = ["dry_run", "to", "force", "yes"])]
    pub(crate) prune: bool,
    /// Print JSON: one object, or with `--list` one for each line
    #[arg(long)]
    pub(crate) json: bool,
}
