//! The arguments of `checkrein check`.

use super::Call;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Read JSON lines from stdin, each {"id", "command"} or a complete payload, and answer each with a JSON line
    #[arg(long, conflicts_with_all = ["command", "tool", "input"])]
    pub(crate) batch: bool,
    #[command(flatten)]
    pub(crate) call: Call,
}
