//! Measures the cost of hooks that do not apply: ten and a thousand hooks, none of them for the event.
//!
//! It counts instructions, because the count is the same in each run and shows a difference of one percent.
//! It also measures time, because that is what a user waits for. The rows are our program as released.

use crate::{
    Job, Result,
    child::Program,
    instructions::Counter,
    payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

const ROUNDS: usize = 151;

const FEW: usize = 10;
const MANY: usize = 1000;

/// The pause before a measurement. A file that was written a moment ago is not yet cached in its compiled
/// form, and these figures are about every day but the first.
const SETTLED: Duration = Duration::from_secs(3);

/// The budget: instructions with many hooks, as a multiple of those with few.
const MOST_INSTRUCTIONS: f64 = 1.1;

/// The reason why no hook of the configuration runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    OtherEvent,
    OtherTools,
}

impl Shape {
    const ALL: [Self; 2] = [Self::OtherEvent, Self::OtherTools];

    const fn name(self) -> &'static str {
        match self {
            Self::OtherEvent => "for another event",
            Self::OtherTools => "for other tools",
        }
    }

    fn hook(self, number: usize) -> String {
        let which = match self {
            Self::OtherEvent => "event = \"PostToolUse\"".to_owned(),
            Self::OtherTools => format!("event = \"PreToolUse\"\nmatch = {{ tool = \"Tool{number}\" }}"),
        };
        format!(
            "[[hook]]\n{which}\nname = \"hook-{number}\"\nrole = \"judge\"\ncommand = \"./hook.sh {number}\"\n\n"
        )
    }
}

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let Some(program) = &job.release else {
        println!("there is no static build here: what a configuration costs is left out");
        return Ok(());
    };
    let input = payload::bytes(&job.directory);
    let mut cases = vec![("no configuration".to_owned(), None)];
    for shape in Shape::ALL {
        for hooks in [FEW, MANY] {
            cases.push((format!("{hooks} hooks {}", shape.name()), Some(write(job, shape, hooks)?)));
        }
    }
    let programs: Vec<Program> = cases
        .iter()
        .map(|(_, config)| Program::new(program, &words(config.as_deref()), &job.directory))
        .collect();
    thread::sleep(SETTLED);
    for ((name, _), program) in cases.iter().zip(&programs) {
        let run = program.run(&input)?;
        // A refusal would be a figure for something else.
        if run.status != 0 {
            let said = String::from_utf8_lossy(&run.stdout);
            doubts.push(format!("with {name} the program ended with status {:#x}: {said}", run.status));
        }
    }
    let rows = cases.iter().zip(&programs).map(|((name, _), program)| {
        Row::new(name, || program.run(&input).map(|run| (run.elapsed.as_secs_f64(), run.cpu.as_secs_f64())))
    });
    let mut lines: Vec<Line> = Vec::new();
    for (name, runs) in interleaved(rows.collect(), ROUNDS) {
        let runs = runs.into_iter().collect::<Result<Vec<(f64, f64)>>>()?;
        let Some(time) = Summary::of(runs.iter().map(|(elapsed, _)| elapsed * 1e6)) else { continue };
        let cpu = Summary::of(runs.iter().map(|(_, cpu)| cpu * 1e6));
        let ratio = lines.first().map(|first: &Line| time.median / first.time.median);
        lines.push(Line { name, time, cpu, ratio, goals: Vec::new() });
    }
    table::print("a whole process with `--config`, no hook is for the event", "µs", &lines, doubts);
    instructions(job, &cases, &programs, &input)
}

/// Counts under callgrind, if it is installed.
fn instructions(
    job: &Job,
    cases: &[(String, Option<PathBuf>)],
    programs: &[Program],
    input: &[u8],
) -> Result<()> {
    let Some(counter) = Counter::find(&job.directory) else { return Ok(()) };
    println!("\nthe same in thousands of instructions");
    let mut few = None;
    for ((name, config), program) in cases.iter().zip(programs) {
        let count = counter.count(program, input)?;
        let goal = match (config, few.take()) {
            (Some(_), Some(few)) => {
                let text = format!("≤ {MOST_INSTRUCTIONS} × the line above, is {:.2} ×", count / few);
                Some(Goal::at_most(text, count / few, MOST_INSTRUCTIONS))
            }
            (Some(_), None) => {
                few = Some(count);
                None
            }
            (None, _) => None,
        };
        table::figure(name, &format!("{:.0}", count / 1000.0), goal.as_slice());
    }
    Ok(())
}

fn words(config: Option<&Path>) -> Vec<&str> {
    let mut words = vec!["hook", "--host", "claude", "--event", "PreToolUse"];
    if let Some(config) = config.and_then(Path::to_str) {
        words.extend(["--config", config]);
    }
    words
}

/// Writes a file with `hooks` hooks next to the empty directory.
fn write(job: &Job, shape: Shape, hooks: usize) -> Result<PathBuf> {
    let mut text = String::new();
    for number in 0..hooks {
        let _ = text.write_str(&shape.hook(number));
    }
    let name = match shape {
        Shape::OtherEvent => format!("event-{hooks}.toml"),
        Shape::OtherTools => format!("tools-{hooks}.toml"),
    };
    let path = job.directory.with_file_name(name);
    fs::write(&path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    Ok(path)
}
