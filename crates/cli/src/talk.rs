//! What goes to stderr: hooks that failed, and what the host cannot do. Nothing when nothing happened.

use crate::paint;
use checkrein::{Decision, Outcome};
use std::{fmt::Write as _, io::Write as _};

/// Says what the answer itself may not say.
pub(crate) fn about(outcome: &Outcome, remarks: &[String]) {
    let mut text = listed(remarks);
    for step in &outcome.trail {
        if let Some(failure) = &step.failure {
            let became = match step.decision {
                Decision::Abstain | Decision::Allow => "ignored",
                Decision::Ask => "so the user is asked",
                Decision::Deny => "so it is denied",
            };
            let _ = writeln!(text, "checkrein: hook `{}` failed, {became}: {failure}", outcome.hook(step));
        }
    }
    for downgraded in &outcome.downgraded {
        let _ = writeln!(text, "checkrein: {downgraded}");
    }
    say(&text);
}

/// Says what the configuration alone makes worth saying.
pub(crate) fn remark(remarks: &[String]) {
    say(&listed(remarks));
}

fn listed(remarks: &[String]) -> String {
    let mut text = String::new();
    for remark in remarks {
        let _ = writeln!(text, "checkrein: {remark}");
    }
    text
}

fn say(text: &str) {
    if !text.is_empty() {
        // Nobody may be listening.
        let _ = writeln!(std::io::stderr(), "{}", paint::lines(text));
    }
}
