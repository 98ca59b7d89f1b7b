//! The arguments of `checkrein why`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The id of the event
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
