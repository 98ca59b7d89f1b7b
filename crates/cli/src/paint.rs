//! Decisions for a person's eyes. Colour only helps: every line can be understood without it. `anstream` removes it
//! where nobody would see it.

use checkrein::{Change, Decision, Outcome};

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";

/// What an outcome comes to, in one word or two.
pub(crate) fn verdict(outcome: &Outcome) -> String {
    let (colour, words) = match (outcome.decision, change(outcome)) {
        (Decision::Deny, _) if outcome.payload.event.output().is_some() => ("\x1b[31m", "withheld"),
        (Decision::Deny, _) => ("\x1b[31m", "denied"),
        (Decision::Ask, _) => ("\x1b[33m", "ask"),
        (_, Some(Change::Input(_) | Change::Prompt)) => ("\x1b[36m", "rewritten"),
        (_, Some(Change::Output)) => ("\x1b[36m", "redacted"),
        (Decision::Allow, None) => ("\x1b[32m", "allowed"),
        (Decision::Abstain, None) => ("\x1b[32m", "no objection"),
    };
    format!("{colour}{words}{RESET}")
}

/// Less important.
pub(crate) fn dim(text: &str) -> String {
    format!("{DIM}{text}{RESET}")
}

fn change(outcome: &Outcome) -> Option<&Change> {
    outcome.trail.iter().find_map(|step| step.change.as_ref())
}

/// A text with nothing in it that a terminal would obey, and nothing that would reorder or hide what stands around it.
pub(crate) fn harmless(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\t' && hidden(c) {
            shown.extend(c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// One line of a text that may have many, with nothing in it that a terminal would obey.
pub(crate) fn one_line(text: &str) -> String {
    const MOST: usize = 100;
    let mut line: String = text
        .trim_end()
        .chars()
        .map(|c| {
            if c == '\n' {
                '⏎'
            } else if c.is_control() {
                '·'
            } else {
                c
            }
        })
        .collect();
    if line.chars().count() > MOST {
        line = line.chars().take(MOST - 1).chain(['…']).collect();
    }
    line
}
