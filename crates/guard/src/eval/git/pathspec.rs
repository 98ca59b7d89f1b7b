//! The meaning of a path after a git command: a file, or everything below a directory or matched by a pattern.

use super::Repo;
use crate::{
    effect::Target,
    eval::{Evaluator, committed::question},
    path::{LinkPolicy, PathPattern, ResolvedPath},
    qualities::Qualities,
    vocabulary::{Action, Environment, Tag, Tags, Taint, Zone},
    world::FileKind,
};
use checkrein_git::{Answer, Head, Question};
use checkrein_shell::{Part, Word};

/// The tags of files that run by themselves or protect something: every change of them counts.
const WATCHED: Tags =
    Tags::of(&[Tag::Agent, Tag::AgentHooks, Tag::Checkrein, Tag::GitHooks, Tag::Profile, Tag::Autostart]);

/// The extent of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// One file.
    File,
    /// Everything in a directory, or whatever fits a pattern.
    Many,
    /// Nothing: it takes something away from the others.
    Except,
}

impl Evaluator<'_> {
    /// Returns the extent of a git path.
    pub(super) fn git_extent(&self, word: &Word, repo: &Repo) -> Extent {
        if word.parts.iter().any(|part| matches!(part, Part::Glob(_))) {
            return Extent::Many;
        }
        // A path that is known only at run time counts as chosen on purpose.
        let Some(text) = self.texts(word).into_iter().next() else {
            // Unless a list of them is piped in, which is all of them.
            let listed = |unknown| !self.origin(unknown).paths.is_empty();
            let many = repo.frame.qualities.has(Taint::Piped) || word.unknowns().any(listed);
            return if many { Extent::Many } else { Extent::File };
        };
        if excluded(word).is_some() {
            return Extent::Except;
        }
        if text.starts_with(':') || text.contains(['*', '?', '[']) || text.ends_with('/') {
            return Extent::Many;
        }
        let base = text.rsplit('/').next().unwrap_or_default();
        if matches!(base, "." | ".." | "") {
            return Extent::Many;
        }
        let entry =
            self.git_places(word, repo).into_iter().next().and_then(|spot| self.world.entry(&spot.path));
        match entry {
            Some(FileKind::Directory) => Extent::Many,
            Some(FileKind::File | FileKind::Link(_) | FileKind::Other) => Extent::File,
            None if base.contains('.') || base.starts_with(|char: char| char.is_ascii_uppercase()) => {
                Extent::File
            }
            None => Extent::Many,
        }
    }

    /// Returns true if an operand that may also be a branch is a path.
    pub(super) fn git_is_path(&self, word: &Word, repo: &Repo) -> bool {
        if word.parts.iter().any(|part| matches!(part, Part::Glob(_))) {
            return true;
        }
        let Some(text) = self.texts(word).into_iter().next() else { return false };
        if matches!(text.as_str(), "." | "..")
            || text.starts_with("./")
            || text.starts_with("../")
            || text.starts_with(['/', ':'])
        {
            return true;
        }
        if text.ends_with('/') || text.contains(['*', '?', '[']) {
            return true;
        }
        let there = self.git_places(word, repo).iter().any(|spot| self.world.entry(&spot.path).is_some());
        there || looks_like_a_file(&text)
    }

    /// The places that a path means.
    pub(super) fn git_places(&self, word: &Word, repo: &Repo) -> Vec<ResolvedPath> {
        // From the top of the work tree.
        let rest = [":/", ":(top)"].into_iter().find(|magic| word.lead().starts_with(magic));
        let places = match rest {
            Some(magic) => {
                let below = word.skip(magic.len());
                let below = if below.parts.is_empty() { Word::text(".", word.span.clone()) } else { below };
                let top = crate::eval::Frame { directories: self.git_top(repo), ..repo.frame.clone() };
                self.places(&below, LinkPolicy::Keep, &top)
            }
            None => self.places(word, LinkPolicy::Keep, &repo.frame),
        };
        places.into_iter().map(|(spot, _)| spot).collect()
    }

    /// Notes that work is thrown away: at a path, or in the whole work tree.
    pub(super) fn git_discards(&mut self, word: Option<&Word>, qualities: Qualities, repo: &Repo) {
        self.git_discards_unless(word, qualities, None, repo);
    }

    /// Records that changes are discarded, unless the answer to a question is that git has all of them.
    pub(super) fn git_discards_unless(
        &mut self,
        word: Option<&Word>,
        qualities: Qualities,
        question: Option<&Question>,
        repo: &Repo,
    ) {
        let here = Word::text(".", 0..0);
        let mut places = self.git_places(word.unwrap_or(&here), repo);
        if places.is_empty() {
            let steps = PathPattern::unknown();
            places.push(crate::path::locate(&steps, &self.roots, LinkPolicy::Keep, self.world));
        }
        for spot in places {
            // Generated and temporary files are not missed.
            let missed = !matches!(spot.zone, Zone::Temporary | Zone::Generated | Zone::Nowhere);
            let qualities = if missed { qualities } else { qualities.with(Environment::Throwaway) };
            let question = match (question, word) {
                // A work tree that goes is all of it.
                (Some(question), Some(_)) if question.head != Head::Goes => asked_at(question, &spot),
                (question, _) => question.cloned(),
            };
            let place = self.emit_at(Action::Discard, Target::Path(spot), qualities, &repo.said);
            self.sink.questions.push((place, question));
        }
    }

    /// A question about the work tree of a git command.
    pub(super) fn git_question(&self, head: Head, repo: &Repo) -> Option<Question> {
        let led = repo.moved || repo.directory.is_some() || !repo.settings.is_empty();
        if led { None } else { question(&repo.frame, head) }
    }

    /// Returns true if something at a path would be lost, by what is on the disk; false if that is not known.
    pub(super) fn git_is_lost(&self, word: &Word, question: Option<&Question>, repo: &Repo) -> bool {
        let places = self.git_places(word, repo);
        let questions = places.iter().filter_map(|spot| asked_at(question?, spot));
        let written = |question: &Question| {
            question
                .paths
                .iter()
                .any(|path| path.to_str().is_some_and(|path| self.session.files.contains_key(path)))
        };
        questions
            .filter(|question| !written(question))
            .any(|question| matches!(self.world.repository(&question), Answer::Lost(_)))
    }

    /// Notes that a file changes, if it is one that runs by itself or protects.
    pub(super) fn git_touches(&mut self, action: Action, word: &Word, repo: &Repo) {
        for spot in self.git_places(word, repo) {
            if spot.tags.has_any(WATCHED) {
                self.emit(action, Target::Path(spot), Qualities::NONE, &repo.said);
            }
        }
    }
}

/// A question about one place alone.
fn asked_at(question: &Question, spot: &ResolvedPath) -> Option<Question> {
    let path = spot.path.strip_suffix("/*").unwrap_or(&spot.path);
    let plain = path.starts_with('/') && !path.contains(['…', '*', '?', '[']);
    plain.then(|| Question { paths: vec![path.into()], ..question.clone() })
}

/// Returns true if a name looks like a file and not like a branch: `main.rs`, but not `release/2.x` or `v1.4.0`.
fn looks_like_a_file(text: &str) -> bool {
    let base = text.rsplit('/').next().unwrap_or_default();
    let Some((stem, extension)) = base.rsplit_once('.') else { return false };
    let letters = extension.chars().all(|char| char.is_ascii_lowercase()) && !extension.is_empty();
    let short = extension.len() <= 5;
    letters && short && !stem.ends_with(|char: char| char.is_ascii_digit()) && !stem.is_empty()
}

/// Returns the path that a pathspec leaves out, as one that would name it; `None` for any other pathspec. The files that a
/// pattern leaves out are not known, so none count as left out.
pub(super) fn excluded(word: &Word) -> Option<String> {
    let text = word.constant()?;
    let (magic, path) = match text.strip_prefix(":(") {
        Some(long) => long.split_once(')')?,
        None => {
            let short = text.strip_prefix(':')?;
            let path = short.trim_start_matches(['!', '^', '/']);
            let magic = if short.starts_with('/') || short.starts_with("!/") || short.starts_with("^/") {
                "top"
            } else {
                ""
            };
            let excludes =
                short.get(..short.len() - path.len()).is_some_and(|signs| signs.contains(['!', '^']));
            return excludes.then(|| from_top(magic == "top", path));
        }
    };
    let mut words = magic.split(',');
    words.clone().any(|word| word == "exclude").then(|| from_top(words.any(|word| word == "top"), path))
}

fn from_top(top: bool, path: &str) -> String {
    if top { format!(":/{path}") } else { path.to_owned() }
}
