//! The cost of a call is bounded by its length, whatever is in it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

#[path = "work/texts.rs"]
mod texts;

use checkrein_core::Decision;
use checkrein_guard::{CallContext, EmptyWorld, judge, work};
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use texts::{AROUND, SETUPS, UNITS, text};

fn place() -> CallContext {
    CallContext {
        cwd: Some("/home/dev/proj".to_owned()),
        project: Some("/home/dev/proj".to_owned()),
        ..CallContext::default()
    }
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
                        (judge(&text, &place(), &EmptyWorld::new("/home/dev")).decision, work::spent())
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

/// The work that continues after the fuel is used up, until every loop has noticed.
const SLACK: u64 = work::MOST / 8;

fn burnt(text: &str) -> (Decision, u64) {
    work::one_call(|| (judge(text, &place(), &EmptyWorld::new("/home/dev")).decision, work::spent()))
}

/// Every construct at the size that is read, over everything that can be set up before it. A few of each are tried in every
/// run: all of them take minutes in a build without optimisation, and `search` is for that.
#[test]
fn no_text_burns_more_than_there_is() {
    for (place, unit) in UNITS.iter().enumerate() {
        let (name, setup) = SETUPS[place % SETUPS.len()];
        let (how, around) = AROUND[place % AROUND.len()];
        let text = text(setup, unit, 50, around);
        let (decision, spent) = burnt(&text);
        assert!(spent < work::MOST + SLACK, "{how} / {name} / {unit:?}: {spent}");
        // What ends the fuel is never passed in silence.
        assert!(spent < work::MOST || decision == Decision::Deny, "{how} / {name} / {unit:?}: {decision}");
    }
}

/// The slowest that were found: each took from a second to minutes.
#[test]
fn what_was_slow_burns_by_its_length() {
    let setup = |wanted: &str| SETUPS.iter().find(|(name, _)| *name == wanted).unwrap().1;
    for (name, unit) in [
        ("arguments from a variable", "shift;"),
        ("nothing", "rm {1..9999};"),
        ("nothing", "rm {1..999}{1..999};"),
        ("slashes", ". ./$x;"),
        ("slashes", "python3 -c \"$x\";"),
        ("slashes", "if ls;then rm $x;else x=b;fi;"),
        ("one word", "y=${!x};"),
        ("many exported variables", "a|"),
        ("many links", "y=$x;"),
    ] {
        let (_, whole) = burnt(&text(setup(name), unit, 50, str::to_owned));
        assert!(whole < work::MOST + SLACK, "{name} / {unit:?}: {whole}");
        println!("{whole:>10}  {name} / {unit:?}");
    }
}

#[test]
fn ordinary_texts_are_far_from_the_end() {
    let script =
        "set -e\ncd \"$(dirname \"$0\")\"\nfor f in src/*.rs; do\n  grep -n todo \"$f\" || true\ndone\n";
    let (decision, spent) = burnt(&script.repeat(200));
    assert!(spent < work::MOST / 2, "{spent}");
    assert!(decision < Decision::Deny, "{decision}");
    let (_, spent) = burnt("cargo test --workspace && git status --short | head -20");
    assert!(spent < work::MOST / 1000, "{spent}");
}

/// Many texts of one call share what there is for one.
#[test]
fn all_texts_of_a_call_burn_the_same_fuel() {
    let text = text(SETUPS[1].1, "set -- $x;", 50, str::to_owned);
    let (_, one) = burnt(&text);
    let (last, all) = work::one_call(|| {
        let mut last = Decision::Abstain;
        for _ in 0..100 {
            last = judge(&text, &place(), &EmptyWorld::new("/home/dev")).decision;
        }
        (last, work::spent())
    });
    assert!(one > work::MOST / 100, "{one}");
    assert!(all < work::MOST + SLACK, "{all}");
    assert_eq!(last, Decision::Deny);
}
