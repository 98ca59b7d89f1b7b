//! A text that is being followed, and how its commands are followed one after another.

use super::{
    Evaluator,
    assignments::{self, Assigned},
    flow::{self, Flow},
    frame::Frame,
};
use crate::{
    allow::NotCoverable,
    effect::Target,
    path::PathPattern,
    qualities::qualities,
    vocabulary::{Action, Certainty},
};
use checkrein_shell::{
    CommandId, MAX_BYTES, Output, Script, Shell, ShellEnv, Source, SourceRef, UnreadableReason, Word,
};
use std::collections::{BTreeMap, BTreeSet};

/// A text that is being followed.
#[derive(Default)]
pub(super) struct Scope {
    /// The text itself.
    pub(super) text: String,
    /// The output of each command so far.
    pub(super) flows: Vec<Flow>,
    /// The commands whose output goes to another one, or to a file.
    pub(super) passed_on: BTreeSet<CommandId>,
    /// The working directories of each shell.
    pub(super) directories: BTreeMap<Shell, Vec<PathPattern>>,
    /// The directories that each shell was in before its last `cd`, if they are known.
    pub(super) left: BTreeMap<Shell, Vec<PathPattern>>,
    /// Variables that were read from something.
    pub(super) variables: BTreeMap<String, Flow>,
    /// The assignments of the text.
    pub(super) assigned: Assigned,
    /// Its assignments as they are written, one on each line.
    pub(super) assignments: Source,
}

/// The parameters that a shell is started with: `$0`, and `$1`, `$2` and so on.
#[derive(Default)]
pub(super) struct Parameters {
    pub(super) zero: Option<Word>,
    pub(super) arguments: Option<Vec<Word>>,
}

impl Evaluator<'_> {
    /// Follows a text in a shell of its own, and returns what it prints.
    pub(super) fn follow_text<'a>(&mut self, text: impl Into<SourceRef<'a>>, frame: &Frame) -> Flow {
        let mut frame = frame.clone();
        self.follow_text_in(text, &mut frame)
    }

    /// Follows a text in the shell that is already running: `frame` keeps the directory in which it ends.
    pub(super) fn follow_text_in<'a>(&mut self, text: impl Into<SourceRef<'a>>, frame: &mut Frame) -> Flow {
        self.follow_script(text.into(), Parameters::default(), frame)
    }

    /// Follows the text of a shell that is started with parameters.
    pub(super) fn follow_script(
        &mut self,
        source: SourceRef<'_>,
        parameters: Parameters,
        frame: &mut Frame,
    ) -> Flow {
        let text = source.text();
        if self.sink.is_too_deep() || text.len() > MAX_BYTES || !self.sink.burn(text.len() + 64) {
            self.emit_too_much(frame);
            return Flow::default();
        }
        let setting = ShellEnv {
            home: Some(self.home.clone()),
            cwd: frame.directory(),
            variables: frame.exported.as_deref().cloned().unwrap_or_default(),
            in_function: frame.in_function,
            zero: parameters.zero,
            arguments: parameters.arguments,
            ..ShellEnv::default()
        };
        let script = checkrein_shell::read_watching(source, &setting, super::matters_to_agents);
        // What bash refuses may be a text of zsh.
        if source.holes().is_empty()
            && script.opaque.iter().any(|part| is_refused(&part.why))
            && let Some(text) = checkrein_shell::zsh::as_bash(text)
            && !checkrein_shell::read(&*text, &ShellEnv::default())
                .opaque
                .iter()
                .any(|part| is_refused(&part.why))
        {
            let parameters = Parameters { zero: setting.zero, arguments: setting.arguments };
            return self.follow_script(SourceRef::from(&*text), parameters, frame);
        }
        self.emit_unreadable(&script, frame);
        self.sink.not_coverable = self.sink.not_coverable.or_else(|| NotCoverable::of(&script, text));
        let directories = BTreeMap::from([(Shell::default(), frame.directories.clone())]);
        self.scopes.push(Scope {
            text: text.to_owned(),
            directories,
            assigned: Assigned::of(&script, setting.arguments),
            assignments: assignments::sources(&script, source),
            ..Scope::default()
        });
        self.sink.descend();
        self.define_functions(&script, source);
        self.emit_endless_loop(&script, frame);
        self.follow_powershell(&script, text, frame);
        let mut printed = Flow::default();
        for index in 0..script.commands.len() {
            let Some(simple) = script.commands.get(index) else { break };
            if self.scopes.len() == 1 && !self.placed {
                self.sink.start = simple.span.start;
            }
            if !self.sink.has_fuel() {
                self.emit_too_much(frame);
                break;
            }
            let flow = self.follow_simple(index, simple, &script, frame);
            self.feed_process_substitution(index, &flow, &script, frame);
            self.feed_coprocess(index, &flow, &script, frame);
            if matches!(simple.stdout, Output::Pipe(_) | Output::File(_))
                && let Some(scope) = self.scopes.last_mut()
            {
                scope.passed_on.insert(CommandId(index));
            }
            if flow::reaches_the_end(simple) {
                printed.add(&flow);
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.flows.push(flow);
            }
        }
        // What a variable may be is known when all commands were followed.
        self.follow_evaluated(&script, frame);
        self.call_shell_hooks(&script, frame);
        self.sink.ascend();
        if let Some(scope) = self.scopes.pop()
            && let Some(directories) = scope.directories.get(&Shell::default())
        {
            frame.directories.clone_from(directories);
        }
        printed
    }

    /// Records the parts of a text that could not be read: they are never safe.
    pub(super) fn emit_unreadable(&mut self, script: &Script, frame: &Frame) {
        for opaque in &script.opaque {
            let mark = match opaque.why {
                // Followed with what is evaluated.
                UnreadableReason::Evaluated => continue,
                UnreadableReason::TooLong
                | UnreadableReason::Nul
                | UnreadableReason::NotUtf8
                | UnreadableReason::TooDeep
                | UnreadableReason::TooMuch => Certainty::TooMuch,
                // Open quotes and the like, and every cause that the reader may learn to name.
                _ => Certainty::Unreadable,
            };
            self.emit(Action::Opaque, Target::Nothing, qualities![mark], frame);
            self.sink.push_unreadable(opaque);
        }
    }

    /// Returns the innermost text.
    pub(super) fn scope(&self) -> Option<&Scope> {
        self.scopes.last()
    }
}

/// Returns true if bash runs nothing of a text for this reason.
fn is_refused(why: &UnreadableReason) -> bool {
    matches!(
        why,
        UnreadableReason::Unexpected | UnreadableReason::OpenBracket | UnreadableReason::OpenCommand
    )
}
