//! `checkrein explain`: shows step by step how a call is judged.
//!
//! The decision comes from the same code as that of `check`. In addition it shows what the guard found: the
//! words as the shell sees them, the commands that would run, the effects, and the rules that match them.
//! The guard judges the final input.

mod json;
mod text;
pub(crate) mod why;
mod words;

use crate::{
    args::Explain,
    commands::check,
    exit::ExitStatus,
    policy::{self, Audience},
    term::data,
};
use anyhow::bail;
use checkrein::{
    Disk, Guard, LayeredConfig, Outcome, Payload, Policy,
    guard::{
        Authority, Exception, Judgement, Opaque, Rule, Script, ShellEnv, ToolCommand, World, read, rule_file,
    },
};
use std::{
    io::IsTerminal,
    path::Path,
    time::{Duration, Instant},
};

pub(crate) fn run(explain: &Explain) -> anyhow::Result<ExitStatus> {
    let cwd = check::working_directory(explain.call.cwd.as_deref())?;
    let Some(call) = check::described(&explain.call)? else {
        bail!("nothing to explain\n\nhint: give a command line or `--input`")
    };
    let pass = Pass::of(check::call_in(call, &cwd), explain.call.config.as_deref());
    if explain.json {
        data!("{}", json::of(&pass));
    } else {
        text::show(&pass);
    }
    Ok(pass.outcome.decision.into())
}

/// Everything that is shown about a call.
struct Pass {
    outcome: Outcome,
    /// Remarks for the user about hooks that were not called.
    remarks: Vec<String>,
    reading: Reading,
    /// `None` if the guard does not check this kind of call.
    judgement: Option<Judgement>,
    /// A sentence about whether allow rules cover the call; `None` if there are no allow rules.
    allowed: Option<String>,
    times: Times,
    /// The layers, to find where rules are defined.
    stack: LayeredConfig,
}

/// The parsed input of the call.
enum Reading {
    /// A shell script.
    Shell { text: String, script: Script },
    /// A program with its arguments, run without a shell.
    Arguments,
    /// A PowerShell script.
    PowerShell,
    /// Nothing that runs.
    Nothing,
}

/// The duration of each part.
struct Times {
    /// To parse the text.
    read: Option<Duration>,
    /// To judge the call, including parsing.
    judge: Option<Duration>,
    /// To load the configuration.
    configuration: Duration,
    /// To call every hook, including the guard.
    hooks: Duration,
}

impl Times {
    /// Returns the time that an agent would wait, apart from starting the process.
    fn whole(&self) -> Duration {
        self.configuration + self.hooks
    }
}

impl Pass {
    fn of(payload: Payload, config: Option<&Path>) -> Self {
        let (policy, configuration) =
            timed(|| Policy::load_or_repair(&policy::places(config, &payload.session)));
        let ((outcome, remarks), hooks) = timed(|| match &policy {
            Ok(policy) => {
                let active = policy.for_event(&payload, &policy::edge());
                (active.dispatcher.timed(true).decide(payload), active.remarks)
            }
            // As it would answer an agent, with details that a user at a terminal may read.
            Err(problems) => {
                let audience = Audience::User { at_a_terminal: std::io::stdout().is_terminal() };
                (policy::refuse(payload, problems, audience), Vec::new())
            }
        });
        let (reading, read) = timed(|| Reading::of(&outcome.payload));
        let guard = policy.as_ref().map_or_else(|_| Guard::new(), Policy::guard);
        let (judgement, judge) = timed(|| guard.judgement(&outcome.payload));
        let times = Times {
            read: reading.script().map(|_| read),
            judge: judgement.as_ref().map(|_| judge),
            configuration,
            hooks,
        };
        let allowed = judgement.as_ref().and_then(|judgement| {
            guard.allowed(&outcome.payload, judgement).map(|allowed| words::allowed(allowed, judgement))
        });
        let stack = policy.map(|policy| policy.stack().clone()).unwrap_or_default();
        Self { outcome, remarks, reading, judgement, allowed, times, stack }
    }

    /// Returns the file of a rule: that of its layer, or that of its pack, which is the first part of its id.
    fn file_of(&self, rule: &Rule) -> Option<String> {
        let configured = self.stack.file_of(rule).map(|path| path.display().to_string());
        configured.or_else(|| rule_file(rule))
    }

    /// Says that a layer changed the decision of a built-in rule.
    fn changed(&self, rule: &Rule) -> Option<String> {
        let built_in = checkrein::guard::rules().iter().find(|known| known.id == rule.id)?;
        let graded = checkrein::guard::graded(built_in, &self.stack.grades())?;
        let by = grader(graded.by);
        Some(format!(
            "the built-in decision is {}; {by} changed it to {}",
            built_in.decision, graded.decision
        ))
    }

    /// Returns a rule as written in its file. The user sees the text of a project here, which no agent is shown.
    fn as_written<'a>(&'a self, rule: &'a Rule) -> &'a Rule {
        self.stack.as_written(rule).unwrap_or(rule)
    }

    /// Returns the file and line of an exception.
    fn place_of(&self, exception: &Exception) -> String {
        let file = self.stack.file_of_exception(exception).map(|path| path.display().to_string());
        format!("{}:{}", file.unwrap_or_default(), exception.line)
    }

    /// Returns what could not be read in texts that the call's commands would run. Their positions refer to
    /// the inner texts.
    fn inner_opaque(&self) -> impl Iterator<Item = &Opaque> {
        let outer = self.reading.script().map(|script| script.opaque.as_slice()).unwrap_or_default();
        let all = self.judgement.iter().flat_map(|judgement| &judgement.opaque);
        all.filter(|opaque| !outer.contains(opaque))
    }

    /// Returns true if the guard was called. It is not if another hook denied before, or if the
    /// configuration is broken.
    fn guard_was_asked(&self) -> bool {
        let guard = Guard::new();
        self.outcome.trail.iter().any(|step| self.outcome.hook(step) == checkrein::Hook::name(&guard))
    }
}

/// Names who made a grade.
pub(crate) const fn grader(by: Authority) -> &'static str {
    match by {
        Authority::Managed => "the managed layer",
        Authority::User => "the user's layer",
        Authority::Project => "the project",
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let done = work();
    (done, started.elapsed())
}

impl Reading {
    fn of(payload: &Payload) -> Self {
        let Some(call) = payload.event.call() else { return Self::Nothing };
        match ToolCommand::of(call) {
            Some(ToolCommand::Shell(text)) => {
                let cwd = Guard::new().place(call, payload).cwd;
                let setting = ShellEnv { home: Disk.home(), cwd, ..ShellEnv::default() };
                Self::Shell { script: read(text, &setting), text: text.to_owned() }
            }
            Some(ToolCommand::PowerShell(_)) => Self::PowerShell,
            Some(ToolCommand::Arguments(_)) => Self::Arguments,
            Some(ToolCommand::NotUnderstood(_)) | None => Self::Nothing,
        }
    }

    fn script(&self) -> Option<&Script> {
        match self {
            Self::Shell { script, .. } => Some(script),
            Self::Arguments | Self::PowerShell | Self::Nothing => None,
        }
    }
}
