//! The options that select agents and their files.

use checkrein_hosts::{choice, install::recipes};
use clap::Args;

/// The agents and files that a command is about.
#[derive(Debug, Args)]
pub(crate) struct Target {
    // The help names every agent that can be set up.
    #[arg(long = "agent", value_name = "AGENT", help = only_this_agent())]
    pub(crate) agents: Vec<String>,
    /// Use your user-level files (default)
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// Use the files of the current project
    #[arg(long)]
    pub(crate) project: bool,
}

/// Returns the help of an option that names every agent that can be set up.
pub(super) fn only_this_agent() -> String {
    let agents = choice(recipes().map(|recipe| recipe.host));
    format!("Only this agent ({agents}), even if it is not found here; can be repeated")
}
