//! The arguments of `checkrein hooks`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Hooks {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with code 1 if there are errors or warnings
    #[arg(long)]
    pub(crate) check: bool,
    /// Only list hooks for this event
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// Only list hooks that match this tool
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// The directory to resolve the project from (default: the current directory)
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
