//! Lists that the builders of the guard wrote and labelled before they looked at its answers: commands and scripts of real work,
//! and evasions by class. Each pair was written after those before it had been used to improve the guard.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use support::{cases, score::answers, workspace};

#[test]
fn every_answer_is_as_labelled_or_listed() {
    let directory = workspace().join("corpus/guard/own");
    let lists = [
        "work-1",
        "evasions-1",
        "work-2",
        "evasions-2",
        "work-3",
        "evasions-3",
        "work-4",
        "evasions-4",
        "everyday-4",
        "programs-5",
        "evasions-6",
        "work-6",
        "programs-6",
        "work-7",
        "programs-7",
        "everyday-8",
        "work-8",
        "programs-8",
        "evasions-8",
        "everyday-9",
    ];
    let all = lists
        .iter()
        .flat_map(|name| cases(&std::fs::read_to_string(directory.join(format!("{name}.jsonl"))).unwrap()));
    let (_, wrong) = answers(all.collect(), &directory.join("misses.toml"));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
