//! Lines on stdout. `println!` panics when stdout is closed. Here a reader that closes the pipe early is
//! not an error, and a failed write, for example to a full disk, is reported.

use super::{err, style};
use crate::exit::ExitStatus;
use std::{
    fmt::Arguments,
    io::{ErrorKind, Write},
};

/// Prints a line on stdout. Colors are removed if stdout is not a terminal.
macro_rules! out {
    () => { $crate::term::stdout::line(format_args!("")) };
    ($($text:tt)*) => { $crate::term::stdout::line(format_args!($($text)*)) };
}
pub(crate) use out;

/// Prints a line. Exits if stdout cannot be written to.
pub(crate) fn line(text: Arguments<'_>) {
    let text = text.to_string();
    let Err(error) = writeln!(anstream::stdout().lock(), "{}", style::shown(&text)) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(ExitStatus::Success as i32);
    }
    err!("checkrein: cannot write to stdout: {error}");
    std::process::exit(ExitStatus::UsageError as i32);
}
