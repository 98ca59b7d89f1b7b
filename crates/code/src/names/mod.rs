//! The meaning of the names of each language: data, not code (`names/*.toml`).
//!
//! A name is written with dots, whatever its language writes: `FileUtils.rm_rf`, `IO.Socket.INET.new`. A method is looked up by
//! its last part alone, when the whole name is not in the table and the text does not define it.

mod call;
mod tables;

pub(super) use call::{Call, Deep, Encoding};

use super::Language;

/// Tells if a method's receiver is its first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum With {
    Receiver,
    Arguments,
}

/// The names of one language.
pub(super) struct Table {
    pub(super) functions: &'static [(&'static str, Call)],
    pub(super) methods: &'static [(&'static str, With, Call)],
    /// The names of the whole environment.
    pub(super) environment: &'static [&'static str],
    /// Operators that join texts.
    pub(super) joins: &'static [&'static str],
    /// Operators before a part of a name.
    pub(super) dots: &'static [&'static str],
    /// True if a call needs no brackets.
    pub(super) commands: bool,
}

/// A language whose programs are not followed by the names in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnReader {
    Awk,
    Sed,
    PowerShell,
    AppleScript,
    Make,
}

impl Table {
    /// The table of a language, or the reader that it has instead.
    pub(super) fn of(language: Language) -> Result<&'static Self, OwnReader> {
        match language {
            Language::Python => Ok(&tables::PYTHON),
            Language::Perl => Ok(&tables::PERL),
            Language::Ruby => Ok(&tables::RUBY),
            Language::JavaScript => Ok(&tables::JAVASCRIPT),
            Language::Php => Ok(&tables::PHP),
            Language::Lua => Ok(&tables::LUA),
            Language::Go => Ok(&tables::GO),
            Language::Awk => Err(OwnReader::Awk),
            Language::Sed => Err(OwnReader::Sed),
            Language::PowerShell => Err(OwnReader::PowerShell),
            Language::AppleScript => Err(OwnReader::AppleScript),
            Language::Make => Err(OwnReader::Make),
        }
    }

    pub(super) fn function(&self, name: &str) -> Option<Call> {
        self.functions.iter().find(|(known, _)| *known == name).map(|(_, call)| *call)
    }

    pub(super) fn method(&self, name: &str) -> Option<(With, Call)> {
        self.methods.iter().find(|(known, _, _)| *known == name).map(|(_, with, call)| (*with, *call))
    }
}
