//! Finds what the call would take away, and whether the disk as it is now shows all of it.
//!
//! Something is lost from where it is before the call, unless a command of the call has put it elsewhere in between. So a loss
//! is exact if every command before it is one whose effects say all that it does, and none of them moves anything.

use super::{Evaluator, Frame, committed};
use crate::{
    data::REPOSITORY_VARIABLES,
    effect::{Effect, Target},
    loss::Loss,
    path::Reach,
    vocabulary::{Action, Certainty, Environment, Modifier, Zone},
    world::FileKind,
};
use checkrein_git::Head;
use checkrein_shell::{Candidates, Part, Runs, SimpleCommand, UnknownSource, Word};

/// Programs whose effects say all that they do to files.
const PLAIN: [&str; 10] = ["rm", "unlink", "rmdir", "truncate", "cp", "tee", "mkdir", "touch", "git", SEARCH];
/// The alternatives of a word, and alternatives in them, that are looked at.
const ALTERNATIVES: usize = 64;
const NESTED: usize = 3;
/// Options with which a search leaves the directories that it is given.
const FOLLOWING: [&str; 3] = ["-L", "-H", "-follow"];
/// A program that deletes what it finds below the directories that it is given.
const SEARCH: &str = "find";

impl Evaluator<'_> {
    /// Returns what the call would take away.
    pub(crate) fn losses(&self) -> Vec<Loss> {
        let effects = self.sink.effects.iter().enumerate();
        let losses = effects.filter(|(_, effect)| takes_something(effect));
        losses.map(|(place, effect)| self.loss(place, effect)).collect()
    }

    fn loss(&self, place: usize, effect: &Effect) -> Loss {
        let questions = self.sink.questions.iter().filter(|(of, _)| *of == place);
        // The variables of this process lead git elsewhere.
        let moved = REPOSITORY_VARIABLES.iter().any(|name| self.world.variable(name).is_some());
        let searched = self.is_search(effect);
        Loss {
            effect: place,
            searched,
            exact: (is_certain(effect) || searched)
                && !self.sink.inexact.contains(&effect.by)
                && self.is_plain(effect.by)
                && self.is_settled_before(place, effect),
            questions: questions.map(|(_, question)| question.clone().filter(|_| !moved)).collect(),
        }
    }

    /// Returns true if the effects of a command say all that it does to files. A tool runs no command.
    fn is_plain(&self, by: usize) -> bool {
        let Some(command) = self.sink.invocations.get(by) else { return self.sink.invocations.is_empty() };
        let known = command.known_as.as_deref().unwrap_or_default();
        let first = known.split(' ').next().unwrap_or_default();
        if first == SEARCH && command.words.iter().any(|word| FOLLOWING.contains(&word.as_str())) {
            return false;
        }
        PLAIN.contains(&first) || committed::looks(command, true)
    }

    /// Returns true if an effect is on the files that a search finds: which ones is not known, but all of them are below a directory
    /// that is known.
    fn is_search(&self, effect: &Effect) -> bool {
        let by = self.sink.invocations.get(effect.by).and_then(|command| command.known_as.as_deref());
        let Target::Path(spot) = &effect.target else { return false };
        by == Some(SEARCH)
            && effect.action == Action::Delete
            && effect.certainty.iter().all(|word| matches!(word, Certainty::Known | Certainty::Unknown))
            && !effect.how.has(Modifier::Later)
            && searched_directory(&spot.path).is_some()
    }

    /// Notes that the words of the command that is followed next, or now, are not all known.
    pub(super) fn note_words(&mut self, words: &[Word]) {
        if !words.iter().all(|word| self.is_exact(word, NESTED)) {
            self.sink.inexact.insert(self.sink.invocations.len());
        }
    }

    /// Notes that a command has changed the directory, and where it is then, if that is certain.
    pub(super) fn note_directory(&mut self, simple: &SimpleCommand, frame: &Frame) {
        let target = simple.words.get(1).map(Word::lead).unwrap_or_default();
        // A shell looks there first.
        let searched = !target.starts_with(['/', '.', '~'])
            && (self.world.variable("CDPATH").is_some()
                || simple.assignments.iter().any(|(name, _)| name == "CDPATH"));
        let is_certain = simple.runs == Runs::Always && !searched && !returns(simple);
        let there = frame.directory().filter(|_| is_certain);
        self.sink.moves.insert(self.sink.invocations.len().saturating_sub(1), there);
    }

    /// Returns true if everything that a word may become is known from the text and the disk.
    fn is_exact(&self, word: &Word, depth: usize) -> bool {
        let all = |words: &[Word]| {
            depth > 0
                && words.len() <= ALTERNATIVES
                && words.iter().all(|word| self.is_exact(word, depth - 1))
        };
        word.parts.iter().all(|part| {
            let Part::Unknown(unknown) = part else { return true };
            if let Candidates::These(words) = &unknown.among {
                return all(words);
            }
            match &unknown.why {
                UnknownSource::Home(_) => true,
                UnknownSource::Variable(name) if matches!(name.as_str(), "PWD" | "HOME") => true,
                UnknownSource::Variable(_) | UnknownSource::Element(_) => {
                    self.scope().is_some_and(|scope| match scope.may_be(unknown) {
                        (words, true) => all(words),
                        _ => false,
                    })
                }
                // Of a few programs the output is computed: `$(pwd)`.
                UnknownSource::Substitution(_) => self.origin(unknown).text.is_some(),
                _ => false,
            }
        })
    }

    /// Returns true if a command puts nothing anywhere that was elsewhere before. Most commands of git may do that: `git stash pop`
    /// brings files whose only copy it drops.
    fn is_quiet(&self, by: usize) -> bool {
        let is_there = |path: &Option<String>| {
            path.as_ref().is_some_and(|path| self.world.entry(path) == Some(FileKind::Directory))
        };
        // Where it fails, the next command runs where it was before.
        if self.sink.moves.get(&by).is_some_and(|path| !is_there(path)) {
            return false;
        }
        let Some(command) = self.sink.invocations.get(by) else { return true };
        let is_git = command.known_as.as_deref().is_some_and(|known| known.split(' ').next() == Some("git"));
        let discards = || {
            let mut own = self.sink.effects.iter().enumerate().filter(|(_, effect)| effect.by == by);
            own.any(|(place, effect)| effect.action == Action::Discard && self.moves_nothing(place, effect))
        };
        if is_git { committed::looks(command, true) || discards() } else { self.is_plain(by) }
    }

    /// Returns true if no command before an effect may have put something where the effect takes it away.
    fn is_settled_before(&self, place: usize, effect: &Effect) -> bool {
        // What repeats or overlaps has no before.
        let all = self.session.repeats;
        let mut before =
            (0..self.sink.invocations.len()).filter(|by| *by != effect.by && (all || *by < effect.by));
        let mut others = self
            .sink
            .effects
            .iter()
            .enumerate()
            .filter(|(other, known)| *other != place && (all || *other < place || known.by < effect.by));
        // Several names that one command removes do not affect each other.
        let is_beside = |known: &Effect| {
            known.by == effect.by && [known, effect].iter().all(|both| both.action == Action::Forget)
        };
        before.all(|by| self.is_quiet(by))
            && others.all(|(other, known)| self.moves_nothing(other, known) || is_beside(known))
    }

    /// Returns true if an effect leaves everything that it does not remove where it is.
    fn moves_nothing(&self, place: usize, effect: &Effect) -> bool {
        if !is_certain(effect) {
            return effect.action == Action::Read;
        }
        match effect.action {
            Action::Read
            | Action::Write
            | Action::Append
            | Action::Truncate
            | Action::Create
            | Action::Delete
            | Action::Mode
            | Action::Connect => true,
            // Git replaces files by what it has, or by nothing.
            Action::Discard => {
                let mut questions = self.sink.questions.iter().filter(|(of, _)| *of == place);
                questions.all(|(_, question)| {
                    question.as_ref().is_some_and(|question| question.head == Head::Stays)
                })
            }
            _ => false,
        }
    }
}

/// Returns true if a command changes back to an earlier directory, which is not followed.
pub(super) fn returns(simple: &SimpleCommand) -> bool {
    // It may be behind `builtin` or `command`.
    simple.words.iter().take(2).any(|word| word.lead() == "popd")
}

/// Returns true if an effect takes something of this machine away, or replaces it.
fn takes_something(effect: &Effect) -> bool {
    let acts = match effect.action {
        Action::Delete | Action::Truncate | Action::Write | Action::Append | Action::Link => true,
        // A moved file still exists, unless its target keeps nothing.
        Action::Move => effect.how.has(Modifier::Lost) || effect.how.has(Modifier::Remove),
        Action::Discard | Action::Forget => true,
        _ => false,
    };
    let elsewhere = [Environment::Elsewhere, Environment::Remote];
    let nowhere = matches!(&effect.target, Target::Path(spot) if spot.zone == Zone::Nowhere);
    acts && !nowhere
        && !effect.how.has(Modifier::DryRun)
        && !elsewhere.iter().any(|word| effect.environment.has(*word))
}

/// Returns true if the target of an effect is known.
fn is_certain(effect: &Effect) -> bool {
    let known = effect.certainty.is_empty() || effect.certainty.iter().all(|word| word == Certainty::Known);
    let named = match &effect.target {
        Target::Path(spot) => {
            spot.reach != Reach::Some && !spot.path.contains('…') || is_glob_of_names(&spot.path)
        }
        Target::Name(_) => true,
        Target::Host(_) | Target::Nothing => false,
    };
    known && named && !effect.how.has(Modifier::Later)
}

/// Returns the directory in which a search begins, of the path that it finds: `/a/b` of `/a/b/…/*.md`.
pub(crate) fn searched_directory(path: &str) -> Option<&str> {
    let (directory, _) = path.split_once("/…")?;
    (directory.starts_with('/') && !directory.contains(['*', '?', '['])).then_some(directory)
}

/// Returns true for a path whose last step alone is a pattern, as a shell expands it.
fn is_glob_of_names(path: &str) -> bool {
    let Some((directory, _)) = path.rsplit_once('/') else { return false };
    !path.contains('…') && !directory.contains(['*', '?', '['])
}
