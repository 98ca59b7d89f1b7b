//! The arguments of `checkrein demo`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Print one JSON object per call
    #[arg(long)]
    pub(crate) json: bool,
}
