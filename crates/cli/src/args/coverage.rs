//! The arguments of `checkrein coverage`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Coverage {
    /// One agent, for example `claude`: also shows what it did in the proof
    #[arg(value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
