//! Measures the guard's verdict on a command, warm, next to two parts of the work: the bare parse of
//! tree-sitter's bash grammar, which is the minimum cost of a syntax tree, and our own reading, which also
//! shows what the shell makes of it.
//!
//! It also counts instructions, since a verdict of a few microseconds is sensitive to whatever else runs.
//! For that the benchmark starts itself under callgrind with a few rounds and with more rounds: the
//! difference contains no start-up.

use crate::{
    Job, Result,
    child::Program,
    instructions::Counter,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
    texts::{Size, sizes},
};
use checkrein_guard::{CallContext, EmptyWorld, ShellEnv, judge, read};
use std::{env, hint::black_box, time::Instant};

const ROUNDS: usize = 101;

/// The budget, as a multiple of the bare parse.
const MOST_PARSES: f64 = 2.0;

/// The number of rounds under callgrind: one to warm up, and this many more.
const FEW: u32 = 2;
const MANY: u32 = 6;

/// The home directory of the machine on which the commands are judged. The guard sees an empty disk.
pub(crate) const HOME: &str = "/home/dev";

/// The part of the work to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Parse,
    Read,
    Judge,
}

/// One part of the work on a text.
type Work = Box<dyn FnMut(&str)>;

impl Part {
    const ALL: [Self; 3] = [Self::Parse, Self::Read, Self::Judge];

    const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Read => "read",
            Self::Judge => "judge",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Parse => "bare parse of tree-sitter-bash",
            Self::Read => "our reading",
            Self::Judge => "verdict",
        }
    }

    /// Returns the work, with everything warm that a second command would find warm.
    fn work(self) -> Result<Work> {
        Ok(match self {
            Self::Parse => {
                let mut parser = tree_sitter::Parser::new();
                parser.set_language(&tree_sitter_bash::LANGUAGE.into()).map_err(|error| error.to_string())?;
                Box::new(move |text| drop(black_box(parser.parse(text, None))))
            }
            Self::Read => {
                let CallContext { cwd, .. } = place();
                let setting = ShellEnv { home: Some(HOME.to_owned()), cwd, ..ShellEnv::default() };
                Box::new(move |text| drop(black_box(read(text, &setting))))
            }
            Self::Judge => {
                let (place, world) = (place(), EmptyWorld::new(HOME));
                Box::new(move |text| drop(black_box(judge(text, &place, &world))))
            }
        })
    }
}

/// Returns the context in which the commands are judged.
pub(crate) fn place() -> CallContext {
    let directory = format!("{HOME}/project");
    CallContext { cwd: Some(directory.clone()), project: Some(directory), ..CallContext::default() }
}

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    for size in sizes() {
        times(&size, doubts)?;
    }
    let Some(counter) = Counter::find(&job.directory) else { return Ok(()) };
    println!("\nthe same in thousands of instructions for each text");
    for size in sizes() {
        let mut parse = None;
        for part in Part::ALL {
            let count = count(job, &counter, &size, part)?;
            let ratio = count / *parse.get_or_insert(count);
            let goal = (part == Part::Judge).then(|| {
                let text = format!("≤ {MOST_PARSES} × the parse, is {ratio:.2} ×");
                Goal::at_most(text, ratio, MOST_PARSES)
            });
            let name = format!("{}: {}", size.name, part.title());
            table::figure(&name, &format!("{:.1}", count / 1000.0), goal.as_slice());
        }
    }
    Ok(())
}

/// Prints one table: each measurement is one pass over all commands of the size.
fn times(size: &Size, doubts: &mut Vec<String>) -> Result<()> {
    let mut rows = Vec::new();
    for part in Part::ALL {
        let mut work = part.work()?;
        rows.push(Row::new(part.title(), move || {
            let start = Instant::now();
            size.texts.iter().for_each(|text| work(black_box(text)));
            start.elapsed().as_secs_f64() * 1e6 / size.texts.len() as f64
        }));
    }
    let mut lines: Vec<Line> = Vec::new();
    for (name, samples) in interleaved(rows, ROUNDS) {
        let Some(time) = Summary::of(samples) else { continue };
        let ratio = lines.first().map_or(1.0, |parse: &Line| time.median / parse.time.median);
        lines.push(Line { name, time, cpu: None, ratio: Some(ratio), goals: Vec::new() });
    }
    if let Some(verdict) = lines.last_mut() {
        let ratio = verdict.ratio.unwrap_or_default();
        verdict.goals.push(Goal::at_most("≤ 2 × the bare parse", ratio, MOST_PARSES));
    }
    let title = format!("a text of {}, warm, each of {}", size.name, size.texts.len());
    table::print(&title, "µs", &lines, doubts);
    Ok(())
}

/// Returns the average number of instructions per command.
fn count(job: &Job, counter: &Counter, size: &Size, part: Part) -> Result<f64> {
    let ourselves = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let instructions = |times: u32| {
        let words = ["--repeat", part.name(), size.name, &times.to_string()];
        counter.count(&Program::new(&ourselves, &words, &job.directory), b"")
    };
    let texts = size.texts.len() as f64;
    Ok((instructions(MANY)? - instructions(FEW)?) / f64::from(MANY - FEW) / texts)
}

/// Runs one part of the work on all commands of a size, `times` times. The benchmark starts itself with
/// this to count.
pub(crate) fn repeat(part: &str, size: &str, times: &str) -> Result<()> {
    let part = Part::ALL.into_iter().find(|known| known.name() == part).ok_or("no such part")?;
    let size = sizes().into_iter().find(|known| known.name == size).ok_or("no such size")?;
    let times: u32 = times.parse().map_err(|error| format!("`{times}`: {error}"))?;
    let mut work = part.work()?;
    for _ in 0..times {
        size.texts.iter().for_each(|text| work(black_box(text)));
    }
    Ok(())
}
