//! Compares one command hook with the bare start of the same child.
//!
//! The bare start is the minimum that works: two pipes, write, read, wait. The rest of a command hook makes
//! it safe: its own process group, a third pipe, a deadline over everything, limits, and reading the
//! answer.

use crate::{
    Job, Result, child, payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use checkrein_core::{Deadline, Entry, Hook as _, flat, json};
use checkrein_exec::{CommandHook, Program};
use std::{ffi::OsString, path::Path, time::Instant};

const ROUNDS: usize = 301;

/// The budget, as a multiple of the bare start.
const MOST_STARTS: f64 = 1.2;

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let input = payload::bytes(&job.directory);
    let fields = json::parse_object(&input).map_err(|error| error.to_string())?;
    let payload = flat::read(fields, None).map_err(|error| error.to_string())?;

    let text = "cat > /dev/null";
    let shell = child::Program::new(Path::new("/bin/sh"), &["-c", text], &job.directory);
    let mut pairs = vec![("sh -c 'cat > /dev/null'", shell, Program::Shell(text.into()))];
    match &job.echo {
        Some(echo) => {
            let list = Program::List(vec![echo.display().to_string()]);
            pairs.insert(0, ("the echo", child::Program::new(echo, &[], &job.directory), list));
        }
        None => println!("there is no echo here: the smallest child is left out"),
    }

    let environment: [(OsString, OsString); 2] =
        [("PATH".into(), "/usr/bin:/bin".into()), ("HOME".into(), job.directory.clone().into())];
    let mut rows = Vec::new();
    for (name, bare, program) in &pairs {
        let hook = CommandHook::new(program.clone()).environment(environment.clone());
        let (input, payload) = (&input, &payload);
        rows.push(Row::new(format!("bare start of {name}"), move || {
            Ok(bare.run(input)?.elapsed.as_secs_f64())
        }));
        rows.push(Row::new(format!("command hook, {name}"), move || {
            let start = Instant::now();
            let answer = hook.call(payload, Deadline::after(Entry::TIMEOUT));
            let elapsed = start.elapsed();
            answer.map(|_| elapsed.as_secs_f64()).map_err(|failure| failure.to_string())
        }));
    }
    let mut lines: Vec<Line> = Vec::new();
    for (name, samples) in interleaved(rows, ROUNDS) {
        let samples = samples.into_iter().collect::<Result<Vec<f64>>>()?;
        let Some(time) = Summary::of(samples.into_iter().map(|seconds| seconds * 1e6)) else { continue };
        lines.push(Line { name, time, cpu: None, ratio: None, goals: Vec::new() });
    }
    for pair in lines.chunks_mut(2) {
        let [bare, hook] = pair else { continue };
        let ratio = hook.time.median / bare.time.median;
        (bare.ratio, hook.ratio) = (Some(1.0), Some(ratio));
        hook.goals.push(Goal::at_most("≤ 1.2 × the bare start", ratio, MOST_STARTS));
    }
    table::print("a command hook, 1 KB on stdin", "µs", &lines, doubts);
    Ok(())
}
