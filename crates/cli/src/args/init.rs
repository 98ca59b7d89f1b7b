//! The arguments of `checkrein init`.

use super::Target;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask before adding entries; changes to existing entries still need confirmation
    #[arg(long, conflicts_with_all = ["dry_run", "print"])]
    pub(crate) yes: bool,
    /// Only show what would change, with the diff
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only print the entries, to install them by other means
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) print: bool,
    /// With `--project`: block tool calls where checkrein is missing, instead of warning
    #[arg(long, requires = "project")]
    pub(crate) require: bool,
    /// With `--print`: print the administrator's files of each agent, for device management (MDM)
    #[arg(long, requires = "print", conflicts_with_all = ["project", "user"])]
    pub(crate) managed: bool,
    /// With `--managed`: the path of checkrein on the managed machines (default: its path here)
    #[arg(long, value_name = "PATH", requires = "managed")]
    pub(crate) program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
