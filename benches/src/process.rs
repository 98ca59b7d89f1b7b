//! Measures the whole program as a host sees it: started, asked once, waited for.

use crate::{
    Job, Result,
    child::{Finished, Program},
    payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use std::path::{Path, PathBuf};

const ROUNDS: usize = 301;

const RELEASED: &str = "checkrein hook, as released";
const SYSTEM_ALLOCATOR: &str = "the same, system allocator";

/// The budgets: a multiple of the echo, with the guard at work, memory, and the size of the released program.
const MOST_ECHOES: f64 = 2.6;
const MOST_SIZE: f64 = 8.0 * MIB;
const MOST_MEMORY: f64 = 16.0 * MIB;
const MIB: f64 = 1024.0 * 1024.0;

/// The kind of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Echo,
    /// Our program as released, which the budget is about.
    Released,
    /// Our program as cargo builds it.
    Ours,
    Shell,
    Other,
}

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let programs = programs(job);
    let input = payload::bytes(&job.directory);
    let rows = programs.iter().map(|(name, _, program)| Row::new(*name, || program.run(&input))).collect();
    let mut measured = Vec::new();
    for ((name, runs), (_, kind, _)) in interleaved(rows, ROUNDS).into_iter().zip(&programs) {
        let runs = runs.into_iter().collect::<Result<Vec<Finished>>>()?;
        let Some(time) = micros(&runs, |run| run.elapsed.as_secs_f64()) else { continue };
        let cpu = micros(&runs, |run| run.cpu.as_secs_f64());
        measured.push((*kind, Line { name, time, cpu, ratio: None, goals: Vec::new() }, runs));
    }
    let median = |wanted| {
        let line = measured.iter().find(|(kind, _, _)| *kind == wanted);
        line.map(|(_, line, _)| line.time.median)
    };
    let (echo, shell) = (median(Kind::Echo), median(Kind::Shell));
    for (kind, line, _) in &mut measured {
        line.ratio = echo.map(|echo| line.time.median / echo);
        if *kind == Kind::Released {
            let ratio = line
                .ratio
                .map(|ratio| Goal::at_most(format!("≤ {MOST_ECHOES} × the echo"), ratio, MOST_ECHOES));
            let shell = shell.map(|shell| Goal::at_most("below `sh -c true`", line.time.median, shell));
            line.goals.extend(ratio.into_iter().chain(shell));
        }
    }
    let lines: Vec<Line> = measured.iter().map(|(_, line, _)| line.clone()).collect();
    table::print("a whole process, 1 KB on stdin, stdout read to its end", "µs", &lines, doubts);

    let named = |wanted: &str| measured.iter().find(|(_, line, _)| line.name == wanted);
    if let (Some((_, released, _)), Some((_, system, _))) = (named(RELEASED), named(SYSTEM_ALLOCATOR)) {
        let saved = 1.0 - released.time.median / system.time.median;
        println!("\nwhat the allocator of `hook` saves of a process, in %");
        table::figure("against the system allocator", &format!("{:.0}", saved * 100.0), &[]);
    }

    println!(
        "\nmemory and size, in MiB (a child never counts less memory than what started it), and the answer"
    );
    for (kind, line, runs) in &measured {
        let peak = runs.iter().map(|run| run.peak).max().unwrap_or_default() as f64;
        let ours = matches!(kind, Kind::Released | Kind::Ours);
        let goal = ours.then(|| Goal::at_most("≤ 16 MiB", peak, MOST_MEMORY));
        table::figure(&line.name, &format!("{:.1}", peak / MIB), goal.as_slice());
        if ours {
            answer(line, runs, doubts);
        }
    }
    let size = |path: &Option<PathBuf>| Some(path.as_ref()?.metadata().ok()?.len() as f64);
    if let Some(size) = size(&job.release) {
        let goal = Goal::at_most("≤ 8 MiB", size, MOST_SIZE);
        table::figure("the program itself, as released", &format!("{:.2}", size / MIB), &[goal]);
    }
    if let Some(size) = size(&job.dynamic) {
        table::figure("the program itself, as cargo builds it", &format!("{:.2}", size / MIB), &[]);
    }
    Ok(())
}

/// Reports our program's answer: a fast refusal would be a figure for something else.
fn answer(line: &Line, runs: &[Finished], doubts: &mut Vec<String>) {
    let Some(first) = runs.first() else { return };
    println!("    answers `{}`", String::from_utf8_lossy(&first.stdout).trim_end());
    if first.status != 0 {
        doubts.push(format!("`{}` ended with status {:#x}, so it did other work", line.name, first.status));
    }
    if runs.iter().any(|run| (run.status, &run.stdout) != (first.status, &first.stdout)) {
        doubts.push(format!("`{}` did not give the same answer each time", line.name));
    }
}

fn programs(job: &Job) -> Vec<(&'static str, Kind, Program)> {
    let hook = ["hook", "--host", "claude", "--event", "PreToolUse"];
    let (shell, python) = (Path::new("/bin/sh"), Path::new("/usr/bin/python3"));
    let rows: [(_, _, _, _, &[&str]); 6] = [
        ("the echo: no libc, answers `{}`", "echo", Kind::Echo, job.echo.as_deref(), &[]),
        (RELEASED, "static build", Kind::Released, job.release.as_deref(), &hook),
        (SYSTEM_ALLOCATOR, "build with it", Kind::Ours, job.system_allocator.as_deref(), &hook),
        ("checkrein hook, as cargo builds it", "build", Kind::Ours, job.dynamic.as_deref(), &hook),
        ("sh -c true", "shell", Kind::Shell, shell.exists().then_some(shell), &["-c", "true"]),
        ("python3 -c pass", "python", Kind::Other, python.exists().then_some(python), &["-c", "pass"]),
    ];
    let mut programs = Vec::new();
    for (name, what, kind, path, arguments) in rows {
        match path {
            Some(path) => programs.push((name, kind, Program::new(path, arguments, &job.directory))),
            None => println!("there is no {what} here: `{name}` is left out"),
        }
    }
    programs
}

fn micros(runs: &[Finished], seconds: impl Fn(&Finished) -> f64) -> Option<Summary> {
    Summary::of(runs.iter().map(|run| seconds(run) * 1e6))
}
