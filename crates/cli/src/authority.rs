//! Authority to confirm a command that changes policy or state. It is checked in one place, before any
//! command runs.
//!
//! | who | what for |
//! | --- | --- |
//! | a user who types the word that the terminal shows | all commands |
//! | root, in `/etc/checkrein/automation`, one command per line | the commands that the file lists |
//! | none | commands that only add, with `--yes`; commands that only show |
//!
//! A process that an agent started, or that has one of its variables, never has authority.

use crate::{caller, term::confirm};
use anyhow::{anyhow, bail};
use checkrein::{
    guard::{CommandClass, OwnCommand, own_command},
    ownership,
};
use clap::ArgMatches;
use std::{fs, path::Path};

/// The file in which root lists the commands that scripts may run.
pub(crate) const AUTOMATION: &str = "/etc/checkrein/automation";

/// The authority behind a command.
#[derive(Debug)]
pub(crate) enum Authority {
    /// The command needs no authority.
    NotNeeded,
    /// A user at a terminal.
    User,
    /// Root, ahead of time.
    Root,
    /// None, for this reason. This is enough to add and to list.
    Nobody(String),
}

impl Authority {
    /// Determines the authority of the command on the command line. Fails if the command needs more.
    pub(crate) fn of(matches: &ArgMatches) -> anyhow::Result<Self> {
        let (name, matches) = named(matches);
        // A command without a class is for users only.
        let unknown = OwnCommand { name: "", class: CommandClass::ChangesPolicy, shows: &[], partly: false };
        let command = own_command(&name).unwrap_or(&unknown);
        let shows = |flag: &&str| {
            let id = flag.trim_start_matches('-').replace('-', "_");
            matches.try_get_one::<bool>(&id).is_ok_and(|given| given == Some(&true))
        };
        if command.class != CommandClass::ChangesPolicy || command.shows.iter().any(shows) {
            return Ok(Self::NotNeeded);
        }
        if let Some(why) = caller::agent_above() {
            bail!(refusal(&name, &why));
        }
        let says_yes = matches.try_get_one::<bool>("yes").is_ok_and(|given| given == Some(&true));
        let by_root = is_named(&name, Path::new(AUTOMATION));
        // A user at a terminal is asked, unless they passed `--yes` and root allows that.
        if confirm::has_terminal() && !(by_root && says_yes) {
            if let Some(why) = caller::agent_behind_the_terminal() {
                bail!(refusal(&name, &why));
            }
            return Ok(Self::User);
        }
        let why = refusal(&name, "not a terminal");
        match (by_root, command.partly) {
            (true, _) => Ok(Self::Root),
            (false, true) => Ok(Self::Nobody(why)),
            (false, false) => bail!(why),
        }
    }

    /// Fails if there is no authority to confirm.
    pub(crate) fn required(&self) -> anyhow::Result<()> {
        match self {
            Self::Nobody(why) => Err(anyhow!("{why}")),
            Self::User | Self::Root | Self::NotNeeded => Ok(()),
        }
    }

    /// Asks for confirmation of a change.
    pub(crate) fn confirms(&self, question: &str) -> anyhow::Result<bool> {
        match self {
            Self::User => confirm::confirms(question),
            Self::Root => Ok(true),
            Self::Nobody(_) | Self::NotNeeded => self.required().map(|()| false),
        }
    }
}

/// Returns the full name of the given command and its arguments.
fn named(matches: &ArgMatches) -> (String, &ArgMatches) {
    let mut names = Vec::new();
    let mut inner = matches;
    while let Some((name, matches)) = inner.subcommand() {
        names.push(name);
        inner = matches;
    }
    (names.join(" "), inner)
}

fn refusal(name: &str, why: &str) -> String {
    format!(
        "only a user at a terminal can run `checkrein {name}`: {why}\n\nhint: run it in a terminal that was not started by an \
         agent; for scripts, root can list the command in `{AUTOMATION}`"
    )
}

/// Returns true if root has listed a command in a file that only root can write.
fn is_named(name: &str, file: &Path) -> bool {
    let text = || fs::read_to_string(file).unwrap_or_default();
    ownership::is_roots_alone(file) && text().lines().any(|line| line.trim() == name)
}

#[cfg(test)]
mod tests {
    use crate::args::Cli;
    use checkrein::guard::OWN_COMMANDS;
    use clap::CommandFactory;

    /// Collects the names of all subcommands, with the names above them.
    fn names(command: &clap::Command, above: &str, found: &mut Vec<String>) {
        for inner in command.get_subcommands() {
            let name = format!("{above} {}", inner.get_name()).trim().to_owned();
            if inner.has_subcommands() {
                names(inner, &name, found);
            } else {
                found.push(name);
            }
        }
    }

    #[test]
    fn every_command_has_a_class() {
        let mut found = Vec::new();
        names(&Cli::command(), "", &mut found);
        let mut listed: Vec<String> = OWN_COMMANDS.iter().map(|command| command.name.to_owned()).collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed, "the list is `OWN_COMMANDS` of the guard");
    }

    #[test]
    fn flags_that_only_show_exist() {
        for own in OWN_COMMANDS {
            let mut command = Cli::command();
            let command = own
                .name
                .split(' ')
                .fold(&mut command, |command, name| command.find_subcommand_mut(name).unwrap());
            for flag in own.shows {
                let id = flag.trim_start_matches('-');
                assert!(
                    command.get_arguments().any(|argument| argument.get_long() == Some(id)),
                    "{} {flag}",
                    own.name
                );
            }
        }
    }
}
