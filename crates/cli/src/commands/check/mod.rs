//! `checkrein check`: shows what the hooks decide, without an agent. It calls every hook that `hook` calls,
//! except observers.

mod batch;

use crate::{
    args::{Call, Check},
    exit::ExitStatus,
    json_report,
    policy::{self, Audience},
    term::{data, out, stderr, style, wrap::fitted},
};
use anyhow::{Context, bail};
use checkrein::{
    ConfigError, Decision, Event, Guard, Kept, Map, Outcome, Payload, Policy, ToolCall, guard::Judgement,
    json,
};
use std::{
    io::{IsTerminal, stdout},
    path::Path,
    time::Instant,
};

pub(crate) fn run(check: &Check) -> anyhow::Result<ExitStatus> {
    let cwd = working_directory(check.call.cwd.as_deref())?;
    let config = check.call.config.as_deref();
    if check.batch {
        return batch::run(config, &cwd);
    }
    let Some(call) = described(&check.call)? else {
        bail!("nothing to check\n\nhint: give a command line, `--input`, or `--batch`")
    };
    let payload = call_in(call, &cwd);
    let policy = Policy::load_or_repair(&policy::places(config, &payload.session));
    let audience = Audience::User { at_a_terminal: !check.json && stdout().is_terminal() };
    let Judged { outcome, remarks, judgement, micros } = judge(payload, policy.as_ref(), audience);
    stderr::remark(&remarks);
    if check.json {
        data!("{}", style::json(json_report::report(&outcome, &judgement, micros)));
    } else {
        show(&outcome, &judgement, micros);
    }
    Ok(outcome.decision.into())
}

/// Returns the tool call that the command line describes, or `None` if it describes none.
pub(crate) fn described(call: &Call) -> anyhow::Result<Option<ToolCall>> {
    let command = call.command.join(" ");
    let input = match &call.input {
        Some(input) => json::parse_object(input.as_bytes()).context("`--input` is not a JSON object")?,
        None if command.trim().is_empty() => return Ok(None),
        None => command_input(&command),
    };
    Ok(Some(ToolCall::new(&call.tool, input)))
}

/// Returns the input of a shell call.
pub(crate) fn command_input(command: &str) -> Map {
    let mut input = Map::new();
    input.insert("command".into(), command.into());
    input
}

/// Returns the event of a call made in `cwd`.
pub(crate) fn call_in(call: ToolCall, cwd: &str) -> Payload {
    let mut payload = Payload::new(Event::PreToolUse { call });
    payload.session.cwd = Some(cwd.to_owned());
    payload
}

/// Returns the directory that relative paths of the command refer to.
pub(crate) fn working_directory(named: Option<&Path>) -> anyhow::Result<String> {
    let cwd = match named {
        Some(cwd) => cwd.canonicalize().with_context(|| format!("no such directory: `{}`", cwd.display()))?,
        None => std::env::current_dir().context("the working directory no longer exists")?,
    };
    Ok(cwd.to_string_lossy().into_owned())
}

/// The decision about a call.
pub(crate) struct Judged {
    pub(crate) outcome: Outcome,
    /// Remarks for the user, for example that hooks of the project were skipped.
    pub(crate) remarks: Vec<String>,
    /// The guard's judgement of the final input.
    pub(crate) judgement: Judgement,
    /// The duration of the pass, in microseconds.
    pub(crate) micros: f64,
}

/// Calls every hook except observers. A broken configuration denies, as it does for an agent.
pub(crate) fn judge(payload: Payload, policy: Result<&Policy, &ConfigError>, audience: Audience) -> Judged {
    let started = Instant::now();
    let (outcome, remarks, said) = match policy {
        Ok(policy) => {
            let kept = Kept::default();
            let active = policy.for_event(&payload, &policy::edge().keeping(&kept));
            let outcome = active.dispatcher.decide(payload);
            (outcome, active.remarks, kept.take())
        }
        Err(problems) => (policy::refuse(payload, problems, audience), Vec::new(), None),
    };
    let micros = started.elapsed().as_secs_f64() * 1e6;
    // Another hook may have denied before the guard was called; the report still needs the effects.
    let guard = || policy.map_or_else(|_| Guard::new(), Policy::guard);
    let judgement = said.or_else(|| guard().judgement(&outcome.payload)).unwrap_or_default();
    Judged { outcome, remarks, judgement, micros }
}

fn show(outcome: &Outcome, judgement: &Judgement, micros: f64) {
    out!("{}  {}", style::verdict(outcome), style::dim(&format!("{micros:.0} µs")));
    for said in outcome.reasons() {
        let text = said.named();
        fitted(&text, 2).iter().for_each(|line| out!("  {}", style::harmless(line)));
    }
    for finding in &judgement.monitored {
        let decision = finding.rule.decision.as_str();
        out!("  monitor mode: {} would {decision} this", finding.rule.id);
    }
    if let (true, Some(call)) =
        (outcome.is_edited() && outcome.decision != Decision::Deny, outcome.payload.event.call())
    {
        out!("  now: {}", style::json(call.input.clone()));
    }
    for step in &outcome.trail {
        if let (Some(failure), Decision::Abstain) = (&step.failure, step.decision) {
            let text = format!("{}: failed, ignored: {failure}", outcome.hook(step));
            out!("  {}", style::lines(&text));
        }
    }
}
