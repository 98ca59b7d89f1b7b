//! The arguments of `checkrein help`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Help {
    /// The command, for example `init` or `managed apply`
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
