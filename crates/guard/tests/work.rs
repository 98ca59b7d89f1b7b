//! What a call costs is bounded by its length, whatever stands in it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "work/texts.rs"]
mod texts;

use checkrein_guard::{Bare, CallPlace, judge, work};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use texts::{AROUND, SETUPS, UNITS, text};

fn place() -> CallPlace {
    CallPlace { cwd: Some("/home/dev/proj".to_owned()), project: Some("/home/dev/proj".to_owned()) }
}

fn cpu() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap(), now.tv_nsec.try_into().unwrap())
}

/// Searches for slow texts and prints the slowest: `SHARES=50 AROUND=1 cargo test … -- --ignored --nocapture`.
#[test]
#[ignore = "a search that takes minutes"]
fn search() {
    let shares = std::env::var("SHARES").unwrap_or_else(|_| "50".to_owned());
    let shares: Vec<usize> = shares.split(',').map(|share| share.parse().unwrap()).collect();
    let around: usize = std::env::var("AROUND").map_or(1, |most| most.parse().unwrap());
    let filter = std::env::var("ONLY").unwrap_or_default();
    let mut found = Vec::new();
    for (how, around) in AROUND.iter().take(around) {
        for (name, setup) in SETUPS {
            for unit in UNITS {
                for share in &shares {
                    let label = format!("{how} / {name} / {unit:?} / {share}");
                    if !label.contains(&filter) {
                        continue;
                    }
                    let text = text(*setup, unit, *share, *around);
                    let start = cpu();
                    let (decision, spent) = work::one_call(|| {
                        (judge(&text, &place(), &Bare::new("/home/dev")).decision, work::spent())
                    });
                    let cost = cpu() - start;
                    let share = 100 * spent / work::MOST;
                    // What costs more than it burns is not bounded by what it burns.
                    let each = cost.as_nanos() / u128::from(spent.max(1));
                    let line = format!("{cost:>10.1?} {share:>4} % {each:>4} ns each  {decision:?}  {label}");
                    if cost > Duration::from_millis(400) || (each > 12 && cost > Duration::from_millis(60)) {
                        println!("{line}");
                    }
                    found.push((cost, line));
                }
            }
        }
    }
    found.sort();
    println!("the slowest:");
    found.iter().rev().take(40).for_each(|(_, line)| println!("{line}"));
}
