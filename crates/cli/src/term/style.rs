//! Decisions for a user's eyes. Colour only helps: every line can be understood without it. `anstream` removes it
//! where nobody would see it.

use checkrein::{
    Change, Decision, Outcome,
    sanitize::{self, is_hidden},
};
use std::borrow::Cow;

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

/// The colours that we write, and nothing else that a terminal obeys.
const COLOURS: [&str; 7] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"];

/// What goes to a terminal: lines of ours with colours of ours. Whoever forgets to write out the words of a stranger is
/// caught here; only a colour would get through.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if !text.contains(|char| char != '\n' && is_hidden(char)) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let colour = COLOURS.iter().find(|colour| rest.starts_with(**colour)).copied();
        let length = colour.map_or(char.len_utf8(), str::len);
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match (colour, char) {
            (Some(_), _) | (None, '\n') => shown.push_str(part),
            (None, _) => shown.push_str(&sanitize::escape(part)),
        }
        rest = after;
    }
    shown.into()
}

/// Words of a stranger in one line, with nothing in it that a terminal would obey.
pub(crate) fn harmless(text: &str) -> String {
    sanitize::escape(text).into_owned()
}

/// A text of one or more lines, each with nothing in it that a terminal would obey.
pub(crate) fn lines(text: &str) -> String {
    text.lines().map(sanitize::escape).collect::<Vec<_>>().join("\n")
}

/// JSON in one line. What a terminal would obey or hide is escaped, which is the same to a reader of JSON.
pub(crate) fn json(value: impl Into<serde_json::Value>) -> String {
    sanitize::json(value.into().to_string())
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
            } else if c == '\t' || is_hidden(c) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_colours_reach_a_terminal() {
        assert_eq!(shown("\x1b[31mdenied\x1b[0m\n  ok"), "\x1b[31mdenied\x1b[0m\n  ok");
        assert_eq!(
            shown("\x1b[8mx\x1b]0;t\x07\u{9b}2J\u{202e}"),
            r"\u{1b}[8mx\u{1b}]0;t\u{7}\u{9b}2J\u{202e}"
        );
        assert_eq!(shown("a\tb ✓"), "a\tb ✓");
    }
}
