//! Records effects and commands.

use super::{Evaluator, frame::Frame, self_protection, shell, words};
use crate::{
    allow::{NotCoverable, depends_on_run},
    effect::Target,
    path::{LinkPolicy, Reach, ResolvedPath, Segment},
    program::{ParseFlags, environment},
    qualities::{Qualities, qualities},
    vocabulary::{Action, Certainty, Environment, Modifier, Tag, Zone},
    world::FileKind,
};
use checkrein_shell::Word;
use checkrein_sql::is_production;

/// The number of earlier commands that are searched for the one that made something.
const EARLIER: usize = 32;
/// The number of words at the start of a command that may say that it makes something.
const MAKING: usize = 5;

impl Evaluator<'_> {
    /// Records an effect.
    pub(super) fn emit(&mut self, action: Action, target: Target, qualities: Qualities, frame: &Frame) {
        self.emit_at(action, target, qualities, frame);
    }

    /// Records an effect. Returns its place.
    pub(super) fn emit_at(
        &mut self,
        action: Action,
        target: Target,
        qualities: Qualities,
        frame: &Frame,
    ) -> usize {
        let (target, mut qualities) = self.mark_ours(action, target, qualities.and(frame.qualities));
        // An effect does not keep the flags of the parser, and an allow rule must not cover what they mean.
        if !qualities.flags.minus(ParseFlags::ORDINARY).is_empty() {
            self.sink.forbid_covering(NotCoverable::Option);
        }
        if action == Action::Destroy && (self.names_production(&target) || self.works_in_production(frame)) {
            qualities = qualities.with(Environment::Production).without(Environment::Test);
        }
        let whole = action == Action::Destroy && qualities.has(Modifier::Whole);
        if whole && !qualities.has(Environment::Production) && self.is_for_development(&target, frame) {
            qualities = qualities.with(Environment::Development);
        }
        self.sink.push(qualities.effect(action, target, self.sink.command()))
    }

    /// Returns true if what is destroyed, or a word of the command that destroys it (a host, a context, a directory),
    /// is called production. A text with spaces is not a name.
    fn names_production(&self, target: &Target) -> bool {
        let named = match target {
            Target::Name(name) => is_production(name),
            Target::Host(host) => is_production(&host.name),
            Target::Path(_) | Target::Nothing => false,
        };
        let is_name = |word: &&String| !word.contains(char::is_whitespace);
        named || self.sink.running().iter().filter(is_name).any(|word| is_production(word))
    }

    /// Returns true if something that is destroyed as a whole is there for development: by its name, a word of the command, a
    /// directory of the project, or the choice of an earlier command; or because the call itself made it.
    fn is_for_development(&self, target: &Target, frame: &Frame) -> bool {
        let name = match target {
            Target::Name(name) => name.as_str(),
            Target::Host(host) => &host.name,
            Target::Path(_) | Target::Nothing => "",
        };
        // An absolute path says where something is, and not what it is for.
        let is_name = |word: &&String| !word.contains(char::is_whitespace) && !word.starts_with('/');
        let mut words = self.sink.running().iter().skip(1).filter(is_name);
        self.session.development
            || frame.contained
            || environment::is_development(name)
            || words.any(|word| environment::is_development(word))
            || self.works_in(frame, environment::is_development)
            || self.is_made_here(name)
    }

    /// Returns true if an earlier command of the call made something of this name.
    fn is_made_here(&self, name: &str) -> bool {
        let makes = |word: &String| {
            let word = word.rsplit([':', '/']).next().unwrap_or_default();
            word.starts_with("create") || matches!(word, "mb" | "new" | "init")
        };
        let earlier = self.sink.invocations.iter().rev().skip(1).take(EARLIER);
        name.len() > 2
            && earlier.clone().any(|ran| {
                ran.words.iter().any(|word| word == name) && ran.words.iter().take(MAKING).any(makes)
            })
    }

    /// Returns true if the command runs in a directory of the project that is called production.
    fn works_in_production(&self, frame: &Frame) -> bool {
        self.works_in(frame, is_production)
    }

    /// Returns true if the command runs in a directory of the project with such a name. The name of the project itself says nothing: a
    /// project about production is worked on like any other.
    fn works_in(&self, frame: &Frame, is: impl Fn(&str) -> bool) -> bool {
        let Some(project) = &self.roots.project else { return false };
        let is_named = |step: &Segment| matches!(step, Segment::Name(name) if is(name));
        frame
            .directories
            .iter()
            .filter_map(|directory| directory.below(project))
            .any(|steps| steps.iter().any(is_named))
    }

    /// Records that something was too much to follow.
    pub(super) fn emit_too_much(&mut self, frame: &Frame) {
        self.emit(Action::Opaque, Target::Nothing, qualities![Certainty::TooMuch], frame);
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
        if words.iter().any(depends_on_run) {
            self.sink.forbid_covering(NotCoverable::Variable);
        }
        self.note_words(words);
        let words = words.iter().map(words::show).collect();
        self.sink.push_invocation(words, known_as, frame.directory())
    }

    /// Records an effect on each path that a word may mean.
    pub(super) fn emit_path(
        &mut self,
        action: Action,
        word: &Word,
        qualities: Qualities,
        frame: &Frame,
    ) -> Vec<ResolvedPath> {
        let last = match action {
            Action::Delete | Action::Move | Action::Link => LinkPolicy::Keep,
            _ => LinkPolicy::Follow,
        };
        let mut places = self.places(word, last, frame);
        // An empty value is a mistake where something is written, and a catastrophe where something is deleted.
        if !matches!(action, Action::Delete | Action::Move | Action::Mode | Action::Owner) {
            places.retain(|(_, qualities)| !qualities.has(Certainty::EmptyVariable));
        }
        // Files have nothing below them.
        let files = word.parts.len() == 1 && word.unknowns().any(|unknown| self.origin(unknown).files);
        let qualities = if files { qualities.without(Modifier::Recursive) } else { qualities };
        let found = self_protection::CHANGES.has(action) && self.may_be_found(word);
        for (spot, more) in &places {
            let qualities = if found
                && (!spot.path.starts_with('/') || spot.path.contains('…') || word.constant().is_some())
            {
                qualities.with(Certainty::PerhapsOurs)
            } else {
                qualities
            };
            let qualities =
                if self.is_file(spot) { qualities.without(Modifier::Recursive) } else { qualities };
            let qualities = qualities.and(*more);
            // A pattern of what people write is many files at once.
            let many = spot.tags.has(Tag::Source) && shell::is_pattern(spot);
            let qualities = if many || spot.reach == Reach::Contents {
                qualities.with(Modifier::Sweeping)
            } else {
                qualities
            };
            let known = spot.tags.has(Tag::AgentRuns)
                && (self.arriving.is_some() || action == Action::Create && self.makes_a_directory());
            let qualities = if known { qualities.with(Certainty::Known) } else { qualities };
            self.emit(action, Target::Path(spot.clone()), qualities, frame);
        }
        places.into_iter().map(|(spot, _)| spot).collect()
    }

    /// Returns true if the command makes directories, which are empty at first.
    pub(super) fn makes_a_directory(&self) -> bool {
        self.sink.running_program().is_some_and(|program| program.rsplit('/').next() == Some("mkdir"))
    }

    /// Returns true if something in the project is a file: the disk says so, or its name has an extension.
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
