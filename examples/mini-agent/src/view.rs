//! The output for the user: the model's text on stdout, each call with its verdict on stderr.
//!
//! Everything here comes from outside, and none of it may control the terminal.

use crate::agent::Ended;
use checkrein_harness::{Decision, Ending, Map, Note, NoteKind, Report, checkrein::sanitize::prose};
use serde_json::Value;
use std::io::Write;

/// The width of an input or text on its line, in characters.
const WIDTH: usize = 100;

/// Returns the text with hidden characters escaped, except line breaks and tabs.
pub(crate) fn plain(text: &str) -> String {
    prose(text).into_owned()
}

/// Shortens a text to one line.
fn short(text: &str) -> String {
    let line = plain(text).replace(['\n', '\t'], " ");
    let mut shown: String = line.chars().take(WIDTH).collect();
    if line.chars().nth(WIDTH).is_some() {
        shown.push('…');
    }
    shown
}

/// Returns the arguments of a call in one line; a single one without its name.
pub(crate) fn input(input: &Map) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let all: Vec<String> = input.iter().map(|(key, value)| format!("{key}={}", text(value))).collect();
    match (input.len(), input.values().next()) {
        (1, Some(value)) => text(value),
        _ => all.join(" "),
    }
}

/// Prints a piece of the model's text.
pub(crate) fn say(piece: &str) {
    print!("{}", plain(piece));
    // stdout may be closed.
    let _ = std::io::stdout().flush();
}

pub(crate) fn end_of_words(text: &str) {
    if !text.is_empty() {
        println!();
    }
}

pub(crate) fn session(id: &str, resumed: bool) {
    eprintln!("session {id}{}", if resumed { ", resumed" } else { "" });
}

/// Prints a call with its verdict.
pub(crate) fn call(report: &Report) {
    eprintln!("  {} {}", short(&report.call.name), short(&input(&report.call.input)));
    if let Some(original) = &report.call.original {
        eprintln!("    rewritten from {}", short(&input(original)));
    }
    if report.attempt > 1 {
        eprintln!("    attempt {}", report.attempt);
    }
    let verdict = match &report.ending {
        _ if report.withheld => "withheld",
        Ending::Ran => "ran",
        Ending::AnsweredBy(_) => "answered in its place",
        Ending::Failed(_) => "failed",
        Ending::UnknownTool => "no such tool",
        Ending::InvalidInput => "invalid input",
        Ending::Denied => "denied",
        Ending::NotApproved => "not approved",
        Ending::NotStarted => "not started",
        Ending::Cancelled => "cancelled",
    };
    eprintln!("    {verdict}: {}", short(report.output.text()));
    notes(&report.notes);
}

pub(crate) fn not_a_call(name: &str, why: &str) {
    eprintln!("  {}\n    invalid input: {}", short(name), short(why));
}

/// Prints messages from hooks that are not in a verdict already.
pub(crate) fn notes(notes: &[Note]) {
    for note in notes {
        let kind = match note.kind {
            NoteKind::Reason(Decision::Deny | Decision::Ask) => continue,
            NoteKind::Reason(Decision::Abstain | Decision::Allow) => "says",
            NoteKind::Context => "tells the model",
            NoteKind::Notice => "tells you",
            NoteKind::Failure => "failed",
        };
        eprintln!("    {} {kind}: {}", short(&note.hook), short(&note.text));
    }
}

/// Prints a remark that belongs to no call.
pub(crate) fn remark(text: &str) {
    eprintln!("mini-agent: {}", plain(text));
}

pub(crate) fn question(what: &str, text: &str) {
    eprintln!("  {}?\n    {}", short(what), plain(text).replace('\n', "\n    "));
}

pub(crate) fn reason(hook: &str, text: &str) {
    eprintln!("    {}: {}", short(hook), plain(text));
}

pub(crate) fn yes_or_no() {
    eprint!("    [y/N] ");
    let _ = std::io::stderr().flush();
}

/// Prints how a turn ended, unless it just finished.
pub(crate) fn ended(ended: &Ended) {
    match ended {
        Ended::Done => {}
        Ended::Refused(why) => eprintln!("refused: {}", plain(why)),
        Ended::Stopped(why) => eprintln!("stopped: {}", plain(why)),
        Ended::ModelFailed(why) => eprintln!("the model could not be asked: {}", plain(why)),
        Ended::TooManySteps => eprintln!("given up: the model did not come to an end"),
        Ended::Cancelled => eprintln!("cancelled"),
    }
}
