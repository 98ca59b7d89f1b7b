//! The sink of an evaluation: what was found, and how much work is left.

use super::run_files::RunFile;
use crate::{
    allow::NotCoverable,
    effect::{Effect, Invocation, Target},
    qualities::qualities,
    vocabulary::{Action, Certainty},
};
use checkrein_git::Question;
use checkrein_shell::{Opaque, work};
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
};

/// The maximum nesting depth of texts and commands.
const DEPTH: usize = 24;
/// The maximum number of commands that are followed.
const COMMANDS: usize = 4096;
/// The maximum work for one call, in units of about a hundred instructions. A few characters can make a lot of work:
/// functions that call each other, words that may be many things.
const FUEL: usize = 150_000;
/// The number of recent effects among which an equal one is searched.
const RECENT: usize = 32;
/// The maximum number of effects that are kept.
const EFFECTS: usize = 4096;
/// The maximum number of unreadable parts that are kept.
const UNREADABLE: usize = 64;

/// The results of an evaluation, within its bounds.
pub(crate) struct Sink {
    /// Everything that the call would do.
    pub(crate) effects: Vec<Effect>,
    /// The commands that it would run.
    pub(crate) invocations: Vec<Invocation>,
    /// Parts of texts that could not be read.
    pub(crate) unreadable: Vec<Opaque>,
    /// The first reason why no allow rule may cover the call.
    pub(crate) not_coverable: Option<NotCoverable>,
    /// Questions for git about effects, by the index of the effect.
    pub(super) questions: Vec<(usize, Option<Question>)>,
    /// The start of each effect in the text that is followed, in bytes.
    pub(super) starts: Vec<usize>,
    /// The place of the command that is followed in the outermost text.
    pub(super) start: usize,
    /// Files that are run from the disk.
    pub(crate) runs: Vec<RunFile>,
    /// Commands, by their index, whose words are not all known: what they take away is not known exactly.
    pub(super) inexact: BTreeSet<usize>,
    /// Commands that change the directory, by their index, to this one if it is there; `None`: perhaps to another one.
    pub(super) moves: BTreeMap<usize, Option<String>>,
    /// Effects belong to the command that comes next: its redirections are opened before it runs.
    pub(super) upcoming: bool,
    depth: usize,
    fuel: Cell<usize>,
}

impl Sink {
    pub(super) fn new() -> Self {
        Self {
            effects: Vec::new(),
            invocations: Vec::new(),
            unreadable: Vec::new(),
            not_coverable: None,
            questions: Vec::new(),
            starts: Vec::new(),
            start: 0,
            runs: Vec::new(),
            inexact: BTreeSet::new(),
            moves: BTreeMap::new(),
            upcoming: false,
            depth: 0,
            fuel: Cell::new(FUEL),
        }
    }

    /// Takes fuel. Returns whether there is some left; without it nothing more is followed.
    pub(super) fn burn(&self, amount: usize) -> bool {
        self.fuel.set(self.fuel.get().saturating_sub(amount));
        let left = work::burn(amount.saturating_mul(10));
        if !left {
            self.fuel.set(0);
        }
        self.fuel.get() > 0
    }

    /// Returns true if there is fuel left.
    pub(super) fn has_fuel(&self) -> bool {
        self.fuel.get() > 0
    }

    /// Returns true if texts and commands are nested too deeply to follow one more.
    pub(super) fn is_too_deep(&self) -> bool {
        self.depth >= DEPTH
    }

    /// Goes one level down: into a text or a command that another one runs.
    pub(super) fn descend(&mut self) {
        self.depth += 1;
    }

    /// Comes back up from what [`Self::descend`] began.
    pub(super) fn ascend(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Returns the command that effects belong to: an index into the invocations.
    pub(super) fn command(&self) -> usize {
        if self.upcoming { self.invocations.len() } else { self.invocations.len().saturating_sub(1) }
    }

    /// Returns the words of the running command.
    pub(super) fn running(&self) -> &[String] {
        self.invocations.last().map_or(&[], |command| &command.words)
    }

    /// Returns the program of the running command, as it was written.
    pub(super) fn running_program(&self) -> Option<&str> {
        self.invocations.last().and_then(|command| command.words.first()).map(String::as_str)
    }

    /// Keeps an effect, unless it was found a moment ago: a loop or a long list does the same again and again.
    /// Returns its place.
    pub(super) fn push(&mut self, effect: Effect) -> usize {
        if self.effects.len() == EFFECTS {
            // No more are kept, and what is not kept is not safe for that reason.
            self.effects.push(too_much(effect.by));
            self.starts.push(self.start);
        }
        let recent = self.effects.len().saturating_sub(RECENT);
        let known = self.effects.iter().skip(recent).position(|known| *known == effect);
        if let Some(known) = known {
            return recent + known;
        }
        if self.effects.len() < EFFECTS {
            self.effects.push(effect);
            self.starts.push(self.start);
        }
        self.effects.len().saturating_sub(1)
    }

    /// Keeps that not everything was followed, once.
    pub(crate) fn push_too_much(&mut self) {
        let is_known =
            |effect: &Effect| effect.action == Action::Opaque && effect.certainty.has(Certainty::TooMuch);
        if !self.effects.iter().any(is_known) {
            self.effects.push(too_much(self.invocations.len().saturating_sub(1)));
            self.starts.push(self.start);
        }
    }

    /// Keeps a part of a text that could not be read.
    pub(super) fn push_unreadable(&mut self, part: &Opaque) {
        if self.unreadable.len() < UNREADABLE {
            self.unreadable.push(part.clone());
        }
    }

    /// Keeps a command that would run. Returns whether there was room for it.
    pub(super) fn push_invocation(
        &mut self,
        words: Vec<String>,
        known_as: Option<String>,
        directory: Option<String>,
    ) -> bool {
        if self.is_full() {
            return false;
        }
        self.invocations.push(Invocation { words, known_as, depth: self.depth, directory });
        true
    }

    /// Returns true if no more commands are kept.
    pub(super) fn is_full(&self) -> bool {
        self.invocations.len() >= COMMANDS
    }

    /// Keeps why no allow rule may cover the call, unless there is a reason already.
    pub(super) fn forbid_covering(&mut self, reason: NotCoverable) {
        self.not_coverable.get_or_insert(reason);
    }
}

fn too_much(by: usize) -> Effect {
    qualities![Certainty::TooMuch].effect(Action::Opaque, Target::Nothing, by)
}
