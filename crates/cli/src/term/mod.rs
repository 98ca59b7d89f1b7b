//! The terminal: lines on stdout and stderr, style, and confirmation by the user.

pub(crate) mod confirm;
pub(crate) mod stderr;
pub(crate) mod stdout;
pub(crate) mod style;
pub(crate) mod wrap;

pub(crate) use stderr::err;
pub(crate) use stdout::{data, out};
