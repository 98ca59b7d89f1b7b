//! How effects and commands are recorded.

use super::{Evaluator, frame::Frame, self_protection, shell, words};
use crate::{
    allow::NotCoverable,
    effect::{Effect, Target},
    path::{LinkPolicy, Reach, ResolvedPath},
    vocabulary::{Mark, Marks, Tag, Verb, Zone},
    world::FileKind,
};
use checkrein_shell::Word;

impl Evaluator<'_> {
    /// Records an effect.
    pub(super) fn emit(&mut self, verb: Verb, target: Target, marks: Marks, frame: &Frame) {
        let (target, marks) = self.mark_ours(verb, target, marks.and(frame.marks));
        self.sink.push(Effect { verb, target, marks, by: self.sink.command() });
    }

    /// Records that something was too much to follow.
    pub(super) fn emit_too_much(&mut self, frame: &Frame) {
        self.emit(Verb::Opaque, Target::Nothing, Marks::of(&[Mark::TooMuch]), frame);
    }

    /// Records that a command would run. Returns whether there was room for it.
    pub(super) fn record_invocation(
        &mut self,
        words: &[Word],
        known_as: Option<String>,
        frame: &Frame,
    ) -> bool {
        if self.sink.is_full() {
            self.emit_too_much(frame);
            return false;
        }
        if words.iter().any(Word::is_unknown) {
            self.sink.forbid_covering(NotCoverable::Variable);
        }
        let words = words.iter().map(words::show).collect();
        self.sink.push_invocation(words, known_as, frame.directory())
    }

    /// Records an effect on each path that a word may mean.
    pub(super) fn emit_path(
        &mut self,
        verb: Verb,
        word: &Word,
        marks: Marks,
        frame: &Frame,
    ) -> Vec<ResolvedPath> {
        let last = match verb {
            Verb::Delete | Verb::Move | Verb::Link => LinkPolicy::Keep,
            _ => LinkPolicy::Follow,
        };
        let mut places = self.places(word, last, frame);
        // A blank where something is written makes a mistake; where something is deleted it makes a catastrophe.
        if !matches!(verb, Verb::Delete | Verb::Move | Verb::Mode | Verb::Owner) {
            places.retain(|(_, marks)| !marks.has(Mark::EmptyVariable));
        }
        // Files have nothing below them.
        let files = word.parts.len() == 1 && word.unknowns().any(|unknown| self.origin(unknown).files);
        let marks = if files { marks.without(Mark::Recursive) } else { marks };
        let found = self_protection::CHANGES.has(verb) && self.may_be_found(word);
        for (spot, more) in &places {
            let marks = if found
                && (!spot.path.starts_with('/') || spot.path.contains('…') || word.constant().is_some())
            {
                marks.with(Mark::PerhapsOurs)
            } else {
                marks
            };
            let marks = if self.is_file(spot) { marks.without(Mark::Recursive) } else { marks };
            let marks = marks.and(*more);
            // A pattern of what people write is many files at once.
            let many = spot.tags.has(Tag::Source) && shell::is_pattern(spot);
            let marks =
                if many || spot.reach == Reach::Contents { marks.with(Mark::Sweeping) } else { marks };
            let known = spot.tags.has(Tag::AgentRuns)
                && (self.arriving.is_some() || verb == Verb::Create && self.makes_a_directory());
            let marks = if known { marks.with(Mark::Known) } else { marks };
            self.emit(verb, Target::Path(spot.clone()), marks, frame);
        }
        places.into_iter().map(|(spot, _)| spot).collect()
    }

    /// Returns whether the command makes directories, in which there is nothing yet.
    pub(super) fn makes_a_directory(&self) -> bool {
        self.sink.running_program().is_some_and(|program| program.rsplit('/').next() == Some("mkdir"))
    }

    /// Whether something of the project is a file: the disk says so, or its name has an ending.
    pub(super) fn is_file(&self, spot: &ResolvedPath) -> bool {
        let name = spot.path.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
        let named = ending.is_some_and(|ending| {
            ending.len() <= 5 && ending.chars().all(|char| char.is_ascii_alphanumeric())
        });
        spot.zone == Zone::Project
            && spot.reach == Reach::Itself
            && match self.world.entry(&spot.path) {
                Some(FileKind::File | FileKind::Other | FileKind::Link(_)) => true,
                Some(FileKind::Directory) => false,
                None => named,
            }
    }
}
