//! Input that is typed later into something that a call has started.
//!
//! Some hosts let an agent type into a process that an earlier call started, and fire no event for it. There a shell,
//! an interpreter or a console that waits for commands bypasses the guard. So does a file that is filled by typing.
//! Where every command comes in a call of its own, none of this matters, and there is no effect.

use super::{Evaluator, Frame, flow::Flow};
use crate::{
    data::CONSOLES,
    effect::Target,
    glob,
    program::ParseFlag,
    qualities::{Qualities, qualities},
    vocabulary::{Action, Modifier},
};
pub(super) use checkrein_code::TYPED;
use checkrein_shell::Word;

/// The number of words that are searched for a subcommand.
const WITHIN: usize = 3;

/// A program that does what is typed into it.
#[derive(Debug)]
pub(crate) struct Console {
    /// The program, and perhaps a word that selects the subcommand.
    pub(crate) name: &'static [&'static str],
    /// Not if one of its words is one of these.
    pub(crate) unless: &'static [&'static str],
    /// Not if an option and the word behind it are one of these.
    pub(crate) unless_told: &'static [&'static str],
    /// Only if one of its words is one of these.
    pub(crate) only: &'static [&'static str],
    /// Only if it runs no other program: that one is looked at by itself.
    pub(crate) alone: bool,
    /// Only with at most so many operands.
    pub(crate) operands: Option<u8>,
}

impl Evaluator<'_> {
    /// Something does, or keeps, what it reads.
    pub(super) fn consume_typed(&mut self, flow: &Flow, frame: &Frame) {
        if flow.typed {
            let program = self.sink.running_program().map(str::to_owned);
            let target = program.map_or(Target::Nothing, Target::Name);
            self.emit(Action::Opaque, target, qualities![Modifier::Shell, Modifier::Typed], frame);
        }
    }

    /// A program with a console of its own.
    pub(super) fn follow_console(
        &mut self,
        name: &[&str],
        rest: &[Word],
        command: &[Word],
        qualities: Qualities,
        frame: &Frame,
    ) {
        // Asked of every command, and hardly ever answered with yes.
        if !frame.stdin.typed
            || qualities.has_any(qualities![ParseFlag::Help, ParseFlag::Batch, Modifier::Lists])
        {
            return;
        }
        let Some(program) = name.first() else { return };
        let words: Vec<&str> = rest.iter().map(Word::lead).collect();
        if words.iter().any(|word| matches!(*word, "--help" | "--version" | "-version" | "-V")) {
            return;
        }
        if CONSOLES
            .iter()
            .filter(|console| console.name.first() == Some(program))
            .any(|console| console.is_open(&words, command.is_empty()))
        {
            self.consume_typed(&frame.stdin, frame);
        }
    }
}

impl Console {
    /// Returns true if it waits for typed input when it is started with these words.
    fn is_open(&self, words: &[&str], alone: bool) -> bool {
        let operands: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
        let among = |patterns: &[&str]| {
            patterns.iter().any(|pattern| words.iter().any(|word| glob::matches(pattern, word)))
        };
        let selected = match self.name {
            [_, sub] => selects(words, sub),
            _ => true,
        };
        selected
            && !among(self.unless)
            && !is_told(words, self.unless_told)
            && (self.only.is_empty() || among(self.only))
            && (alone || !self.alone)
            && self.operands.is_none_or(|most| operands.len() <= usize::from(most))
    }
}

/// Returns true if an option and the word behind it fit one of the patterns: `-c quit`. A file may be called `quit`.
fn is_told(words: &[&str], patterns: &[&str]) -> bool {
    let pairs = words.windows(2).filter(|pair| pair.first().is_some_and(|option| option.starts_with('-')));
    pairs.map(|pair| pair.join(" ")).any(|told| patterns.iter().any(|pattern| glob::matches(pattern, &told)))
}

/// Returns true if a word selects a subcommand. A word after an option is its value, unless no operand came before.
fn selects(words: &[&str], sub: &str) -> bool {
    let is_option = |word: &str| word.starts_with('-');
    let before = std::iter::once(None).chain(words.iter().copied().map(Some));
    let operands = words.iter().copied().zip(before).filter(|(word, _)| !is_option(word));
    let mut numbered = operands.enumerate().take(WITHIN);
    numbered.any(|(number, (word, before))| {
        word == sub && (number == 0 || before.is_none_or(|before| !is_option(before)))
    })
}
