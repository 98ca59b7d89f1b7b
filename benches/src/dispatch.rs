//! Dispatch of hooks that live in our own process.
//!
//! The payload goes in, comes back in the outcome and goes in again, so that no copy of it is part of the figure; the
//! making and the dropping of the trail are.

use crate::{
    payload,
    sample::{Row, Summary, interleaved},
    table::{self, Goal, Line},
};
use checkrein_core::{Dispatcher, Entry, EventName, Payload, Role, Verdict, hook_fn};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

const ROUNDS: usize = 301;

/// Long enough that looking at the clock does not count, short enough that most batches are not interrupted.
const BATCH: Duration = Duration::from_micros(200);

/// What is measured: how many hooks, in which role, with which trail.
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
            let silent = hook_fn(format!("hook-{hook}"), |payload: &Payload| {
                black_box(payload);
                Verdict::abstain()
            });
            dispatcher.add(Entry::new(EventName::PreToolUse, silent).role(self.role));
        }
        dispatcher
    }
}

/// Dispatches `times` times, and says how long one took on average, in nanoseconds.
fn batch(dispatcher: &Dispatcher, payload: &mut Option<Payload>, times: u32) -> f64 {
    let mut current = payload.take().unwrap_or_else(payload::small);
    let start = Instant::now();
    for _ in 0..times {
        let outcome = black_box(dispatcher).dispatch(current);
        // By reference: moving it through the box would copy it twice more.
        black_box(&outcome);
        current = outcome.payload;
    }
    let elapsed = start.elapsed();
    *payload = Some(current);
    elapsed.as_secs_f64() * 1e9 / f64::from(times)
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
    let rows = cases
        .iter()
        .map(|case| {
            let dispatcher = case.dispatcher();
            let mut payload = None;
            let mut times = 1;
            while batch(&dispatcher, &mut payload, times) * f64::from(times) < BATCH.as_secs_f64() * 1e9 {
                times *= 2;
            }
            Row::new(case.name(), move || batch(&dispatcher, &mut payload, times))
        })
        .collect();
    let lines: Vec<Line> = interleaved(rows, ROUNDS)
        .into_iter()
        .zip(&cases)
        .filter_map(|((name, samples), case)| {
            let time = Summary::of(samples)?;
            let goal = case.limit.map(|limit| Goal::at_most(format!("≤ {limit:.0} ns"), time.median, limit));
            Some(Line { name, time, cpu: None, ratio: None, goals: goal.into_iter().collect() })
        })
        .collect();
    table::print("dispatch of native hooks, small payload", "ns", &lines, doubts);
}
