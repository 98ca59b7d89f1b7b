//! Measures the dispatch of hooks in our own process.
//!
//! The payload goes in, comes back in the outcome and goes in again, so that the figure contains no copy of
//! it. It does contain creating and dropping the trail.

use crate::{
    payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use checkrein_core::{Deadline, Dispatcher, Entry, EventName, Hook, Payload, Role, Step, Verdict, hook_fn};
use std::{
    hint::black_box,
    iter,
    sync::Arc,
    time::{Duration, Instant},
};

const ROUNDS: usize = 301;

/// Long enough that looking at the clock does not count, short enough that most batches are not interrupted.
const BATCH: Duration = Duration::from_micros(200);

/// One case: how many hooks, in which role, with which trail.
struct Case {
    hooks: usize,
    role: Role,
    trail: Trail,
    limit: Option<f64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Trail {
    Untimed,
    Timed,
}

impl Case {
    const fn new(hooks: usize, role: Role, trail: Trail) -> Self {
        Self { hooks, role, trail, limit: None }
    }

    const fn goal(mut self, nanoseconds: f64) -> Self {
        self.limit = Some(nanoseconds);
        self
    }

    fn name(&self) -> String {
        let hooks = match (self.hooks, self.role) {
            (0, _) => "no hooks".to_owned(),
            (1, role) => format!("1 hook, {role}"),
            (hooks, role) => format!("{hooks} hooks, {role}"),
        };
        match self.trail {
            Trail::Untimed => hooks,
            Trail::Timed => format!("{hooks}, timed trail"),
        }
    }

    fn dispatcher(&self) -> Dispatcher {
        let mut dispatcher = Dispatcher::new().timed(self.trail == Trail::Timed);
        for hook in 0..self.hooks {
            let silent = silent(format!("hook-{hook}"));
            dispatcher.add(Entry::new(EventName::PreToolUse, silent).with_role(self.role));
        }
        dispatcher
    }
}

/// A repeatable measurement: runs it this many times and returns the average in nanoseconds.
type Repeat<'a> = Box<dyn FnMut(u32) -> f64 + 'a>;

fn repeat<'a>(mut once: impl FnMut() + 'a) -> Repeat<'a> {
    Box::new(move |times| {
        let start = Instant::now();
        for _ in 0..times {
            once();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(times)
    })
}

fn dispatches<'a>(dispatcher: Dispatcher) -> Repeat<'a> {
    let mut payload = Some(payload::small());
    Box::new(move |times| {
        let mut current = payload.take().unwrap_or_else(payload::small);
        let start = Instant::now();
        for _ in 0..times {
            let outcome = black_box(&dispatcher).dispatch(current);
            // By reference: moving it through the box would copy it twice more.
            black_box(&outcome);
            current = outcome.payload;
        }
        let elapsed = start.elapsed();
        payload = Some(current);
        elapsed.as_secs_f64() * 1e9 / f64::from(times)
    })
}

/// Returns the parts of a dispatch, measured alone, so that a figure over its goal can be explained.
fn parts<'a>() -> Vec<(&'static str, Repeat<'a>)> {
    let hooks: Vec<Box<dyn Hook>> =
        (0..5).map(|_| Box::new(silent("bare".into())) as Box<dyn Hook>).collect();
    let payload = payload::small();
    let name: Arc<str> = "bare".into();
    vec![
        (
            "  5 bare calls, nothing merged or kept",
            repeat(move || {
                for hook in black_box(&hooks) {
                    let _ = black_box(&hook.call(&payload, Deadline::after(Entry::TIMEOUT)));
                }
            }),
        ),
        ("  one look at the clock", repeat(|| _ = black_box(Instant::now()))),
        ("  one name shared and let go", repeat(move || drop(black_box(black_box(&name).clone())))),
        ("  one allocation for five steps", repeat(|| drop(black_box(Vec::<Step>::with_capacity(5))))),
    ]
}

fn silent(name: String) -> impl Hook + 'static {
    hook_fn(name, |payload: &Payload| {
        black_box(payload);
        Verdict::abstain()
    })
}

pub(crate) fn bench(doubts: &mut Vec<String>) {
    let cases = [
        Case::new(0, Role::Judge, Trail::Untimed),
        Case::new(1, Role::Judge, Trail::Untimed),
        Case::new(5, Role::Judge, Trail::Untimed).goal(100.0),
        Case::new(5, Role::Plain, Trail::Untimed).goal(100.0),
        Case::new(50, Role::Judge, Trail::Untimed),
        Case::new(1, Role::Judge, Trail::Timed),
        Case::new(5, Role::Judge, Trail::Timed).goal(1000.0),
        Case::new(5, Role::Plain, Trail::Timed).goal(1000.0),
        Case::new(50, Role::Judge, Trail::Timed),
    ];
    let limits = cases.iter().map(|case| case.limit).chain(iter::repeat(None));
    let parts = parts().into_iter().map(|(name, part)| (name.to_owned(), part));
    let rows = cases
        .iter()
        .map(|case| (case.name(), dispatches(case.dispatcher())))
        .chain(parts)
        .map(|(name, mut measure)| {
            let mut times = 1;
            while measure(times) * f64::from(times) < BATCH.as_secs_f64() * 1e9 {
                times *= 2;
            }
            Row::new(name, move || measure(times))
        })
        .collect();
    let lines: Vec<Line> = interleaved(rows, ROUNDS)
        .into_iter()
        .zip(limits)
        .filter_map(|((name, samples), limit)| {
            let time = Summary::of(samples)?;
            let goal = limit.map(|limit| Goal::at_most(format!("≤ {limit:.0} ns"), time.median, limit));
            Some(Line { name, time, cpu: None, ratio: None, goals: goal.into_iter().collect() })
        })
        .collect();
    table::print("dispatch of native hooks, small payload, and its parts", "ns", &lines, doubts);
}
