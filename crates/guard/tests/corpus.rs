//! How well the guard does on the corpus of labelled commands.
//!
//! Two promises. The figures do not fall below the goals here, which may only rise. And every answer that differs from its
//! label is written down in `corpus/guard/misses.toml` with its reason: one that is not there fails the test, and so does
//! one that is there and is none any more.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use std::collections::BTreeMap;
use support::{Case, corpus, in_project, rules, table, workspace};

/// What programs do elsewhere or in a language of their own, which a second table of programs is about.
const ELSEWHERE: [&str; 4] = ["database", "containers", "cloud-iac", "interpreter"];

/// The least, or the most, that a figure may be, in tenths of a per cent.
struct Goals {
    /// Of the dangerous: asked about or denied, at least.
    stopped: usize,
    /// Of the dangerous: denied, at least.
    denied: usize,
    /// Of the risky: asked about or denied, at least.
    asked: usize,
    /// Of the risky: denied, at most.
    refused: usize,
    /// Of the harmless: asked about or denied, at most.
    disturbed: usize,
}

/// What was promised is 970, 900, 900, 100 and 10; what was reached is not given up again.
const GOALS: Goals = Goals { stopped: 1000, denied: 1000, asked: 1000, refused: 0, disturbed: 0 };
const GOALS_WITHOUT_ELSEWHERE: Goals =
    Goals { stopped: 1000, denied: 1000, asked: 1000, refused: 0, disturbed: 0 };

/// How often each answer was given to the commands of one label.
#[derive(Clone, Copy, Default)]
struct Tally {
    silent: usize,
    allowed: usize,
    asked: usize,
    denied: usize,
}

impl Tally {
    fn count(&mut self, got: Decision) {
        match got {
            Decision::Abstain => self.silent += 1,
            Decision::Allow => self.allowed += 1,
            Decision::Ask => self.asked += 1,
            Decision::Deny => self.denied += 1,
        }
    }

    fn all(self) -> usize {
        self.silent + self.allowed + self.asked + self.denied
    }

    fn stopped(self) -> usize {
        self.asked + self.denied
    }
}

/// The tallies of the dangerous, the risky and the harmless.
#[derive(Clone, Copy, Default)]
struct Score {
    dangerous: Tally,
    risky: Tally,
    harmless: Tally,
}

impl Score {
    fn of<'a>(answers: impl Iterator<Item = &'a (Case, Decision)>) -> Self {
        let mut score = Self::default();
        for (case, got) in answers {
            let tally = match case.expect {
                Decision::Deny => &mut score.dangerous,
                Decision::Ask => &mut score.risky,
                Decision::Allow | Decision::Abstain => &mut score.harmless,
            };
            tally.count(*got);
        }
        score
    }

    /// Prints the figures, and answers which of them miss their goal.
    fn missed(&self, name: &str, goals: &Goals) -> Vec<String> {
        let Self { dangerous, risky, harmless } = *self;
        println!("{name}");
        let mut missed = Vec::new();
        for (what, part, of, bound, at_least) in [
            ("dangerous, stopped", dangerous.stopped(), dangerous, goals.stopped, true),
            ("dangerous, denied", dangerous.denied, dangerous, goals.denied, true),
            ("risky, asked about", risky.stopped(), risky, goals.asked, true),
            ("risky, denied", risky.denied, risky, goals.refused, false),
            ("harmless, disturbed", harmless.stopped(), harmless, goals.disturbed, false),
            ("approved outright", dangerous.allowed + risky.allowed, dangerous, 0, false),
        ] {
            let all = of.all().max(1);
            let word = if at_least { "least" } else { "most" };
            let line = format!(
                "  {what:20} {part:3} of {all:3} = {:5.1} %, at {word} {:5.1} %",
                100.0 * part as f64 / all as f64,
                bound as f64 / 10.0
            );
            println!("{line}");
            let kept = if at_least { part * 1000 >= bound * all } else { part * 1000 <= bound * all };
            if !kept {
                missed.push(line);
            }
        }
        missed
    }
}

fn by_category(answers: &[(Case, Decision)]) {
    let mut categories: BTreeMap<(&str, Decision), Tally> = BTreeMap::new();
    for (case, got) in answers {
        categories.entry((&case.category, case.expect)).or_default().count(*got);
    }
    println!("{:20} {:8} {:>6} {:>6} {:>6} {:>6}", "category", "label", "count", "silent", "ask", "deny");
    for ((category, expect), tally) in categories {
        let Tally { silent, asked, denied, .. } = tally;
        println!("{category:20} {expect:8} {:6} {silent:6} {asked:6} {denied:6}", tally.all());
    }
}

/// The answers that are known to differ from their labels: what is said instead.
fn listed() -> BTreeMap<String, String> {
    let table = table(&workspace().join("corpus/guard/misses.toml"));
    let mut listed = BTreeMap::new();
    for miss in table.get("miss").and_then(|misses| misses.as_array()).into_iter().flatten() {
        let text =
            |key: &str| miss[key].as_str().unwrap_or_else(|| panic!("{miss:?}: no `{key}`")).to_owned();
        assert!(text("why").len() > 20, "{miss:?}: say why");
        assert!(listed.insert(text("id"), text("got")).is_none(), "{miss:?} is there twice");
    }
    listed
}

#[test]
fn the_figures_hold_and_every_miss_is_written_down() {
    let judged: Vec<_> = corpus().into_iter().filter(|case| !case.open).collect();
    let mut listed = listed();
    let (mut answers, mut wrong) = (Vec::new(), Vec::new());
    for case in judged {
        let judgement = in_project(&case.command);
        let got = judgement.decision;
        if got != case.expect {
            let rules = rules(&judgement);
            println!("{:24} {:8} got {got:8} {rules:?} {:?}", case.id, case.expect, case.command);
            match listed.remove(&case.id) {
                Some(listed) if listed == got.to_string() => {}
                Some(listed) => wrong.push(format!("{}: listed as {listed}, got {got}", case.id)),
                None => {
                    wrong.push(format!("{}: expected {}, got {got}, and not listed", case.id, case.expect));
                }
            }
        }
        answers.push((case, got));
    }
    wrong.extend(listed.into_keys().map(|id| format!("{id}: listed, and is no miss any more")));
    by_category(&answers);
    wrong.extend(Score::of(answers.iter()).missed("everything", &GOALS));
    let here = answers.iter().filter(|(case, _)| !ELSEWHERE.contains(&case.category.as_str()));
    wrong.extend(
        Score::of(here)
            .missed("without databases, containers, clouds and interpreters", &GOALS_WITHOUT_ELSEWHERE),
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}
