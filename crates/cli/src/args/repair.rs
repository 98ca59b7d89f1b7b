//! The arguments of `checkrein repair`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// Duration in minutes
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=i64::from(checkrein::repair::MOST_MINUTES)))]
    pub(crate) minutes: u16,
    /// End it now
    #[arg(long)]
    pub(crate) end: bool,
}
