//! Follows what an unknown program may run: a command after its name, and texts that it is given.
//!
//! Whether it does is not known. So what would be denied is asked about, and what a text only mentions is not: a
//! message, a search, something that is checked. Such effects are marked with [`Certainty::Supposed`].

use super::{Evaluator, Frame, agent_settings::Finds, flow::Flow, installed};
use crate::{
    effect::Effect,
    judge::decision_about,
    path::LinkPolicy,
    program,
    vocabulary::{Action, Certainty, Taint},
};
use checkrein_core::Decision;
use checkrein_shell::{Part, SourceRef, UnknownSource, Word};

/// The maximum number of words after an unknown program that are examined.
const WORDS: usize = 16;
/// The maximum number of texts of one call that are supposed to run.
const TEXTS: usize = 32;
/// The longest of them.
const LONGEST: usize = 16 * 1024;

/// Words after which a program is given a text to be kept, shown, searched for or checked.
const ABOUT_TEXT: &[&str] = &[
    "add",
    "analyze",
    "annotate",
    "ask",
    "assert",
    "audit",
    "body",
    "chat",
    "check",
    "classify",
    "comment",
    "complete",
    "create",
    "description",
    "echo",
    "edit",
    "explain",
    "expect",
    "find",
    "format",
    "grep",
    "help",
    "inspect",
    "issue",
    "judge",
    "label",
    "lint",
    "log",
    "m",
    "match",
    "memory",
    "message",
    "msg",
    "name",
    "new",
    "note",
    "notes",
    "parse",
    "pattern",
    "print",
    "prompt",
    "query",
    "reason",
    "regex",
    "replace",
    "report",
    "say",
    "scan",
    "search",
    "send",
    "subject",
    "summary",
    "task",
    "test",
    "text",
    "title",
    "todo",
    "update",
    "validate",
    "verify",
    "warn",
    "write",
];

/// Words that say that a command follows.
const RUNS: &[&str] = &["exec", "run", "--", "x", "shell", "cmd", "command"];

/// The effects that count of what was supposed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// Whatever a rule objects to.
    Objections,
    /// Only what a rule denies.
    Denials,
}

impl Evaluator<'_> {
    /// A program that is not known, in front of one that is: it may run it.
    pub(super) fn suppose_command(&mut self, name: &str, rest: &[Word], frame: &Frame) -> Option<Flow> {
        let mut printed = None;
        let mut before: Option<&str> = None;
        let mut direct = true;
        for (place, word) in rest.iter().enumerate().take(WORDS) {
            let lead = word.lead();
            let behind = before.is_some_and(|before| RUNS.contains(&before));
            let base = lead.rsplit('/').next().unwrap_or_default();
            if word.constant().is_some() && !lead.starts_with('-') && program::find(base).is_some() {
                let command = rest.get(place..).unwrap_or_default();
                // A subcommand may have the name of a program: `tool kill 3`. One with subcommands of its own is meant.
                let many = program::find(base).is_some_and(|program| {
                    program::parse(program, command.get(1..).unwrap_or_default()).program.name.len() > 1
                });
                // Words before an agent may change everything that the agent finds.
                let is_agent = (direct || behind)
                    && name.contains(char::is_lowercase)
                    && command.len() > 1
                    && installed::agent_of(lead).is_some();
                let counts =
                    if direct && many || behind || is_agent { Counts::Objections } else { Counts::Denials };
                let finds = if is_agent { frame.finds.max(Finds::Unknown) } else { frame.finds };
                let inner = Frame { finds, ..frame.clone() };
                let flow =
                    self.suppose(counts, &inner, |evaluator, frame| evaluator.follow_argv(command, frame));
                let flow = flow.filter(|_| direct || behind).map(|mut flow| {
                    if counts == Counts::Denials {
                        flow.qualities = flow.qualities.without(Taint::Environment).without(Taint::Revealed);
                    }
                    flow
                });
                printed = printed.or(flow);
            }
            // A word after an option may be its value.
            direct &= lead.starts_with('-') || before.is_some_and(|before| before.starts_with('-'));
            before = Some(lead);
        }
        printed
    }

    /// Follows the texts that an unknown program is given: its words, its input, its variables.
    pub(super) fn suppose_texts(&mut self, name: &str, rest: &[Word], frame: &Frame) {
        let mut about = only_checks(name, &[]);
        let mut before = "";
        for word in rest.iter().take(WORDS) {
            let lead = word.lead();
            let option = lead.strip_prefix('-').map(|name| name.trim_start_matches('-'));
            let (name, value) = match option.and_then(|option| option.split_once('=')) {
                Some((name, _)) => (name, word.skip(lead.find('=').map_or(0, |at| at + 1))),
                None => (before, word.clone()),
            };
            if !about && !is_about_text(name) {
                for text in self.texts(&value).into_iter().chain(self.written_at(&value, frame)) {
                    self.suppose_text(&text, frame);
                }
                // What it is given as a file may be its program.
                if self.descriptor_named(&value, frame).is_some() || is_pipe(&value) {
                    self.suppose_recipe(&value, frame);
                }
            }
            about |= option.is_none() && is_about_text(lead);
            before = option.unwrap_or_default();
        }
        if let Some(text) = frame.stdin.text.clone().filter(|_| !about) {
            self.suppose_text(&text, frame);
        }
        let given: Vec<String> =
            frame.exported.iter().flat_map(|exported| exported.values()).take(TEXTS).cloned().collect();
        for text in given {
            self.suppose_text(&text, frame);
        }
    }

    /// The texts that the call wrote to this file, or to files in this directory.
    fn written_at(&self, word: &Word, frame: &Frame) -> Vec<String> {
        if self.session.files.is_empty() || !self.sink.burn(8 * self.session.files.len()) {
            return Vec::new();
        }
        let places = self.places(word, LinkPolicy::Follow, frame);
        let is_there = |path: &str| {
            places.iter().any(|(spot, _)| {
                path.strip_prefix(spot.path.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        };
        let written = self.session.files.iter().filter(|(path, _)| is_there(path));
        written.filter_map(|(_, content)| content.flow.text.clone()).take(TEXTS).collect()
    }

    /// A text that may be run: what would be denied then is asked about.
    pub(super) fn suppose_text(&mut self, text: &str, frame: &Frame) {
        if !may_be_command(text) || self.supposed >= TEXTS {
            return;
        }
        self.supposed += 1;
        self.suppose(Counts::Denials, frame, |evaluator, frame| {
            evaluator.follow_text(SourceRef::from(text), &frame.without_stdin())
        });
    }

    /// A file of commands in a language that is not read here, as far as the call itself says what is in it: each line, the
    /// value of a key, the words in parentheses and each literal may be run.
    pub(super) fn suppose_recipe(&mut self, file: &Word, frame: &Frame) {
        let flow = if file.constant().as_deref() == Some("-") {
            frame.stdin.clone()
        } else {
            self.content_of(file, frame)
        };
        let Some(text) = flow.text.or_else(|| Some(flow.also).filter(|text| !text.is_empty())) else {
            return;
        };
        for line in text.lines().take(TEXTS * 4) {
            let line = line.trim().trim_start_matches("- ").trim_start_matches(['@', '-']);
            for text in pieces(line) {
                self.suppose_text(text, frame);
            }
        }
        if text.trim_start().starts_with('<') {
            let nodes: Vec<&str> = text
                .split('<')
                .filter_map(|part| part.split_once('>'))
                .map(|(_, node)| node.trim())
                .collect();
            let nodes: Vec<&str> = nodes.into_iter().filter(|node| !node.is_empty()).collect();
            self.suppose_text(&nodes.join(" "), frame);
        }
        // A program and its words, each in quotes of its own.
        let literals = quoted(&text);
        self.suppose_text(&literals.join(" "), frame);
    }

    /// A command in words that may be run.
    pub(super) fn suppose_vector(&mut self, words: &[Word], frame: &Frame) {
        let known = words
            .first()
            .is_some_and(|word| program::find(word.lead().rsplit('/').next().unwrap_or_default()).is_some());
        if known && self.supposed < TEXTS {
            self.supposed += 1;
            let inner = frame.without_stdin();
            self.suppose(Counts::Denials, &inner, |evaluator, frame| evaluator.follow_argv(words, frame));
        }
    }

    /// Follows something that may run, and keeps what rules object to. Everything else is as if it had not been followed.
    fn suppose(
        &mut self,
        counts: Counts,
        frame: &Frame,
        follow: impl FnOnce(&mut Self, &Frame) -> Flow,
    ) -> Option<Flow> {
        if frame.qualities.has(Certainty::Supposed) || !self.sink.has_fuel() {
            return None;
        }
        let (effects, invocations) = (self.sink.effects.len(), self.sink.invocations.len());
        let (unreadable, not_coverable) = (self.sink.unreadable.len(), self.sink.not_coverable);
        let session = self.session.clone();
        let inner = Frame { qualities: frame.qualities.with(Certainty::Supposed), ..frame.clone() };
        let flow = follow(self, &inner);
        self.session = session;
        let least = if counts == Counts::Denials { Decision::Deny } else { Decision::Ask };
        let found = self.sink.effects.split_off(effects);
        let kept: Vec<Effect> = found
            .into_iter()
            // What cannot be read is not a command.
            .filter(|effect| {
                effect.action != Action::Opaque || effect.certainty == Certainty::Supposed.quality().certainty
            })
            .filter(|effect| decision_about(effect, self.sink.invocations.get(effect.by)) >= least)
            .collect();
        self.sink.unreadable.truncate(unreadable);
        if kept.is_empty() {
            self.sink.invocations.truncate(invocations);
            self.sink.not_coverable = not_coverable;
        }
        // A program that is not known may have changed what git would be asked about.
        self.sink.questions.retain(|(place, _)| *place < effects);
        self.sink.starts.truncate(effects);
        self.sink.starts.resize(effects + kept.len(), self.sink.start);
        self.sink.effects.extend(kept);
        let Flow { text, mut also, qualities, typed, .. } = flow;
        also.extend(text);
        Some(Flow { also, qualities, typed, ..Flow::default() })
    }
}

/// Returns true if a program, by its name or by its subcommand, examines texts and obeys none.
pub(super) fn only_checks(name: &str, rest: &[Word]) -> bool {
    const PARTS: &[&str] = &["lint", "check", "fmt", "valid", "verify", "analy", "pretty", "diff", "view"];
    let base = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    is_about_text(&base)
        || PARTS.iter().any(|part| base.contains(part))
        || rest.iter().take(WORDS).any(|word| {
            !word.lead().contains('/') && !word.lead().starts_with('-') && is_about_text(word.lead())
        })
}

/// Returns true for `<(…)`.
fn is_pipe(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Unknown(unknown)] if matches!(unknown.why, UnknownSource::Process(_)))
}

/// The parts of a line that may be a command.
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = vec![line];
    pieces.extend([": ", "= ", "=", "{"].iter().filter_map(|mark| Some(line.split_once(mark)?.1)));
    let inside = line.split_once('(').and_then(|(_, rest)| rest.rsplit_once(')')).map(|(inside, _)| inside);
    pieces.extend(inside);
    // `COMMAND a b`, as CMake writes it.
    pieces.extend(inside.and_then(|inside| inside.split_once(' ')).map(|(_, rest)| rest));
    pieces.extend(quoted(line));
    // Lists and fields in one line.
    pieces.extend(line.split(['[', ']', '{', '}', ',', ';']).filter(|piece| piece.trim().contains(' ')));
    pieces.into_iter().map(|piece| piece.trim().trim_matches(['[', ']', '{', '}', ','])).collect()
}

/// The literals of a text.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'']) {
        let (quote, after) = rest.split_at_checked(at + 1).unwrap_or((rest, ""));
        let Some(quote) = quote.chars().next_back() else { break };
        let Some((inside, left)) = after.split_once(quote) else { break };
        found.push(inside);
        rest = left;
        if found.len() >= TEXTS {
            break;
        }
    }
    found
}

fn is_about_text(word: &str) -> bool {
    let word = word.trim_start_matches('-').to_ascii_lowercase();
    ABOUT_TEXT.contains(&word.as_str())
        || word.split(['-', '_', ':', '.']).any(|part| part.len() > 1 && ABOUT_TEXT.contains(&part))
}

/// A command that does harm has more than one word, or something that a shell makes them of.
fn may_be_command(text: &str) -> bool {
    let text = text.trim();
    text.len() <= LONGEST && text.contains([' ', '\t', '\n', '$', '|', ';', '&', '>', '{'])
}
