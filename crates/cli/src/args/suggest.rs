//! The arguments of `checkrein suggest`.

use super::History;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Suggest {
    #[command(flatten)]
    pub(crate) history: History,
    /// Suggest at most this many entries
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Add the entries to your configuration, after showing the difference (only for users at a terminal)
    #[arg(long, conflicts_with = "json")]
    pub(crate) write: bool,
    /// Print one JSON object per entry
    #[arg(long)]
    pub(crate) json: bool,
}
