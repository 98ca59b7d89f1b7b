//! The arguments of `checkrein stats`.

use super::Records;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
