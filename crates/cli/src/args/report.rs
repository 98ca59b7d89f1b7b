//! The arguments of `checkrein report`.

use super::Records;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Write the page to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,
    /// List at most this many events, the newest
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) limit: usize,
}
