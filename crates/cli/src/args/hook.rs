//! The arguments of `checkrein hook`, for its help text.

use checkrein_hosts::ALL;
use clap::Args;
use std::path::PathBuf;

/// The arguments of `hook`, for its help text. The command itself parses them.
#[derive(Debug, Args)]
pub(crate) struct HookHelp {
    // The help names every dialect.
    #[arg(long, value_name = "HOST", help = dialects())]
    pub(crate) host: String,
    /// The event, for hosts whose payload does not name it; must match the payload if it does
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// Returns the help of `--host`, which names every dialect.
fn dialects() -> String {
    let ours = checkrein_hosts::OURS.name();
    let others = ALL.iter().map(|host| host.name()).filter(|name| *name != ours);
    let others: String = others.map(|name| format!("`{name}`, ")).collect();
    format!("The dialect: {others}or `{ours}` (native)")
}
