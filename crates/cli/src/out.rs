//! Lines for a person or a pipe. `println!` panics when nobody takes them; a reader that has seen enough is no error, and
//! a full disk is one with a text.

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

pub(crate) fn line(text: Arguments<'_>) {
    let Err(error) = writeln!(anstream::stdout().lock(), "{text}") else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    // Nobody may be listening there either.
    let _ = writeln!(anstream::stderr().lock(), "checkrein: stdout cannot be written to: {error}");
    std::process::exit(3);
}
