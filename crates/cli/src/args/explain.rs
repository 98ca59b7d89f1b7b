//! The arguments of `checkrein explain`.

use super::Call;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) call: Call,
}
