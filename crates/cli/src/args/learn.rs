//! The arguments of `checkrein learn`.

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Learn {
    #[command(subcommand)]
    pub(crate) command: LearnCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LearnCommand {
    /// List what is remembered about this project
    List(LearnList),
    /// Show one failure, and what worked
    ///
    /// Exit code 0: shown. 3: nothing is remembered under this id.
    Show(LearnShow),
    /// Forget one failure, or all of them in this project
    ///
    /// Exit code 0: forgotten. 1: not confirmed. 3: nothing is remembered under this id, or cannot prompt here.
    Forget(LearnForget),
    /// Print what is remembered about this project, for others to use
    ///
    /// Prints the content for `.checkrein-learned.json` at the top of the project. Others use it once they trust it (`checkrein trust`).
    Export(LearnExport),
}

#[derive(Debug, Args)]
pub(crate) struct LearnList {
    /// For all projects
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON, one object for each line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LearnShow {
    /// The id, as `learn list` names it
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LearnForget {
    /// The id, as `learn list` names it
    #[arg(value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
    pub(crate) id: Option<String>,
    /// Forget everything about this project
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LearnExport {}
