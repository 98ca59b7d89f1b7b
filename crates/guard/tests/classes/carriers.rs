//! Programs and built-in commands that run another one, each with a dangerous and a harmless command in its place.
//!
//! The list is data: `<command>` stands for the whole command, `<program>`, `<rest>`, `<first>` and `<second>` for its parts.

use crate::support::{in_project, rules};
use checkrein_core::Decision::{self, Abstain as Silent, Deny};

const CARRIERS: &str = include_str!("carriers.txt");

/// A command in the place that a line leaves for it. `⏎` is the end of a line.
fn filled(line: &str, command: [&str; 3]) -> String {
    let [program, first, second] = command;
    line.replace("<command>", &command.join(" "))
        .replace("<program>", program)
        .replace("<rest>", &format!("{first} {second}"))
        .replace("<first>", first)
        .replace("<second>", second)
        .replace('⏎', "\n")
}

fn judged(command: [&str; 3], expect: Decision) {
    let mut wrong = Vec::new();
    for line in CARRIERS.lines() {
        let text = filled(line, command);
        let judgement = in_project(&text);
        if judgement.decision != expect {
            wrong.push(format!("{expect}, but {}: {text:?} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_they_run_is_seen() {
    judged(["rm", "-rf", "/home/dev"], Deny);
}

#[test]
fn running_something_harmless_through_them_is_free() {
    judged(["ls", "-la", "src"], Silent);
}

#[test]
fn each_leaves_a_place_for_a_command() {
    let without = CARRIERS.lines().find(|line| !line.contains("<command>") && !line.contains("<program>"));
    assert_eq!(without, None);
    assert!(CARRIERS.lines().count() > 600);
}
