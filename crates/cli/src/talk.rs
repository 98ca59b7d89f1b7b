//! What goes to stderr: failures that were ignored, and what the host cannot do. Nothing when nothing happened.

use checkrein::Outcome;
use std::{fmt::Write as _, io::Write as _};

/// Says what the answer itself does not say.
pub(crate) fn about(outcome: &Outcome) {
    let mut text = String::new();
    for step in &outcome.trail {
        if let Some(failure) = &step.failure {
            let _ = writeln!(text, "checkrein: hook `{}` failed ({}): {failure}", step.hook, step.decision);
        }
    }
    for declared in &outcome.declared {
        let _ = writeln!(text, "checkrein: {declared}");
    }
    if !text.is_empty() {
        // Nobody may be listening.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
