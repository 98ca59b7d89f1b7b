//! The arguments of `checkrein completions` and of the hidden `checkrein man`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The directory to write them to
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}
