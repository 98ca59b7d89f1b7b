//! The arguments of `checkrein import`.

use checkrein::import::Origin;
use checkrein_hosts::choice;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Import {
    // The help names every origin.
    #[arg(long, value_name = "ORIGIN", help = origins())]
    pub(crate) from: Option<String>,
    /// Write the configuration to this new file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print a report of what was imported, changed and refused as one JSON object, instead of the configuration
    #[arg(long)]
    pub(crate) json: bool,
    /// The file that has the hooks
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

/// Returns the help of `--from`, which names every origin.
fn origins() -> String {
    let known = choice(Origin::all().map(Origin::as_str));
    format!("The tool that the file belongs to, if its content does not show it: {known}")
}
