//! The arguments of `checkrein log`.

use super::Records;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Log {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Show at most this many records, the newest; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    /// Keep running, and show new records as they come
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// Check that no record was changed, removed, inserted or reordered
    #[arg(long, conflicts_with_all = ["follow", "limit", "since", "session", "agent", "decision", "rule"])]
    pub(crate) verify: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}
