//! `checkrein help` and `checkrein version`.

use crate::{args::Cli, exit::ExitStatus, term::out};
use anyhow::Context;
use clap::CommandFactory;

/// Prints the long help of a command, or of the program if no command is named.
pub(crate) fn print(names: &[String]) -> anyhow::Result<ExitStatus> {
    let mut program = Cli::command();
    program.build();
    let mut command = &mut program;
    for name in names {
        command = command.find_subcommand_mut(name).with_context(|| {
            format!("there is no command `{}`\n\nhint: `checkrein help` lists the commands", names.join(" "))
        })?;
    }
    out!("{}", command.render_long_help().ansi().to_string().trim_end());
    Ok(ExitStatus::Success)
}

/// Prints the name and version of the program.
pub(crate) fn version() -> anyhow::Result<ExitStatus> {
    out!("{}", Cli::command().render_version().trim_end());
    Ok(ExitStatus::Success)
}
