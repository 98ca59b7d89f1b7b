//! One-liners of ordinary work: what is stopped of them must be right.
//!
//! Ours, `corpus/guard/oneliners.txt`, are harmless, so none is stopped. Those of NL2Bash are other people's data and are not in
//! this repository: that test is ignored unless it is asked for, and `CHECKREIN_NL2BASH` says where they are. What is stopped
//! of them is listed in `corpus/guard/nl2bash.toml` by line and rule, each group with the reason why it is right to ask;
//! anything else that is stopped fails the test, and so does a line that passes now.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use std::{collections::BTreeMap, path::PathBuf};
use support::{in_project, rules, table, workspace};

/// A line that was stopped, by what and how.
type Stops = BTreeMap<usize, (String, Decision)>;

/// Returns what was reviewed: the rule and the decision of each line.
fn reviewed() -> BTreeMap<usize, (String, String)> {
    let table = table(&workspace().join("corpus/guard/nl2bash.toml"));
    let mut lines = BTreeMap::new();
    for stop in table.get("stop").and_then(|stops| stops.as_array()).into_iter().flatten() {
        let text =
            |key: &str| stop[key].as_str().unwrap_or_else(|| panic!("{stop:?}: no `{key}`")).to_owned();
        assert!(text("why").len() > 20, "{stop:?}: say why");
        for line in stop["lines"].as_array().unwrap() {
            let line = usize::try_from(line.as_integer().unwrap()).unwrap();
            assert!(lines.insert(line, (text("rule"), text("got"))).is_none(), "line {line} is there twice");
        }
    }
    lines
}

#[test]
fn none_of_our_harmless_one_liners_is_stopped() {
    let text = std::fs::read_to_string(workspace().join("corpus/guard/oneliners.txt")).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let command = line.strip_prefix("free ").unwrap_or_else(|| panic!("no label: {line}"));
        let judgement = in_project(command);
        if judgement.decision != Decision::Abstain {
            wrong.push(format!("{} {:?} {command}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(text.lines().count() > 150);
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
#[ignore = "needs the one-liners of NL2Bash, which are not ours: set CHECKREIN_NL2BASH to the file"]
fn what_is_stopped_of_other_peoples_one_liners_was_reviewed() {
    let path = PathBuf::from(std::env::var_os("CHECKREIN_NL2BASH").expect("CHECKREIN_NL2BASH is not set"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut stops = Stops::new();
    let mut by_rule: BTreeMap<(String, Decision), usize> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let judgement = in_project(line);
        if let Some(finding) = judgement.findings.first().filter(|_| judgement.decision > Decision::Allow) {
            let found = (finding.rule.id.to_string(), judgement.decision);
            *by_rule.entry(found.clone()).or_default() += 1;
            stops.insert(number + 1, found);
        }
    }
    let of = |wanted: Decision| stops.values().filter(|(_, got)| *got == wanted).count();
    let all = text.lines().count();
    println!("{all} one-liners: {} asked about, {} denied", of(Decision::Ask), of(Decision::Deny));
    for ((rule, decision), count) in &by_rule {
        println!("  {count:4} {decision:5} {rule}");
    }
    let mut reviewed = reviewed();
    let mut unlisted: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (line, (rule, decision)) in stops {
        let found = (rule, decision.to_string());
        if reviewed.remove(&line).as_ref() != Some(&found) {
            unlisted.entry(found).or_default().push(line);
        }
    }
    for ((rule, got), lines) in &unlisted {
        println!("[[stop]]\nrule = {rule:?}\ngot = {got:?}\nlines = {lines:?}\nwhy = \"\"\n");
    }
    let gone: Vec<usize> = reviewed.into_keys().collect();
    assert!(unlisted.is_empty(), "stopped and not listed: {unlisted:?}");
    assert!(gone.is_empty(), "listed, and not stopped in this way any more: {gone:?}");
}
