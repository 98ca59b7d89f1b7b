//! The arguments of `checkrein allow`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// The code of the call that was denied or asked about
    #[arg(value_name = "CODE", conflicts_with_all = ["list", "revoke", "json"])]
    pub(crate) code: Option<String>,
    /// Allow what the rules object to in the call for the rest of its session
    #[arg(long, requires = "code", conflicts_with_all = ["time", "here", "always"])]
    pub(crate) session: bool,
    /// Allow it in this directory for a time, for example `7d`, with an exception in your configuration
    #[arg(long = "for", value_name = "TIME", requires = "code", conflicts_with = "always")]
    pub(crate) time: Option<String>,
    /// Allow it in this directory for 30 days, or for the time of `--for`
    #[arg(long, requires = "code")]
    pub(crate) here: bool,
    /// Allow it in this directory for good
    #[arg(long, requires = "code")]
    pub(crate) always: bool,
    /// Revoke the permissions that were given with a code
    #[arg(long, value_name = "CODE", conflicts_with_all = ["list", "json"])]
    pub(crate) revoke: Option<String>,
    /// List active permissions, and recent denials and questions that can be allowed (default)
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the list as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Validity of a permission for one call, in minutes
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=i64::from(crate::commands::allow::MOST_MINUTES)))]
    pub(crate) minutes: u16,
}
