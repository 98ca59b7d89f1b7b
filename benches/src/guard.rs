//! Measures the program with the guard at work, as a host sees it: one harmless shell call in a payload of
//! 1 KB.
//!
//! Two payloads, because they are two kinds of work: a short command with a long description, which is
//! mostly JSON, and a command that fills the payload. Another row has the same bytes as an event that the
//! guard does not judge: the difference is the guard's cost in a process.

use crate::{
    Job, Result,
    child::{Finished, Program},
    instructions::Counter,
    payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use std::{fs, path::Path, time::Instant};

const ROUNDS: usize = 301;

/// The budgets: multiples of the echo, for a short command, for one of the payload's size and without work for the guard;
/// instructions with ten times the rules; memory; lines per second of a batch.
const MOST_ECHOES: f64 = 2.6;
const MOST_ECHOES_LONG: f64 = 3.2;
const MOST_ECHOES_SILENT: f64 = 2.2;
const LEAST_LINES: f64 = 25_000.0;
const MOST_INSTRUCTIONS: f64 = 1.1;
const MOST_MEMORY: f64 = 16.0 * MIB;
const MIB: f64 = 1024.0 * 1024.0;

const HOOK: [&str; 3] = ["hook", "--host", "claude"];

/// The number of passes over the commands in one batch, and the number of batches.
const PASSES: usize = 10;
const BATCHES: usize = 11;

/// A program and its input.
struct Case {
    name: String,
    program: Program,
    input: Vec<u8>,
    is_ours: bool,
    /// The budget, as a multiple of the echo.
    most: f64,
}

impl Case {
    fn new(name: &str, program: Program, input: &[u8]) -> Self {
        let is_ours = program.arguments.iter().any(|argument| argument == "claude");
        Self { name: name.to_owned(), program, input: input.to_vec(), is_ours, most: MOST_ECHOES }
    }
}

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let Some(release) = &job.release else {
        println!("there is no static build here: what the guard costs a process is left out");
        return Ok(());
    };
    let cases = cases(job, release);
    process(&cases, doubts)?;
    instructions(job, &cases)?;
    throughput(job, release)
}

fn cases(job: &Job, release: &Path) -> Vec<Case> {
    let short = payload::bytes(&job.directory);
    let long = payload::full(&job.directory);
    let silent = payload::finished(&job.directory);
    let ours = |path: &Path| Program::new(path, &HOOK, &job.directory);
    let long_case = |name: &str, path| Case { most: MOST_ECHOES_LONG, ..Case::new(name, ours(path), &long) };
    let mut cases = Vec::new();
    if let Some(echo) = &job.echo {
        cases.push(Case::new(
            "the echo: no libc, answers `{}`",
            Program::new(echo, &[], &job.directory),
            &short,
        ));
    } else {
        println!("there is no echo here: the ratios are left out");
    }
    let without = Case::new("hook, nothing for the guard", ours(release), &silent);
    cases.push(Case { most: MOST_ECHOES_SILENT, ..without });
    cases.push(Case::new("hook, a short command", ours(release), &short));
    cases.push(long_case("hook, a command of the payload's size", release));
    if let Some(many) = &job.many_rules {
        cases.push(Case::new("the short one, ten times the rules", ours(many), &short));
        cases.push(long_case("the long one, ten times the rules", many));
    } else {
        println!("there is no build with ten times the rules here: it is left out");
    }
    let shell = Path::new("/bin/sh");
    if shell.exists() {
        cases.push(Case::new("sh -c true", Program::new(shell, &["-c", "true"], &job.directory), &short));
    }
    cases
}

fn process(cases: &[Case], doubts: &mut Vec<String>) -> Result<()> {
    let rows = cases.iter().map(|case| Row::new(&*case.name, || case.program.run(&case.input))).collect();
    let (mut lines, mut peaks) = (Vec::<Line>::new(), Vec::new());
    for ((name, runs), case) in interleaved(rows, ROUNDS).into_iter().zip(cases) {
        let runs = runs.into_iter().collect::<Result<Vec<Finished>>>()?;
        let Some(time) = Summary::of(runs.iter().map(|run| run.elapsed.as_secs_f64() * 1e6)) else {
            continue;
        };
        let cpu = Summary::of(runs.iter().map(|run| run.cpu.as_secs_f64() * 1e6));
        let echo = lines.first().map_or(time.median, |echo| echo.time.median);
        let ratio = cases.first().filter(|first| !first.is_ours).map(|_| time.median / echo);
        let most = case.most;
        let goal = ratio.filter(|_| case.is_ours);
        let goal = goal.map(|ratio| Goal::at_most(format!("≤ {most} × the echo"), ratio, most));
        lines.push(Line { name: name.clone(), time, cpu, ratio, goals: goal.into_iter().collect() });
        if case.is_ours {
            peaks.push((name, runs.iter().map(|run| run.peak).max().unwrap_or_default() as f64));
            doubt(case, &runs, doubts);
        }
    }
    table::print("a whole process with all packs, 1 KB on stdin", "µs", &lines, doubts);
    println!("\nits peak memory, in MiB (a child never counts less than what started it)");
    for (name, peak) in peaks {
        let goal = Goal::at_most("≤ 16 MiB", peak, MOST_MEMORY);
        table::figure(&name, &format!("{:.1}", peak / MIB), &[goal]);
    }
    Ok(())
}

/// Doubts a run that was not silent: it would be a figure for something else.
fn doubt(case: &Case, runs: &[Finished], doubts: &mut Vec<String>) {
    if let Some(run) = runs.iter().find(|run| run.status != 0 || run.stdout.trim_ascii() != b"{}") {
        let said = String::from_utf8_lossy(&run.stdout);
        doubts.push(format!(
            "`{}` ended with status {:#x} and said {}",
            case.name,
            run.status,
            said.trim_end()
        ));
    }
}

fn instructions(job: &Job, cases: &[Case]) -> Result<()> {
    let Some(counter) = Counter::find(&job.directory) else { return Ok(()) };
    println!("\nthe same in thousands of instructions");
    let mut counts: Vec<(&[u8], f64)> = Vec::new();
    for case in cases.iter().filter(|case| case.is_ours) {
        let count = counter.count(&case.program, &case.input)?;
        let few = counts.iter().find(|(input, _)| *input == case.input).map(|(_, few)| count / few);
        let goal = few.map(|ratio| {
            let text = format!("≤ {MOST_INSTRUCTIONS} × with the rules as they are, is {ratio:.2} ×");
            Goal::at_most(text, ratio, MOST_INSTRUCTIONS)
        });
        table::figure(&case.name, &format!("{:.0}", count / 1000.0), goal.as_slice());
        counts.push((&case.input, count));
    }
    Ok(())
}

/// Measures how many lines per second `check --batch` answers in one process, including its start.
fn throughput(job: &Job, release: &Path) -> Result<()> {
    let Some(path) = &job.commands else { return Ok(()) };
    let commands = fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let lines = commands.iter().filter(|byte| **byte == b'\n').count() * PASSES;
    // From a file: a process that writes into a pipe and does not read the answers blocks forever.
    let input = job.directory.with_file_name("batch.jsonl");
    fs::write(&input, commands.repeat(PASSES))
        .map_err(|error| format!("cannot write `{}`: {error}", input.display()))?;
    let program = Program::new(release, &["check", "--batch"], &job.directory);
    let mut rates = Vec::new();
    for _ in 0..BATCHES {
        let file =
            fs::File::open(&input).map_err(|error| format!("cannot read `{}`: {error}", input.display()))?;
        let start = Instant::now();
        let output = program.command().stdin(file).output().map_err(|error| error.to_string())?;
        let answers = output.stdout.iter().filter(|byte| **byte == b'\n').count();
        if answers != lines {
            return Err(format!("`check --batch` gave {answers} answers to {lines} lines"));
        }
        rates.push(lines as f64 / start.elapsed().as_secs_f64());
    }
    println!("\n`check --batch`, {lines} lines, in lines per second");
    if let Some(rate) = Summary::of(rates) {
        let goal = Goal::at_least("≥ 25,000", rate.median, LEAST_LINES);
        table::figure("median", &format!("{:.0}", rate.median), &[goal]);
    }
    Ok(())
}
