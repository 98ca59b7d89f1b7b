//! How a group of cases is judged.

use crate::support::{in_project, rules};
use checkrein_core::Decision::{self, Abstain as Silent};

/// Asserts what is said of each text.
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
