//! The arguments of `checkrein scan`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Files and directories, or `-` for standard input (default: the current directory)
    #[arg(value_name = "PATH", conflicts_with_all = ["staged", "history"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Scan what is staged for the next commit
    #[arg(long, conflicts_with = "history")]
    pub(crate) staged: bool,
    /// Scan every version of every file that the repository has
    #[arg(long)]
    pub(crate) history: bool,
    /// Only report values with a checksum or a vendor's prefix
    #[arg(long)]
    pub(crate) sure: bool,
    /// Also read files that git ignores
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// A file with accepted fingerprints (default: `.checkrein-baseline`, if there is one)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Print one JSON object per finding
    #[arg(long, conflicts_with_all = ["sarif", "print_baseline"])]
    pub(crate) json: bool,
    /// Print a report in SARIF
    #[arg(long, conflicts_with = "print_baseline")]
    pub(crate) sarif: bool,
    /// Print the findings as a baseline, and exit with code 0
    #[arg(long)]
    pub(crate) print_baseline: bool,
}
