//! `checkrein completions` and `checkrein man`: made from the same description as the help texts.

use crate::{
    args::{Cli, Completions, Man},
    exit::ExitStatus,
};
use anyhow::Context;
use checkrein::{guard, import::Origin};
use checkrein_hosts::{ALL, install::recipes};
use clap::{CommandFactory, builder::PossibleValuesParser};
use std::{borrow::Cow, io::Write};

pub(crate) fn run(completions: &Completions) -> anyhow::Result<ExitStatus> {
    let mut script = Vec::new();
    clap_complete::generate(completions.shell, &mut with_values(Cli::command()), "checkrein", &mut script);
    // The generators would panic if stdout is closed.
    std::io::stdout().write_all(&script).context("cannot write the completions")?;
    Ok(ExitStatus::Success)
}

/// Adds the values that a shell can offer. The commands themselves take any text, and say which ones there are.
fn with_values(command: clap::Command) -> clap::Command {
    let agents = || PossibleValuesParser::new(recipes().map(|recipe| recipe.host));
    let hosts = || PossibleValuesParser::new(ALL.iter().map(|host| host.name()));
    let origins = || PossibleValuesParser::new(Origin::all().map(Origin::as_str));
    // Those that are compiled in borrow their ids.
    let id = |rule: &'static guard::Rule| match &rule.id {
        Cow::Borrowed(id) => Some(*id),
        Cow::Owned(_) => None,
    };
    let rules = || PossibleValuesParser::new(guard::rules().iter().filter_map(id));
    let mut command = command;
    for name in ["init", "uninstall", "doctor"] {
        command =
            command.mut_subcommand(name, |inner| inner.mut_arg("agents", |arg| arg.value_parser(agents())));
    }
    for name in ["log", "stats", "report"] {
        command = command.mut_subcommand(name, |inner| {
            inner
                .mut_arg("agent", |arg| arg.value_parser(agents()))
                .mut_arg("rule", |arg| arg.value_parser(rules()))
        });
    }
    command
        .mut_subcommand("hook", |inner| inner.mut_arg("host", |arg| arg.value_parser(hosts())))
        .mut_subcommand("import", |inner| inner.mut_arg("from", |arg| arg.value_parser(origins())))
        .mut_subcommand("rules", |inner| inner.mut_arg("id", |arg| arg.value_parser(rules())))
}

/// Writes one page for the program and one for each command to an existing directory.
pub(crate) fn man(man: &Man) -> anyhow::Result<ExitStatus> {
    clap_mangen::generate_to(Cli::command(), &man.directory)
        .with_context(|| format!("cannot write the manual pages to `{}`", man.directory.display()))?;
    Ok(ExitStatus::Success)
}
