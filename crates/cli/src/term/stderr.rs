//! Lines on stderr: errors, warnings, failed hooks, and limits of the host. Silent if there is nothing to
//! report.
//!
//! A failed write to stderr is ignored: stderr may be closed, and there is no other place to report it.

use super::{style, wrap::fitted_to_stderr};
use checkrein::{Decision, Outcome};
use std::{
    fmt::{Arguments, Write as _},
    io::Write as _,
};

/// Prints a line on stderr. Colors are removed if stderr is not a terminal.
macro_rules! err {
    ($($text:tt)*) => { $crate::term::stderr::line(format_args!($($text)*)) };
}
pub(crate) use err;

/// Prints a text that fits the terminal.
pub(crate) fn line(text: Arguments<'_>) {
    let text = fitted_to_stderr(&text.to_string());
    let _ = writeln!(anstream::stderr().lock(), "{}", style::shown(&text));
}

/// Reports what the answer has no field for: remarks about the configuration, failed hooks, and limits of
/// the host.
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
    print(&text);
}

/// Reports remarks about the configuration.
pub(crate) fn remark(remarks: &[String]) {
    print(&listed(remarks));
}

fn listed(remarks: &[String]) -> String {
    let mut text = String::new();
    for remark in remarks {
        let _ = writeln!(text, "checkrein: {remark}");
    }
    text
}

fn print(text: &str) {
    if !text.is_empty() {
        let _ = writeln!(std::io::stderr(), "{}", fitted_to_stderr(&style::lines(text)));
    }
}
