//! Labelled commands for the packs about what is elsewhere, and for interpreters: `corpus/guard/packs`.
//!
//! Each label is a promise here, not a figure: a change of a pack shows which documented commands of the tools are
//! answered differently.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{Action, Environment, Modifier, Modifiers};
use std::collections::BTreeMap;
use support::{in_project, rules, workspace};

/// The commands of a pack with their labels. A line end inside a command is written as `⏎`.
fn packs() -> BTreeMap<String, Vec<(Decision, String)>> {
    let directory = workspace().join("corpus/guard/packs");
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            let cases = text.lines().map(|line| {
                let (label, command) = line.split_once(' ').unwrap();
                let label = match label {
                    "deny" => Decision::Deny,
                    "ask" => Decision::Ask,
                    "allow" => Decision::Abstain,
                    other => panic!("{}: `{other}` is no label", file.display()),
                };
                (label, command.replace('⏎', "\n"))
            });
            (file.file_stem().unwrap().to_string_lossy().into_owned(), cases.collect())
        })
        .collect()
}

#[test]
fn every_command_is_answered_as_its_label_says() {
    let mut wrong = Vec::new();
    println!("{:16} {:>6} {:>6} {:>6}", "pack", "deny", "ask", "allow");
    for (pack, cases) in packs() {
        let count = |label: Decision| cases.iter().filter(|(of, _)| *of == label).count();
        let counts = [Decision::Deny, Decision::Ask, Decision::Abstain].map(count);
        println!("{pack:16} {:6} {:6} {:6}", counts[0], counts[1], counts[2]);
        // A pack without harmless twins would be kept by a guard that stops everything.
        assert!(counts[2] * 3 >= cases.len(), "{pack}");
        for (label, command) in &cases {
            let judgement = in_project(command);
            if judgement.decision != *label {
                wrong.push(format!(
                    "{pack}: {label} and not {} {:?}: {command:?}",
                    judgement.decision,
                    rules(&judgement)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Everything that is destroyed, changed or published belongs to some pack, so that a new entry cannot fall between
/// them.
#[test]
fn no_effect_elsewhere_falls_between_the_packs() {
    let suppressed = Modifiers::of(&[Modifier::DryRun, Modifier::Some, Modifier::Lists]);
    for command in packs().into_values().flatten().map(|(_, command)| command) {
        let judgement = in_project(&command);
        let found =
            |action: Action| judgement.findings.iter().any(|finding| finding.rule.actions.has(action));
        for effect in &judgement.effects {
            let elsewhere = matches!(effect.action, Action::Destroy | Action::Change | Action::Publish);
            if elsewhere && !effect.how.has_any(suppressed) && !effect.environment.has(Environment::Throwaway)
            {
                assert!(found(effect.action), "{command}: {effect}");
            }
        }
    }
}
