//! The options of each interpreter, as far as they matter for finding its program. The build makes them of `options.toml`.

use crate::Language;

/// The options of one interpreter. Those with a value take the rest of their word, or the next.
pub(super) struct Options {
    /// Letters whose value is the program.
    pub(super) code: &'static str,
    pub(super) code_long: &'static [&'static str],
    pub(super) file: &'static str,
    pub(super) file_long: &'static [&'static str],
    pub(super) module: &'static str,
    pub(super) value: &'static str,
    pub(super) value_long: &'static [&'static str],
    /// Letters whose value is only the rest of their word.
    pub(super) rest: &'static str,
    /// Letters with which nothing runs.
    pub(super) none: &'static str,
    pub(super) in_place: &'static str,
    pub(super) in_place_long: &'static [&'static str],
    /// The first operand is the program itself, not the name of its file.
    pub(super) first_is_text: bool,
    /// Everything after the program belongs to it.
    pub(super) ends: bool,
}

include!(concat!(env!("OUT_DIR"), "/options.rs"));
