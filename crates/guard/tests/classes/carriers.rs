//! Programs and built-in commands that run another one, each with a dangerous and a harmless command in its place. Both have the
//! same shape, so that a guard that looks at words alone cannot tell them apart.
//!
//! The list is data: `<command>` is the placeholder for the whole command; `<program>`, `<rest>`, `<first>` and
//! `<second>` are those for its parts.

use crate::support::{in_project, rules};
use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};

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

/// `also`: the carriers for which something else is expected.
fn judged(command: [&str; 3], expect: Decision, also: &[(&str, &str)], otherwise: Decision) {
    let mut wrong = Vec::new();
    for (line, _) in also {
        assert!(CARRIERS.lines().any(|carrier| carrier == *line), "no carrier: {line}");
    }
    for line in CARRIERS.lines() {
        let text = filled(line, command);
        let judgement = in_project(&text);
        let expect = if also.iter().any(|(other, _)| *other == line) { otherwise } else { expect };
        if judgement.decision != expect {
            wrong.push(format!("{expect}, but {}: {text:?} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Carriers that make more of `rm -rf ./build` than it is, and why a question is right.
const NOT_THE_SAME: [(&str, &str); 6] = [
    ("parallel -j2 <command> ::: a", "it deletes `a`, too"),
    ("echo x | xargs <command>", "it deletes `x`, too"),
    ("xargs -a list -n1 <command>", "it deletes what a file names"),
    ("fswatch . | xargs -n1 <command>", "it deletes every file that changes"),
    ("ssh localhost '<command>'", "it runs in the home directory"),
    ("echo '<command>' | sed 's/$//e'", "what a substitution makes of a text is not followed"),
];

#[test]
fn what_they_run_is_seen() {
    judged(["rm", "-rf", "/home/dev"], Deny, &[], Deny);
}

#[test]
fn running_something_harmless_through_them_is_free() {
    judged(["rm", "-rf", "./build"], Silent, &NOT_THE_SAME, Ask);
}

#[test]
fn each_leaves_a_place_for_a_command() {
    let without = CARRIERS.lines().find(|line| !line.contains("<command>") && !line.contains("<program>"));
    assert_eq!(without, None);
    assert!(CARRIERS.lines().count() > 600);
}
