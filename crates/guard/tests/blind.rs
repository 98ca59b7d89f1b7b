//! How well the guard does on commands that were written and labelled by authors who had not seen it.
//!
//! The lists are of two kinds. The *open* ones were read after they had been measured once, and the guard was mended by them:
//! each answer that differs is in `corpus/guard/blind/misses.toml` with its reason. Of those that are *held back* only the figures
//! are looked at, never the commands, so that they say how the guard does on what it has not seen. Do not print them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use std::path::PathBuf;
use support::{
    Case, cases, in_project,
    score::{Goals, Score, answers},
    workspace,
};

/// What was promised.
const PROMISED: Goals = Goals { stopped: 970, denied: 900, asked: 900, refused: 100, disturbed: 10 };
/// What was reached on the lists that were read.
const REACHED: Goals = Goals { stopped: 990, denied: 980, asked: 985, refused: 14, disturbed: 6 };

const READ: &str = "read, and mended by them";
const HELD_BACK: &str = "held back: nobody looks at the commands";

/// Whoever reads the figures there reads those of this version.
fn stands_in_the_readme(name: &str, score: &Score, goals: &Goals) {
    let lines = score.figures(goals).into_iter().map(|(line, _)| line + "\n");
    let figures = format!("{name}\n{}", lines.collect::<String>());
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    assert!(readme.contains(&figures), "put this into the README:\n{figures}");
}

fn directory() -> PathBuf {
    workspace().join("corpus/guard/blind")
}

/// The commands of all lists of a kind.
fn lists(ending: &str) -> Vec<Case> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.to_string_lossy().ends_with(ending));
    files.sort();
    assert!(!files.is_empty(), "no list in {}", directory().display());
    files.iter().flat_map(|path| cases(&std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn lists_that_were_read() {
    let (answers, mut wrong) = answers(lists("-open.jsonl"), &directory().join("misses.toml"));
    let score = Score::of(answers.iter());
    wrong.extend(score.missed(READ, &REACHED));
    assert!(wrong.is_empty(), "{wrong:#?}");
    stands_in_the_readme(READ, &score, &REACHED);
}

#[test]
fn lists_that_are_held_back() {
    let answers: Vec<_> = lists("-held-back.jsonl")
        .into_iter()
        .map(|case| {
            let got = in_project(&case.command).decision;
            (case, got)
        })
        .collect();
    let score = Score::of(answers.iter());
    let missed = score.missed(HELD_BACK, &PROMISED);
    assert!(missed.is_empty(), "{missed:#?}");
    stands_in_the_readme(HELD_BACK, &score, &PROMISED);
}

#[test]
fn the_readme_counts_them() {
    let count = lists(".jsonl").len();
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    assert!(readme.contains(&format!("wrote {count} of them")), "there are {count}");
}
