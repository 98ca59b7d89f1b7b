//! Asks whether git still has everything that a call takes away.
//!
//! The question is asked at the end, and only about effects that a rule objects to. Its answer is about the disk as it is
//! before the call. So it counts only if nothing before that command may have changed a file of the work tree; and if commands
//! repeat or overlap, nothing in the whole call may.

use super::{Evaluator, Frame};
use crate::{
    data::{REPOSITORY_GIT_FETCHES, REPOSITORY_GIT_LOOKS, REPOSITORY_LOOKS, REPOSITORY_VARIABLES},
    effect::{Effect, Invocation, Target},
    judge::decision_about,
    path::Reach,
    vocabulary::{Action, Environment, Modifier, Zone},
    world::FileKind,
};
use checkrein_core::Decision;
use checkrein_git::{Answer, Head, Others, Question};
use std::path::{Path, PathBuf};

/// The maximum number of questions for one call.
const QUESTIONS: usize = 8;

impl Evaluator<'_> {
    /// The texts that the call wrote to files.
    pub(crate) fn written_texts(&self) -> Vec<(String, String)> {
        self.session.texts()
    }

    /// Marks the effects that take away only what git still has, and those that take away what the call itself made.
    pub(crate) fn mark_committed(&mut self) {
        self.mark_made();
        let mut asked = 0;
        for place in 0..self.sink.effects.len() {
            let Some(effect) = self.sink.effects.get(place) else { break };
            if !may_be_committed(effect)
                || decision_about(effect, self.sink.invocations.get(effect.by)) == Decision::Abstain
            {
                continue;
            }
            asked += 1;
            let kept = asked <= QUESTIONS && self.is_committed(place, effect);
            if let Some(effect) = self.sink.effects.get_mut(place).filter(|_| kept) {
                effect.how = effect.how.with(Modifier::Committed);
            }
        }
    }

    /// Marks what the call itself made: where nothing was before, nothing is lost.
    fn mark_made(&mut self) {
        let places: Vec<usize> = (0..self.sink.effects.len()).filter(|place| self.is_made(*place)).collect();
        for place in places {
            if let Some(Effect { target: Target::Path(spot), .. }) = self.sink.effects.get_mut(place) {
                spot.zone = Zone::Generated;
            }
        }
    }

    /// Returns true if an effect takes away something from a place where nothing was before, so that it is what the call made, and
    /// nothing in the call may have brought there what was elsewhere.
    fn is_made(&self, place: usize) -> bool {
        let Some(effect) = self.sink.effects.get(place) else { return false };
        let Target::Path(spot) = &effect.target else { return false };
        let path = spot.path.strip_suffix("/*").unwrap_or(&spot.path);
        if effect.action != Action::Delete
            || !matches!(spot.zone, Zone::Project | Zone::Home)
            || path.contains(['…', '*', '?', '['])
            || effect.how.has(Modifier::Later)
            || decision_about(effect, self.sink.invocations.get(effect.by)) == Decision::Abstain
        {
            return false;
        }
        let is_below = |other: &str| {
            other.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let makes = |known: &Effect| match &known.target {
            Target::Path(spot) => {
                matches!(known.action, Action::Create | Action::Write | Action::Append)
                    && known.environment.is_empty()
                    && known.certainty.is_empty()
                    && is_below(&spot.path)
            }
            _ => false,
        };
        // A program that nothing is known about was given its name.
        let is_given = |command: &Invocation| {
            let named = |word: &String| {
                let name = word.trim_start_matches("./").trim_end_matches('/');
                !name.is_empty() && path.strip_suffix(name).is_some_and(|before| before.ends_with('/'))
            };
            command.known_as.is_none() && command.words.iter().skip(1).any(named)
        };
        let made = self.sink.effects.iter().take(place).any(makes)
            || self.sink.invocations.iter().take(effect.by).any(is_given);
        let brings = |effect: &Effect| {
            matches!(effect.action, Action::Move | Action::Mount | Action::Link | Action::Opaque)
        };
        let is_stash = |command: &Invocation| {
            command.words.iter().any(|word| word == "stash")
                && command.words.first().is_some_and(|word| word.rsplit('/').next() == Some("git"))
        };
        made && !self.sink.effects.iter().any(brings)
            && !self.sink.invocations.iter().any(is_stash)
            && self.was_nothing_at(path)
    }

    /// Returns true if the disk is visible, and nothing is at a path.
    fn was_nothing_at(&self, path: &str) -> bool {
        let mut above = Path::new(path).ancestors().filter_map(Path::to_str);
        above.next().is_some_and(|path| self.world.entry(path).is_none())
            && above.find_map(|above| self.world.entry(above)) == Some(FileKind::Directory)
    }

    fn is_committed(&self, place: usize, effect: &Effect) -> bool {
        let questions: Option<Vec<Question>> = match effect.action {
            Action::Delete if self.is_plain_removal(effect) => {
                deletion(effect).map(|question| vec![question])
            }
            Action::Delete => None,
            _ => {
                let of_effect = self.sink.questions.iter().filter(|(of, _)| *of == place);
                of_effect.map(|(_, question)| question.clone()).collect()
            }
        };
        let Some(questions) = questions.filter(|questions| !questions.is_empty()) else { return false };
        let moved = |name: &&str| self.world.variable(name).is_some();
        if REPOSITORY_VARIABLES.iter().any(moved) {
            return false;
        }
        questions.iter().all(|question| {
            let names_move = !matches!(question.head, Head::Stays | Head::Goes);
            self.is_unchanged_before(place, effect, names_move)
                && self.world.repository(question) == Answer::Kept
        })
    }

    /// Returns true if a command only removes what it names: a program of another language may do more than is
    /// visible.
    fn is_plain_removal(&self, effect: &Effect) -> bool {
        matches!(self.known_as(effect), Some("rm" | "unlink" | "rmdir" | MIRROR))
    }

    fn known_as(&self, effect: &Effect) -> Option<&str> {
        self.sink.invocations.get(effect.by).and_then(|command| command.known_as.as_deref())
    }

    /// Returns true if nothing before an effect may have changed what git is asked about.
    fn is_unchanged_before(&self, place: usize, effect: &Effect, names_move: bool) -> bool {
        // What repeats or overlaps has no before.
        let all = self.session.repeats;
        let commands = self.sink.invocations.iter().enumerate();
        let mut before = commands.filter(|(by, _)| *by != effect.by && (all || *by < effect.by));
        let effects = || self.sink.effects.iter().enumerate();
        let quiet = before.all(|(by, command)| {
            let mut own = effects().filter(|(_, known)| known.by == by);
            looks(command, !names_move) || own.any(|(other, known)| self.takes_nothing(other, known))
        });
        // What a mirror writes goes where it has removed nothing.
        let mirrors = self.known_as(effect) == Some(MIRROR);
        let mut others = effects().filter(|(other, known)| {
            let after = *other > place && known.by >= effect.by || mirrors && known.by == effect.by;
            *other != place && (all || !after)
        });
        quiet && others.all(|(other, known)| changes_nothing(known) || self.takes_nothing(other, known))
    }

    /// Returns true if an effect takes away only what git has, and moves no name, or something that no rule objects to.
    fn takes_nothing(&self, place: usize, effect: &Effect) -> bool {
        if self.is_ordinary_removal(effect) {
            return true;
        }
        let mut questions = self.sink.questions.iter().filter(|(of, _)| *of == place);
        let stays = |(_, question): &(usize, Option<Question>)| {
            question.as_ref().is_some_and(|question| question.head == Head::Stays)
        };
        effect.how.has(Modifier::Committed) && questions.all(stays)
    }

    /// Returns true for the removal of something of the project that no rule objects to, like what a build made. It puts nothing in the
    /// place of what git is asked about, and takes nothing from what git keeps for itself.
    fn is_ordinary_removal(&self, effect: &Effect) -> bool {
        let Target::Path(spot) = &effect.target else { return false };
        effect.action == Action::Delete
            && matches!(spot.zone, Zone::Project | Zone::Generated)
            && spot.reach == Reach::Itself
            && !spot.path.contains(['…', '*', '?', '['])
            && !spot.path.split('/').any(|name| name == ".git")
            && self.is_plain_removal(effect)
            && self.known_as(effect) != Some(MIRROR)
            && decision_about(effect, self.sink.invocations.get(effect.by)) == Decision::Abstain
    }
}

/// The program that removes, in the directory that it is given, what another one does not have.
const MIRROR: &str = "rsync";

/// A question about the work tree of a command, unless something leads git elsewhere.
pub(super) fn question(frame: &Frame, head: Head) -> Option<Question> {
    let elsewhere = [Environment::Elsewhere, Environment::Throwaway];
    let led = frame.exported.iter().any(|exported| exported.keys().any(|name| name.starts_with("GIT_")));
    if led || elsewhere.iter().any(|word| frame.qualities.has(*word)) {
        return None;
    }
    let directory = PathBuf::from(frame.directory()?);
    Some(Question { directory, paths: Vec::new(), tracked: true, removes: false, others: Others::Stay, head })
}

/// The question about files that are deleted without git.
fn deletion(effect: &Effect) -> Option<Question> {
    let Target::Path(spot) = &effect.target else { return None };
    let path = match spot.reach {
        Reach::Itself => spot.path.as_str(),
        Reach::Contents => spot.path.strip_suffix("/*")?,
        Reach::Some => return None,
    };
    let path = Path::new(path).to_owned();
    let plain = path.is_absolute() && !path.to_str()?.contains(['…', '*', '?', '[']);
    let directory = path.parent().filter(|_| plain)?.to_owned();
    let whole = Question {
        directory,
        paths: vec![path],
        tracked: true,
        removes: true,
        others: Others::All,
        head: Head::Stays,
    };
    Some(whole)
}

/// Returns true if git may have what an effect takes away.
fn may_be_committed(effect: &Effect) -> bool {
    let of_project = matches!(&effect.target, Target::Path(spot) if spot.zone == Zone::Project);
    let later = effect.how.has(Modifier::Later) || effect.environment.has(Environment::Elsewhere);
    !later && (effect.action == Action::Discard || effect.action == Action::Delete && of_project)
}

/// Returns true if a command changes no file of a work tree; with `fetching`, it may change what names mean.
pub(super) fn looks(command: &Invocation, fetching: bool) -> bool {
    let mut words = command.words.iter().map(String::as_str);
    let Some(name) = words.next().and_then(|name| name.rsplit('/').next()) else { return false };
    if name != "git" {
        return REPOSITORY_LOOKS.contains(&name);
    }
    let mut words = words.skip_while(|word| *word == "--no-pager");
    let command = match words.next() {
        Some("-C") => words.nth(1),
        command => command,
    };
    command.is_some_and(|command| {
        REPOSITORY_GIT_LOOKS.contains(&command) || fetching && REPOSITORY_GIT_FETCHES.contains(&command)
    })
}

/// Returns true if an effect leaves the files of a work tree unchanged.
fn changes_nothing(effect: &Effect) -> bool {
    let nowhere = matches!(&effect.target, Target::Path(spot) if matches!(spot.zone, Zone::Nowhere));
    nowhere || matches!(effect.action, Action::Read | Action::Connect | Action::Reveal)
}
