//! Lines on stdout. `println!` panics when stdout is closed. Here a reader that closes the pipe early is
//! not an error, and a failed write, for example to a full disk, is reported.

use super::{err, style, wrap::fitted_to_stdout};
use crate::exit::ExitStatus;
use std::{
    fmt::Arguments,
    io::{ErrorKind, Write},
};

/// Prints a text for people on stdout. It is broken into lines that fit the terminal, and colors are removed if stdout is not one.
macro_rules! out {
    () => { $crate::term::stdout::line(format_args!("")) };
    ($($text:tt)*) => { $crate::term::stdout::line(format_args!($($text)*)) };
}
pub(crate) use out;

/// Prints what programs read or users copy on stdout: JSON, a difference, configuration. Its lines stay as they are.
macro_rules! data {
    ($($text:tt)*) => { $crate::term::stdout::verbatim(&format!($($text)*)) };
}
pub(crate) use data;

/// Prints a text that fits the terminal. Exits if stdout cannot be written to.
pub(crate) fn line(text: Arguments<'_>) {
    verbatim(&fitted_to_stdout(&text.to_string()));
}

/// Prints a text as it is. Exits if stdout cannot be written to.
pub(crate) fn verbatim(text: &str) {
    let Err(error) = writeln!(anstream::stdout().lock(), "{}", style::shown(text)) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(ExitStatus::Success as i32);
    }
    err!("checkrein: cannot write to stdout: {error}");
    std::process::exit(ExitStatus::UsageError as i32);
}
