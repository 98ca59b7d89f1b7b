//! The command line of every command but `hook`, which parses its few arguments itself. A command's arguments are in the
//! file with its name; `Command` has its help text.

mod allow;
mod call;
mod cat;
mod check;
mod completions;
mod coverage;
mod demo;
mod doctor;
mod explain;
mod groups;
mod help;
mod hook;
mod hooks;
mod import;
mod init;
mod learn;
mod log;
mod managed;
mod mcp_pins;
mod mcp_proxy;
mod monitor;
mod records;
mod repair;
mod replay;
mod report;
mod rules;
mod run;
mod scan;
mod schema;
mod stats;
mod suggest;
mod target;
mod test;
mod trust;
mod undo;
mod uninstall;
mod why;

pub(crate) use self::{
    allow::Allow,
    call::Call,
    cat::Cat,
    check::Check,
    completions::{Completions, Man},
    coverage::Coverage,
    demo::Demo,
    doctor::Doctor,
    explain::Explain,
    groups::program,
    help::Help,
    hook::HookHelp,
    hooks::Hooks,
    import::Import,
    init::Init,
    learn::{Learn, LearnCommand},
    log::Log,
    managed::{Apply, Managed, ManagedCommand},
    mcp_pins::McpPins,
    mcp_proxy::McpProxy,
    monitor::Monitor,
    records::Records,
    repair::Repair,
    replay::{History, Replay},
    report::Report,
    rules::{Effects, Rules},
    run::Run,
    scan::Scan,
    schema::Schema,
    stats::Stats,
    suggest::Suggest,
    target::Target,
    test::Test,
    trust::Trust,
    undo::Undo,
    uninstall::Uninstall,
    why::Why,
};
use clap::{Parser, Subcommand};

/// Checks what coding agents are about to do: denies what cannot be undone, asks about what is risky
#[derive(Debug, Parser)]
#[command(name = "checkrein", version, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play a recorded agent session through what Checkrein does by default
    Demo(Demo),
    /// Install checkrein into the agents on this machine
    ///
    /// Finds the agents, shows what would change in their hooks files, asks for confirmation, and writes the changes. To add
    /// entries, answer yes (`d` shows the diff); to change existing entries, type the word that the terminal shows. Exit code
    /// 0: done, or nothing to do. 1: partially failed (details on stderr). 3: cannot prompt here.
    Init(Init),
    /// Remove what `init` added to the agents' files
    ///
    /// Restores the files to what they were before. Run it before you remove the program: agents that can fail closed block
    /// every tool call while their hook is missing. The exit codes are those of `init`.
    Uninstall(Uninstall),
    /// Check the agents' setup on this machine, and suggest fixes
    ///
    /// Exit code 0: every agent found here calls checkrein. 1: one does not, or not always. 3: usage error.
    Doctor(Doctor),
    /// Show what each agent does with an answer, event by event, and how that is known
    Coverage(Coverage),
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
    /// Record what would be blocked instead of blocking it, for some days
    ///
    /// Everything runs, and the trail shows what would have been denied or asked about (`checkrein log`). The rules that protect
    /// Checkrein itself stay active. Exit code 0: done. 1: not changed. 3: cannot prompt here, or not possible.
    Monitor(Monitor),
    /// Temporarily let agents work with a broken configuration
    Repair(Repair),
    /// Install the administrator's configuration
    Managed(Managed),
    /// Convert another tool's hooks to checkrein configuration
    ///
    /// Exit code 0: all hooks were imported. 1: some were refused; the result has them as comments with the reason. 3: the
    /// file cannot be read.
    Import(Import),
    /// Guard an MCP server, for hosts that have no hooks
    ///
    /// Starts the server and passes its messages on. Calls are judged as in `hook`, results are redacted, and the definitions of
    /// tools are pinned: one that changes is held back until the user accepts it. Sampling and elicitation are refused unless
    /// `[mcp]` says so. Exit code 0: the client ended the session. 1: the server ended, or a message could not be passed on. 3:
    /// the server cannot be started.
    McpProxy(McpProxy),
    /// Show the tools of MCP servers that wait to be accepted, and accept them
    ///
    /// Exit code 0: done, or nothing to do. 1: not accepted. 3: cannot prompt here, or no such server.
    McpPins(McpPins),
    /// Restore files that a call deleted or overwrote
    ///
    /// Restores what is missing, and what is as the call left it. What was changed since is a conflict, which `--force` replaces.
    /// Restoring can be undone as well. Exit code 0: all restored. 1: conflicts are left, or not confirmed. 3: nothing was kept
    /// under this id, or cannot prompt here.
    Undo(Undo),
    /// Show which commands failed here and what worked instead, and forget it
    ///
    /// Something is remembered only if `[learn]` says so, and only the words of a command that Checkrein knows: no words of outputs or prompts.
    Learn(Learn),
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
    /// Suggest configuration that would spare you prompts, from what agents did in the past
    ///
    /// Reads the same records as `replay`, and names the few `[[allow]]` and `[[exception]]` entries that would have spared the most
    /// prompts. Only commands that read are suggested, of programs that the guard knows, and only if they were needed on several days
    /// and in several sessions. Exit code 0: done. 1: a file could not be read, or nothing was written. 3: usage error.
    Suggest(Suggest),
    /// Print files without the secrets in them
    ///
    /// Every value of a file whose purpose is to hold secrets (`.env`, `.netrc`, keys, credentials) is replaced by a tag, unless it is
    /// clearly harmless; in other files, so is what the scanner finds. Names, comments and layout stay.
    Cat(Cat),
    /// Run a program with a secret that the model knows only by its tag
    ///
    /// Checkrein puts this command before a command of an agent that has a tag in it. It needs a ticket, which works once, for one
    /// command in one directory. The program gets the value in a variable, on standard input or through a descriptor, never in its
    /// arguments, and the value is replaced in its output. Exit code: that of the program. 4: the program was not started.
    Run(Run),
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
