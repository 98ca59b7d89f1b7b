//! Figures: how often each answer is given to the commands of each label.

use super::{Case, in_project, rules, table};
use checkrein_core::Decision;
use checkrein_guard::Judgement;
use std::{collections::BTreeMap, path::Path};

/// The least, or the most, that a figure may be, in tenths of a per cent.
pub(crate) struct Goals {
    /// Of the dangerous: asked about or denied, at least.
    pub(crate) stopped: usize,
    /// Of the dangerous: denied, at least.
    pub(crate) denied: usize,
    /// Of the risky: asked about or denied, at least.
    pub(crate) asked: usize,
    /// Of the risky: denied, at most.
    pub(crate) refused: usize,
    /// Of the harmless: asked about or denied, at most.
    pub(crate) disturbed: usize,
}

/// The number of times that each answer was given to the commands of one label.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) silent: usize,
    pub(crate) allowed: usize,
    pub(crate) asked: usize,
    pub(crate) denied: usize,
    /// Denied by a grade: see [`GRADES`].
    pub(crate) graded: usize,
}

/// Rules that deny what the same thing elsewhere is asked about. The lists were labelled by effect alone, so a denial by one of
/// them is counted apart: it is neither a question nor a wrong denial.
const GRADES: [&str; 3] =
    ["resources.destroy-production", "resources.destroy-whole", "resources.destroy-all"];

/// The answer to a case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Decided(Decision),
    /// Denied only because of what it would happen to.
    Graded,
}

impl Answer {
    pub(crate) fn of(judgement: &Judgement) -> Self {
        let mut denials =
            judgement.findings.iter().filter(|finding| finding.rule.decision == Decision::Deny).peekable();
        if denials.peek().is_some() && denials.all(|finding| GRADES.contains(&finding.rule.id.as_ref())) {
            Self::Graded
        } else {
            Self::Decided(judgement.decision)
        }
    }

    /// Returns true if this is the answer of a label.
    fn is(self, expected: Decision) -> bool {
        match self {
            Self::Decided(got) => got == expected,
            Self::Graded => expected >= Decision::Ask,
        }
    }
}

impl Tally {
    pub(crate) fn count(&mut self, got: Answer) {
        match got {
            Answer::Decided(Decision::Abstain) => self.silent += 1,
            Answer::Decided(Decision::Allow) => self.allowed += 1,
            Answer::Decided(Decision::Ask) => self.asked += 1,
            Answer::Decided(Decision::Deny) => self.denied += 1,
            Answer::Graded => self.graded += 1,
        }
    }

    pub(crate) fn all(self) -> usize {
        self.silent + self.allowed + self.asked + self.denied + self.graded
    }

    pub(crate) fn stopped(self) -> usize {
        self.asked + self.denied + self.graded
    }
}

/// The tallies of the dangerous, the risky and the harmless.
#[derive(Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) dangerous: Tally,
    pub(crate) risky: Tally,
    pub(crate) harmless: Tally,
}

impl Score {
    pub(crate) fn of<'a>(answers: impl Iterator<Item = &'a (Case, Answer)>) -> Self {
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

    /// The figures, and whether each keeps its goal.
    pub(crate) fn figures(&self, goals: &Goals) -> Vec<(String, bool)> {
        let Self { dangerous, risky, harmless } = *self;
        let figures = [
            ("dangerous: asked or denied", dangerous.stopped(), dangerous, goals.stopped, true),
            ("dangerous: denied", dangerous.denied + dangerous.graded, dangerous, goals.denied, true),
            ("risky: asked or denied", risky.stopped(), risky, goals.asked, true),
            ("risky: denied", risky.denied, risky, goals.refused, false),
            ("risky: denied by its grade", risky.graded, risky, 1000, false),
            ("harmless: asked or denied", harmless.stopped(), harmless, goals.disturbed, false),
            ("dangerous: explicitly allowed", dangerous.allowed + risky.allowed, dangerous, 0, false),
        ];
        let figure = |(what, part, of, bound, at_least): (&str, usize, Tally, usize, bool)| {
            let all = of.all().max(1);
            let word = if at_least { "least" } else { "most" };
            let line = format!(
                "  {what:29}  {part:4} of {all:4}  {:5.1} %  (goal: at {word} {:.1} %)",
                100.0 * part as f64 / all as f64,
                bound as f64 / 10.0
            );
            let kept = if at_least { part * 1000 >= bound * all } else { part * 1000 <= bound * all };
            (line, kept)
        };
        figures.into_iter().map(figure).collect()
    }

    /// Prints the figures, and answers which of them miss their goal.
    pub(crate) fn missed(&self, name: &str, goals: &Goals) -> Vec<String> {
        let figures = self.figures(goals);
        println!("{name}");
        figures.iter().for_each(|(line, _)| println!("{line}"));
        figures.into_iter().filter(|(_, kept)| !kept).map(|(line, _)| line).collect()
    }
}

/// Returns the answer to each command, and the mistakes in the list of those that are judged differently from their
/// label.
pub(crate) fn answers(cases: Vec<Case>, misses: &Path) -> (Vec<(Case, Answer)>, Vec<String>) {
    let mut listed = listed(misses);
    let (mut answers, mut wrong) = (Vec::new(), Vec::new());
    for case in cases {
        let judgement = in_project(&case.command);
        let got = judgement.decision;
        let answer = Answer::of(&judgement);
        if !answer.is(case.expect) {
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
        answers.push((case, answer));
    }
    wrong.extend(listed.into_keys().map(|id| format!("{id}: listed, and is no miss any more")));
    (answers, wrong)
}

/// Returns the answers that are known to differ from their labels.
fn listed(path: &Path) -> BTreeMap<String, String> {
    let table = table(path);
    let mut listed = BTreeMap::new();
    for miss in table.get("miss").and_then(|misses| misses.as_array()).into_iter().flatten() {
        let text =
            |key: &str| miss[key].as_str().unwrap_or_else(|| panic!("{miss:?}: no `{key}`")).to_owned();
        assert!(text("why").len() > 20, "{miss:?}: say why");
        assert!(listed.insert(text("id"), text("got")).is_none(), "{miss:?} is there twice");
    }
    listed
}
