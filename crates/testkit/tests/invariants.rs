//! The invariants of the pass, each as a property. The numbers are those of the list in ARCHITECTURE.md;
//! other crates prove those about the hosts' edge (6 and 8) and the trail (10).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use checkrein_core::{
    Class, Deadline, Decision, Dispatcher, Entry, Event, EventName, Failure, Hook, OnFailure, Outcome,
    Payload, Role, Step, ToolCall, Verdict, flat::Flat, hook_fn,
};
use checkrein_exec::{CommandHook, Program};
use checkrein_testkit::{
    reference::Line,
    scripted::{self, PanicWith, Recorder, Say, Script},
};
use proptest::{
    prelude::*,
    sample::select,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use std::{
    ffi::OsString,
    sync::Arc,
    time::{Duration, Instant},
};

/// Checks a property with fixed cases, so that a failure is reproducible everywhere.
fn check<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases: 1_000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng).run(strategy, test).unwrap();
}

fn dispatch(lines: &[Line], payload: &Payload) -> Outcome {
    dispatcher(lines).dispatch(payload.clone())
}

fn dispatcher(lines: &[Line]) -> Dispatcher {
    let mut dispatcher = Dispatcher::new();
    for line in lines {
        dispatcher.add(line.entry().unwrap());
    }
    dispatcher
}

fn bytes(payload: &Payload) -> Vec<u8> {
    Flat(payload).to_bytes().unwrap()
}

/// Returns everything of an outcome that a host can notice.
fn visible(outcome: &Outcome) -> impl PartialEq + std::fmt::Debug + use<> {
    let texts = |said: Vec<checkrein_core::HookText<'_>>| -> Vec<String> {
        said.iter().map(|said| format!("{said:?}")).collect()
    };
    (
        outcome.decision,
        outcome.payload.clone(),
        texts(outcome.reasons()),
        texts(outcome.contexts()),
        texts(outcome.notices()),
        outcome.stop.clone(),
        outcome.retry.clone(),
        outcome.reason(),
        outcome.is_edited(),
    )
}

#[test]
fn invariant_1_without_hooks_nothing_changes() {
    let strategy = scripted::event_name().prop_flat_map(|name| {
        // Hooks of other events and tools do not count.
        let others = proptest::collection::vec(scripted::line(name, "other".into()), 0..4);
        (scripted::payload(name), others)
    });
    check(&strategy, |(payload, mut others)| {
        let name = payload.name();
        for line in &mut others {
            if line.event == name {
                line.only = Some(vec!["NoSuchTool".into()]);
            }
        }
        let outcome = dispatch(&others, &payload);
        prop_assert!(outcome.is_neutral());
        prop_assert!(outcome.trail.is_empty() && outcome.reason().is_empty());
        prop_assert_eq!(outcome.decision, Decision::Abstain);
        prop_assert_eq!(bytes(&outcome.payload), bytes(&payload));
        prop_assert_eq!(outcome.payload, payload);
        Ok(())
    });
}

#[test]
fn invariant_2_the_strictest_verdict_wins_whatever_the_order_of_the_judges() {
    let strategy = scripted::case().prop_flat_map(|(payload, lines)| {
        let order = Just((0..lines.len()).collect::<Vec<_>>()).prop_shuffle();
        (Just(payload), Just(lines), order)
    });
    check(&strategy, |(payload, lines, order)| {
        let outcome = dispatch(&lines, &payload);
        let heard = outcome.trail.iter().map(|step| step.decision).max().unwrap_or_default();
        match outcome.decision {
            // An `allow` of an input that was changed afterwards is the only decision that does not count.
            Decision::Abstain => prop_assert!(heard <= Decision::Allow),
            decision => prop_assert_eq!(decision, heard),
        }

        // The judges swap places among themselves; all other hooks stay.
        let judges: Vec<&Line> = lines.iter().filter(|line| line.role == Role::Judge).collect();
        let mut shuffled: Vec<&Line> =
            order.iter().map(|at| &lines[*at]).filter(|line| line.role == Role::Judge).collect();
        prop_assert_eq!(judges.len(), shuffled.len());
        let moved: Vec<Line> = lines
            .iter()
            .map(|line| if line.role == Role::Judge { shuffled.pop().unwrap().clone() } else { line.clone() })
            .collect();
        prop_assert_eq!(dispatch(&moved, &payload).decision, outcome.decision);

        // Neither does their position in the list matter.
        let (mut first, rest): (Vec<Line>, Vec<Line>) =
            lines.iter().cloned().partition(|line| line.role == Role::Judge);
        first.extend(rest);
        prop_assert_eq!(dispatch(&first, &payload).decision, outcome.decision);
        Ok(())
    });
}

#[test]
fn invariant_3_every_judge_saw_exactly_what_is_in_the_outcome() {
    check(&scripted::case(), |(payload, mut lines)| {
        let mut records = Vec::new();
        for line in &mut lines {
            let (recorder, shown) = Recorder::new(Arc::clone(&line.hook));
            line.hook = Arc::new(recorder);
            records.push(shown);
        }
        let outcome = dispatch(&lines, &payload);
        let last = bytes(&outcome.payload);
        let prevented = outcome.decision == Decision::Deny && outcome.payload.name().is_preventable();
        for (index, (line, record)) in lines.iter().zip(&records).enumerate() {
            let shown = record.all();
            match line.role {
                Role::Judge | Role::Observe => {
                    for seen in &shown {
                        prop_assert_eq!(seen, &last, "{:?}", line);
                    }
                }
                // Every hook that could have objected, and did not rewrite, has seen what runs.
                Role::Plain if !prevented && outcome.payload.event.output().is_none() => {
                    let mut own = outcome.trail.iter().filter(|step| step.index == index);
                    let content =
                        |step: &Step| step.change.is_none() && step.failure.is_none() && !step.again;
                    if own.any(content) {
                        prop_assert_eq!(shown.last().unwrap(), &last, "{:?}", line);
                    }
                }
                Role::Plain | Role::Edit => {}
            }
        }
        Ok(())
    });
}

#[test]
fn invariant_4_an_observer_changes_nothing() {
    let strategy = (scripted::case(), any::<prop::sample::Index>(), scripted::failure());
    check(&strategy, |((payload, lines), at, failure)| {
        let outcome = dispatch(&lines, &payload);
        let without: Vec<Line> = lines.iter().filter(|line| line.role != Role::Observe).cloned().collect();
        prop_assert_eq!(visible(&dispatch(&without, &payload)), visible(&outcome));

        for say in [
            Say::Fail(failure),
            Say::Panic(PanicWith::Literal),
            Say::Verdict(Verdict::deny("no").with_context("c").with_stop("s")),
        ] {
            let script = Script { name: "watch".into(), token: "k0", there: say.clone(), missing: say };
            let mut watch = Line::new(payload.name(), Arc::new(script));
            watch.role = Role::Observe;
            // Not even if its `on_failure` is `deny`.
            watch.on_failure = Some(OnFailure::Deny);
            let mut more = lines.clone();
            more.insert(at.index(lines.len() + 1), watch);
            let watched = dispatch(&more, &payload);
            prop_assert_eq!(visible(&watched), visible(&outcome));
            prop_assert!(watched.trail.iter().any(|step| watched.hook(step) == "watch"), "it was asked");
        }
        Ok(())
    });
}

#[test]
fn invariant_5_no_failure_is_weaker_than_on_failure() {
    let kinds = prop_oneof![
        scripted::failure().prop_map(Say::Fail),
        select(&[PanicWith::Literal, PanicWith::Owned, PanicWith::Number][..]).prop_map(Say::Panic),
        scripted::edit().prop_map(|edit| Say::Verdict(Verdict::edit(edit))),
    ];
    let role = select(&[Role::Plain, Role::Edit, Role::Judge][..]);
    let strategy = (scripted::case(), any::<prop::sample::Index>(), kinds, role, scripted::on_failure());
    check(&strategy, |((payload, mut lines), at, say, role, on_failure)| {
        let script = Script { name: "fails".into(), token: "k0", there: say.clone(), missing: say };
        let mut line = Line::new(payload.name(), Arc::new(script));
        (line.role, line.on_failure) = (role, on_failure);
        let promised = line.entry().unwrap().failure_rule().decision();
        let preventable = payload.name().is_preventable();
        if on_failure.is_none() {
            prop_assert_eq!(
                promised == Decision::Deny,
                preventable || (payload.name() == EventName::PostToolUse && role != Role::Plain)
            );
        }
        lines.insert(at.index(lines.len() + 1), line);
        let outcome = dispatch(&lines, &payload);
        let steps: Vec<_> = outcome.trail.iter().filter(|step| outcome.hook(step) == "fails").collect();
        // It is called unless a hook denied before, which is as strict as can be.
        prop_assert!(!steps.is_empty() || (preventable && outcome.decision == Decision::Deny));
        if steps.iter().any(|step| step.failure.is_some()) {
            prop_assert!(outcome.decision >= promised, "{:?}", outcome);
            let told = outcome.reasons().iter().any(|said| said.hook == "fails" && !said.text.is_empty());
            prop_assert_eq!(told, promised != Decision::Abstain);
        }
        Ok(())
    });
}

#[test]
fn invariant_6_a_denial_before_the_fact_ends_the_chain_and_edits_nothing() {
    check(&scripted::case(), |(payload, lines)| {
        let outcome = dispatch(&lines, &payload);
        if outcome.decision == Decision::Deny && payload.name().class() == Class::Gate {
            let denier = outcome.trail.iter().position(|step| step.decision == Decision::Deny).unwrap();
            prop_assert_eq!(&outcome.trail[denier].change, &None);
            for step in &outcome.trail[denier + 1..] {
                prop_assert_eq!(step.role, Role::Observe);
            }
            prop_assert!(!outcome.reason().trim().is_empty(), "a denial says why");
            prop_assert!(outcome.retry.is_none());
        }
        Ok(())
    });
}

#[test]
fn invariant_7_edits_compose() {
    let strategy = scripted::event_name().prop_flat_map(|name| {
        let editor = |hook: &str| {
            let says = scripted::fitting_edit(name)
                .prop_map(|edit| Say::Verdict(Verdict { edit, ..Verdict::default() }));
            let says = says.boxed();
            let hook = hook.to_owned();
            (select(&scripted::TOKENS[..]), says.clone(), says, select(&[Role::Plain, Role::Edit][..]))
                .prop_map(move |(token, there, missing, role)| {
                    let script = Script { name: hook.clone(), token, there, missing };
                    let mut line = Line::new(name, Arc::new(script.clone()));
                    line.about = format!("{script:?}");
                    line.role = role;
                    line
                })
        };
        (scripted::payload(name), editor("a"), editor("b"))
    });
    check(&strategy, |(payload, a, b)| {
        let both = dispatch(&[a.clone(), b.clone()], &payload);
        let first = dispatch(&[a], &payload);
        let then = dispatch(&[b], &first.payload);
        prop_assert_eq!(both.payload, then.payload);
        Ok(())
    });
}

/// A hook that waits for something that never comes, and keeps its deadline.
struct Waits(String);

impl Hook for Waits {
    fn name(&self) -> &str {
        &self.0
    }

    fn call(&self, _: &Payload, deadline: Deadline) -> Result<Verdict, Failure> {
        std::thread::sleep(deadline.start().saturating_duration_since(Instant::now()));
        Err(Failure::TimedOut { after: deadline.limit() })
    }
}

#[test]
fn invariant_9_dispatch_returns_within_the_budget_of_the_event() {
    // Eight times five seconds is far more than the second that the end of a session has.
    let mut hooks = Dispatcher::new();
    for at in 0..8 {
        hooks.add(Entry::new(EventName::SessionEnd, Waits(format!("h{at}"))));
    }
    let budget = EventName::SessionEnd.budget();
    let started = Instant::now();
    let outcome = hooks.dispatch(Payload::new(Event::Other(EventName::SessionEnd)));
    let taken = started.elapsed();
    assert!(taken >= budget, "the first hook had its time: {taken:?}");
    assert!(taken < budget + Duration::from_secs(4), "{taken:?}");
    assert_eq!(outcome.trail.len(), 8, "every hook was asked, with what was left");
    assert!(outcome.trail.iter().all(|step| matches!(step.failure, Some(Failure::TimedOut { .. }))));
}

#[test]
fn invariant_9_a_hook_that_times_out_denies_and_its_own_limit_holds() {
    let mut hooks = Dispatcher::new();
    hooks
        .add(Entry::new(EventName::PreToolUse, Waits("slow".into())).with_timeout(Duration::from_millis(50)));
    let started = Instant::now();
    let call = ToolCall::new("Bash", checkrein_core::Map::new());
    let outcome = hooks.dispatch(Payload::new(Event::PreToolUse { call }));
    assert!(started.elapsed() < Duration::from_secs(4));
    assert_eq!(outcome.decision, Decision::Deny);
    assert_eq!(outcome.reason(), "slow: the hook failed: timed out after 50 ms");
}

#[test]
fn invariant_9_hanging_commands_are_abandoned_in_time() {
    let mut hooks = Dispatcher::new();
    for at in 0..3 {
        let path: (OsString, OsString) = ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into());
        let hangs = CommandHook::new(Program::Shell("trap '' TERM; sleep 60; sleep 60".into()))
            .named(format!("hangs-{at}"))
            .environment([path]);
        let entry = Entry::new(EventName::PreToolUse, hangs).with_on_failure(OnFailure::Ask);
        hooks.add(entry.with_timeout(Duration::from_millis(300)));
    }
    let started = Instant::now();
    let call = ToolCall::new("Bash", checkrein_core::Map::new());
    let outcome = hooks.dispatch(Payload::new(Event::PreToolUse { call }));
    let taken = started.elapsed();
    assert!(taken >= Duration::from_millis(900), "each had its time: {taken:?}");
    assert!(taken < EventName::PreToolUse.budget(), "{taken:?}");
    assert_eq!(outcome.decision, Decision::Ask);
    assert_eq!(outcome.trail.len(), 3);
    assert!(outcome.trail.iter().all(|step| matches!(step.failure, Some(Failure::TimedOut { .. }))));
}

#[test]
fn the_list_is_ordered_and_its_clones_are_independent() {
    let entry = |name: &str| Entry::new(EventName::Stop, hook_fn(name, |_: &Payload| Verdict::abstain()));
    let names =
        |hooks: &Dispatcher| hooks.entries().iter().map(|entry| entry.name().to_owned()).collect::<Vec<_>>();
    let mut hooks = Dispatcher::new();
    for name in ["a", "b", "a", "c"] {
        hooks.add(entry(name));
    }
    let before = hooks.clone();
    assert_eq!(hooks.remove("a"), 2);
    assert_eq!(hooks.remove("nobody"), 0);
    assert_eq!(names(&hooks), ["b", "c"]);
    assert_eq!(names(&before), ["a", "b", "a", "c"]);

    // One dispatcher serves many threads at the same time.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let outcome = hooks.dispatch(Payload::new(Event::Other(EventName::Stop)));
                assert_eq!(outcome.trail.len(), 2);
            });
        }
    });
}
