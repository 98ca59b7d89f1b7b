//! The arguments of `checkrein init`.

use super::Target;
use checkrein::presets;
use clap::{Args, builder::PossibleValuesParser};
use std::path::PathBuf;

/// Returns the names of the presets, for errors, help and completions.
fn preset_names() -> PossibleValuesParser {
    PossibleValuesParser::new(presets::ALL.iter().map(|preset| preset.name))
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask before adding entries; changes to existing entries still need confirmation
    #[arg(long, conflicts_with_all = ["dry_run", "print"])]
    pub(crate) yes: bool,
    /// Only show what would change, with the diff
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only print the entries, to install them by other means
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) print: bool,
    /// Add reviewed `[[allow]]` sets to your configuration, so that commands which only read need no prompt
    #[arg(long, value_name = "PRESETS", value_delimiter = ',', value_parser = preset_names(), conflicts_with_all = ["project", "managed", "json"])]
    pub(crate) preset: Vec<String>,
    /// With `--project`: block tool calls where checkrein is missing, instead of warning
    #[arg(long, requires = "project")]
    pub(crate) require: bool,
    /// With `--print`: print the administrator's files of each agent, for device management (MDM)
    #[arg(long, requires = "print", conflicts_with_all = ["project", "user"])]
    pub(crate) managed: bool,
    /// With `--managed`: the path of checkrein on the managed machines (default: its path here)
    #[arg(long, value_name = "PATH", requires = "managed")]
    pub(crate) program: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
