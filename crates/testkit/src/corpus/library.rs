//! The first door: the dispatcher with in-process hooks that answer as a process would.

use super::{Case, Form, HookCase, Saying, Seen};
use checkrein_core::{
    Abilities, Change, Deadline, Decision, Dispatcher, Entry, Failure, Hook, HookText, Map, Outcome, Pattern,
    Payload, Retry, Role, Scope, Verdict, flat, json,
};
use checkrein_exec::answer;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// The directory of a run that has none.
const DIR: &str = "/scratch";
/// The number of bytes of a stream that are kept.
const LIMIT: usize = 1 << 20;

/// Runs a case and compares. It cannot show a broken configuration, since this door has none.
pub fn run(case: &Case) -> Result<(), String> {
    let case = &filled(case);
    let payload = match (flat::read(case.payload.clone(), None), &case.expect.rejected) {
        (Ok(payload), None) => payload,
        (Err(error), Some(part)) if error.to_string().contains(part) => return Ok(()),
        (Err(error), _) => return Err(format!("{}: the payload is refused: {error}", case.name)),
        (Ok(_), Some(part)) => {
            return Err(format!("{}: the payload is accepted, expected `{part}`", case.name));
        }
    };
    if matches!(case.form, Form::Broken(_)) {
        return Err(format!("{}: a broken configuration runs only through the program", case.name));
    }
    let (entries, log) = entries(case)?;
    let mut dispatcher = Dispatcher::new();
    for entry in entries {
        dispatcher.add(entry);
    }
    let outcome = dispatcher.dispatch(payload).within(Abilities::ALL);
    seen(&outcome, &log).check(case)?;
    if outcome.is_neutral() == case.expect.says_something() {
        return Err(format!("{}: neutral is {}, expected otherwise", case.name, outcome.is_neutral()));
    }
    Ok(())
}

/// Returns a case for a door in this process, which has no directory.
pub fn filled(case: &Case) -> Case {
    case.filled(DIR)
}

/// Returns the hooks of a case, and the log of their calls.
pub fn entries(case: &Case) -> Result<(Vec<Entry>, Arc<Log>), String> {
    let log = Arc::new(Log::default());
    let entries = case.hooks.iter().map(|hook| entry(hook, &log));
    let entries = entries.collect::<Result<_, _>>().map_err(|error| format!("{}: {error}", case.name))?;
    Ok((entries, log))
}

impl super::Expect {
    fn says_something(&self) -> bool {
        self.decision != "abstain"
            || self.input.is_some()
            || self.output.is_some()
            || self.prompt.is_some()
            || self.stop.is_some()
            || self.retry.is_some()
            || ![&self.reasons, &self.context, &self.notices].iter().all(|texts| texts.is_empty())
    }
}

fn entry(case: &HookCase, log: &Arc<Log>) -> Result<Entry, String> {
    let parse = |texts: &[String]| {
        let read = texts.iter().map(|text| text.parse::<Pattern>());
        read.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())
    };
    let scope = case.only.as_deref().map_or(Ok(Scope::all()), |only| parse(only).map(Scope::only))?;
    let hook = Scripted { case: case.clone(), log: Arc::clone(log) };
    let mut entry = Entry::new(case.event, hook)
        .with_scope(scope.except(parse(&case.except)?))
        .with_role(case.role)
        .with_may_allow(case.may_allow);
    if let Some(rule) = case.on_failure {
        entry = entry.with_on_failure(rule);
    }
    if let Some(seconds) = case.timeout {
        entry = entry.with_timeout(Duration::from_secs_f64(seconds));
    }
    Ok(entry)
}

/// The calls of hooks, and their payloads.
#[derive(Debug, Default)]
pub struct Log {
    saw: Mutex<BTreeMap<String, Vec<Map>>>,
}

struct Scripted {
    case: HookCase,
    log: Arc<Log>,
}

impl Hook for Scripted {
    fn name(&self) -> &str {
        &self.case.name
    }

    fn call(&self, payload: &Payload, deadline: Deadline) -> Result<Verdict, Failure> {
        let broken = |what: &str| Failure::Other(format!("the test is broken: {what}"));
        let stdin = flat::Flat(payload).to_bytes().map_err(|error| broken(&error.to_string()))?;
        let shown = json::parse_object(&stdin).map_err(|error| broken(&error.to_string()))?;
        let mut saw = self.log.saw.lock().map_err(|_| broken("lock"))?;
        saw.entry(self.case.name.clone()).or_default().push(shown);
        drop(saw);
        if self.case.missing {
            return Err(Failure::NotStarted("no such file".into()));
        }
        let stdin = String::from_utf8_lossy(&stdin);
        let said = self.case.saying(&stdin);
        let left = deadline.start().saturating_duration_since(Instant::now());
        if said.sleep > 0.0 && Duration::from_secs_f64(said.sleep) >= left {
            return Err(Failure::TimedOut { after: deadline.limit() });
        }
        if let Some(stream) = said.flood {
            return Err(Failure::TooMuchOutput { stream, limit: LIMIT });
        }
        let stderr = "x".repeat(said.noise) + &said.stderr;
        answer::read(payload.name(), said.exit, said.stdout.as_bytes(), stderr.as_bytes())
    }
}

impl HookCase {
    /// Returns its behaviour for this stdin.
    fn saying(&self, stdin: &str) -> &Saying {
        let fits = self.when.iter().find(|(part, _)| stdin.contains(part.as_str()));
        fits.map_or(&self.otherwise, |(_, said)| said)
    }
}

/// Returns an outcome in the form of the corpus.
pub fn seen(outcome: &Outcome, log: &Log) -> Seen {
    let texts =
        |said: Vec<HookText<'_>>| said.iter().map(|said| format!("{}: {}", said.hook, said.text)).collect();
    let hooks = |observe: bool| {
        let steps = outcome.trail.iter().filter(|step| (step.role == Role::Observe) == observe);
        steps.map(|step| outcome.hook(step).to_owned()).collect::<Vec<_>>()
    };
    let failures = outcome.trail.iter().filter(|step| step.role != Role::Observe);
    let changed = |kind: fn(&Change) -> bool| {
        // Nothing of a denied call goes out.
        outcome.decision != Decision::Deny
            && outcome.trail.iter().filter_map(|step| step.change.as_ref()).any(kind)
    };
    let event = &outcome.payload.event;
    Seen {
        decision: outcome.decision.to_string(),
        asked: hooks(false),
        observers: hooks(true),
        reasons: texts(outcome.reasons()),
        input: event
            .call()
            .filter(|_| changed(|change| matches!(change, Change::Input(_))))
            .map(|call| call.input.clone()),
        output: event
            .output()
            .filter(|_| changed(|change| *change == Change::Output))
            .map(|output| output.text().to_owned()),
        prompt: event.prompt().filter(|_| changed(|change| *change == Change::Prompt)).map(str::to_owned),
        context: texts(outcome.contexts()),
        notices: texts(outcome.notices()),
        stop: outcome.stop.as_ref().map(|stop| format!("{}: {}", stop.hook, stop.reason)),
        retry: outcome.retry.as_ref().map(|retry| match retry {
            Retry::Same => Value::Bool(true),
            Retry::With(input) => Value::Object(input.clone()),
        }),
        failures: failures
            .filter_map(|step| Some(format!("{}: {}", outcome.hook(step), step.failure.as_ref()?)))
            .collect(),
        saw: log.saw.lock().map(|saw| saw.clone()).unwrap_or_default(),
    }
}
