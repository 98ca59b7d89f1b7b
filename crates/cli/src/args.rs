//! The command line of every command but `hook`, which parses its few arguments itself.

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
    /// Install checkrein into the agents on this machine
    ///
    /// Finds the agents, shows what would change in their hooks files, asks for confirmation, and writes the changes. To add
    /// entries, answer yes; to change existing entries, type the word that the terminal shows. Exit code 0: done, or nothing
    /// to do. 1: partially failed (details on stderr). 3: cannot prompt here.
    Init(Init),
    /// Remove what `init` added to the agents' files
    ///
    /// Restores the files to what they were before. The exit codes are those of `init`.
    Uninstall(Uninstall),
    /// Check the agents' setup on this machine, and suggest fixes
    ///
    /// Exit code 0: every agent found here calls checkrein. 1: one does not, or not always. 3: usage error.
    Doctor(Doctor),
    /// Answer one event from stdin in the host's dialect
    ///
    /// Agents run this command as their hook. Exit code 0: the answer is on stdout. 2: denied, also if the event or the
    /// command line could not be read.
    Hook(HookHelp),
    /// Show what the hooks decide about a command line or a tool call
    ///
    /// Exit code 0: no objection, or allowed. 1: the user would be asked. 2: denied. 3: usage error.
    Check(Check),
    /// Show step by step how a command line or a tool call is judged
    ///
    /// Shows how the command is parsed, what would run, its effects, the rules that match, what each hook decides, and how
    /// long it takes. The exit codes are those of `check`.
    Explain(Explain),
    /// List configured hooks, their source, order and status
    Hooks(Hooks),
    /// Show the built-in rules, or one of them with examples
    Rules(Rules),
    /// Explain the words that rules are written in: effects, modifiers, zones, tags
    Effects(Effects),
    /// Review a project's hooks and trust them
    ///
    /// Exit code 0: all hooks that were shown are trusted. 1: none are, or some were left out. 3: cannot prompt here.
    Trust(Trust),
    /// Allow a call that was denied or asked about
    ///
    /// A denial shows a code. Without options the code allows that call once: its effects, its directory and its session. Exit
    /// code 0: done. 1: not allowed, or nothing to revoke. 3: cannot prompt here, or no recent denial has the code.
    Allow(Allow),
    /// Temporarily let agents work with a broken configuration
    Repair(Repair),
    /// Install the administrator's configuration
    Managed(Managed),
    /// Convert another tool's hooks to checkrein configuration
    ///
    /// Exit code 0: all hooks were imported. 1: some were refused; the result has them as comments with the reason. 3: the
    /// file cannot be read.
    Import(Import),
    /// Find secrets in files, in what is staged, or in the history
    ///
    /// Values are never printed: a finding has a place, a kind, a tag and a fingerprint. Files that git ignores are left out. A
    /// line with the comment `checkrein:not-a-secret` has none. Exit code 0: nothing found. 1: something was found, or a text
    /// could not be read. 3: usage error.
    Scan(Scan),
    /// Show what would have happened to the calls that agents made in the past
    ///
    /// Reads the records that agents keep of their own sessions, and judges every call in them. Nothing is changed and no hook
    /// runs. Exit code 0: done. 1: a file could not be read, or two policies decide differently. 3: usage error.
    Replay(Replay),
    /// Print files without the secrets in them
    ///
    /// Every value of a file whose purpose is to hold secrets (`.env`, `.netrc`, keys, credentials) is replaced by a tag, unless it is
    /// clearly harmless; of other files, what the scanner finds. Names, comments and layout stay.
    Cat(Cat),
    /// Show what agents asked for and what was answered
    ///
    /// Newest last. `--verify` checks that no record was changed, removed or inserted. Exit code 0: done, nothing found. 1:
    /// `--verify` found a break, or a host that ran a denied call. 3: usage error. 4: the trail cannot be read.
    Log(Log),
    /// Show why one event was decided as it was
    ///
    /// Takes the id that a denial shows. The call is judged again, and what differs from the record is listed. Exit code 0:
    /// no objection, or allowed. 1: asked. 2: denied. 3: there is no such record.
    Why(Why),
    /// Count decisions by day, agent, rule and tool
    Stats(Stats),
    /// Write a page with the timeline, the rules and the list of events
    Report(Report),
    /// Run policy tests
    ///
    /// Exit code 0: all cases passed. 1: a case failed. 3: a test file or the configuration is broken, or there are no tests.
    Test(Test),
    /// Print the JSON Schema of the configuration file
    Schema(Schema),
    /// Print a shell completion script
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

/// The agents and files that a command is about.
#[derive(Debug, Args)]
pub(crate) struct Target {
    // The help names every agent that can be set up.
    #[arg(long = "agent", value_name = "AGENT", help = only_this_agent())]
    pub(crate) agents: Vec<String>,
    /// Use your user-level files (default)
    #[arg(long, conflicts_with = "project")]
    pub(crate) user: bool,
    /// Use the files of the current project
    #[arg(long)]
    pub(crate) project: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Do not ask before adding entries; changes to existing entries still need confirmation
    #[arg(long, conflicts_with_all = ["dry_run", "print"])]
    pub(crate) yes: bool,
    /// Only show what would change
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Only print the entries, to install them by other means
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
    /// Do not ask; requires that root listed `uninstall` in `/etc/checkrein/automation`
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
    /// Start the agents offline and test how they handle a denial, a rewrite and a failing hook
    ///
    /// Each agent runs in a scratch directory, with an empty environment, in its own network namespace, against a scripted
    /// model that makes it attempt harmless calls. Linux only; takes about half a minute. Exit code 0: everything that must
    /// hold does. 1: something does not. 3: the agents cannot be tested here.
    #[arg(long)]
    pub(crate) live: bool,
    /// With `--live`: only test whether your own setup is protected, starting each agent once
    #[arg(long, requires = "live")]
    pub(crate) quick: bool,
    // The help names every agent that can be set up.
    #[arg(long = "agent", value_name = "AGENT", help = only_this_agent())]
    pub(crate) agents: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `hook`, for its help text. The command itself parses them.
#[derive(Debug, Args)]
pub(crate) struct HookHelp {
    // The help names every dialect.
    #[arg(long, value_name = "HOST", help = dialects())]
    pub(crate) host: String,
    /// The event, for hosts whose payload does not name it; must match the payload if it does
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Read JSON lines from stdin, each {"id", "command"} or a complete payload, and answer each with a JSON line
    #[arg(long, conflicts_with_all = ["command", "tool", "input"])]
    pub(crate) batch: bool,
    /// The working directory of the call
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// The name of the tool
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    pub(crate) tool: String,
    /// The tool's input as a JSON object, instead of a command line
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    pub(crate) input: Option<String>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The command line; words are joined with spaces
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
    /// The name of the tool
    #[arg(long, value_name = "TOOL", default_value = "Bash")]
    pub(crate) tool: String,
    /// The tool's input as a JSON object, instead of a command line
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    pub(crate) input: Option<String>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// The command line; words are joined with spaces
    #[arg(value_name = "COMMAND LINE", trailing_var_arg = true)]
    pub(crate) command: Vec<String>,
}

/// The options that select records.
#[derive(Debug, Args)]
pub(crate) struct Records {
    /// Only events since then: `30m`, `12h`, `7d`, `2w` or `2026-11-18`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only this session (the beginning of its id is enough)
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Only this agent (`claude`, `codex`, ...), or the subagent with this id
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<String>,
    /// Only this decision
    #[arg(long, value_name = "DECISION", value_parser = ["abstain", "allow", "ask", "deny"])]
    pub(crate) decision: Vec<String>,
    /// Only events that this rule matched; `git.*` for all rules of a pack
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Show at most this many records, the newest; 0 for all
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub(crate) limit: usize,
    /// Keep running, and show new records as they come
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// Check that no record was changed, removed, inserted or reordered
    #[arg(long, conflicts_with_all = ["follow", "limit", "since", "session", "agent", "decision", "rule"])]
    pub(crate) verify: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The id of the event
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Report {
    #[command(flatten)]
    pub(crate) records: Records,
    /// Write the page to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: PathBuf,
    /// List at most this many events, the newest
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Hooks {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Exit with code 1 if there are errors or warnings
    #[arg(long)]
    pub(crate) check: bool,
    /// Only list hooks for this event
    #[arg(long, value_name = "EVENT")]
    pub(crate) event: Option<String>,
    /// Only list hooks that match this tool
    #[arg(long, value_name = "TOOL")]
    pub(crate) tool: Option<String>,
    /// The directory to resolve the project from (default: the current directory)
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// The project's directory
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
    /// Revoke trust
    #[arg(long)]
    pub(crate) revoke: bool,
    /// Also trust hooks whose arguments cannot be pinned before they run
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) uncovered: bool,
    /// Only these hooks
    #[arg(value_name = "HOOK")]
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// The id of a rule, a pattern such as `git.*`, or a pack
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the reference of all rules and words as Markdown
    #[arg(long, conflicts_with_all = ["id", "json"])]
    pub(crate) reference: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Effects {
    /// One word, for example `send`
    #[arg(value_name = "WORD")]
    pub(crate) word: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Allow {
    /// The code of the call that was denied or asked about
    #[arg(value_name = "CODE", conflicts_with_all = ["list", "revoke", "json"])]
    pub(crate) code: Option<String>,
    /// Allow what the rules object to in the call for the rest of its session
    #[arg(long, requires = "code", conflicts_with_all = ["time", "here", "always"])]
    pub(crate) session: bool,
    /// Allow it in this directory for a time, for example `7d`, with an exception in your configuration
    #[arg(long = "for", value_name = "TIME", requires = "code", conflicts_with = "always")]
    pub(crate) time: Option<String>,
    /// Allow it in this directory for 30 days, or for the time of `--for`
    #[arg(long, requires = "code")]
    pub(crate) here: bool,
    /// Allow it in this directory for good
    #[arg(long, requires = "code")]
    pub(crate) always: bool,
    /// Revoke the permissions that were given with a code
    #[arg(long, value_name = "CODE", conflicts_with_all = ["list", "json"])]
    pub(crate) revoke: Option<String>,
    /// List active permissions, and recent denials and questions that can be allowed (default)
    #[arg(long)]
    pub(crate) list: bool,
    /// Print the list as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Validity of a permission for one call, in minutes
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..=i64::from(crate::commands::allow::MOST_MINUTES)))]
    pub(crate) minutes: u16,
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    /// Duration in minutes
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
    /// A configuration file to use in addition to the usual ones
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Test files, or directories with `*.test.toml` files; by default all next to the active configuration files, and those
    /// below a project's `.checkrein`
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Cat {
    /// The files, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
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
    /// Judge by this configuration file, and show what it changes
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Compare with this configuration file instead of the current configuration
    #[arg(long, value_name = "FILE", requires = "policy")]
    pub(crate) against: Option<PathBuf>,
    /// Write a picture with the figures and no commands to a new SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) card: Option<PathBuf>,
    /// Print one JSON object per call, and one with the figures at the end
    #[arg(long)]
    pub(crate) json: bool,
}

/// Returns the agents whose records can be read.
fn with_transcripts() -> Vec<&'static str> {
    ALL.iter().filter(|host| host.transcripts.is_some()).map(|host| host.name()).collect()
}

#[derive(Debug, Args)]
pub(crate) struct Scan {
    /// Files and directories, or `-` for standard input (default: the current directory)
    #[arg(value_name = "PATH", conflicts_with_all = ["staged", "history"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Scan what is staged for the next commit
    #[arg(long, conflicts_with = "history")]
    pub(crate) staged: bool,
    /// Scan every version of every file that the repository has
    #[arg(long)]
    pub(crate) history: bool,
    /// Only report values with a checksum or a vendor's prefix
    #[arg(long)]
    pub(crate) sure: bool,
    /// Also read files that git ignores
    #[arg(long)]
    pub(crate) no_ignore: bool,
    /// A file with accepted fingerprints (default: `.checkrein-baseline`, if there is one)
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Print one JSON object per finding
    #[arg(long, conflicts_with_all = ["sarif", "print_baseline"])]
    pub(crate) json: bool,
    /// Print a report in SARIF
    #[arg(long, conflicts_with = "print_baseline")]
    pub(crate) sarif: bool,
    /// Print the findings as a baseline, and exit with code 0
    #[arg(long)]
    pub(crate) print_baseline: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").args(["key", "default", "reference", "tests"]))]
pub(crate) struct Schema {
    /// Explain one key instead, for example `hook.timeout`
    #[arg(
        value_name = "KEY",
        value_parser = clap::builder::PossibleValuesParser::new(checkrein::key_names()),
        hide_possible_values = true,
    )]
    pub(crate) key: Option<String>,
    /// Print the commented default configuration instead
    #[arg(long)]
    pub(crate) default: bool,
    /// Print the reference of all keys as Markdown instead
    #[arg(long)]
    pub(crate) reference: bool,
    /// Print the schema of policy test files instead
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
    /// Validate a file and install it as the administrator's configuration
    ///
    /// Replaces the active file in one step. Root only. Exit code 0: the file is active, or would be. 1: the file is broken,
    /// and nothing was changed. 3: cannot be done here.
    Apply(Apply),
}

#[derive(Debug, Args)]
pub(crate) struct Apply {
    /// Only validate the file, and show whether it differs from the active one
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The new configuration file
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
    /// Print a report of what was imported, changed and refused as one JSON object, instead of the configuration
    #[arg(long)]
    pub(crate) json: bool,
    /// The file that has the hooks
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
}

fn only_this_agent() -> String {
    let agents = choice(recipes().map(|recipe| recipe.host));
    format!("Only this agent ({agents}), even if it is not found here; can be repeated")
}

fn dialects() -> String {
    let ours = checkrein_hosts::OURS.name();
    let others = ALL.iter().map(|host| host.name()).filter(|name| *name != ours);
    let others: String = others.map(|name| format!("`{name}`, ")).collect();
    format!("The dialect: {others}or `{ours}` for the native one")
}

fn origins() -> String {
    let known = choice(Origin::all().map(Origin::as_str));
    format!("The tool that the file belongs to, if its content does not show it: {known}")
}
