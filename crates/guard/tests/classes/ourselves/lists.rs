//! Lists of targets, arrivals and names.

use super::{Machine, group};
use checkrein_core::Decision::{self, Abstain as Silent};

/// The lines of a list, on the usual machine and in the hands of others: a verdict and a text.
fn listed(list: &str) {
    let cases = crate::group::cases(list);
    let cases: Vec<(&str, Decision)> = cases.iter().map(|(text, expect)| (text.as_str(), *expect)).collect();
    assert!(cases.iter().any(|(_, expect)| *expect == Silent), "no harmless twin");
    group(&Machine::usual(), &cases);
}

#[test]
fn targets_that_a_search_for_us_found() {
    listed(include_str!("../found.txt"));
}

#[test]
fn arrivals_whose_names_are_not_known() {
    listed(include_str!("../arrivals.txt"));
}

#[test]
fn our_name_for_something_else_and_our_program_by_builders() {
    listed(include_str!("../taken.txt"));
}
