//! A sample of the commands, in boxes. `cargo xtask soundness` runs all of them.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use checkrein_soundness::{
    cases,
    launch::{self, Case},
    report::Report,
};
use std::path::Path;

const PROGRAM: &str = env!("CARGO_BIN_EXE_checkrein-soundness");

/// How many commands run here.
const RUNS: usize = 600;
/// The share of what happened that may be unpredicted in this sample, in percent. It may fall, and must not rise.
const UNPREDICTED: f64 = 2.0;
/// The share of what was predicted that may not happen in this sample, in percent.
const UNSEEN: f64 = 8.0;

/// Runs cases in a room. Without namespaces nothing can be shown; where `CI` is set, that is a failure.
fn run(cases: &[Case]) -> Option<Report> {
    let mut report = Report::default();
    match launch::run(Path::new(PROGRAM), cases, 2, |case, answer| report.add(case, answer)) {
        Ok(()) => Some(report),
        Err(error) if std::env::var_os("CI").is_none() => {
            eprintln!("SKIPPED: no command runs outside of a closed box: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn in_bash(text: &str) -> Vec<Case> {
    cases::in_every_shell(text, "test").into_iter().take(1).collect()
}

#[test]
fn what_happens_in_a_sample_was_predicted() {
    let all = cases::sample(cases::all().unwrap(), RUNS);
    let Some(report) = run(&all) else { return };
    println!("{}", report.summary());
    assert_eq!(report.runs, all.len());
    assert!(
        report.succeeded > RUNS / 10 && report.happened > 0 && report.predicted > 0,
        "{}",
        report.summary()
    );
    assert!(report.unpredicted_share() <= UNPREDICTED, "{}{}", report.summary(), report.lists());
    assert!(report.unseen_share() <= UNSEEN, "{}{}", report.summary(), report.lists());
}

#[test]
fn an_effect_that_the_guard_cannot_see_is_found() {
    // The guard knows the first program, and cannot know what the second one does.
    let Some(known) = run(&in_bash("rm old.txt")) else { return };
    assert_eq!((known.unpredicted(), known.unseen()), (0, 0), "{}", known.lists());
    let text = "perl -e '$x = join(\"\", map { chr } 111, 108, 100); unlink glob \"$x.*\"'";
    let Some(hidden) = run(&in_bash(text)) else { return };
    let found = hidden.deletions().count() + usize::try_from(hidden.said_unknown).unwrap();
    assert!(found > 0, "{}{}", hidden.summary(), hidden.lists());
    let Some(nothing) = run(&in_bash("rm old.txt; false && rm notes.txt; true")) else { return };
    assert_eq!((nothing.unpredicted(), nothing.unseen()), (0, 1), "{}", nothing.lists());
}

#[test]
fn a_room_from_which_the_machine_is_visible_runs_nothing() {
    // Every room has `/usr`: a canary there is visible.
    let canary = Path::new("/usr/bin/env");
    let mut ran = 0;
    let done = launch::run_apart_from(canary, Path::new(PROGRAM), &in_bash("true"), 1, |_, _| ran += 1);
    assert!(done.is_err());
    assert_eq!(ran, 0);
}
