//! The arguments of `checkrein run`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The ticket for this command
    #[arg(long, value_name = "ID")]
    pub(crate) ticket: String,
    /// A tag, and how its value is passed: a variable, `stdin` or `descriptor`
    #[arg(long = "secret", value_name = "TAG=HOW", required = true)]
    pub(crate) secrets: Vec<String>,
    /// The program by its path, and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) words: Vec<String>,
}
