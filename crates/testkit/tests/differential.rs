//! The real dispatcher against the reference, on random chains of hooks that react to what they see.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{
    Change, Deadline, Decision, Dispatcher, Event, Failure, Hook, Outcome, Payload, Role, Step, Verdict,
};
use checkrein_testkit::{
    reference::{self, Answer, Clock, Line, Turn},
    scripted,
};
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Creates a runner with fixed cases, so that a failure is reproducible everywhere.
fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn dispatcher(lines: &[Line]) -> Dispatcher {
    let mut dispatcher = Dispatcher::new();
    for line in lines {
        dispatcher.add(line.entry().unwrap());
    }
    dispatcher
}

/// Returns the real outcome in the form of the reference.
fn answer(outcome: Outcome) -> Answer {
    let pairs = |said: Vec<checkrein_core::HookText<'_>>| {
        said.into_iter().map(|said| (said.hook.to_owned(), said.text.to_owned())).collect()
    };
    let turn = |again| if again { Turn::Again } else { Turn::First };
    Answer {
        decision: outcome.decision,
        reasons: pairs(outcome.reasons()),
        contexts: pairs(outcome.contexts()),
        notices: pairs(outcome.notices()),
        stop: outcome.stop.clone().map(|stop| (stop.hook.to_string(), stop.reason)),
        retry: outcome.retry.clone(),
        result: outcome.result,
        asked: outcome
            .trail
            .iter()
            .map(|step| (outcome.hook(step).to_owned(), turn(step.again), step.decision))
            .collect(),
        event: outcome.payload.event,
    }
}

#[test]
fn the_dispatcher_equals_the_reference() {
    runner(4_000)
        .run(&(scripted::case(), 0..=4_u32), |((payload, lines), retries)| {
            let real = answer(dispatcher(&lines).with_retries(retries).dispatch(payload.clone()));
            let naive = reference::dispatch(&lines, &payload, retries.min(Dispatcher::MOST_RETRIES));
            prop_assert_eq!(real, naive);
            Ok(())
        })
        .unwrap();
}

/// A caller that stops before each hook gets the same outcome, also if it asks the judges ahead of their turn.
#[test]
fn a_dispatch_in_steps_equals_a_whole_one() {
    runner(3_000)
        .run(&(scripted::case(), any::<u32>()), |((payload, lines), elsewhere)| {
            let hooks = dispatcher(&lines);
            let whole = answer(hooks.dispatch(payload.clone()));
            let mut steps = hooks.stepwise(payload, Arc::default());
            let mut told: Option<Vec<usize>> = None;
            while let Some((index, entry)) = steps.pending() {
                if entry.role() == Role::Judge {
                    // Every judge that came was announced, in order.
                    let announced = told.take().unwrap_or_else(|| vec![index]);
                    prop_assert_eq!(announced.first(), Some(&index));
                    told = Some(steps.judges_to_come()).filter(|judges| !judges.is_empty());
                }
                let (answer, took) = steps.ask(index);
                // Another hook may be asked at the same time.
                if elsewhere >> (index % 32) & 1 == 1 {
                    steps.judges_to_come().into_iter().for_each(|judge| drop(steps.ask(judge)));
                }
                steps.answer(answer, took);
            }
            let mut outcome = steps.finish();
            hooks.observe(&mut outcome);
            prop_assert_eq!(answer(outcome), whole);
            Ok(())
        })
        .unwrap();
}

/// A brief trail lacks judges without an opinion, and nothing else differs.
#[test]
fn a_brief_dispatch_equals_a_whole_one() {
    let left_out = Cell::new(0);
    runner(3_000)
        .run(&scripted::case(), |(payload, lines)| {
            let hooks = dispatcher(&lines);
            let (mut brief, mut whole) = (hooks.decide_briefly(payload.clone()), hooks.decide(payload));
            left_out.set(left_out.get() + whole.trail.len() - brief.trail.len());
            // An `allow` that does not count leaves a step that looks like one without an opinion.
            for outcome in [&mut brief, &mut whole] {
                outcome.trail.retain(|step| !(step.role == Role::Judge && is_silent(step)));
            }
            prop_assert_eq!(answer(brief), answer(whole));
            Ok(())
        })
        .unwrap();
    assert!(left_out.get() > 20, "{} steps were left out", left_out.get());
}

fn is_silent(step: &Step) -> bool {
    let Step { decision, reason, context, notice, change, failure, .. } = step;
    *decision == Decision::Abstain
        && (reason.is_none()
            && context.is_empty()
            && notice.is_none()
            && change.is_none()
            && failure.is_none())
}

/// Takes time, records the deadline that it got, and answers like the hook inside.
struct Timed {
    hook: Arc<dyn Hook>,
    clock: Clock,
    ends: Arc<Mutex<Vec<(Clock, Instant, Instant)>>>,
}

impl Hook for Timed {
    fn name(&self) -> &str {
        self.hook.name()
    }

    fn call(&self, payload: &Payload, deadline: Deadline<'_>) -> Result<Verdict, Failure> {
        let (before, end) = (Instant::now(), deadline.start());
        self.ends.lock().unwrap().push((self.clock, before, end));
        // Long enough for another clock to show another time.
        while Instant::now() <= before {}
        self.hook.call(payload, deadline)
    }
}

#[test]
fn the_highest_authority_has_its_own_time() {
    let seen = Cell::new(0);
    runner(500)
        .run(&scripted::case(), |(payload, lines)| {
            let ends = Arc::new(Mutex::new(Vec::new()));
            let mut hooks = Dispatcher::new();
            for line in lines {
                let hook = Timed { hook: line.hook.clone(), clock: line.clock(), ends: Arc::clone(&ends) };
                // Its own timeout is not a limit here, so that it gets the end of its clock.
                let timed = Line { hook: Arc::new(hook), ..line };
                hooks.add(timed.entry().unwrap().with_timeout(Duration::from_secs(100_000)));
            }
            let budget = payload.name().budget();
            hooks.decide(payload);
            let ends = ends.lock().unwrap();
            let mut first = BTreeMap::new();
            for (clock, before, end) in ends.iter() {
                // The first hook of a clock starts it, and all others get the same end.
                let (started, expected) = *first.entry(*clock).or_insert((*before, *end));
                prop_assert_eq!(*end, expected);
                prop_assert!(expected >= started + budget);
            }
            let ends: BTreeSet<Instant> = first.values().map(|(_, end)| *end).collect();
            prop_assert_eq!(ends.len(), first.len(), "one clock for all");
            seen.set(seen.get() + usize::from(ends.len() == 2));
            Ok(())
        })
        .unwrap();
    assert!(seen.get() > 100, "both clocks ran in {} chains only", seen.get());
}

/// A rule, and a check that it was reached.
type Rule = (&'static str, fn(&Outcome) -> bool);

/// A random chain proves nothing about behaviour that it never shows.
#[test]
fn the_random_chains_reach_every_rule() {
    let mut runner = runner(1);
    let strategy = scripted::case();
    let mut missing: Vec<Rule> = vec![
        ("asked again", |outcome| outcome.trail.iter().any(|step| step.again)),
        ("disagreement", |outcome| {
            outcome.trail.iter().any(|step| {
                step.again
                    && step.reason.as_deref().is_some_and(|reason| reason.starts_with("would overwrite"))
            })
        }),
        ("denied when asked again", |outcome| {
            outcome.trail.iter().any(|step| step.again && step.decision == Decision::Deny)
        }),
        ("an editor overruled from below", |outcome| {
            outcome.trail.iter().any(|step| step.again && step.role == Role::Edit)
        }),
        ("an editor overruled from below that denies", |outcome| {
            let denies =
                |step: &Step| step.again && step.role == Role::Edit && step.decision == Decision::Deny;
            outcome.trail.iter().any(denies)
        }),
        ("a hook without a role that rewrote and was overruled", |outcome| {
            outcome.trail.iter().any(|step| {
                let first = outcome.trail.iter().find(|first| first.index == step.index);
                step.again && step.role == Role::Plain && first.is_some_and(|first| first.change.is_some())
            })
        }),
        ("allow", |outcome| outcome.decision == Decision::Allow),
        ("outdated allow", |outcome| {
            outcome.decision == Decision::Abstain
                && outcome.trail.iter().any(|step| step.decision == Decision::Allow)
        }),
        ("allow withdrawn when asked again", |outcome| {
            outcome.trail.iter().any(|step| {
                let first = outcome.trail.iter().find(|first| first.index == step.index);
                let allowed = first.is_some_and(|first| first.decision == Decision::Allow);
                step.again && allowed && outcome.decision == Decision::Abstain
            })
        }),
        ("retry", |outcome| outcome.retry.is_some()),
        ("stop", |outcome| outcome.stop.is_some()),
        ("panic", |outcome| {
            outcome.trail.iter().any(|step| matches!(step.failure, Some(Failure::Panicked(_))))
        }),
        ("two edits", |outcome| outcome.trail.iter().filter(|step| step.change.is_some()).count() > 1),
        ("an edit that does not fit", |outcome| {
            outcome.trail.iter().any(|step| matches!(step.failure, Some(Failure::EditNotAllowed(_))))
        }),
        ("a turned result", |outcome| outcome.result.is_some()),
        ("an edited request to a model", |outcome| {
            outcome.payload.event.request().is_some() && outcome.is_edited()
        }),
        ("an edited answer of a model", |outcome| {
            matches!(outcome.payload.event, Event::ModelResponse { .. }) && outcome.is_edited()
        }),
        ("an edited output", |outcome| outcome.trail.iter().any(|step| step.change == Some(Change::Output))),
        ("an edited prompt", |outcome| outcome.trail.iter().any(|step| step.change == Some(Change::Prompt))),
    ];
    for _ in 0..20_000 {
        let (payload, lines) = strategy.new_tree(&mut runner).unwrap().current();
        let outcome = dispatcher(&lines).dispatch(payload);
        missing.retain(|(_, reached)| !reached(&outcome));
        if missing.is_empty() {
            return;
        }
    }
    panic!("never reached: {:?}", missing.iter().map(|(name, _)| name).collect::<Vec<_>>());
}
