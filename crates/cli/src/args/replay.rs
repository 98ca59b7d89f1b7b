//! The arguments of `checkrein replay`.

use checkrein_hosts::ALL;
use clap::Args;
use std::path::PathBuf;

/// The sessions to read.
#[derive(Debug, Args)]
pub(crate) struct History {
    /// Only the sessions of this agent
    #[arg(
        long,
        value_name = "AGENT",
        value_parser = clap::builder::PossibleValuesParser::new(with_transcripts()),
    )]
    pub(crate) agent: Option<String>,
    /// The time to look back: `12h`, `30d`, `8w` or `all`
    #[arg(long, value_name = "SPAN", default_value = "30d")]
    pub(crate) since: String,
    /// A file or directory with sessions, instead of the agents' own directories
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    #[command(flatten)]
    pub(crate) history: History,
    /// Judge by this configuration file, and show what it changes
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Compare with this configuration file instead of the current configuration
    #[arg(long, value_name = "FILE", requires = "policy")]
    pub(crate) against: Option<PathBuf>,
    /// Write a picture with the figures and no commands to a new SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) card: Option<PathBuf>,
    /// Write one self-contained page with the figures and an example of each kind of call to a new HTML file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print one JSON object per call, and one with the figures at the end
    #[arg(long)]
    pub(crate) json: bool,
}

/// Returns the agents whose records can be read.
fn with_transcripts() -> Vec<&'static str> {
    ALL.iter().filter(|host| host.transcripts.is_some()).map(|host| host.name()).collect()
}
