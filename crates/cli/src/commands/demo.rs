//! `checkrein demo`: replays a recorded session through the guard and three example hooks, so that a new user sees the engine
//! work with nothing installed. Each example hook is a closure.
//!
//! The guard is the real one, but it judges an empty machine of which only the home directory is known. So the output is the
//! same everywhere, and nothing on this machine is read.

use crate::{
    args::Demo,
    exit::ExitStatus,
    json_report,
    term::{out, style, wrap::wrapped},
};
use checkrein::{
    Decision, Dispatcher, Edit, Entry, EventName, Guard, Hook, Map, Outcome, Payload, Role, Verdict,
    guard::EmptyWorld, hook_fn,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Instant,
};

const SESSION: &str = include_str!("../../demo/session.jsonl");

/// The width of its lines, which the pages show too.
const WIDTH: usize = 92;

/// The home directory in the recorded session.
const HOME: &str = "/home/dev";

pub(crate) fn run(demo: &Demo) -> anyhow::Result<ExitStatus> {
    let seen = Arc::new(AtomicUsize::new(0));
    let hooks = hooks(&seen);
    if !demo.json {
        out!(
            "A recorded session, replayed through the guard and three example hooks. Nothing is executed.\n"
        );
        out!("  {}\n", names(&hooks).join(", "));
    }
    for line in SESSION.lines() {
        let payload = checkrein_hosts::OURS.decode(line.as_bytes().to_vec(), None)?;
        let started = Instant::now();
        let outcome = hooks.dispatch(payload);
        let micros = started.elapsed().as_secs_f64() * 1e6;
        if demo.json {
            out!("{}", style::json(report(&outcome, micros)));
        } else {
            show(&outcome, micros);
        }
    }
    if !demo.json {
        out!("The notifier, an observer, saw {} events.", seen.load(Ordering::Relaxed));
        out!(
            "Next: try `checkrein check <COMMAND LINE>`, and `checkrein explain <COMMAND LINE>` to see why.\n\
             Run `checkrein init` to hook up your agents."
        );
    }
    Ok(ExitStatus::Success)
}

fn names(hooks: &Dispatcher) -> Vec<String> {
    let mut names: Vec<String> =
        hooks.entries().iter().map(|entry| format!("{} ({})", entry.name(), entry.role())).collect();
    names.dedup();
    names
}

/// Returns the guard of the machine on which the session was recorded.
fn guard() -> Guard<EmptyWorld> {
    Guard::of(EmptyWorld::new(HOME))
}

/// Returns the hooks. Their order does not matter: the guard comes before the rewriter and still judges the
/// rewritten call.
fn hooks(seen: &Arc<AtomicUsize>) -> Dispatcher {
    let mut hooks = Dispatcher::new().timed(true);
    hooks.add(Entry::new(EventName::PreToolUse, guard()).with_role(Role::Judge));
    hooks.add(Entry::new(EventName::PreToolUse, rewriter()).with_role(Role::Edit));
    let redactor = Arc::new(redactor());
    hooks.add(Entry::new(EventName::PostToolUse, redactor.clone()).with_role(Role::Edit));
    hooks.add(Entry::new(EventName::PostToolUseFailure, redactor).with_role(Role::Edit));
    let notifier = Arc::new(notifier(seen.clone()));
    for event in EventName::ALL {
        hooks.add(Entry::new(*event, notifier.clone()).with_role(Role::Observe));
    }
    hooks
}

fn command(payload: &Payload) -> &str {
    payload.event.call().and_then(|call| call.text("command")).unwrap_or_default()
}

fn rewriter() -> impl Hook {
    hook_fn("rewriter", |payload: &Payload| {
        let Some(packages) = command(payload).strip_prefix("npm install ") else { return Verdict::abstain() };
        if packages.contains("--ignore-scripts") {
            return Verdict::abstain();
        }
        let mut input = Map::new();
        input.insert("command".into(), format!("npm install --ignore-scripts {packages}").into());
        Verdict::edit(Edit::MergeInput(input))
            .with_reason("packages are installed without running their scripts")
    })
}

fn redactor() -> impl Hook {
    hook_fn("redactor", |payload: &Payload| {
        let text = payload.event.output().map(|output| output.text()).unwrap_or_default();
        let Some((before, rest)) = text.split_once("tok_") else { return Verdict::abstain() };
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let after = rest.get(end..).unwrap_or_default();
        Verdict::edit(Edit::Output(format!("{before}[redacted]{after}").into()))
            .with_reason("removed 1 secret")
    })
}

fn notifier(seen: Arc<AtomicUsize>) -> impl Hook {
    hook_fn("notifier", move |_: &Payload| {
        seen.fetch_add(1, Ordering::Relaxed);
        Verdict::abstain()
    })
}

/// Returns the report of `check`, about the machine of the session.
fn report(outcome: &Outcome, micros: f64) -> Map {
    json_report::report(outcome, &guard().judgement(&outcome.payload).unwrap_or_default(), micros)
}

fn show(outcome: &Outcome, micros: f64) {
    let event = &outcome.payload.event;
    let subject = match event.call() {
        Some(call) => {
            let text =
                ["command", "file_path"].iter().find_map(|key| call.original_input().get(*key)?.as_str());
            format!("{} {}", call.name, text.unwrap_or_default())
        }
        None => event.prompt().unwrap_or_default().to_owned(),
    };
    // Some events have no subject.
    out!("{}", format!("{} {}", event.name(), style::one_line(&subject)).trim_end());
    let took = style::dim(&format!("{micros:.1} µs"));
    out!("    {}  {took}", style::verdict(outcome));
    if outcome.is_edited() && outcome.decision != Decision::Deny {
        let now = event.output().map(|output| output.text()).or_else(|| event.call()?.text("command"));
        out!("    now: {}", style::one_line(now.unwrap_or_default()));
    }
    for said in outcome.reasons() {
        for line in wrapped(&said.named(), WIDTH) {
            out!("    {}", style::harmless(&line));
        }
    }
    out!();
}
