//! The options that describe a call.

use clap::Args;
use std::path::PathBuf;

/// The call that `check` and `explain` are about.
#[derive(Debug, Args)]
pub(crate) struct Call {
    /// The working directory of the call
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The name of the tool
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    pub(crate) tool: String,
    /// The tool's input as a JSON object, instead of a command line
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    pub(crate) input: Option<String>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The command line; words are joined with spaces
    #[arg(value_name = "COMMAND LINE", trailing_var_arg = true)]
    pub(crate) command: Vec<String>,
}
