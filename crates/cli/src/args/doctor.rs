//! The arguments of `checkrein doctor`.

use super::target::only_this_agent;
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Start the agents offline and test how they handle a denial, a rewrite and a failing hook
    ///
    /// Each agent runs in a scratch directory, with an empty environment, in its own network namespace, against a scripted
    /// model that makes it attempt harmless calls. Linux only; takes about half a minute. Exit code 0: everything that must
    /// hold does. 1: something does not. 3: the agents cannot be tested here.
    #[arg(long)]
    pub(crate) live: bool,
    /// With `--live`: only test whether your own setup is protected, starting each agent once
    #[arg(long, requires = "live")]
    pub(crate) quick: bool,
    // The help names every agent that can be set up.
    #[arg(long = "agent", value_name = "AGENT", help = only_this_agent())]
    pub(crate) agents: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
