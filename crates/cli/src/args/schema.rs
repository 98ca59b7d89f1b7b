//! The arguments of `checkrein schema`.

use clap::Args;

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").args(["key", "default", "reference", "tests"]))]
pub(crate) struct Schema {
    /// Explain one key instead, for example `hook.timeout`
    #[arg(
        value_name = "KEY",
        value_parser = clap::builder::PossibleValuesParser::new(checkrein::key_names()),
        hide_possible_values = true,
    )]
    pub(crate) key: Option<String>,
    /// Print the commented default configuration instead
    #[arg(long)]
    pub(crate) default: bool,
    /// Print the reference of all keys as Markdown instead
    #[arg(long)]
    pub(crate) reference: bool,
    /// Print the schema of policy test files instead
    #[arg(long)]
    pub(crate) tests: bool,
}
