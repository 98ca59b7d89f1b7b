//! `checkrein help` and `checkrein version`.

use crate::{args, exit::ExitStatus, term::data};
use anyhow::Context;

/// Prints the long help of a command, or of the program if no command is named.
pub(crate) fn print(names: &[String]) -> anyhow::Result<ExitStatus> {
    let mut program = args::program();
    program.build();
    let mut command = &mut program;
    for name in names {
        command = command.find_subcommand_mut(name).with_context(|| {
            format!("there is no command `{}`\n\nhint: `checkrein help` lists the commands", names.join(" "))
        })?;
    }
    data!("{}", command.render_long_help().ansi().to_string().trim_end());
    Ok(ExitStatus::Success)
}

/// Prints the name and version of the program.
pub(crate) fn version() -> anyhow::Result<ExitStatus> {
    data!("{}", args::program().render_version().trim_end());
    Ok(ExitStatus::Success)
}
