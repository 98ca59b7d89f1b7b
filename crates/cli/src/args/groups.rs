//! The help of the program: its commands by what they are for.

use super::Cli;
use crate::term::wrap::{stdout_width, wrapped};
use clap::{Command, CommandFactory};

/// The commands, in the order in which a user comes to need them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Set up", &["demo", "init", "doctor", "uninstall", "import", "managed", "completions"]),
    (
        "See what is decided, and why",
        &["check", "explain", "rules", "effects", "hooks", "coverage", "schema", "test"],
    ),
    ("Decide otherwise", &["allow", "trust", "monitor", "repair", "undo"]),
    ("Look back", &["log", "why", "stats", "report", "replay", "suggest", "learn"]),
    ("Keep secrets", &["scan", "cat", "run"]),
    ("For agents and MCP servers", &["hook", "mcp-proxy", "mcp-pins"]),
    ("Help", &["help", "version"]),
];

/// The width where there is no terminal.
const WIDTH: usize = 100;

/// Returns the command line of the program. Its help lists the commands in groups.
pub(crate) fn program() -> Command {
    let program = Cli::command();
    let listed = listed(&program, stdout_width().map_or(WIDTH, |width| width.min(WIDTH)));
    program
        .help_template("{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}")
        .after_help(listed)
}

fn listed(program: &Command, width: usize) -> String {
    let widest = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for (title, names) in GROUPS {
        text.push_str(&format!("{}{title}:\n", if text.is_empty() { "" } else { "\n" }));
        for name in *names {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let mut lines = wrapped(&about, width.saturating_sub(widest + 4)).into_iter();
            text.push_str(&format!("  {name:widest$}  {}\n", lines.next().unwrap_or_default()));
            lines.for_each(|line| text.push_str(&format!("  {:widest$}{line}\n", "")));
        }
    }
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let program = Cli::command();
        let mut commands: Vec<&str> = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        grouped.sort_unstable();
        commands.sort_unstable();
        assert_eq!(grouped, commands);
    }

    #[test]
    fn the_list_fits_a_narrow_terminal() {
        let text = listed(&Cli::command(), 60);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        assert!(text.contains("\n  init         Install checkrein into the agents"), "{text}");
    }
}
