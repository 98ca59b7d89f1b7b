//! `checkrein demo`: replays a recorded session through what a new user gets, the guard and the redaction of secrets, so that they see
//! it work with nothing installed.
//!
//! Both are the real ones, but the guard judges an empty machine of which only the home directory is known, and tags are made with
//! a fixed key. So the output is the same everywhere, and nothing on this machine is read.

use crate::{
    args::Demo,
    exit::ExitStatus,
    json_report,
    term::{
        data, out, style,
        wrap::{stdout_width, wrapped},
    },
};
use checkrein::{
    Decision, Dispatcher, Edit, Entry, EventName, Guard, Hook, Map, Outcome, Payload, Role, Verdict,
    guard::EmptyWorld,
    hook_fn,
    secrets::{Key, Redactor, Scanner},
};
use std::{sync::Arc, time::Instant};

const SESSION: &str = include_str!("../../demo/session.jsonl");

/// The widest line, and the width on the pages.
const WIDTH: usize = 92;

/// The home directory in the recorded session.
const HOME: &str = "/home/dev";

pub(crate) fn run(demo: &Demo) -> anyhow::Result<ExitStatus> {
    let hooks = hooks();
    if !demo.json {
        out!("A recorded session, replayed through what Checkrein does by default. Nothing is executed.\n");
    }
    for line in SESSION.lines() {
        let payload = checkrein_hosts::OURS.decode(line.as_bytes().to_vec(), None)?;
        let started = Instant::now();
        let outcome = hooks.dispatch(payload);
        let micros = started.elapsed().as_secs_f64() * 1e6;
        if demo.json {
            data!("{}", style::json(report(&outcome, micros)));
        } else {
            show(&outcome, micros);
        }
    }
    if !demo.json {
        out!(
            "Next: try `checkrein check <COMMAND LINE>`, and `checkrein explain <COMMAND LINE>` to see why.\n\
             Run `checkrein init` to hook up your agents."
        );
    }
    Ok(ExitStatus::Success)
}

/// Returns the guard of the machine on which the session was recorded.
fn guard() -> Guard<EmptyWorld> {
    Guard::of(EmptyWorld::new(HOME))
}

/// Returns the hooks that a user has without a configuration, as far as this session needs them.
fn hooks() -> Dispatcher {
    let mut hooks = Dispatcher::new().timed(true);
    hooks.add(Entry::new(EventName::PreToolUse, guard()).with_role(Role::Judge).with_own_voice(true));
    let secrets = Arc::new(secrets());
    hooks.add(Entry::new(EventName::PostToolUse, secrets.clone()).with_role(Role::Edit));
    hooks.add(Entry::new(EventName::PostToolUseFailure, secrets).with_role(Role::Edit));
    hooks
}

/// Returns the redaction of secrets in what a tool returned.
fn secrets() -> impl Hook {
    let redactor = Redactor::new(Scanner::new(), Key::new([0; 32]));
    hook_fn("secrets", move |payload: &Payload| {
        let text = payload.event.output().map(|output| output.text()).unwrap_or_default();
        let (clean, found) = redactor.text(text);
        match found.len() {
            0 => Verdict::abstain(),
            count => Verdict::edit(Edit::Output(clean.into()))
                .with_reason(format!("{count} secret replaced by a tag")),
        }
    })
}

/// Returns the event, and the report of `check` about the machine of the session.
fn report(outcome: &Outcome, micros: f64) -> Map {
    let event = &outcome.payload.event;
    let mut report = Map::new();
    report.insert("event".into(), event.name().as_str().into());
    if let Some(call) = event.call() {
        report.insert("tool".into(), call.name.as_str().into());
        report.insert("input".into(), call.original_input().clone().into());
    }
    if let Some(prompt) = event.prompt() {
        report.insert("prompt".into(), prompt.into());
    }
    report.extend(json_report::report(
        outcome,
        &guard().judgement(&outcome.payload).unwrap_or_default(),
        micros,
    ));
    report
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
        for line in wrapped(&said.named(), stdout_width().map_or(WIDTH, |width| (width - 4).min(WIDTH))) {
            out!("    {}", style::harmless(&line));
        }
    }
    out!();
}
