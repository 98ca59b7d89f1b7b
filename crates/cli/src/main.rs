//! The program `checkrein`.
//!
//! Answers go to stdout, errors and warnings to stderr, and exit codes are documented. Agents start `hook`, so `main` looks for
//! it first, and it shares only the engine with the other commands.

mod allocator;
mod args;
mod attendance;
mod authority;
mod bounded_line;
mod caller;
mod commands;
mod crash_reply;
mod exit;
mod greeting;
mod install;
mod json_report;
mod policy;
mod recorder;
mod stdin;
mod sys;
mod term;
mod usage;
mod user_file;

use args::{Cli, Command, ManagedCommand};
use authority::Authority;
use clap::FromArgMatches;
use commands::{
    allow, cat, check, completions, coverage, demo, doctor, explain, help, hook, hooks, import, init, learn,
    log, managed, mcp_pins, mcp_proxy, monitor, repair, replay, report, rules, run, scan, schema, stats,
    suggest, test, trust, undo, uninstall,
};
use exit::ExitStatus;
use std::process::ExitCode;
use term::{err, style};

/// The hidden command that supervises an observer after the answer was given.
const SUPERVISE: &str = checkrein::guard::SUPERVISE;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next().as_deref().and_then(|word| word.to_str()) {
        Some("hook") => {
            allocator::start();
            hook::run(words).unwrap_or_else(hook_help)
        }
        Some(SUPERVISE) => checkrein::exec::supervise(words),
        Some(checkrein_live::ANSWER) => hidden(checkrein_live::answer()),
        Some(checkrein_live::INSIDE) => {
            hidden(checkrein_live::inside(words.next().unwrap_or_default().as_ref()))
        }
        Some(replay::WORKER) => hidden(replay::work()),
        _ => interactive(),
    }
}

/// Returns the exit code of a hidden command, and reports its error.
fn hidden(done: std::io::Result<()>) -> ExitCode {
    done.map_or_else(
        |error| {
            eprintln!("checkrein: {}", style::lines(&error.to_string()));
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

fn hook_help() -> ExitCode {
    help::print(&["hook".to_owned()]).map_or_else(|error| report(&error), ExitCode::from)
}

/// Reports an error that stopped a command.
fn report(error: &anyhow::Error) -> ExitCode {
    let text = format!("{error:#}");
    err!("checkrein: {}", style::lines(&text));
    report_as_json(&text);
    ExitStatus::UsageError.into()
}

/// Reports an error to a program that asked for JSON: it reads stdout, and would find nothing there.
fn report_as_json(text: &str) {
    if std::env::args_os().skip(1).any(|word| word == "--json") {
        let (message, hint) =
            text.split_once("\n\nhint: ").map_or((text, None), |(text, hint)| (text, Some(hint)));
        term::data!(
            "{}",
            style::json(serde_json::json!({"error": style::lines(message), "hint": hint.map(style::lines)}))
        );
    }
}

/// Runs a command that a user types.
fn interactive() -> ExitCode {
    let parsed = args::program().try_get_matches();
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage::answer(&error, &args::program()),
    };
    if matches!(cli.command, Command::Hook(_)) {
        return hook::run(std::env::args_os().skip(2)).unwrap_or_else(hook_help);
    }
    if let Command::Run(arguments) = &cli.command {
        return run::run(arguments);
    }
    let done = Authority::of(&matches).and_then(|authority| run(&cli.command, &authority));
    done.map_or_else(|error| report(&error), ExitCode::from)
}

/// Runs a command. Commands that change policy or state are given the authority to ask for confirmation.
fn run(command: &Command, authority: &Authority) -> anyhow::Result<ExitStatus> {
    match command {
        Command::Demo(demo) => demo::run(demo),
        Command::Init(init) => init::run(init, authority),
        Command::Uninstall(uninstall) => uninstall::run(uninstall, authority),
        Command::Doctor(doctor) => doctor::run(doctor),
        Command::Coverage(arguments) => coverage::run(arguments),
        Command::Check(check) => check::run(check),
        Command::Explain(explain) => explain::run(explain),
        Command::Hooks(hooks) => hooks::run(hooks),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Effects(arguments) => rules::effects(arguments),
        Command::Trust(trust) => trust::run(trust, authority),
        Command::Allow(allow) => allow::run(allow, authority),
        Command::Monitor(monitor) => monitor::run(monitor, authority),
        Command::Repair(repair) => repair::run(repair, authority),
        Command::Managed(managed) => match &managed.command {
            ManagedCommand::Apply(apply) => managed::apply(apply),
        },
        Command::Import(import) => import::run(import),
        Command::McpProxy(arguments) => mcp_proxy::run(arguments),
        Command::McpPins(arguments) => mcp_pins::run(arguments, authority),
        Command::Undo(arguments) => undo::run(arguments, authority),
        Command::Learn(arguments) => learn::run(arguments, authority),
        Command::Replay(replay) => replay::run(replay),
        Command::Suggest(suggest) => suggest::run(suggest, authority),
        Command::Scan(scan) => scan::run(scan),
        Command::Cat(cat) => cat::run(cat),
        Command::Log(log) => log::run(log),
        Command::Why(why) => explain::why::run(why),
        Command::Stats(stats) => stats::run(stats),
        Command::Report(report) => report::run(report),
        Command::Test(test) => test::run(test),
        Command::Schema(schema) => schema::run(schema),
        Command::Completions(completions) => completions::run(completions),
        Command::Man(man) => completions::man(man),
        Command::Help(command) => help::print(&command.command),
        Command::Version => help::version(),
        // It was started before, with its own exit codes.
        Command::Hook(_) | Command::Run(_) => Ok(ExitStatus::Denied),
    }
}
