//! Files that a call runs from the disk: they are read when they are run.
//!
//! A user who runs a script may well want what is in it, so a denial inside becomes a question, which names the file
//! and the line. Only what the file itself says counts: unknown variables and arguments are no reason to ask. Neither
//! is a file that cannot be read; the judgement records that it was not read.

use super::{
    Evaluator, Frame,
    handlers::{PackageScripts, recipes, wanted},
    scope::Parameters,
};
use crate::{
    data::{RUN_JUSTFILES, RUN_MAKEFILES},
    effect::{Effect, Target},
    exception::is_suppressible,
    judge::{CallContext, Finding, Judgement, ScriptFile, decide},
    path::{LinkPolicy, ResolvedPath},
    program::{self, Handler},
    rule::Rule,
    tool::is_told,
    vocabulary::{Action, Actions, Certainty, Environment, Zone},
    world::World,
};
use checkrein_code::{Language, Started};
use checkrein_core::Decision;
use checkrein_shell::{MAX_BYTES, Word, work};

/// The maximum number of files of one call that are read.
const FILES: usize = 8;
/// The maximum depth to which scripts run each other.
const LEVELS: usize = 3;

/// A file that is run, and how.
#[derive(Clone, Debug)]
pub(crate) struct RunFile {
    spot: ResolvedPath,
    how: RunBy,
    arguments: Vec<Word>,
    frame: Frame,
    /// The command that runs it: a place among the invocations.
    by: usize,
}

/// The program that runs a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunBy {
    /// A shell.
    Shell,
    /// The interpreter of a language.
    Code(Language),
    /// The program that its first line names.
    Itself,
    /// A package manager, of whose scripts these run.
    Package(PackageScripts),
    /// `make`, with these goals and variables.
    Make { goals: Vec<String>, variables: Vec<String> },
    /// `just`, with these recipes and variables.
    Just { goals: Vec<String>, variables: Vec<String> },
}

impl Evaluator<'_> {
    /// Records that a file is run, unless the call itself wrote it, because then its content is already known.
    pub(super) fn record_run(&mut self, file: &Word, how: RunBy, arguments: &[Word], frame: &Frame) {
        let elsewhere = [Environment::Elsewhere, Environment::Throwaway];
        if self.sink.runs.len() >= FILES || elsewhere.iter().any(|word| frame.qualities.has(*word)) {
            return;
        }
        let places = self.places(file, LinkPolicy::Follow, frame);
        let [(spot, _)] = places.as_slice() else { return };
        let of_others =
            matches!(spot.zone, Zone::Root | Zone::System | Zone::Device | Zone::Nowhere | Zone::Unknown);
        let known = spot.path.starts_with('/') && !spot.path.contains(['…', '*', '?']);
        if of_others || !known || self.session.files.contains_key(&spot.path) {
            return;
        }
        let arguments = arguments.iter().map(|word| self.carried(word)).collect();
        let by = self.sink.command();
        let qualities = frame.qualities.without(Certainty::Supposed);
        let frame = Frame { qualities, ..frame.without_stdin() };
        self.sink.runs.push(RunFile { spot: spot.clone(), how, arguments, frame, by });
    }

    /// Records that the first of these files that exists is run.
    pub(super) fn record_run_of_first(&mut self, names: &[&str], how: &RunBy, frame: &Frame) {
        let is_there = |name: &&&str| {
            let places = self.places(&Word::text(name, 0..0), LinkPolicy::Follow, frame);
            places.iter().any(|(spot, _)| self.world.entry(&spot.path).is_some())
        };
        if let Some(name) = names.iter().find(is_there) {
            self.record_run(&Word::text(name, 0..0), how.clone(), &[], frame);
        }
    }

    /// The file of `make` that it finds by itself.
    pub(super) fn record_makefile(&mut self, words: &[Word], frame: &Frame) {
        let (variables, goals) = words_of(words);
        self.record_run_of_first(RUN_MAKEFILES, &RunBy::Make { goals, variables }, frame);
    }

    /// The file of `just` that it finds by itself.
    pub(super) fn record_justfile(&mut self, words: &[Word], frame: &Frame) {
        let (variables, goals) = words_of(words);
        self.record_run_of_first(RUN_JUSTFILES, &RunBy::Just { goals, variables }, frame);
    }

    /// Follows a file that is run. Returns the text that was followed, if that is not the one in the file.
    fn follow_file(&mut self, run: &RunFile, text: &str) -> Option<String> {
        let file = Word::text(&run.spot.path, 0..0);
        match &run.how {
            RunBy::Shell => self.follow_shell_file(run, &file, text),
            RunBy::Code(language) => self.follow_code_file(*language, run, &file, text),
            RunBy::Itself => match interpreter(text) {
                None => self.follow_shell_file(run, &file, text),
                Some(name) if is_shell(name) => self.follow_shell_file(run, &file, text),
                Some(name) => {
                    if let Some(language) = Language::of(name) {
                        self.follow_code_file(language, run, &file, text);
                    }
                }
            },
            RunBy::Package(scripts) => {
                for script in scripts.of(text) {
                    (self.sink.start, self.placed) = (script.at, true);
                    self.follow_package_script(&script, &run.arguments, &run.frame);
                }
            }
            RunBy::Make { goals, variables } => {
                return Some(self.follow_make(with_lines(wanted(text, goals), variables), run));
            }
            RunBy::Just { goals, variables } => {
                return Some(self.follow_make(with_lines(wanted(&recipes(text), goals), variables), run));
            }
        }
        None
    }

    fn follow_shell_file(&mut self, run: &RunFile, file: &Word, text: &str) {
        let parameters = Parameters { zero: Some(file.clone()), arguments: Some(run.arguments.clone()) };
        self.follow_script(text.into(), parameters, &mut run.frame.clone());
    }

    fn follow_code_file(&mut self, language: Language, run: &RunFile, file: &Word, text: &str) {
        let started =
            Started { arguments: run.arguments.clone(), file: Some(file.clone()), ..Started::default() };
        self.scopes.push(super::Scope::default());
        self.follow_code(language, text, &started, &run.frame);
        self.scopes.pop();
    }

    fn follow_make(&mut self, rules: String, run: &RunFile) -> String {
        self.scopes.push(super::Scope::default());
        self.follow_code(Language::Make, &rules, &Started::default(), &run.frame);
        self.scopes.pop();
        rules
    }
}

/// Reads the files that a call runs, and adds a question for the first that holds what would be denied.
pub(crate) fn judge_files(
    judgement: &mut Judgement,
    runs: Vec<RunFile>,
    place: &CallContext,
    world: &dyn World,
) {
    let mut left = FILES;
    let alone = judgement.ran.len() <= 1;
    for run in runs {
        let by = run.by;
        let Some(found) = read(run, place, world, alone, &mut left, LEVELS, &mut judgement.scripts) else {
            continue;
        };
        let effect = Effect { by, ..Effect::new(Action::Run, Target::Path(found.spot)) };
        judgement.findings.push(Finding {
            in_file: Some(found.inner),
            ..Finding::new(found.rule, judgement.effects.len())
        });
        judgement.effects.push(effect);
        judgement.decision = judgement.decision.max(Decision::Ask);
        return;
    }
}

/// A finding in a file.
struct Found {
    spot: ResolvedPath,
    rule: Rule,
    /// The id of the rule that matched in the file.
    inner: String,
}

fn read(
    run: RunFile,
    place: &CallContext,
    world: &dyn World,
    alone: bool,
    left: &mut usize,
    levels: usize,
    kept: &mut Vec<ScriptFile>,
) -> Option<Found> {
    let path = run.spot.path.clone();
    let mut unread = |why: &str| kept.push(ScriptFile { path: path.clone(), unread: Some(why.to_owned()) });
    if *left == 0 || levels == 0 || work::spent() > work::MOST / 2 {
        unread("the call runs more files than are read");
        return None;
    }
    *left -= 1;
    let Some(text) = world.text(&path) else {
        unread("it is not there, or no text");
        return None;
    };
    if text.len() >= MAX_BYTES {
        unread("it is too long");
        return None;
    }
    let mut evaluator = Evaluator::new(place, world);
    let text = evaluator.follow_file(&run, &text).unwrap_or(text);
    if alone {
        evaluator.mark_committed();
    }
    let runs = std::mem::take(&mut evaluator.sink.runs);
    let starts = std::mem::take(&mut evaluator.sink.starts);
    let inner = decide(evaluator.sink);
    kept.push(ScriptFile { path: path.clone(), unread: None });
    let denied = || {
        let findings = inner.findings.iter();
        findings.filter(|finding| finding.rule.decision == Decision::Deny && is_told(&inner, finding))
    };
    // A finding without possible exceptions comes first.
    let denied = denied().find(|finding| !is_suppressible(&finding.rule)).or_else(|| denied().next());
    if let Some(finding) = denied {
        let start = starts.get(finding.effect).copied().unwrap_or_default();
        let line = text.get(..start).unwrap_or_default().matches('\n').count() + 1;
        let rule_id = finding.rule.id.to_string();
        return Some(Found { spot: run.spot, rule: rule(&path, line, finding, place), inner: rule_id });
    }
    runs.into_iter().find_map(|run| read(run, place, world, alone, left, levels - 1, kept))
}

/// The question about a file, as if a rule had found it.
fn rule(path: &str, line: usize, finding: &Finding, place: &CallContext) -> Rule {
    let shown =
        place.cwd.as_deref().and_then(|cwd| path.strip_prefix(cwd)?.strip_prefix('/')).unwrap_or(path);
    let reason = format!("`{shown}`, line {line}, would be denied by itself: {}", finding.rule.reason);
    Rule {
        summary: "It runs a file with a command that would be denied by itself.".into(),
        phrase: "running a file with a command that it would deny[: {target}]".into(),
        suggestion: format!("look at line {line} of `{shown}` first, and run only the part that is needed")
            .into(),
        ..Rule::new("call.run-file".into(), Actions::of(&[Action::Run]), Decision::Ask, reason.into())
    }
}

/// The name of the program in the first line of a file: `#!/bin/sh`, `#!/usr/bin/env -S node --test`.
fn interpreter(text: &str) -> Option<&str> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let base = |word: &'_ str| word.rsplit('/').next().map(str::len).unwrap_or_default();
    let mut words = line.split_whitespace().map(|word| word.get(word.len() - base(word)..).unwrap_or(word));
    let first = words.next()?;
    if first != "env" {
        return Some(first);
    }
    words.find(|word| !word.starts_with('-') && !word.contains('='))
}

fn is_shell(name: &str) -> bool {
    program::find(name).and_then(|program| program.handler).is_some_and(Handler::is_shell)
}

/// `NAME=value` among the words of `make`, and the others.
pub(super) fn words_of(words: &[Word]) -> (Vec<String>, Vec<String>) {
    words.iter().filter_map(Word::constant).map(String::from).partition(|word| word.contains('='))
}

/// Rules with variables of the command line behind them: those win.
fn with_lines(mut rules: String, variables: &[String]) -> String {
    for variable in variables {
        rules.push('\n');
        rules.push_str(variable);
    }
    rules
}
