//! The verdict follows what runs, not how it is written.
//!
//! A transparent wrapper, a removable quote, a level of nesting that runs the same text,
//! or a harmless neighbour never weakens a verdict; and neither whitespace nor the order of options changes what is seen.
//! Every way of writing is tried on every dangerous or risky command of the corpus, and chains of several at random.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod spelling;
mod support;

use checkrein_core::Decision;
use proptest::prelude::*;
use spelling::{NEIGHBOURS, NESTINGS, WRAPPERS, Way, option_orders, respelled, spaced};
use std::sync::LazyLock;
use support::{Case, corpus, in_project};

/// The commands that are worth hiding, with the decisions on them as they are.
static STOPPED: LazyLock<Vec<(Case, Decision)>> = LazyLock::new(|| {
    let cases = corpus().into_iter().filter(|case| case.expect >= Decision::Ask);
    cases
        .map(|case| {
            let decision = in_project(&case.command).decision;
            (case, decision)
        })
        .collect()
});

/// Asserts that no way of writing is judged weaker than the command itself.
fn none_is_weaker(ways: impl Fn(&str) -> Vec<String>) {
    let mut weaker = Vec::new();
    let mut tried = 0;
    for (case, plain) in STOPPED.iter() {
        for text in ways(&case.command) {
            tried += 1;
            let got = in_project(&text).decision;
            if got < *plain {
                weaker.push(format!("{}: {plain}, but {got}: {text:?}", case.id));
            }
        }
    }
    assert!(tried > 10, "only {tried} texts");
    assert!(weaker.is_empty(), "{} of {tried}: {weaker:#?}", weaker.len());
}

fn all(ways: &'static [Way]) -> impl Fn(&str) -> Vec<String> {
    |text| ways.iter().filter_map(|way| way(text)).collect()
}

#[test]
fn a_transparent_wrapper_weakens_nothing() {
    none_is_weaker(all(WRAPPERS));
}

#[test]
fn a_level_of_nesting_weakens_nothing() {
    none_is_weaker(all(NESTINGS));
}

#[test]
fn a_harmless_neighbour_weakens_nothing() {
    none_is_weaker(all(NEIGHBOURS));
}

#[test]
fn another_spelling_of_each_word_weakens_nothing() {
    none_is_weaker(|text| (0..6).filter_map(|which| respelled(text, usize::MAX, 1, which)).collect());
}

#[test]
fn whitespace_changes_nothing() {
    for (case, plain) in STOPPED.iter() {
        for text in spaced(&case.command) {
            assert_eq!(in_project(&text).decision, *plain, "{}: {text:?}", case.id);
        }
    }
}

#[test]
fn the_order_of_options_changes_nothing() {
    let mut wrong = Vec::new();
    let own = [
        "rm -rf /var/lib",
        "rm -r -f ./src",
        "rm --recursive --force ~/Documents",
        "chmod -R 777 /srv",
        "chown -R ann /usr/share",
        "cp -r -f evil /usr/lib",
        "cp -f x /etc/hosts",
        "mv -f ~/.ssh /tmp/x",
        "ln -s -f /dev/null /etc/hosts",
        "git push --force origin main",
        "git push -f origin main",
        "git reset --hard HEAD~3",
        "git clean -f -d -x",
        "git branch -D main",
        "docker volume rm -f data",
        "kubectl delete --all pods",
        "systemctl stop --now nginx",
    ];
    let corpus = STOPPED.iter().map(|(case, _)| case.command.as_str());
    for command in own.into_iter().chain(corpus) {
        let plain = in_project(command).decision;
        for text in option_orders(command) {
            let got = in_project(&text).decision;
            if got != plain {
                wrong.push(format!("{command:?} {plain}, but {text:?} {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// One change of how a command is written.
#[derive(Clone, Debug)]
enum Change {
    Wrap(usize),
    Nest(usize),
    Neighbour(usize),
    Respell { word: usize, at: usize, how: usize },
}

impl Change {
    fn apply(&self, text: &str) -> Option<String> {
        let pick = |ways: &[Way], which: usize| ways[which % ways.len()](text);
        match *self {
            Self::Wrap(which) => pick(WRAPPERS, which),
            Self::Nest(which) => pick(NESTINGS, which),
            Self::Neighbour(which) => pick(NEIGHBOURS, which),
            Self::Respell { word, at, how } => respelled(text, word, at, how),
        }
    }
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any::<usize>().prop_map(Change::Wrap),
        any::<usize>().prop_map(Change::Nest),
        any::<usize>().prop_map(Change::Neighbour),
        (0_usize..64, 0_usize..64, 0_usize..6).prop_map(|(word, at, how)| Change::Respell { word, at, how }),
        (0_usize..64, 0_usize..64, 0_usize..6).prop_map(|(word, at, how)| Change::Respell { word, at, how }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, max_shrink_iters: 256, ..ProptestConfig::default() })]

    #[test]
    fn no_chain_of_changes_weakens_a_verdict(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 1..5),
    ) {
        let (case, plain) = which.get(&STOPPED);
        let mut text = case.command.clone();
        for change in &changes {
            text = change.apply(&text).unwrap_or(text);
        }
        let got = in_project(&text).decision;
        prop_assert!(got >= *plain, "{}: {plain}, but {got}: {text:?}", case.id);
    }
}
