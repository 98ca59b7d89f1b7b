//! Runs the program that was built, as a host and a user would, before it becomes a release.

use crate::{Failed, Result, cannot, say};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    thread,
};

/// The number of lines of a long-lived process, and the growth that is allowed after the first ones.
const LINES: usize = 200_000;
const FIRST_LINES: usize = 2000;
const GROWTH: u64 = MIB;

/// The size of a large event, and the limit for all copies of it together, as a multiple.
const LARGE: usize = 60 * 1024 * 1024;
const COPIES: u64 = 4;

const MIB: u64 = 1024 * 1024;

/// Runs the program in `directory`, which is emptied first, with a minimal environment.
/// `emulator` is the command that runs a program of another architecture, or empty.
pub(crate) fn run(emulator: &[&str], program: &Path, directory: &Path) -> Result<()> {
    say("trying the program");
    // On the first run it does not exist.
    let _ = fs::remove_dir_all(directory);
    fs::create_dir_all(directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    let version = format!("checkrein {}\n", env!("CARGO_PKG_VERSION"));
    let program = Program { emulator, file: program };
    expect(&program, directory, &["--version"], "", 0, |said| said == version)?;
    let hook = ["hook", "--host", "claude"];
    expect(&program, directory, &hook, &event("ls"), 0, |said| {
        serde_json::from_str::<Value>(said).is_ok_and(|said| said.is_object())
    })?;
    expect(&program, directory, &hook, "{", 2, |said| said.contains("\"block\""))?;
    // An emulator's memory is not the program's.
    if emulator.is_empty() { memory(&program, directory) } else { Ok(()) }
}

/// A program and what runs it.
struct Program<'a> {
    emulator: &'a [&'a str],
    file: &'a Path,
}

fn event(command: &str) -> String {
    let event =
        json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}});
    event.to_string()
}

fn start(program: &Program<'_>, directory: &Path, arguments: &[&str]) -> Result<Child> {
    let mut command = match program.emulator {
        [] => Command::new(program.file),
        [emulator, options @ ..] => {
            let mut command = Command::new(emulator);
            command.args(options).arg(program.file);
            command
        }
    };
    command
        .args(arguments)
        .current_dir(directory)
        .env_clear()
        .env("HOME", directory)
        .env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| cannot("run", &program.file.to_string_lossy(), &error))
}

fn expect(
    program: &Program<'_>,
    directory: &Path,
    arguments: &[&str],
    input: &str,
    exit: i32,
    good: impl Fn(&str) -> bool,
) -> Result<()> {
    let mut child = start(program, directory, arguments)?;
    if let Some(mut stdin) = child.stdin.take() {
        // The program need not read all of its input.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| cannot("wait for", "checkrein", &error))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(exit) && good(&said) {
        return Ok(());
    }
    let words = arguments.join(" ");
    let talk = String::from_utf8_lossy(&output.stderr);
    Err(Failed::Because(format!("`checkrein {words}` said `{said}`, ended with {}\n{talk}", output.status)))
}

/// Checks that a long-lived process does not grow, whatever `hook` does with its memory.
fn memory(program: &Program<'_>, directory: &Path) -> Result<()> {
    let mut batch = Batch::start(program, directory)?;
    let line = event("git status --short && cargo test");
    batch.ask(&line, FIRST_LINES)?;
    let first = batch.peak()?;
    batch.ask(&line, LINES - FIRST_LINES)?;
    let last = batch.peak()?;
    let growth = last.saturating_sub(first);
    say(&format!(
        "{LINES} events in one process: {} KiB at most, {} KiB more than the first",
        last / 1024,
        growth / 1024
    ));
    if growth > GROWTH {
        return Err(Failed::Because("the program grows with every event".into()));
    }
    let mut batch = Batch::start(program, directory)?;
    batch.ask(&event(&"x".repeat(LARGE)), 1)?;
    let peak = batch.peak()?;
    say(&format!("one event of {} MiB: {} MiB at most", LARGE as u64 / MIB, peak / MIB));
    if peak > COPIES * LARGE as u64 {
        return Err(Failed::Because(format!("the program holds more than {COPIES} copies of an event")));
    }
    Ok(())
}

/// `checkrein check --batch`, which answers line by line and so lives as long as we like.
struct Batch {
    child: Child,
    stdin: ChildStdin,
    answers: BufReader<std::process::ChildStdout>,
}

impl Batch {
    fn start(program: &Program<'_>, directory: &Path) -> Result<Self> {
        let mut child = start(program, directory, &["check", "--batch"])?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| Failed::Because("there is no pipe to checkrein".into()))?;
        Ok(Self { child, stdin, answers: BufReader::new(stdout) })
    }

    /// Sends the same line `times` times, and reads as many answers.
    fn ask(&mut self, line: &str, times: usize) -> Result<()> {
        let Self { stdin, answers, .. } = self;
        let asked = thread::scope(|scope| {
            // Both at the same time: neither pipe has room for all of it.
            let writer = scope.spawn(move || -> std::io::Result<()> {
                let line = format!("{line}\n");
                (0..times).try_for_each(|_| stdin.write_all(line.as_bytes()))?;
                stdin.flush()
            });
            let mut answer = String::new();
            for _ in 0..times {
                answer.clear();
                answers.read_line(&mut answer)?;
                if !answer.contains("\"decision\":") {
                    return Err(std::io::Error::other(format!("it answered `{}`", answer.trim_end())));
                }
            }
            writer.join().unwrap_or_else(|_| Err(std::io::Error::other("the writer panicked")))
        });
        asked.map_err(|error| cannot("ask", "checkrein check --batch", &error))
    }

    /// Returns its peak memory so far, in bytes.
    fn peak(&self) -> Result<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        let peak = peak.and_then(|peak| peak.parse::<u64>().ok());
        peak.map(|peak| peak * 1024).ok_or_else(|| Failed::Because(format!("`{path}` does not say the peak")))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // It has nothing left to answer.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
