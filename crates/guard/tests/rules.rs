//! Every rule shows what it is about, what it is not about, and survives being wrapped.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod support;

use checkrein_core::Decision;
use checkrein_guard::{
    Action, CallContext, EmptyWorld, FileKind, Filling, Judgement, Modifier, Rule, ShellEnv, World, judge,
    read,
};
use std::collections::BTreeSet;
use support::{is_program, quoted, rules};

fn in_shop(text: &str) -> Judgement {
    judged(text, false, &EmptyWorld::new("/home/ann"))
}

/// `typed`: on a host that may type more later.
fn judged(text: &str, typed: bool, world: &dyn World) -> Judgement {
    let shop = Some("/home/ann/shop".to_owned());
    judge(text, &CallContext { cwd: shop.clone(), project: shop, typed }, world)
}

/// A machine with the terminal that a rule is about.
struct Terminal {
    confirming: bool,
}

impl World for Terminal {
    fn home(&self) -> Option<String> {
        Some("/home/ann".to_owned())
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "TMUX_PANE").then(|| "%4".to_owned())
    }

    fn entry(&self, _: &str) -> Option<FileKind> {
        None
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }

    fn is_confirming(&self) -> bool {
        self.confirming
    }
}

/// An example of a rule, on a machine on which the rule can be about something.
fn example_of(rule: &Rule, text: &str) -> Judgement {
    let confirming = rule.with.has(Modifier::Confirming);
    if confirming || rule.actions.has(Action::Type) {
        return judged(text, false, &Terminal { confirming });
    }
    judged(text, rule.with.has(Modifier::Typed), &EmptyWorld::new("/home/ann"))
}

#[test]
fn every_example_is_found_by_its_rule() {
    let mut wrong = Vec::new();
    for rule in checkrein_guard::rules() {
        assert!(!rule.matches.is_empty(), "{} has no example", rule.id);
        for example in rule.matches.iter() {
            let judgement = example_of(rule, example);
            if !rules(&judgement).contains(&rule.id.as_ref()) {
                wrong.push(format!(
                    "{}: `{example}` {} {:?}",
                    rule.id,
                    judgement.decision,
                    rules(&judgement)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_harmless_twin_is_left_alone() {
    let mut wrong = Vec::new();
    for rule in checkrein_guard::rules() {
        assert!(!rule.not_matches.is_empty(), "{} has no harmless twin", rule.id);
        for example in rule.not_matches.iter() {
            let judgement = example_of(rule, example);
            if judgement.decision != Decision::Abstain {
                wrong.push(format!(
                    "{}: `{example}` {} {:?}",
                    rule.id,
                    judgement.decision,
                    rules(&judgement)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Ways to run the same text in which nothing is lost.
fn wrapped(text: &str) -> Vec<String> {
    let mut ways = vec![
        format!("bash -c {}", quoted(text)),
        format!("sh -xc {}", quoted(text)),
        format!("echo \"$(\n{text}\n)\""),
        format!("true && {text}"),
        format!("true; {text}"),
    ];
    if begins_with_a_program(text) {
        for wrapper in ["sudo -n", "env X=1", "timeout 5", "nice -n 5", "command", "nohup"] {
            ways.push(format!("{wrapper} {text}"));
        }
    }
    ways
}

/// Returns true if the text starts with a program, so that another can be put before it.
fn begins_with_a_program(text: &str) -> bool {
    let script = read(text, &ShellEnv::default());
    let Some(first) = script.commands.iter().min_by_key(|command| command.span.start) else { return false };
    let first_word = first.words.first();
    first.span.start == 0
        && first.assignments.is_empty()
        && script.functions.is_empty()
        && first_word
            .is_some_and(|word| word.span.start == 0 && is_program(&word.constant().unwrap_or_default()))
}

#[test]
fn every_example_is_found_when_it_is_wrapped() {
    let mut wrong = Vec::new();
    for rule in checkrein_guard::rules() {
        for example in rule.matches.iter() {
            let plain = example_of(rule, example).decision;
            for way in wrapped(example) {
                let judgement = example_of(rule, &way);
                if judgement.decision < plain {
                    wrong.push(format!("{}: {plain}, but {} for `{way}`", rule.id, judgement.decision));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Suggestions fit their commands: over the corpora and the rules' own examples, hardly any is filled in so that it would not
/// pass, and those are left out. The general ones always pass.
#[test]
fn every_suggestion_passes_however_it_is_filled_in() {
    let mut commands: Vec<String> = support::corpus().into_iter().map(|case| case.command).collect();
    commands.extend(support::open_lists().into_iter().map(|case| case.command));
    assert!(commands.len() > 2000, "{}", commands.len());
    let examples = checkrein_guard::rules().iter().flat_map(|rule| rule.matches.iter());
    commands.extend(examples.map(|text| text.to_string()));
    let (mut filled, mut dropped) = (0, Vec::new());
    for command in &commands {
        let judgement = in_shop(command);
        for finding in &judgement.findings {
            let filling = Filling::of(&judgement, finding, Some("/home/ann/shop"), true);
            let passes = |proposal: &str| in_shop(proposal).decision == Decision::Abstain;
            let all = filling.suggestions(finding, &|_| true);
            let passing = filling.suggestions(finding, &passes);
            filled += all.len() - 1;
            assert_eq!(
                passing.last().map(String::as_str),
                Some(finding.rule.suggestion.as_ref()),
                "{command}"
            );
            dropped.extend(all.into_iter().filter(|text| !passing.contains(text)));
            let phrase = filling.phrase(finding).unwrap_or_default();
            assert!(!phrase.is_empty() && !phrase.contains("{target"), "{}: {phrase}", finding.rule.id);
        }
    }
    println!("{filled} suggestions were filled in, {} were left out", dropped.len());
    assert!(filled > 200, "only {filled} suggestions were filled in");
    assert!(dropped.len() * 20 < filled, "{} of {filled}: {dropped:#?}", dropped.len());
}

#[test]
fn what_is_said_is_said_in_our_way() {
    let mut ids = BTreeSet::new();
    for rule in checkrein_guard::rules() {
        assert!(ids.insert(&rule.id), "{} is there twice", rule.id);
        assert!(rule.id.split('.').count() == 2, "{} is no `pack.name`", rule.id);
        assert!(rule.decision > Decision::Allow, "{} objects to nothing", rule.id);
        for (name, text) in
            [("reason", &rule.reason), ("suggestion", &rule.suggestion), ("phrase", &rule.phrase)]
        {
            assert!(!text.is_empty(), "{}: no {name}", rule.id);
            assert!(!text.ends_with('.'), "{}: {name} ends with a full stop", rule.id);
            let first = text.chars().next().unwrap();
            assert!(!first.is_uppercase(), "{}: {name} begins with a capital", rule.id);
            assert!(text.matches('`').count() % 2 == 0, "{}: {name} has an open backtick", rule.id);
        }
        assert!(rule.summary.starts_with(char::is_uppercase), "{}: {}", rule.id, rule.summary);
        assert!(rule.summary.ends_with('.'), "{}: {}", rule.id, rule.summary);
    }
}
