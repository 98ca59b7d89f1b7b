//! Runs the semantics corpus through the harness: the answers of the hooks, and what becomes of the call.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    Approval, Ending, Entry, Event, EventName, Handle, Map, Outcome, Output, Payload, Pipeline,
    PromptDecision, Request, Role, Running, Subject, ToolError, ToolSpec, Tools,
    checkrein::{Abilities, ToolCall, flat},
    policy,
};
use checkrein_testkit::corpus::{self, Case, Form, library};
use std::sync::{Arc, Mutex};

/// A tool that succeeds or fails as the case says, and records its input.
struct Stage {
    spec: Arc<ToolSpec>,
    result: Result<Output, ToolError>,
    ran: Arc<Mutex<Vec<Map>>>,
}

impl Tools for Stage {
    fn tool(&self, _: &str) -> Option<Arc<ToolSpec>> {
        Some(Arc::clone(&self.spec))
    }

    async fn run(&self, call: &ToolCall, _: &Running) -> Result<Output, ToolError> {
        self.ran.lock().unwrap().push(call.input.clone());
        self.result.clone()
    }
}

/// The inputs that a user was asked about.
type Asked = Arc<Mutex<Vec<Map>>>;

struct Door {
    agent: Handle<Stage>,
    pipeline: Pipeline<Stage>,
    ran: Arc<Mutex<Vec<Map>>>,
    asked: Asked,
}

fn door(entries: Vec<Entry>, payload: &Payload, result: Result<Output, ToolError>) -> Door {
    let ran = Arc::new(Mutex::new(Vec::new()));
    let asked = Asked::default();
    let keep = Arc::clone(&asked);
    let stage = Stage { spec: ToolSpec::unchecked("any").into(), result, ran: Arc::clone(&ran) };
    let mut builder = Pipeline::builder(stage).approver(policy(move |request: &Request<'_>| {
        if let Subject::Call(call) = request.subject {
            keep.lock().unwrap().push(call.input.clone());
        }
        Approval::Yes
    }));
    for entry in entries {
        builder = builder.hook(entry);
    }
    let pipeline = builder.build().unwrap();
    let agent = pipeline.handle(payload.session.clone().into_inner());
    Door { agent, pipeline, ran, asked }
}

/// Removes the steps of the pipeline's own judge, which the corpus does not know.
fn theirs(mut outcome: Outcome) -> Outcome {
    let ours: Vec<bool> = outcome.trail.iter().map(|step| outcome.hook(step) == "schema").collect();
    let mut ours = ours.into_iter();
    outcome.trail.retain(|_| !ours.next().unwrap());
    outcome
}

async fn holds(case: &Case) -> Result<(), String> {
    let case = &library::filled(case);
    let Ok(payload) = flat::read(case.payload.clone(), None) else { return Ok(()) };
    // The merged answer of the hooks.
    let (entries, log) = library::entries(case)?;
    let door_ = door(entries, &payload, Ok("".into()));
    let mut outcome = theirs(door_.agent.ask(payload.clone()).await.unwrap());
    door_.pipeline.settle().await;
    // Observers run later, so they are in the expectations and not in the outcome.
    let mut without = case.clone();
    without.expect.observers.clear();
    outcome.trail.retain(|step| step.role != Role::Observe);
    library::seen(&outcome.within(Abilities::ALL), &log).check(&without)?;
    // The end of the call.
    becomes(case, payload).await
}

async fn becomes(case: &Case, payload: Payload) -> Result<(), String> {
    let expect = &case.expect;
    let wrong = |what: &str, found: &dyn std::fmt::Debug| Err(format!("{}: {what}: {found:?}", case.name));
    let (entries, _) = library::entries(case)?;
    let denied = expect.decision == "deny";
    match payload.event.clone() {
        Event::PreToolUse { call } => {
            let door = door(entries, &payload, Ok("done".into()));
            let sent = call.input.clone();
            let report = door.agent.call(call).await;
            let ran = door.ran.lock().unwrap().clone();
            let last = expect.input.clone().unwrap_or(sent);
            let asked = door.asked.lock().unwrap().clone();
            let stopped = expect.stop.is_some();
            match (denied, stopped) {
                (true, _) if report.ending != Ending::Denied || !ran.is_empty() => {
                    wrong("not denied", &report)
                }
                (false, true) if report.ending != Ending::NotStarted || !ran.is_empty() => {
                    wrong("not stopped", &report)
                }
                (false, false) if ran != [last.clone()] => wrong("something else ran", &ran),
                (false, false) if (expect.decision == "ask") != (asked == [last]) => wrong("asked", &asked),
                _ => Ok(()),
            }
        }
        Event::PostToolUse { call, output } => {
            let sent = output.text().to_owned();
            let door = door(entries, &payload, Ok(output));
            let report = door.agent.call(call).await;
            let last = expect.output.clone().unwrap_or(sent);
            match denied {
                true if !report.withheld => wrong("not withheld", &report),
                false if report.output.text() != last => wrong("another output", &report),
                _ => Ok(()),
            }
        }
        Event::PostToolUseFailure { call, error } => {
            let sent = error.text().to_owned();
            let door = door(entries, &payload, Err(ToolError::new(error)));
            let report = door.agent.call(call).await;
            let last = expect.output.clone().unwrap_or(sent);
            let tries = door.ran.lock().unwrap().len();
            match denied {
                true if !report.withheld => wrong("not withheld", &report),
                false if report.output.text() != last => wrong("another text", &report),
                _ if (tries == 2) != expect.retry.is_some() && payload.attempt == 1 => wrong("tried", &tries),
                _ => Ok(()),
            }
        }
        Event::UserPromptSubmit { prompt } => {
            let door = door(entries, &payload, Ok("".into()));
            let last = expect.prompt.clone().unwrap_or_else(|| prompt.clone());
            match door.agent.prompt(prompt).await {
                PromptDecision::Refused { .. } if denied || expect.stop.is_some() => Ok(()),
                PromptDecision::Accepted { prompt, .. } if !denied && prompt == last => Ok(()),
                other => wrong("another prompt", &other),
            }
        }
        _ => Ok(()),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_holds_in_the_harness() {
    let cases = corpus::load(&corpus::directory()).unwrap();
    let mut broken = Vec::new();
    let mut calls = 0;
    for case in cases.iter().filter(|case| !matches!(case.form, Form::Broken(_))) {
        calls += usize::from(
            case.payload.get("hook_event_name").is_some_and(|name| name == EventName::PreToolUse.as_str()),
        );
        broken.extend(holds(case).await.err());
    }
    assert!(calls > 50, "the corpus has become small: {calls}");
    assert!(broken.is_empty(), "{} of {} cases:\n{}", broken.len(), cases.len(), broken.join("\n"));
}
