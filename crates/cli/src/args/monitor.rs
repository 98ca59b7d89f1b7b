//! The arguments of `checkrein monitor`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Monitor {
    /// Switch it on for this time, for example `7d` or `2w`, at most 30 days
    #[arg(long = "for", value_name = "TIME", conflicts_with_all = ["off", "status"])]
    pub(crate) time: Option<String>,
    /// Only for these rules, for example `kubernetes.*`
    #[arg(long = "rule", value_name = "RULE", requires = "time")]
    pub(crate) rules: Vec<String>,
    /// Switch it off
    #[arg(long, conflicts_with = "status")]
    pub(crate) off: bool,
    /// Show whether it is on (default)
    #[arg(long)]
    pub(crate) status: bool,
    /// Print the status as one JSON object
    #[arg(long, conflicts_with_all = ["time", "off"])]
    pub(crate) json: bool,
}
