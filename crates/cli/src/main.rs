//! The program `checkrein`.
//!
//! stdout is the answer, stderr is the talk, the exit code is documented. `hook` is what agents start, so it is found
//! first and shares nothing with the rest but the engine.

mod allocator;
mod allow;
mod args;
mod authority;
mod batch;
mod built_in;
mod check;
mod completions;
mod demo;
mod doctor;
mod explain;
mod hook;
mod hooks;
mod import;
mod init;
mod install;
mod last_words;
mod layer_exceptions;
mod layer_rules;
mod managed;
mod out;
mod paint;
mod policy;
mod repair;
mod report;
mod schema;
mod stdin;
mod talk;
mod test;
mod trust;
mod uninstall;
mod user;

use args::{Cli, Command, ManagedCommand};
use authority::Authority;
use clap::{CommandFactory, FromArgMatches};
use std::{io::Write, process::ExitCode};

/// The hidden command under which the program watches over an observer that outlives the answer.
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
        _ => talkative(),
    }
}

/// The end of a command that no user types.
fn hidden(done: std::io::Result<()>) -> ExitCode {
    done.map_or_else(
        |error| {
            eprintln!("checkrein: {}", paint::lines(&error.to_string()));
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

fn hook_help() -> ExitCode {
    let mut command = Cli::command();
    command.build();
    let help = command.find_subcommand_mut("hook").map(clap::Command::render_long_help);
    anstream::print!("{}", help.unwrap_or_default().ansi());
    ExitCode::SUCCESS
}

/// Says what is wrong with the command line. It is said in colour, unless words of the command line would act on the terminal.
fn complain(error: &clap::Error) {
    let hides = |word: std::ffi::OsString| word.to_string_lossy().contains(checkrein::sanitize::is_hidden);
    // Nobody may be listening.
    let _ = if std::env::args_os().skip(1).any(hides) {
        writeln!(std::io::stderr(), "{}", paint::lines(&error.render().to_string()))
    } else {
        error.print()
    };
}

/// Options that are gone: the command that had one, its name, and what to write in its place.
const RENAMED: &[(&str, &str, &str)] = &[("allow", "--once", "checkrein allow CODE")];

/// What to write in place of an option that is gone.
fn renamed() -> Option<String> {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let has = |word: &String, option: &str| word.split('=').next() == Some(option);
    let is = |(command, option, _): &&(&str, &str, &str)| {
        words.first().is_some_and(|word| word == command) && words.iter().any(|word| has(word, option))
    };
    let (command, option, new) = RENAMED.iter().find(is)?;
    Some(format!("`{command}` has no `{option}` any more\n\nhint: write `{new}`"))
}

/// Everything that a user types.
fn talkative() -> ExitCode {
    let parsed = Cli::command().try_get_matches();
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            use clap::error::ErrorKind::{
                DisplayHelpOnMissingArgumentOrSubcommand, InvalidSubcommand, MissingSubcommand,
                UnknownArgument,
            };
            match renamed().filter(|_| error.kind() == UnknownArgument) {
                Some(renamed) => crate::out::err!("checkrein: {renamed}"),
                None => complain(&error),
            }
            return match error.kind() {
                // A misspelt `hook` in an agent's settings must not open the gate.
                InvalidSubcommand | MissingSubcommand | DisplayHelpOnMissingArgumentOrSubcommand => {
                    ExitCode::from(2)
                }
                _ if error.use_stderr() => check::Exit::BadQuestion.into(),
                _ => ExitCode::SUCCESS,
            };
        }
    };
    let done = Authority::of(&matches).and_then(|authority| run(&cli.command, &authority));
    done.unwrap_or_else(|error| {
        crate::out::err!("checkrein: {}", paint::lines(&format!("{error:#}")));
        check::Exit::BadQuestion.into()
    })
}

/// Runs a command. Those that change policy or state are told who may say yes.
fn run(command: &Command, authority: &Authority) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(demo) => demo::run(demo),
        Command::Init(init) => init::run(init, authority),
        Command::Uninstall(uninstall) => uninstall::run(uninstall, authority),
        Command::Doctor(doctor) => doctor::run(doctor),
        Command::Check(check) => check::run(check),
        Command::Explain(explain) => explain::run(explain),
        Command::Hooks(hooks) => hooks::run(hooks),
        Command::Trust(trust) => trust::run(trust, authority),
        Command::Allow(allow) => allow::run(allow, authority),
        Command::Repair(repair) => repair::run(repair, authority),
        Command::Managed(managed) => match &managed.command {
            ManagedCommand::Apply(apply) => managed::apply(apply),
        },
        Command::Import(import) => import::run(import),
        Command::Test(test) => test::run(test),
        Command::Schema(schema) => schema::run(schema),
        Command::Completions(completions) => completions::run(completions),
        Command::Man(man) => completions::man(man),
        Command::Hook(_) => Ok(hook::run(std::env::args_os().skip(2)).unwrap_or_else(hook_help)),
    }
}
