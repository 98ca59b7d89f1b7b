//! `checkrein check`: what the hooks decide, without an agent. The same pass as `hook`, but nobody only watches.

use crate::out::out;
use crate::{
    args::Check,
    batch, paint,
    policy::{self, Policy},
    report,
};
use anyhow::{Context, bail};
use checkrein::{Decision, Event, Map, Outcome, Payload, ToolCall, json};
use std::{path::Path, process::ExitCode, time::Instant};

/// The exit codes of `check`.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// No objection, or allowed.
    Fine = 0,
    /// The person would be asked.
    Ask = 1,
    /// Denied.
    Denied = 2,
    /// The question was bad.
    BadQuestion = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

pub(crate) fn run(check: &Check) -> anyhow::Result<ExitCode> {
    let cwd = working_directory(check.cwd.as_deref())?;
    if check.batch {
        return batch::run(check.config.as_deref(), &cwd);
    }
    let call = question(check)?;
    let payload = call_in(call, &cwd);
    let policy = Policy::load(&policy::places(check.config.as_deref(), &payload.session));
    let policy = policy.map_err(|problems| problems.to_string());
    let (outcome, micros) = judge(payload, policy.as_ref().map_err(String::as_str));
    if check.json {
        out!("{}", serde_json::Value::Object(report::report(&outcome, micros)));
    } else {
        show(&outcome, micros);
    }
    Ok(match outcome.decision {
        Decision::Abstain | Decision::Allow => Exit::Fine,
        Decision::Ask => Exit::Ask,
        Decision::Deny => Exit::Denied,
    }
    .into())
}

/// The tool call that the command line asks about.
fn question(check: &Check) -> anyhow::Result<ToolCall> {
    let input = match &check.input {
        Some(input) => json::parse_object(input.as_bytes()).context("`--input` is not a JSON object")?,
        None if check.command.is_empty() => {
            bail!("there is nothing to check\n\nhint: give a command line, `--input`, or `--batch`")
        }
        None => command_input(&check.command.join(" ")),
    };
    Ok(ToolCall::new(&check.tool, input))
}

/// The input of a shell call.
pub(crate) fn command_input(command: &str) -> Map {
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    input
}

/// The event of a call that would be made in `cwd`.
pub(crate) fn call_in(call: ToolCall, cwd: &str) -> Payload {
    let mut payload = Payload::new(Event::PreToolUse { call });
    payload.session.cwd = Some(cwd.to_owned());
    payload
}

/// The folder that a relative path of the command means.
pub(crate) fn working_directory(named: Option<&Path>) -> anyhow::Result<String> {
    let cwd = match named {
        Some(cwd) => cwd.canonicalize().with_context(|| format!("there is no folder `{}`", cwd.display()))?,
        None => std::env::current_dir().context("the working directory is gone")?,
    };
    Ok(cwd.to_string_lossy().into_owned())
}

/// The outcome and how long it took. A broken configuration answers as it would answer an agent.
pub(crate) fn judge(payload: Payload, policy: Result<&Policy, &str>) -> (Outcome, f64) {
    let started = Instant::now();
    let outcome = match policy {
        Ok(policy) => policy.in_force(&payload).dispatcher.decide(payload),
        Err(problems) => policy::refuse(payload, problems),
    };
    (outcome, started.elapsed().as_secs_f64() * 1e6)
}

fn show(outcome: &Outcome, micros: f64) {
    out!("{}  {}", paint::verdict(outcome), paint::dim(&format!("{micros:.0} µs")));
    for said in outcome.reasons() {
        out!("  {}: {}", said.hook, said.text.replace('\n', "\n  "));
    }
    if let (true, Some(call)) =
        (outcome.is_edited() && outcome.decision != Decision::Deny, outcome.payload.event.call())
    {
        out!("  now: {}", serde_json::Value::Object(call.input.clone()));
    }
    for step in &outcome.trail {
        if let (Some(failure), Decision::Abstain) = (&step.failure, step.decision) {
            out!("  {}: failed, ignored: {failure}", outcome.hook(step));
        }
    }
}
