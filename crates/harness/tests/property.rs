//! Property test: random chains of hooks, and tools that succeed, fail, hang or panic. Every call gets exactly one
//! report, in order, and what ran is what was judged.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_harness::{
    Approval, Ending, EventName, Map, Output, Pipeline, Registration, Report, Request, Role, Running,
    Session, ToolError, ToolSpec, Tools,
    checkrein::{ToolCall, json},
    policy,
};
use checkrein_testkit::{
    reference::Line,
    scripted::{self, Recorder, Shown},
};
use proptest::{collection::vec, prelude::*, sample::select};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// The behaviour of a tool.
#[derive(Clone, Copy, Debug)]
enum Does {
    Answers,
    Fails,
    Panics,
    Hangs,
    Yields,
}

const DOES: [Does; 5] = [Does::Answers, Does::Fails, Does::Panics, Does::Hangs, Does::Yields];

/// A call, its attempt and its input.
type Ran = (String, u64, Map);

struct Stage {
    spec: Arc<ToolSpec>,
    does: Vec<Does>,
    ran: Arc<Mutex<Vec<Ran>>>,
}

impl Tools for Stage {
    fn tool(&self, _: &str) -> Option<Arc<ToolSpec>> {
        Some(Arc::clone(&self.spec))
    }

    async fn run(&self, call: &ToolCall, running: &Running) -> Result<Output, ToolError> {
        let id = call.id.clone().unwrap();
        self.ran.lock().unwrap().push((id.clone(), running.attempt.into(), call.input.clone()));
        match self.does[id.parse::<usize>().unwrap()] {
            Does::Answers => Ok("k0 k1".into()),
            Does::Fails => Err("k1 k2".into()),
            Does::Panics => std::panic::resume_unwind(Box::new("k2")),
            Does::Hangs => std::future::pending().await,
            Does::Yields => {
                tokio::task::yield_now().await;
                Ok("other".into())
            }
        }
    }
}

/// One hook, blocking or not.
#[derive(Clone, Debug)]
struct Placed {
    line: Line,
    waits: bool,
}

fn chain(event: EventName) -> impl Strategy<Value = Vec<Placed>> {
    let placed = (0..4_usize).prop_flat_map(move |length| {
        (0..length)
            .map(|at| (scripted::line(event, format!("{event}-{at}")), any::<bool>()))
            .collect::<Vec<_>>()
    });
    placed.prop_map(|hooks| hooks.into_iter().map(|(line, waits)| Placed { line, waits }).collect())
}

fn calls() -> impl Strategy<Value = Vec<(ToolCall, Does)>> {
    let one = (scripted::payload(EventName::PreToolUse), select(&DOES[..]));
    vec(one, 0..5).prop_map(|calls| {
        let calls = calls.into_iter().enumerate();
        calls
            .map(|(index, (payload, does))| {
                let mut call = payload.event.call().unwrap().clone();
                call.id = Some(index.to_string());
                (call, does)
            })
            .collect()
    })
}

/// Registers the hooks of a run, each with a record of what it was shown.
fn registered(hooks: &[Placed]) -> Vec<(Registration, Placed, Shown)> {
    hooks
        .iter()
        .map(|placed| {
            let (recorder, shown) = Recorder::new(Arc::clone(&placed.line.hook));
            let line = Line { hook: Arc::new(recorder), ..placed.line.clone() };
            let registration = Registration::from(line.entry().unwrap());
            (if placed.waits { registration } else { registration.computes() }, placed.clone(), shown)
        })
        .collect()
}

fn fields(bytes: &[u8]) -> (String, u64, Map) {
    let fields = json::parse_object(bytes).unwrap();
    let input = fields["tool_input"].as_object().unwrap().clone();
    (fields["tool_use_id"].as_str().unwrap().to_owned(), fields["attempt"].as_u64().unwrap(), input)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_has_one_report_in_order_and_ran_as_judged(
        calls in calls(),
        before in chain(EventName::PreToolUse),
        after in chain(EventName::PostToolUse),
        failed in chain(EventName::PostToolUseFailure),
        limit in 1..4_usize,
        approves in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (ran, records) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        let stage = Stage {
            spec: ToolSpec::unchecked("any").into(),
            does: calls.iter().map(|(_, does)| *does).collect(),
            ran: Arc::clone(&ran),
        };
        let keep = Arc::clone(&records);
        let mut builder = Pipeline::builder(stage)
            .limit(limit)
            .retries(3)
            .tool_timeout(Duration::from_millis(2))
            .approver(policy(move |_: &Request<'_>| if approves { Approval::Yes } else { Approval::NO }))
            .record(move |report: &Report| keep.lock().unwrap().push(report.call.id.clone().unwrap()));
        let mut watched = Vec::new();
        for (registration, placed, shown) in registered(&[before, after, failed].concat()) {
            builder = builder.hook(registration);
            watched.push((placed, shown));
        }
        let agent = builder.build().unwrap().handle(Session::default());
        let sent: Vec<ToolCall> = calls.iter().map(|(call, _)| call.clone()).collect();
        let batch = runtime.block_on(agent.batch(sent.clone()));
        let ran = ran.lock().unwrap().clone();

        // One report each, in order, each recorded once.
        let ids: Vec<String> = sent.iter().map(|call| call.id.clone().unwrap()).collect();
        let reported: Vec<String> = batch.reports.iter().map(|report| report.call.id.clone().unwrap()).collect();
        prop_assert_eq!(&reported, &ids);
        let mut recorded = records.lock().unwrap().clone();
        recorded.sort();
        prop_assert_eq!(&recorded, &ids);

        for (report, sent) in batch.reports.iter().zip(&sent) {
            let runs: Vec<&Ran> = ran.iter().filter(|(id, ..)| Some(id) == report.call.id.as_ref()).collect();
            // Nothing runs twice in one attempt, and the report is about what ran.
            let attempts: Vec<u64> = runs.iter().map(|(_, attempt, _)| *attempt).collect();
            prop_assert_eq!(&attempts, &(1..=runs.len() as u64).collect::<Vec<_>>());
            if report.has_run() {
                let (_, attempt, input) = runs.last().unwrap();
                prop_assert_eq!(u64::from(report.attempt), *attempt);
                prop_assert_eq!(&report.call.input, input);
            } else if report.attempt == 1 && report.ending != Ending::Cancelled {
                prop_assert!(runs.is_empty(), "{report:?}");
            }
            prop_assert_eq!(report.call.original_input(), &sent.input);
        }

        let mut order = Vec::new();
        for (placed, shown) in &watched {
            for shown in shown.all() {
                let Ok(shown_fields) = json::parse_object(&shown) else { panic!("not JSON") };
                if !shown_fields.contains_key("tool_input") {
                    continue;
                }
                let (id, attempt, input) = fields(&shown);
                let run = ran.iter().find(|(ran, tried, _)| *ran == id && *tried == attempt);
                let event = shown_fields["hook_event_name"].as_str().unwrap_or_default();
                match (run, event) {
                    // Every judge saw exactly what ran.
                    (Some((.., run)), "PreToolUse") if placed.line.role == Role::Judge => prop_assert_eq!(&input, run),
                    // After-hooks see what ran.
                    (Some((.., run)), "PostToolUse" | "PostToolUseFailure") => prop_assert_eq!(&input, run),
                    (None, "PostToolUse" | "PostToolUseFailure") => prop_assert!(false, "{id} did not run"),
                    _ => {}
                }
                if event != "PreToolUse" && placed.line.role != Role::Observe {
                    order.push((placed.line.about.clone(), event.to_owned(), id.parse::<usize>().unwrap()));
                }
            }
        }
        // After-hooks run in the order of the message.
        for hook in watched.iter().map(|(placed, _)| &placed.line.about) {
            let seen: Vec<usize> = order.iter().filter(|(about, ..)| about == hook).map(|(.., index)| *index).collect();
            prop_assert!(seen.is_sorted(), "{seen:?}");
        }
    }
}
