//! The chores of this repository: one command for each, and nothing needed but cargo.
//!
//! It uses little more than the standard library and stays simple, because it is built before anything else
//! can run. It prints what it does on stderr, as the commands that one could have typed.

use std::{
    env,
    ffi::OsStr,
    io,
    path::{Path, PathBuf},
    process::{Command, ExitCode, ExitStatus, Stdio},
};

mod agents;
mod api;
mod bench;
mod blind;
mod crates;
mod dist;
mod plugins;
mod python;
mod release;
mod soundness;
mod trigrams;
mod verdicts;

const HELP: &str = "\
The chores of this repository

Usage: cargo xtask <command>

Commands:
  test [arguments]   run all tests, including the suite with two real agents and the Python package; with arguments,
                     run only `cargo test` with them. The last line says which agents were skipped. If none can be
                     installed or sandboxed here, it has the reason; CHECKREIN_WITHOUT_AGENTS='why' skips them too
  agents [--update]  install all real agents and run the suite with them, offline; `--update` writes its tables into
                     the README and docs/agents.md instead of comparing them
  python             run only the tests of the Python package, in a separate environment; `python --adapters` tests
                     its adapters with the real frameworks, which it installs below `target/`
  api [library]...   write the public API of the published libraries to `docs/api`, for all or for those that are named;
                     `api --check` compares instead
  bench [section]    measure, and print each figure with its goal; sections: dispatch, process, config, command,
                     guard, verdict, harness, secrets, python
  crates [--check]   write the page of each published crate from its documentation; `--check` compares instead, and makes
                     the packages for the Rust registry
  dist               build the static release, check it, and leave it in `target/dist/` with its checksum and its bill
                     of materials; with valgrind it finds the functions that usual events run, and places them
                     together
  release --dry-run [--fast] [--try] [--try-systems] [--no-wheels] [--sign KEY] [--platform NAME]...
                     make every package of a release in `target/packages`: programs for Linux and macOS, archives,
                     npm, Debian and Python packages, the installer, checksums; `--sign` signs these with minisign; `--try` installs and uses each one that this
                     machine can run; `--fast` builds quickly, only to test the packages
  release --twice [--fast]
                     make the packages for this machine in two directories, and compare every byte
  release --pages    write what a release makes into the README and docs/install.md
  plugins [--fast] [--platform NAME]... | plugins --debug | plugins --without-programs
                     write the plugins of all agents to `target/plugins`, and check them; with the programs of a release,
                     with this machine's as the tests build it, or with none
  verdicts [FILE]    write the guard's verdict on every command in the repository to FILE or `target/verdicts.txt`, one
                     line per case, to check a refactoring
  verdicts --compare OLD NEW [--renamed MAP]
                     show the differences between two such files, and fail if there are any; MAP has lines of an old
                     and a new word (the id of a rule, a modifier)
  figures            write the guard's figures on other authors' commands into the README
  soundness [--runs N] [--jobs N] [--only TEXT] [--text COMMAND] [--list FILE]
                     run commands in boxes, without a network and without any file of this machine, and compare what they
                     did with what the guard predicts; `--only` those that contain TEXT, `--text` one command in every
                     shell, `--list` writes every difference by program. `soundness --update` writes the figures of
                     all commands into docs/measured.md; it takes about half an hour
  trigrams [DIRECTORY...]
                     train the scanner's model of rare text on the sources of packages, by default on those that cargo
                     has unpacked
  seal LIST          add a list of labelled commands to the held-out ones
  help               print this text

Everything is built below `target/`, or below CARGO_TARGET_DIR.";

/// The reason why a chore failed.
#[derive(Debug)]
enum Failed {
    /// One of our commands failed and has printed the reason.
    Exit(u8),
    /// Another reason, which has not been printed yet.
    Because(String),
}

type Result<T> = std::result::Result<T, Failed>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test", rest @ ..] => test(rest),
        ["agents", rest @ ..] => agents::agents(rest),
        ["python"] => python::test(),
        ["python", "--adapters"] => python::adapters(),
        ["api", rest @ ..] => api::api(rest),
        ["bench", rest @ ..] => bench::bench(rest),
        ["crates", rest @ ..] => crates::crates(rest),
        ["dist"] => dist::dist().map(drop),
        ["plugins", rest @ ..] => plugins::plugins(rest),
        ["release", rest @ ..] => release::release(rest),
        ["verdicts", rest @ ..] => verdicts::verdicts(rest),
        ["figures"] => blind::figures(),
        ["soundness", rest @ ..] => soundness::soundness(rest),
        ["trigrams", directories @ ..] => trigrams::trigrams(directories),
        ["seal", list] => blind::seal(list),
        ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(())
        }
        [] => Err(Failed::Because(format!("which chore?\n\n{HELP}"))),
        [unknown, ..] => Err(Failed::Because(format!("unknown command `{unknown}`\n\n{HELP}"))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failed::Exit(code)) => ExitCode::from(code),
        Err(Failed::Because(reason)) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn test(arguments: &[&str]) -> Result<()> {
    let agents = agents::prepare();
    if let Err(reason) = &agents {
        left_out(reason);
    }
    if arguments.is_empty() {
        // First, because it leaves a program behind that knows an extra host.
        say("trying a made-up host, which is one directory and one row");
        let example = ["--package", "checkrein-cli", "--features", "example-host", "--test", "program"];
        run(cargo().arg("test").args(example).arg("example_host"))?;
    }
    say("building the programs that the tests start");
    run(cargo().args(["build", "--workspace", "--bins"]))?;
    if agents.is_ok() {
        agents::write_plugins()?;
    }
    say("building and running all tests");
    let mut test = cargo();
    test.args(["test", "--workspace"]);
    agents::limit(&mut test);
    if agents.is_err() {
        test.args(["--exclude", "checkrein-agents"]);
    }
    run(test.args(arguments))?;
    if arguments.is_empty() {
        say("the features of the harness that are off by default");
        let features = ["--package", "checkrein-harness", "--features", "tracing,tokio-util"];
        run(cargo().arg("test").args(features).args([
            "--test",
            "tracing",
            "--test",
            "token",
            "--test",
            "cancel_race",
        ]))?;
        python::test()?;
    }
    // At the end, where it is still visible.
    match &agents {
        Err(reason) => left_out(reason),
        Ok(()) => say(&format!("SKIPPED: {}; `cargo xtask agents` tries all agents", agents::skipped())),
    }
    Ok(())
}

fn left_out(reason: &str) {
    say(&format!("SKIPPED: the suite with the real agents. {reason}"));
}

fn say(what: &str) {
    eprintln!("xtask: {what}");
}

/// Returns the cargo that runs us, in the root of the repository.
fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Returns the compiler that cargo uses.
fn rustc() -> Command {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.current_dir(root());
    command
}

fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Returns the directory below which everything is built.
fn target() -> PathBuf {
    // Cargo resolves a relative path from where it runs.
    root().join(env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// Prints the command and runs it; its exit code becomes ours if it fails.
fn run(command: &mut Command) -> Result<()> {
    let program = announce(command);
    let status = command.status().map_err(|error| cannot("run", &program, &error))?;
    judge(&program, status)
}

/// Prints the command, runs it, and returns its output.
fn output(command: &mut Command) -> Result<String> {
    let program = announce(command);
    let output =
        command.stderr(Stdio::inherit()).output().map_err(|error| cannot("run", &program, &error))?;
    judge(&program, output.status)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Prints the command, and returns the name of its program.
fn announce(command: &Command) -> String {
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let program =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    say(&format!("$ {program} {}", words.join(" ")));
    program
}

fn judge(program: &str, status: ExitStatus) -> Result<()> {
    if status.success() {
        return Ok(());
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or_else(
        || Err(Failed::Because(format!("`{program}` was ended: {status}"))),
        |code| Err(Failed::Exit(code)),
    )
}

fn cannot(what: &str, whom: &str, error: &io::Error) -> Failed {
    Failed::Because(format!("cannot {what} `{whom}`: {error}"))
}
