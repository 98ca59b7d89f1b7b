//! The command line of everything that is not the hot path.

use checkrein::import::Origin;
use checkrein_hosts::{ALL, choice, install::recipes};
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// The hook engine for coding agents
#[derive(Debug, Parser)]
#[command(name = "checkrein", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a recorded agent session through the guard and example hooks
    Demo(Demo),
    /// Have the agents on this machine ask checkrein
    ///
    /// Finds the agents, shows what would change in their files of hooks, asks, and writes. To add entries is one yes; to
    /// change what is there takes a word that the terminal shows. Exit code 0: done, or there was nothing to do. 1: something
    /// was left undone, and it was said what. 3: this cannot be asked here.
    Init(Init),
    /// Take out of the agents' files what `init` put in
    ///
    /// The files are as they were before. The exit codes are those of `init`.
    Uninstall(Uninstall),
    /// Look whether the agents on this machine are set up, and say how to mend what is not
    ///
    /// Exit code 0: every agent that is here asks checkrein. 1: one does not, or not always. 3: the question was bad.
    Doctor(Doctor),
    /// Answer one event on stdin in the host's dialect
    ///
    /// This is what an agent starts as its hook. Exit code 0: the answer is on stdout. Exit code 2: denied, also when
    /// the event or the command line could not be read.
    Hook(HookHelp),
    /// Say what the hooks decide about a command line or a tool call
    ///
    /// Exit code 0: no objection, or allowed. 1: the user would be asked. 2: denied. 3: the question was bad.
    Check(Check),
    /// Show step by step how a command line or a tool call is judged
    ///
    /// What is read, what would run, what that does, which rules object, what the hooks say, and how long it takes. The
    /// exit codes are those of `check`.
    Explain(Explain),
    /// Show what is configured here, from where, in which order, and whether it is asked
    Hooks(Hooks),
    /// Look at the hooks that came with a project, and let them run
    ///
    /// Exit code 0: all that were shown are trusted. 1: none is, or some were left out. 3: this cannot be asked here.
    Trust(Trust),
    /// Let an agent do once what the guard denied
    ///
    /// A denial shows a code. It stands for that call alone: what it would do, in its directory, in its session. Exit code 0:
    /// done. 1: not allowed, or nothing to take back. 3: this cannot be asked here, or no denial showed the code.
    Allow(Allow),
    /// Let an agent work for a while although a configuration is broken
    Repair(Repair),
    /// Put the administrator's configuration in its place
    Managed(Managed),
    /// Turn the hooks of another program into our configuration
    ///
    /// Exit code 0: all were imported. 1: some were refused, and stand in the result as comments with the reason. 3: the
    /// file cannot be read.
    Import(Import),
    /// Run the cases that stand beside a policy
    ///
    /// Exit code 0: all passed. 1: a case failed. 3: a test file or the configuration is broken, or there is no test.
    Test(Test),
    /// Print the JSON Schema of the configuration file
    Schema(Schema),
    /// Print the completions of a shell
    Completions(Completions),
    /// Write the manual pages
    #[command(hide = true)]
    Man(Man),
    /// Print the help of the program or of a command
    Help(Help),
    /// Print the version
    Version,
}

#[derive(Debug, Args)]
pub(crate) struct Help {
    /// The command, for example `init` or `managed apply`
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Print one JSON object per call
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which agents, and whose files.
#[derive(Debug, Args)]
pub(crate) struct Target {
    // The help names every agent that can be set up.
    #[arg(long = "agent", value_name = "AGENT", help = only_this_agent())]
    pub(crate) agents: Vec<String>,
    /// The user's own files, for every session; this is what happens without a flag
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// The files of the project here, for whoever works in it
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask; a change of entries that are there already is asked about all the same
    #[arg(long, conflicts_with_all = ["dry_run", "print"])]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only print the entries, for who puts them into the files by other means
    #[arg(long, conflicts_with_all = ["dry_run", "json"])]
    pub(crate) print: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask, where root has named `uninstall` in `/etc/checkrein/automation`
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Start the agents themselves, offline, and prove what they do with a denial, a rewrite, a hook that fails
    ///
    /// Each runs in a scratch directory, with an empty environment, in a network namespace of its own, against a scripted
    /// model that has it try harmless calls. Linux only; it takes about half a minute. Exit code 0: all that must hold
    /// does. 1: something does not. 3: it cannot be tried here.
    #[arg(long)]
    pub(crate) live: bool,
    /// With `--live`: only whether your own setup is protected, with one start of each agent
    #[arg(long, requires = "live")]
    pub(crate) quick: bool,
    // The help names every agent that can be set up.
    #[arg(long = "agent", value_name = "AGENT", help = only_this_agent())]
    pub(crate) agents: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Only for the help text: the hot path reads its arguments by hand.
#[derive(Debug, Args)]
pub(crate) struct HookHelp {
    // The help names every dialect.
    #[arg(long, value_name = "HOST", help = dialects())]
    pub(crate) host: String,
    /// The event, for hosts whose payload does not name it; it must not differ from the payload's
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// A configuration file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Read JSON lines from stdin, {"id", "command"} or a whole payload, and answer each with a JSON line
    #[arg(long, conflicts_with_all = ["command", "tool", "input"])]
    pub(crate) batch: bool,
    /// The working directory of the call
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The tool that is called
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    pub(crate) tool: String,
    /// The tool's input, a JSON object, instead of a command line
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    pub(crate) input: Option<String>,
    /// A configuration file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The command line; several words are joined with blanks
    #[arg(value_name = "COMMAND LINE", trailing_var_arg = true)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The working directory of the call
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The tool that is called
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    pub(crate) tool: String,
    /// The tool's input, a JSON object, instead of a command line
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    pub(crate) input: Option<String>,
    /// A configuration file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The command line; several words are joined with blanks
    #[arg(value_name = "COMMAND LINE", trailing_var_arg = true)]
    pub(crate) command: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Hooks {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Only look for mistakes: exit code 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Only hooks of this event
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// Only hooks that are asked about this tool
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// As in this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// A configuration file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// The project's directory
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Take trust away instead
    #[arg(long)]
    pub(crate) revoke: bool,
    /// Also hooks with words that trust cannot cover, since nobody can say before they run what they name
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) uncovered: bool,
    /// Only hooks of these names
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// Allow the call that was denied with this code, once
    #[arg(value_name = "CODE", conflicts_with_all = ["list", "revoke", "json"])]
    pub(crate) code: Option<String>,
    /// Take that back, if nobody has used it yet
    #[arg(long, value_name = "CODE", conflicts_with_all = ["list", "json"])]
    pub(crate) revoke: Option<String>,
    /// Show what is allowed, and what was denied lately and can be
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the list as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// For how long it can be used
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=i64::from(crate::commands::allow::MOST_MINUTES)))]
    pub(crate) minutes: u16,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// For how long
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=i64::from(checkrein::repair::MOST_MINUTES)))]
    pub(crate) minutes: u16,
    /// End it now
    #[arg(long)]
    pub(crate) end: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// A configuration file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Test files, and directories of `*.test.toml`; without them, all beside the active configuration files, and in a
    /// project those below `.checkrein`
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Print the commented default configuration instead
    #[arg(long, conflicts_with = "tests")]
    pub(crate) default: bool,
    /// Print the schema of files of policy tests instead
    #[arg(long)]
    pub(crate) tests: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The directory to write them to
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Managed {
    #[command(subcommand)]
    pub(crate) command: ManagedCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ManagedCommand {
    /// Check a file, and put it in the place of the active one, as a whole
    ///
    /// Root only. Exit code 0: it is active, or would be. 1: it is broken, and nothing was changed. 3: this cannot be done
    /// here.
    Apply(Apply),
}

#[derive(Debug, Args)]
pub(crate) struct Apply {
    /// Only check it, and say whether something would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    // The help names every origin.
    #[arg(long, value_name = "ORIGIN", help = origins())]
    pub(crate) from: Option<String>,
    /// Write the configuration to this new file instead of stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print what was imported, changed and refused as one JSON object, instead of the configuration
    #[arg(long)]
    pub(crate) json: bool,
    /// The file with the hooks
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

fn only_this_agent() -> String {
    let agents = choice(recipes().map(|recipe| recipe.host));
    format!("Only this agent, {agents}, whether it is found or not; may be given more than once")
}

fn dialects() -> String {
    let ours = checkrein_hosts::OURS.name();
    let others = ALL.iter().map(|host| host.name()).filter(|name| *name != ours);
    let others: String = others.map(|name| format!("`{name}`, ")).collect();
    format!("The dialect: {others}or `{ours}` for our own")
}

fn origins() -> String {
    let known = choice(Origin::all().map(Origin::as_str));
    format!("Whose file it is, instead of what its content says: {known}")
}
