//! Measures the guard on what it meets every day, and on the worst that can be given to it.
//!
//! The first is every command of our lists of work, each judged until it is warm. The second is texts of 64 KiB that the guard's
//! own search for slow texts makes: something large that is set up once, and something that is done to it again and again.

use crate::{
    Job, Result,
    table::{self, Goal},
    verdict::{HOME, place},
};
use checkrein_guard::{EmptyWorld, judge};
use rustix::time::{ClockId, clock_gettime};
use std::{
    fs,
    hint::black_box,
    iter, thread,
    time::{Duration, Instant},
};

#[path = "../../crates/guard/tests/work/texts.rs"]
mod texts;

/// The times that each command is judged. The fastest counts, which nothing interrupted.
const TIMES: usize = 15;
/// The budget of half of all commands, in microseconds.
const MOST_MICROS: f64 = 35.0;
/// The budget of any text, in seconds.
const MOST_SECONDS: f64 = 0.5;

pub(crate) fn bench(job: &Job) -> Result<()> {
    everyday(job)?;
    worst()
}

/// Prints how long the verdicts about a day's work take.
fn everyday(job: &Job) -> Result<()> {
    let mut commands = Vec::new();
    for list in &job.work {
        let text = fs::read_to_string(list);
        let text = text.map_err(|error| format!("cannot read `{}`: {error}", list.display()))?;
        let cases = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        commands.extend(cases.filter_map(|case| case.get("command")?.as_str().map(str::to_owned)));
    }
    if commands.is_empty() {
        println!("there are no commands here: everyday work is left out");
        return Ok(());
    }
    let (place, world) = (place(), EmptyWorld::new(HOME));
    let mut micros: Vec<f64> = commands
        .iter()
        .map(|command| {
            let once = || {
                let start = Instant::now();
                drop(black_box(judge(black_box(command), &place, &world)));
                start.elapsed().as_secs_f64() * 1e6
            };
            iter::repeat_with(once).take(TIMES).fold(f64::INFINITY, f64::min)
        })
        .collect();
    micros.sort_unstable_by(f64::total_cmp);
    let at = |percent: usize| {
        micros.get(micros.len() * percent / 100).or(micros.last()).copied().unwrap_or_default()
    };
    let length = commands.iter().map(String::len).sum::<usize>() / commands.len();
    println!("\n{} commands of everyday work, {length} bytes long on average, in µs", commands.len());
    let half = at(50);
    table::figure(
        "half of them take at most",
        &format!("{half:.1}"),
        &[Goal::at_most("≤ 35 µs", half, MOST_MICROS)],
    );
    table::figure("95 % take at most", &format!("{:.1}", at(95)), &[]);
    table::figure("all take at most", &format!("{:.1}", at(100)), &[]);
    Ok(())
}

/// Prints the slowest of all texts that the guard's tests can make, each by the clock of its thread.
fn worst() -> Result<()> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let slowest = thread::scope(|scope| {
        let search = |first: usize| {
            move || {
                let labels =
                    texts::SETUPS.iter().flat_map(|setup| texts::UNITS.iter().map(move |unit| (setup, unit)));
                let mine = labels.enumerate().skip(first).step_by(threads);
                let costs = mine.map(|(number, ((name, setup), unit))| {
                    // Each is handed to the guard in another way, and all of them are tried over the list.
                    let (how, around) =
                        texts::AROUND.iter().cycle().nth(number).copied().unwrap_or(("", str::to_owned));
                    let text = texts::text(*setup, unit, 50, around);
                    (cost(&text), format!("{how} / {name} / {unit:?}"))
                });
                let mut count = 0;
                let slowest = costs.inspect(|_| count += 1).max();
                (count, slowest)
            }
        };
        let started: Vec<_> = (0..threads).map(|first| scope.spawn(search(first))).collect();
        started
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a search panicked".to_owned()))
            .collect::<Result<Vec<_>>>()
    })?;
    let count: usize = slowest.iter().map(|(count, _)| count).sum();
    let Some((cost, label)) = slowest.into_iter().filter_map(|(_, slowest)| slowest).max() else {
        return Ok(());
    };
    let seconds = cost.as_secs_f64();
    println!("\n{count} texts of 64 KiB that make work, in seconds");
    table::figure(
        "the slowest",
        &format!("{seconds:.3}"),
        &[Goal::at_most("≤ 0.5 s", seconds, MOST_SECONDS)],
    );
    println!("    {label}");
    Ok(())
}

/// Returns what a verdict costs, by the clock of this thread.
fn cost(text: &str) -> Duration {
    let (place, world) = (place(), EmptyWorld::new(HOME));
    let start = clock();
    drop(black_box(judge(text, &place, &world)));
    clock().saturating_sub(start)
}

fn clock() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}
