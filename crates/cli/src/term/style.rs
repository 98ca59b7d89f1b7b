//! Colors and escaping for the terminal. Every line can be understood without color; `anstream` removes it where the output
//! is not a terminal.

use checkrein::{
    Change, Decision, Outcome,
    sanitize::{self, is_hidden},
};
use std::borrow::Cow;

const RESET: &str = "\x1b[0m";
const DIM: &str = "\x1b[2m";

/// Summarizes an outcome in one or two words.
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

/// Dims a text.
pub(crate) fn dim(text: &str) -> String {
    format!("{DIM}{text}{RESET}")
}

fn change(outcome: &Outcome) -> Option<&Change> {
    outcome.trail.iter().find_map(|step| step.change.as_ref())
}

/// The escape sequences that the program itself writes. All others are escaped.
const COLOURS: [&str; 8] =
    ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[4m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"];

/// Escapes everything in a text that a terminal would obey, except line breaks and our own colors. This is the last
/// safeguard if a caller forgot to escape foreign text.
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

/// Escapes foreign text so that it stays on one line and a terminal obeys nothing in it.
pub(crate) fn harmless(text: &str) -> String {
    sanitize::escape(text).into_owned()
}

/// Escapes each line of a text so that a terminal obeys nothing in it.
pub(crate) fn lines(text: &str) -> String {
    text.lines().map(sanitize::escape).collect::<Vec<_>>().join("\n")
}

/// Formats JSON in one line. Characters that a terminal would obey or hide are written as JSON escapes.
pub(crate) fn json(value: impl Into<serde_json::Value>) -> String {
    sanitize::json(value.into().to_string())
}

/// Shortens a text to one line without characters that a terminal would obey.
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
