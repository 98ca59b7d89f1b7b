//! Handlers for programs that a table cannot describe completely, in a file for each kind, and the registry of their names.

mod agents;
mod augeas;
pub(super) mod chmod;
mod cmd;
mod code_effects;
mod copy_link;
mod database;
mod editor;
mod env;
mod fd;
mod find_expression;
mod graphql;
mod interpreter;
mod keygen;
mod network;
mod printf;
mod process_search;
mod processes;
mod read;
mod scripts;
mod sed;
mod shell_state;
mod shells;
mod snippet;
mod tar;
mod timers_traces;
mod unpack;
pub(super) mod xargs_find;
pub(in crate::eval) use unpack::PREFIXES;

pub(super) use chmod::permissions;
pub(super) use process_search::Hunt;
pub(super) use scripts::{PackageScripts, recipes, wanted};

use super::{Evaluator, Frame, flow::Flow};
use crate::program::Parsed;
use checkrein_shell::Word;

/// A command of which code says what it does.
pub(crate) struct Call<'a> {
    /// The options and operands, as the table reads them.
    pub(super) parsed: &'a Parsed,
    /// All words of the command, the name first.
    pub(super) words: &'a [Word],
}

impl<'a> Call<'a> {
    pub(super) fn new(parsed: &'a Parsed, words: &'a [Word]) -> Self {
        Self { parsed, words }
    }

    /// Returns the words after the name.
    pub(super) fn rest(&self) -> &'a [Word] {
        self.words.get(1..).unwrap_or_default()
    }
}

/// Follows a command, and returns what it prints.
type Follow = fn(&mut Evaluator<'_>, &Call<'_>, &mut Frame) -> Flow;

/// The handler of a program that a table cannot describe completely: an index into the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handler(pub(crate) u8);

macro_rules! handlers {
    ($($name:literal => $follow:expr,)+) => {
        /// Every handler, by the name that the tables of programs use.
        static HANDLERS: &[(&str, Follow)] = &[$(($name, $follow)),+];
    };
}

include!("registry.rs");

impl Handler {
    /// Returns the name that the tables use.
    pub(crate) fn name(self) -> &'static str {
        HANDLERS.get(usize::from(self.0)).map_or("", |(name, _)| name)
    }

    /// Returns true if this is a shell, which runs what it reads.
    pub(super) fn is_shell(self) -> bool {
        matches!(self.name(), "shell" | "structured-shell")
    }

    /// Follows a command, and returns what it prints.
    pub(super) fn follow(self, evaluator: &mut Evaluator<'_>, call: &Call<'_>, frame: &mut Frame) -> Flow {
        match HANDLERS.get(usize::from(self.0)) {
            Some((_, follow)) => follow(evaluator, call, frame),
            // The build script gives no other numbers.
            None => evaluator.follow_table(call.parsed, call.rest(), frame),
        }
    }
}

/// Words of a command line as they are read one after another.
pub(super) struct WordReader<'a> {
    words: &'a [Word],
}

impl<'a> WordReader<'a> {
    pub(super) fn new(words: &'a [Word]) -> Self {
        Self { words }
    }

    pub(super) fn next(&mut self) -> Option<&'a Word> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    pub(super) fn skip(&mut self, count: usize) {
        self.words = self.words.get(count..).unwrap_or_default();
    }

    pub(super) fn rest(&self) -> &'a [Word] {
        self.words
    }
}

/// The long option that a word means: GNU programs accept any unique beginning.
pub(super) fn long_option<'a>(given: &'a str, known: &[&'static str]) -> &'a str {
    if known.contains(&given) {
        return given;
    }
    let mut fitting = known.iter().filter(|name| name.starts_with(given));
    match (fitting.next(), fitting.next()) {
        (Some(name), None) if !given.is_empty() => name,
        _ => given,
    }
}

/// The words in one, with spaces between them.
pub(super) fn join(words: &[Word]) -> Word {
    let mut whole = Word::default();
    for (place, word) in words.iter().enumerate() {
        if place > 0 {
            whole.push_text(" ");
        }
        word.parts.iter().for_each(|part| whole.push(part.clone()));
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::{HANDLERS, Handler};
    use crate::data::PROGRAMS;
    use std::collections::BTreeSet;

    #[test]
    fn tables_and_registry_name_the_same_handlers() {
        let registered: Vec<&str> = HANDLERS.iter().map(|(name, _)| *name).collect();
        assert!(registered.is_sorted(), "registry.rs is in the order of names");
        let named: BTreeSet<&str> =
            PROGRAMS.iter().filter_map(|program| program.handler).map(Handler::name).collect();
        assert_eq!(named.into_iter().collect::<Vec<_>>(), registered);
    }
}
