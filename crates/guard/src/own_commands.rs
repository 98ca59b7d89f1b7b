//! The commands of our own program, and what each of them may do.
//!
//! This is the one list of them. The program asks it before it runs a command, and the guard asks it when an agent wants to
//! run one, so that both mean the same. A command that is not in it counts as one that changes policy.

/// The class of a command of ours, which decides who may run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandClass {
    /// It looks, and answers.
    Reads,
    /// It writes files that it is told to write, which are the project's.
    ChangesProject,
    /// It changes what is judged, or by whom: for users, not for agents.
    ChangesPolicy,
}

/// A command of our program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnCommand {
    /// Its name, and the names of the commands above it: `managed apply`.
    pub name: &'static str,
    /// Its class.
    pub class: CommandClass,
    /// Flags with which it only shows what it would do.
    pub shows: &'static [&'static str],
    /// True if some of its forms, such as adding and listing, are not for agents and otherwise need nothing. The
    /// command asks for more itself.
    pub partly: bool,
}

const fn command(name: &'static str, class: CommandClass) -> OwnCommand {
    OwnCommand { name, class, shows: &[], partly: false }
}

const fn reads(name: &'static str) -> OwnCommand {
    command(name, CommandClass::Reads)
}

const fn policy(name: &'static str) -> OwnCommand {
    command(name, CommandClass::ChangesPolicy)
}

/// The command that prints files without their secrets.
pub const CAT: &str = "cat";

/// The command that gives a program the value of a tag. It does nothing without a ticket, which only the hook issues.
pub const RUN: &str = "run";

/// Every command that has a name on the command line.
pub const OWN_COMMANDS: &[OwnCommand] = &[
    reads("demo"),
    OwnCommand { shows: &["--print", "--dry-run"], partly: true, ..policy("init") },
    OwnCommand { shows: &["--dry-run"], ..policy("uninstall") },
    reads("doctor"),
    reads("coverage"),
    reads("hook"),
    reads("check"),
    reads("explain"),
    reads("hooks"),
    reads("rules"),
    reads("effects"),
    policy("trust"),
    // Its list shows what was denied in other sessions, which is not for agents either.
    OwnCommand { partly: true, ..policy("allow") },
    OwnCommand { shows: &["--status"], ..policy("monitor") },
    policy("repair"),
    // Root is who says yes to it.
    OwnCommand { shows: &["--dry-run"], partly: true, ..policy("managed apply") },
    command("import", CommandClass::ChangesProject),
    // What it starts is judged by itself.
    reads(MCP_PROXY),
    // It shows definitions that no user has accepted, which are not for agents.
    OwnCommand { partly: true, ..policy("mcp-pins") },
    // Restoring writes files of the project; what was kept for other sessions is not for agents.
    OwnCommand { partly: true, ..policy("undo") },
    // They show words of the tables alone.
    reads("learn list"),
    reads("learn show"),
    reads("learn export"),
    policy("learn forget"),
    reads("scan"),
    reads(CAT),
    reads(RUN),
    // They show what other sessions did and were denied, which is not for agents.
    OwnCommand { partly: true, ..policy("log") },
    OwnCommand { partly: true, ..policy("why") },
    OwnCommand { partly: true, ..policy("stats") },
    OwnCommand { partly: true, ..policy("report") },
    OwnCommand { partly: true, ..policy("replay") },
    OwnCommand { partly: true, ..policy("suggest") },
    reads("test"),
    reads("schema"),
    reads("completions"),
    command("man", CommandClass::ChangesProject),
    reads("help"),
    reads("version"),
];

/// Commands without a help text, with which the program starts itself.
pub const HIDDEN_COMMANDS: &[&str] = &["live-answer", "live-inside", "replay-worker"];

/// The command that runs the program of an MCP server, after `--`.
pub(crate) const MCP_PROXY: &str = "mcp-proxy";

/// The hidden command that runs another program for a while: how long, and what.
pub const SUPERVISE: &str = "supervise";

/// The command of this name.
pub fn own_command(name: &str) -> Option<&'static OwnCommand> {
    OWN_COMMANDS.iter().find(|command| command.name == name)
}

/// Returns true if a word is the first of a command that changes policy.
pub(crate) fn starts_policy(word: &str) -> bool {
    let first = |name: &str| name.split(' ').next() == Some(word);
    OWN_COMMANDS.iter().any(|command| command.class == CommandClass::ChangesPolicy && first(command.name))
}
