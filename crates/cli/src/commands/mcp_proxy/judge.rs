//! The policy's answers about calls and results. They take as long as the hooks take, so a thread of their own gives them.

use crate::{
    attendance,
    policy::{self, Audience},
    recorder::not_kept,
    term::{err, stderr, style},
};
use checkrein::{
    Abilities, Asking, ConfigError, Decision, Editing, Event, Kept, Map, Outcome, Output, Payload, Policy,
    Session, Stopping, ToolCall, TrailSettings, sanitize,
    secrets::redactor,
    trail::{Decided, Trail, TrailError},
};
use checkrein_hosts::reason_with_notices;
use serde_json::Value;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    time::Instant,
};

/// The name of this host in records and payloads.
const HOST: &str = "mcp";

/// A question to the policy.
#[derive(Debug)]
pub(super) enum Job {
    /// Asks whether this call may run.
    Before { number: u64, call: ToolCall, asks: bool },
    /// Asks for the part of this result that the client may see.
    After { number: u64, call: ToolCall, result: Value, is_error: bool },
    /// Asks for the part of another text of the server that the client may see.
    Text { text: Text, value: Value },
}

/// A text of a server that is not the result of a call.
#[derive(Debug)]
pub(super) enum Text {
    /// The result of this request.
    Result { number: u64, is_error: bool },
    /// A notification with this method.
    Notification(String),
}

/// An answer of the policy.
#[derive(Debug)]
pub(super) enum Answer {
    /// The call runs with this input. The model is told the texts.
    Run { number: u64, input: Map, context: Vec<String> },
    /// The user decides.
    Ask { number: u64, question: String, input: Map, context: Vec<String> },
    /// The call does not run.
    Deny { number: u64, reason: String },
    /// The result as the client may see it; `None` if it is withheld, and then the last text says why.
    Result { number: u64, result: Option<Value>, context: Vec<String>, is_error: bool },
    /// Another text as the client may see it; `None` if it cannot be shown.
    Text { text: Text, value: Option<Value> },
}

/// Asks the policy.
#[derive(Debug)]
pub(super) struct Judge {
    pub(super) config: Option<PathBuf>,
    pub(super) session: Session,
    pub(super) state: PathBuf,
}

impl Judge {
    /// Answers a question. A panic is a denial.
    pub(super) fn answer(&self, job: Job) -> Answer {
        const CRASHED: &str = "checkrein crashed while it judged this call";
        match job {
            Job::Before { number, call, asks } => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.before(number, call, asks)));
                answer.unwrap_or_else(|_| Answer::Deny { number, reason: CRASHED.into() })
            }
            Job::After { number, call, result, is_error } => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.after(number, call, result, is_error)));
                answer.unwrap_or_else(|_| Answer::Result {
                    number,
                    result: None,
                    context: vec![CRASHED.into()],
                    is_error,
                })
            }
            Job::Text { text, mut value } => {
                let redacted = catch_unwind(AssertUnwindSafe(|| {
                    redactor(Some(&self.state)).map(|redactor| {
                        redactor.json(&mut value);
                        plain(&mut value);
                        value
                    })
                }));
                Answer::Text { text, value: redacted.ok().and_then(Result::ok) }
            }
        }
    }

    fn before(&self, number: u64, call: ToolCall, asks: bool) -> Answer {
        let asking = if asks { Asking::Asks } else { Asking::Cannot };
        let outcome = self.outcome(Event::PreToolUse { call }, asking);
        let context = texts(&outcome);
        let input = || outcome.payload.event.call().map(|call| call.input.clone()).unwrap_or_default();
        match outcome.decision {
            // A client shows the user nothing else.
            Decision::Deny => Answer::Deny { number, reason: reason_with_notices(&outcome) },
            Decision::Ask => Answer::Ask { number, question: outcome.reason(), input: input(), context },
            Decision::Abstain | Decision::Allow => Answer::Run { number, input: input(), context },
        }
    }

    fn after(&self, number: u64, call: ToolCall, result: Value, is_error: bool) -> Answer {
        let output = Output::from_native(result);
        let event = if is_error {
            Event::PostToolUseFailure { call, error: output }
        } else {
            Event::PostToolUse { call, output }
        };
        let outcome = self.outcome(event, Asking::Cannot);
        let mut context = texts(&outcome);
        let native =
            outcome.payload.event.output().and_then(Output::native).map(std::borrow::Cow::into_owned);
        let result = native.filter(|_| outcome.decision < Decision::Ask);
        if result.is_none() {
            context.push(match outcome.decision {
                Decision::Ask | Decision::Deny => outcome.reason(),
                Decision::Abstain | Decision::Allow => {
                    "a hook changed this result in a way that does not fit it".into()
                }
            });
        }
        Answer::Result { number, result, context, is_error }
    }

    /// Decides an event as `checkrein hook` does: the files are read again, so a change counts at once.
    fn outcome(&self, event: Event, asking: Asking) -> Outcome {
        let started = Instant::now();
        let mut payload = Payload::new(event);
        payload.session = self.session.clone().into();
        payload.host.name = Some(HOST.into());
        let places = policy::places(self.config.as_deref(), &payload.session);
        let abilities = abilities(asking);
        let policy = match Policy::load_for(&places, &payload) {
            Ok(policy) => policy,
            Err(problems) => return self.refused(payload, &problems, abilities),
        };
        let trail = Trail::of(&policy);
        let kept = Kept::default();
        let edge = policy::edge()
            .remembering(asking)
            .reporting_end(true)
            .absence(attendance::is_absent)
            .keeping(&kept);
        let mut active = policy.for_event(&payload, &edge);
        payload.id = trail.as_ref().map(Trail::id);
        let dispatcher = active.dispatcher.timed(trail.is_some());
        let mut outcome = dispatcher.decide(payload).within(abilities);
        if let Some(trail) = trail
            && let Err(error) = append(&trail, &outcome, &kept, started)
        {
            let why = not_kept(&error);
            if trail.is_required() && outcome.payload.name().is_preventable() {
                outcome = without_record(&outcome, &why).within(abilities);
            }
            active.remarks.push(why);
        }
        dispatcher.observe(&mut outcome);
        for notice in outcome.notices() {
            err!("checkrein: {}", style::lines(&notice.named()));
        }
        stderr::about(&outcome, &active.remarks);
        outcome
    }

    /// Answers an event under a broken configuration.
    fn refused(&self, mut payload: Payload, problems: &ConfigError, abilities: Abilities) -> Outcome {
        let trail = Trail::at(&self.state, TrailSettings::default());
        payload.id = trail.as_ref().map(Trail::id);
        let refused = policy::refuse(payload, problems, Audience::Model).within(abilities);
        err!("checkrein: the configuration is broken\n{}", style::lines(&problems.for_model()));
        if let Some(Err(error)) = trail.map(|trail| trail.append(&Decided::new(&refused))) {
            err!("checkrein: {}", not_kept(&error));
        }
        refused
    }
}

/// Returns what the proxy can do with an answer.
const fn abilities(asking: Asking) -> Abilities {
    Abilities {
        allow: true,
        ask: asking,
        deny: true,
        edit: Editing::Applies,
        context: true,
        stop: Stopping::Cannot,
        retry: false,
    }
}

/// Appends the record of a decided event.
fn append(trail: &Trail, outcome: &Outcome, kept: &Kept, started: Instant) -> Result<(), TrailError> {
    let judgement = kept.take();
    let monitored = kept.take_monitored();
    trail
        .append(&Decided {
            judgement: judgement.as_ref(),
            monitored: &monitored,
            elapsed: Some(started.elapsed()),
            ..Decided::new(outcome)
        })
        .map(drop)
}

/// Returns the answer to an event whose record is required and could not be written.
fn without_record(outcome: &Outcome, why: &str) -> Outcome {
    let mut payload = outcome.payload.clone();
    payload.id = None;
    Outcome::refused(payload, format!("the administrator requires a record of every event, but {why}"))
}

/// Returns the texts for the model.
fn texts(outcome: &Outcome) -> Vec<String> {
    outcome.contexts().iter().map(|said| said.text.to_owned()).collect()
}

/// Writes out hidden characters in every text of a value.
pub(super) fn plain(value: &mut Value) {
    match value {
        Value::String(text) => *text = sanitize::prose_of(std::mem::take(text)),
        Value::Array(items) => items.iter_mut().for_each(plain),
        Value::Object(members) => members.values_mut().for_each(plain),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
