//! Measures the harness: a call in the pipeline compared with calling the tool directly, and one policy as
//! a shell hook and as a typed hook.
//!
//! Everything runs on a runtime with one thread, so that the only wake-up in a figure is that of the thread
//! on which blocking hooks run.

use crate::{
    Job, Result, child, payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use checkrein_core::{
    Deadline, Dispatcher, Entry, Event, EventName, Hook as _, Map, Output, Payload, ToolCall,
};
use checkrein_exec::{CommandHook, Program};
use checkrein_harness::{
    Builder, Handle, Pipeline, Registration, Running, Session, ToolError, ToolSpec, Tools, Verdict, on,
};
use std::{
    ffi::OsString,
    hint::black_box,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::runtime::{self, Runtime};

const ROUNDS: usize = 301;

/// Long enough that looking at the clock does not count.
const BATCH: Duration = Duration::from_micros(200);

/// The rows with a goal.
const NO_HOOKS: &str = "in the pipeline, no hooks";
const FIVE_HOOKS: &str = "in the pipeline, 5 native hooks";

const COMMAND: &str = "git log --oneline -20 && git status --short";

/// A tool that does nothing.
struct Nothing(Arc<ToolSpec>);

impl Tools for Nothing {
    fn tool(&self, _: &str) -> Option<Arc<ToolSpec>> {
        Some(Arc::clone(&self.0))
    }

    async fn run(&self, call: &ToolCall, _: &Running) -> std::result::Result<Output, ToolError> {
        black_box(call);
        Ok(Output::default())
    }
}

fn nothing() -> Nothing {
    Nothing(ToolSpec::unchecked("run_shell").into())
}

fn call() -> ToolCall {
    let mut input = Map::new();
    input.insert("command".into(), COMMAND.into());
    ToolCall::new("run_shell", input)
}

fn silent(number: usize) -> Registration {
    on(EventName::PreToolUse, &format!("hook-{number}"), |payload: &Payload| {
        black_box(payload);
        Verdict::abstain()
    })
    .judge()
}

fn handle(hooks: impl IntoIterator<Item = Registration>) -> Result<Handle<Nothing>> {
    let builder = hooks.into_iter().fold(Pipeline::builder(nothing()), Builder::hook);
    let pipeline = builder.build().map_err(|error| error.to_string())?;
    Ok(pipeline.handle(Session { id: Some("bench".into()), cwd: Some("/".into()), ..Session::default() }))
}

/// Runs something this many times and returns the average in nanoseconds.
type Measure<'a> = Box<dyn FnMut(u32) -> f64 + 'a>;

fn per_one(times: u32, start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
}

/// Sends the call through the pipeline. It comes back in the report and goes in again, so that the figure
/// contains no copy of it.
fn through<'a>(runtime: &'a Runtime, handle: Handle<Nothing>) -> Measure<'a> {
    Box::new(move |times| {
        runtime.block_on(async {
            let mut next = call();
            let start = Instant::now();
            for _ in 0..times {
                next = black_box(handle.call(next).await).call;
            }
            per_one(times, start)
        })
    })
}

fn directly(runtime: &Runtime) -> Measure<'_> {
    let (tools, call) = (nothing(), call());
    Box::new(move |times| {
        runtime.block_on(async {
            let running = Running {
                session: Default::default(),
                agent: Default::default(),
                attempt: 1,
                deadline: tokio::time::Instant::now(),
                cancel: Default::default(),
            };
            let start = Instant::now();
            for _ in 0..times {
                let _ = black_box(tools.run(black_box(&call), &running).await);
            }
            per_one(times, start)
        })
    })
}

pub(crate) fn bench(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let runtime =
        runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    native(&runtime, doubts)?;
    command(&runtime, job, doubts)?;
    git_guard(job, doubts)
}

fn native(runtime: &Runtime, doubts: &mut Vec<String>) -> Result<()> {
    let rows: Vec<(&str, Measure<'_>)> = vec![
        ("the tool, called directly", directly(runtime)),
        (NO_HOOKS, through(runtime, handle([])?)),
        ("in the pipeline, 1 native hook", through(runtime, handle([silent(0)])?)),
        (FIVE_HOOKS, through(runtime, handle((0..5).map(silent))?)),
        ("in the pipeline, 1 hook that may wait", through(runtime, handle([silent(0).waits()])?)),
    ];
    let mut lines = lines(rows, 1.0);
    set_goals(&mut lines);
    table::print("a call of a tool that does nothing", "ns", &lines, doubts);
    Ok(())
}

/// Sets the goals: for a call without hooks, and for what five native hooks add to it.
fn set_goals(lines: &mut [Line]) {
    let Some(none) = lines.iter().find(|line| line.name == NO_HOOKS).map(|line| line.time.median) else {
        return;
    };
    for line in lines {
        let added = line.time.median - none;
        match line.name.as_str() {
            NO_HOOKS => line.goals.push(Goal::at_most("≤ 1100 ns", none, 1100.0)),
            FIVE_HOOKS => {
                line.goals.push(Goal::at_most(format!("{added:.0} more ≤ 100 ns"), added, 100.0));
            }
            _ => {}
        }
    }
}

/// Compares one command hook with the bare start of the same child.
fn command(runtime: &Runtime, job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let text = "cat > /dev/null";
    let bare = child::Program::new(Path::new("/bin/sh"), &["-c", text], &job.directory);
    let input = payload::bytes(&job.directory);
    let hook = shell_hook(Program::Shell(text.into()), &job.directory);
    let entry = Entry::new(EventName::PreToolUse, hook);
    let handle = handle([Registration::from(entry)])?;
    let rows: Vec<(&str, Measure<'_>)> = vec![
        (
            "bare start of sh -c 'cat > /dev/null'",
            // A start that fails shows as no time at all, which is obviously wrong.
            Box::new(move |_| bare.run(&input).map_or(0.0, |ended| ended.elapsed.as_secs_f64() * 1e9)),
        ),
        ("a call in the pipeline, with it as a hook", through(runtime, handle)),
    ];
    let mut lines = lines(rows, 1e-3);
    compare(&mut lines);
    table::print("a call with one command hook", "µs", &lines, doubts);
    Ok(())
}

/// Compares one policy as a shell hook and as a typed hook, both called in the same way.
fn git_guard(job: &Job, doubts: &mut Vec<String>) -> Result<()> {
    let script = Program::List(vec![git_guard::script().display().to_string()]);
    let shell = shell_hook(script, &job.directory);
    let mut typed = Dispatcher::new();
    for entry in handle([git_guard::hook()])?.pipeline().dispatcher().entries() {
        if entry.name() == "git-guard" {
            typed.add(entry.clone());
        }
    }
    let payload = || Payload::new(Event::PreToolUse { call: call() });
    let ours = payload();
    if shell.call(&ours, Deadline::after(Entry::TIMEOUT)).is_err() || typed.entries().len() != 1 {
        return Err("the hooks of the git guard cannot be asked".into());
    }
    let mut next = Some(payload());
    let rows: Vec<(&str, Measure<'_>)> = vec![
        (
            "typed hook",
            Box::new(move |times| {
                let mut current = next.take().unwrap_or_else(payload);
                let start = Instant::now();
                for _ in 0..times {
                    let outcome = black_box(&typed).dispatch(current);
                    black_box(&outcome);
                    current = outcome.payload;
                }
                next = Some(current);
                per_one(times, start)
            }),
        ),
        (
            "shell hook",
            Box::new(move |times| {
                let start = Instant::now();
                for _ in 0..times {
                    let _ = black_box(shell.call(&ours, Deadline::after(Entry::TIMEOUT)));
                }
                per_one(times, start)
            }),
        ),
    ];
    let mut lines = lines(rows, 1e-3);
    compare(&mut lines);
    table::print("the git guard, one call judged", "µs", &lines, doubts);
    Ok(())
}

fn shell_hook(program: Program, directory: &Path) -> CommandHook {
    let environment: [(OsString, OsString); 2] =
        [("PATH".into(), "/usr/bin:/bin".into()), ("HOME".into(), directory.into())];
    CommandHook::new(program).named("shell").environment(environment)
}

/// Measures the rows, and shows nanoseconds times `unit`.
fn lines(rows: Vec<(&str, Measure<'_>)>, unit: f64) -> Vec<Line> {
    let rows = rows
        .into_iter()
        .map(|(name, mut measure)| {
            let mut times = 1;
            while measure(times) * f64::from(times) < BATCH.as_secs_f64() * 1e9 {
                times *= 2;
            }
            Row::new(name, move || measure(times))
        })
        .collect();
    interleaved(rows, ROUNDS)
        .into_iter()
        .filter_map(|(name, samples)| {
            let time = Summary::of(samples.into_iter().map(|sample| sample * unit))?;
            Some(Line { name, time, cpu: None, ratio: None, goals: Vec::new() })
        })
        .collect()
}

/// Shows each line as a multiple of the first.
fn compare(lines: &mut [Line]) {
    let Some(first) = lines.first().map(|line| line.time.median) else { return };
    for line in lines {
        line.ratio = Some(line.time.median / first);
    }
}
