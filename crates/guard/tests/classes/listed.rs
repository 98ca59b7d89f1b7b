//! Groups that are lists: a verdict and a text on each line.

use crate::group::{cases, group};
use checkrein_core::Decision;

/// Asserts the decision on each line of a list.
fn listed(list: &str) {
    let cases = cases(list);
    let cases: Vec<(&str, Decision)> = cases.iter().map(|(text, expect)| (text.as_str(), *expect)).collect();
    group(&cases);
}

#[test]
fn files_as_large_as_a_disk() {
    listed(include_str!("fillers.txt"));
}

#[test]
fn code_that_is_fetched_and_run() {
    listed(include_str!("fetched.txt"));
}

#[test]
fn programs_with_what_they_are_started_with() {
    listed(include_str!("started.txt"));
}

#[test]
fn what_a_shell_evaluates_once_more() {
    listed(include_str!("evaluated.txt"));
}

#[test]
fn wrappers_with_their_options() {
    listed(include_str!("wrapped.txt"));
}

#[test]
fn what_a_program_prints_and_a_shell_reads() {
    listed(include_str!("printed.txt"));
}

#[test]
fn texts_of_which_a_part_is_not_known() {
    listed(include_str!("partly_known.txt"));
}

#[test]
fn stores_of_all_kinds() {
    listed(include_str!("stores.txt"));
}

#[test]
fn what_asks_by_itself() {
    listed(include_str!("questions.txt"));
}

#[test]
fn what_a_build_made() {
    listed(include_str!("built.txt"));
}

#[test]
fn shells_for_other_machines() {
    listed(include_str!("sockets.txt"));
}

#[test]
fn everyday_twins_of_what_runs_commands() {
    listed(include_str!("everyday.txt"));
}

#[test]
fn what_is_typed_for_the_user() {
    listed(include_str!("typed.txt"));
}

#[test]
fn agents_without_their_hooks_or_with_other_settings() {
    listed(include_str!("switched.txt"));
}

#[test]
fn processes_that_are_ended_by_a_pattern_or_a_search() {
    listed(include_str!("ended.txt"));
}

#[test]
fn agents_by_their_packages_and_with_an_environment_that_a_program_makes() {
    listed(include_str!("brought.txt"));
}

#[test]
fn our_program_by_the_ways_of_others() {
    listed(include_str!("ourselves.txt"));
}

#[test]
fn agents_that_see_other_files() {
    listed(include_str!("seen.txt"));
}

#[test]
fn agents_after_an_assignment_by_any_way() {
    listed(include_str!("led.txt"));
}

#[test]
fn agents_with_unknown_words() {
    listed(include_str!("told.txt"));
}

/// A program is mild by its structure: a condition around a call, a loop, the database that a call is about, an
/// option.
#[test]
fn structure_and_not_words() {
    listed(include_str!("structure.txt"));
}

#[test]
fn agents_whose_hooks_could_not_answer() {
    listed(include_str!("surroundings.txt"));
}

#[test]
fn sources_that_are_compiled_in_the_call() {
    listed(include_str!("compiled.txt"));
}
