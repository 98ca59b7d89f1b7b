//! The benchmarks of Checkrein, each next to the minimum that the same work could cost.
//!
//! This is a benchmark and not a test: it prints and never asserts, since a loaded machine must not make a
//! correct program fail. To be useful on such a machine, all rows of a table run interleaved and in
//! changing order, a figure is the median of many, goals are ratios wherever possible, and an unreliable
//! run says so.
//!
//! `cargo xtask bench` builds what is measured here, and starts this program with the paths.

use std::{env, path::PathBuf, process::ExitCode};

mod child;
mod command;
mod config;
mod dialects;
mod dispatch;
mod guard;
mod harness;
mod instructions;
mod machine;
mod payload;
mod process;
mod sample;
mod secrets;
mod syscalls;
mod table;
mod texts;
mod trail;
mod undo;
mod verdict;
mod work;

/// An error of a measurement is a message for the user.
type Result<T> = std::result::Result<T, String>;

const SECTIONS: [&str; 12] = [
    "dispatch", "process", "dialects", "config", "command", "guard", "verdict", "work", "harness", "secrets",
    "trail", "undo",
];

/// The programs that `cargo xtask bench` has built, the sections to measure, and an empty directory for
/// them.
#[derive(Debug, Default)]
struct Job {
    directory: PathBuf,
    echo: Option<PathBuf>,
    release: Option<PathBuf>,
    dynamic: Option<PathBuf>,
    /// As released, but with the system allocator.
    system_allocator: Option<PathBuf>,
    /// As released, but with ten times the rules.
    many_rules: Option<PathBuf>,
    /// Commands for the guard, one JSON object a line.
    commands: Option<PathBuf>,
    /// The lists of commands from everyday work.
    work: Vec<PathBuf>,
    sections: Vec<String>,
}

impl Job {
    fn parse(arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut job = Self::default();
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            let mut path = || arguments.next().map(PathBuf::from).ok_or(format!("`{argument}` needs a path"));
            match argument.as_str() {
                "--directory" => job.directory = path()?,
                "--echo" => job.echo = Some(path()?),
                "--static" => job.release = Some(path()?),
                "--dynamic" => job.dynamic = Some(path()?),
                "--system-allocator" => job.system_allocator = Some(path()?),
                "--many-rules" => job.many_rules = Some(path()?),
                "--commands" => job.commands = Some(path()?),
                "--work" => job.work.push(path()?),
                section if SECTIONS.contains(&section) => job.sections.push(argument),
                _ => return Err(format!("unknown argument `{argument}`")),
            }
        }
        Ok(job)
    }

    fn wants(&self, section: &str) -> bool {
        self.sections.is_empty() || self.sections.iter().any(|wanted| wanted == section)
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [repeat, part, size, times] = arguments.as_slice()
        && repeat == "--repeat"
    {
        return verdict::repeat(part, size, times);
    }
    if let [option, part] = arguments.as_slice()
        && option == secrets::load::OPTION
    {
        secrets::load::first_scan(part);
        return Ok(());
    }
    let job = Job::parse(arguments.into_iter())?;
    let before = machine::Snapshot::take();
    println!("{}", machine::name());
    println!("load before: {before}");
    let mut doubts = Vec::new();
    // Processes first: the peak memory of a child is never less than that of the process which starts it.
    if job.wants("process") {
        process::bench(&job, &mut doubts)?;
    }
    if job.wants("dialects") {
        dialects::bench(&job, &mut doubts)?;
    }
    if job.wants("trail") {
        trail::bench(&job, &mut doubts)?;
    }
    if job.wants("undo") {
        undo::bench(&job, &mut doubts)?;
    }
    if job.wants("guard") {
        guard::bench(&job, &mut doubts)?;
    }
    if job.wants("config") {
        config::bench(&job, &mut doubts)?;
    }
    if job.wants("command") {
        command::bench(&job, &mut doubts)?;
    }
    if job.wants("dispatch") {
        dispatch::bench(&mut doubts);
    }
    if job.wants("verdict") {
        verdict::bench(&job, &mut doubts)?;
    }
    if job.wants("work") {
        work::bench(&job)?;
    }
    if job.wants("harness") {
        harness::bench(&job, &mut doubts)?;
    }
    if job.wants("secrets") {
        secrets::bench(&job, &mut doubts)?;
    }
    let after = machine::Snapshot::take();
    println!("\nload after: {after}");
    doubts.extend(before.doubts(&after));
    for doubt in &doubts {
        println!("doubtful: {doubt}");
    }
    if !doubts.is_empty() {
        println!("run it again on a quiet machine before you believe it");
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}
