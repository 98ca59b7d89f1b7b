//! Scores the guard on the corpus of labelled commands.
//!
//! Two promises. The figures do not fall below the goals here, which may only rise. And every answer that differs from its
//! label is written down in `corpus/guard/misses.toml` with its reason: one that is not there fails the test, and so does
//! one that is there and is none any more.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use std::collections::BTreeMap;
use support::{
    Case, corpus,
    score::{Answer, Goals, Score, Tally, answers},
    workspace,
};

/// Classes of commands that act elsewhere or in a language of their own, which a second table of programs is about.
const ELSEWHERE: [&str; 4] = ["database", "containers", "cloud-iac", "interpreter"];

/// The promised figures are 970, 900, 900, 100 and 10; the figures that were reached must not fall again.
const GOALS: Goals = Goals { stopped: 1000, denied: 1000, asked: 1000, refused: 0, disturbed: 0 };
const GOALS_WITHOUT_ELSEWHERE: Goals =
    Goals { stopped: 1000, denied: 1000, asked: 1000, refused: 0, disturbed: 0 };

fn by_category(answers: &[(Case, Answer)]) {
    let mut categories: BTreeMap<(&str, Decision), Tally> = BTreeMap::new();
    for (case, got) in answers {
        categories.entry((&case.category, case.expect)).or_default().count(*got);
    }
    println!("{:20} {:8} {:>6} {:>6} {:>6} {:>6}", "category", "label", "count", "silent", "ask", "deny");
    for ((category, expect), tally) in categories {
        let Tally { silent, asked, denied, graded, .. } = tally;
        println!("{category:20} {expect:8} {:6} {silent:6} {asked:6} {:6}", tally.all(), denied + graded);
    }
}

#[test]
fn the_figures_hold_and_every_miss_is_written_down() {
    let judged: Vec<_> = corpus().into_iter().filter(|case| !case.open).collect();
    let (answers, mut wrong) = answers(judged, &workspace().join("corpus/guard/misses.toml"));
    by_category(&answers);
    wrong.extend(Score::of(answers.iter()).missed("everything", &GOALS));
    let here = answers.iter().filter(|(case, _)| !ELSEWHERE.contains(&case.category.as_str()));
    wrong.extend(
        Score::of(here)
            .missed("without databases, containers, clouds and interpreters", &GOALS_WITHOUT_ELSEWHERE),
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}
