//! The arguments of `checkrein test`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Also write the results to this file, in the format of JUnit, for CI
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Run the project's hooks as if you had trusted them; for CI, which tests its own code
    #[arg(long)]
    pub(crate) as_trusted: bool,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Test files, or directories with `*.test.toml` files; by default all next to the active configuration files, and those
    /// below a project's `.checkrein`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
