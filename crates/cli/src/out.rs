//! Lines for a user or a pipe. `println!` panics when nobody takes them; a reader that has seen enough is no error, and
//! a full disk is one with a text.

use crate::paint;
use std::{
    fmt::Arguments,
    io::{ErrorKind, Write},
};

/// Prints a line on stdout, with colour only where it is seen.
macro_rules! out {
    () => { $crate::out::line(format_args!("")) };
    ($($text:tt)*) => { $crate::out::line(format_args!($($text)*)) };
}
pub(crate) use out;

/// Prints a line on stderr, likewise.
macro_rules! err {
    ($($text:tt)*) => { $crate::out::talk(format_args!($($text)*)) };
}
pub(crate) use err;

pub(crate) fn talk(text: Arguments<'_>) {
    // Nobody may be listening.
    let _ = writeln!(anstream::stderr().lock(), "{}", paint::shown(&text.to_string()));
}

pub(crate) fn line(text: Arguments<'_>) {
    let text = text.to_string();
    let Err(error) = writeln!(anstream::stdout().lock(), "{}", paint::shown(&text)) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    // Nobody may be listening there either.
    let _ = writeln!(anstream::stderr().lock(), "checkrein: stdout cannot be written to: {error}");
    std::process::exit(3);
}
