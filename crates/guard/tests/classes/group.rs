//! Judges a group of cases.

use crate::support::{in_project, rules};
use checkrein_core::Decision::{self, Abstain as Silent, Ask, Deny};

/// Asserts the decision on each text.
pub(crate) fn group(cases: &[(&str, Decision)]) {
    let mut wrong = Vec::new();
    assert!(cases.iter().any(|(_, expect)| *expect == Silent), "no harmless twin");
    for (text, expect) in cases {
        let judgement = in_project(text);
        if judgement.decision != *expect {
            wrong.push(format!("{expect}, but {}: {text:?} {:?}", judgement.decision, rules(&judgement)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Reads a list: a verdict and a text on each line. `⏎` is the end of a line in the text.
pub(crate) fn cases(list: &str) -> Vec<(String, Decision)> {
    list.lines()
        .map(|line| {
            let (word, text) = line.split_once(' ').unwrap();
            let expect = match word {
                "deny" => Deny,
                "ask" => Ask,
                "allow" => Silent,
                other => panic!("{other}"),
            };
            (text.replace('⏎', "\n"), expect)
        })
        .collect()
}
