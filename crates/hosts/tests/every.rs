//! One event in the words of every host: the same payload, and the same decision up to the host's abilities.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod calls;
#[path = "calls/moments.rs"]
mod moments;

use calls::calls;
use checkrein_core::{
    Asking, Class, Decision, Dispatcher, Edit, Editing, Entry, Event, EventName, Map, Outcome, Payload, Role,
    Verdict, hook_fn,
};
use moments::Moment;
use proptest::prelude::*;
use serde_json::Value;

fn verdicts() -> impl Strategy<Value = Verdict> {
    let decisions = prop::sample::select(Decision::ALL.as_slice());
    (decisions, prop::option::of("[a-z]{1,8}"), any::<bool>()).prop_map(|(decision, command, context)| {
        let edit = command.map(|command| {
            let mut input = Map::new();
            input.insert("command".into(), command.into());
            Edit::MergeInput(input)
        });
        let context = if context { vec!["know".to_owned()] } else { Vec::new() };
        Verdict { decision, edit, context, ..Verdict::default() }
    })
}

#[test]
fn every_host_is_tried() {
    let tried: Vec<&str> = calls("true").iter().map(|(host, _)| *host).collect();
    let known: Vec<&str> =
        checkrein_hosts::ALL.iter().map(|host| host.name()).filter(|name| *name != "example").collect();
    assert_eq!(tried, known);
}

proptest! {
    #[test]
    fn every_host_under_one_policy_decides_the_same(command in "[a-z ]{1,12}", verdict in verdicts()) {
        for (host, call) in calls(&command) {
            let dialect = checkrein_hosts::find(host).unwrap();
            let payload = dialect.decode(call.to_string().into_bytes(), Some(EventName::PreToolUse)).unwrap();
            let seen = payload.event.call().unwrap();
            prop_assert_eq!((seen.name.as_str(), &seen.input["command"]), ("Bash", &Value::from(command.as_str())), "{}", host);
            prop_assert_eq!(payload.session.cwd.as_deref(), Some("/home/dev/shop"));
            prop_assert_eq!(payload.session.id.as_deref(), Some("s"));
            let mut hooks = Dispatcher::new();
            let answer = verdict.clone();
            let hook = hook_fn("h", move |_: &Payload| answer.clone());
            hooks.add(Entry::new(EventName::PreToolUse, hook).with_role(Role::Plain).with_may_allow(true));
            let before = hooks.dispatch(payload);
            let abilities = dialect.abilities(&before);
            let (wanted, edited) = (before.decision, before.is_edited());
            let (outcome, reply) = checkrein_hosts::answer(dialect, before);
            // What the host cannot express is a denial, or silence for an `allow`.
            let cannot_edit = match abilities.edit {
                Editing::Applies => false,
                Editing::WithAllow => wanted != Decision::Allow || !abilities.allow,
                Editing::Cannot => true,
            };
            let expected = match wanted {
                Decision::Deny => Decision::Deny,
                _ if edited && cannot_edit => Decision::Deny,
                Decision::Ask if abilities.ask == Asking::Cannot => Decision::Deny,
                Decision::Allow if !abilities.allow => Decision::Abstain,
                decision => decision,
            };
            prop_assert_eq!(outcome.decision, expected, "{} {:?}", host, abilities);
            let said = String::from_utf8(reply.stdout).unwrap();
            if expected == Decision::Deny {
                prop_assert!(["deny", "block", "cancel"].iter().any(|word| said.contains(word)), "{}: {}", host, said);
            }
        }
    }
}

fn moments() -> impl Strategy<Value = Moment> {
    prop_oneof![
        "[a-z ]{1,12}".prop_map(Moment::Result),
        "[a-z ]{1,12}".prop_map(Moment::Prompt),
        Just(Moment::Start),
        Just(Moment::Stop),
    ]
}

/// Returns what a hook says about an event: it depends on the text that the hook sees.
fn judged(payload: &Payload, decision: Decision, edits: bool, stops: bool) -> Verdict {
    let text = match &payload.event {
        Event::PostToolUse { output, .. } => output.text().to_owned(),
        Event::UserPromptSubmit { prompt } => prompt.clone(),
        _ => String::new(),
    };
    let edit = match &payload.event {
        Event::PostToolUse { .. } => Some(Edit::Output(text.replace(' ', "_").into())),
        Event::UserPromptSubmit { .. } => Some(Edit::Prompt(text.replace(' ', "_"))),
        _ => None,
    };
    Verdict {
        decision,
        reason: Some(format!("the text is `{text}`")),
        edit: edit.filter(|_| edits),
        stop: stops.then(|| "enough".to_owned()),
        ..Verdict::default()
    }
}

/// Returns what matters of an outcome: what is decided and changed.
fn essence(outcome: &Outcome) -> (Decision, bool, bool, Vec<String>) {
    (
        outcome.decision,
        outcome.is_edited(),
        outcome.stop.is_some(),
        outcome.downgraded.iter().map(ToString::to_string).collect(),
    )
}

proptest! {
    /// Hosts with the same abilities do the same, and a host without one is stricter or says so.
    #[test]
    fn every_event_is_decided_the_same_up_to_abilities(
        moment in moments(),
        decision in prop::sample::select(Decision::ALL.as_slice()),
        edits in any::<bool>(),
        stops in any::<bool>(),
    ) {
        let (mut decided, mut answered) = (Vec::new(), Vec::new());
        for (host, sent) in moment.sent() {
            let dialect = checkrein_hosts::find(host).unwrap();
            let payload = dialect.decode(sent.to_string().into_bytes(), Some(moment.event()));
            let payload = payload.unwrap_or_else(|error| panic!("{host}: {error}: {sent}"));
            prop_assert_eq!(payload.name(), moment.event(), "{}", host);
            prop_assert_eq!(payload.session.cwd.as_deref(), Some("/home/dev/shop"), "{}", host);
            prop_assert_eq!(payload.session.id.as_deref(), Some("s"), "{}", host);
            match (&moment, &payload.event) {
                // What a host writes around a text is not the command's.
                (Moment::Result(text), Event::PostToolUse { call, output }) => {
                    prop_assert!(output.text().contains(text.as_str()), "{}: {}", host, output.text());
                    prop_assert_eq!((call.name.as_str(), call.text("command")), ("Bash", Some("make")), "{}", host);
                }
                (Moment::Prompt(text), Event::UserPromptSubmit { prompt }) => prop_assert_eq!(prompt, text, "{}", host),
                (Moment::Start | Moment::Stop, Event::Other(_)) => {}
                (_, event) => prop_assert!(false, "{}: {:?}", host, event),
            }
            let mut hooks = Dispatcher::new();
            let hook = hook_fn("h", move |payload: &Payload| judged(payload, decision, edits, stops));
            hooks.add(Entry::new(moment.event(), hook).with_role(Role::Plain).with_may_allow(true));
            let before = hooks.dispatch(payload);
            decided.push((host, before.decision, before.is_edited(), before.stop.is_some()));
            let abilities = dialect.abilities(&before);
            let (outcome, _) = checkrein_hosts::answer(dialect, before);
            answered.push((host, abilities, outcome));
        }
        prop_assert!(decided.len() >= 10);
        // Under one policy every host decides the same.
        let (_, first, edited, stopped) = decided[0];
        for (host, decision, edit, stop) in &decided {
            prop_assert_eq!((*decision, *edit, *stop), (first, edited, stopped), "{}", host);
        }
        for (place, (host, abilities, outcome)) in answered.iter().enumerate() {
            for (other, same, theirs) in answered.iter().skip(place + 1).filter(|(_, other, _)| other == abilities) {
                let (one, another) = (essence(outcome), essence(theirs));
                // Words about the text differ where a host writes around it.
                prop_assert_eq!((one.0, one.1, one.2, one.3.len()), (another.0, another.1, another.2, another.3.len()), "{} and {}: {:?}", host, other, same);
            }
            let class = moment.event().class();
            let is_gate = class == Class::Gate;
            if first == Decision::Deny && is_gate {
                prop_assert_eq!(outcome.decision, Decision::Deny, "{}", host);
            }
            let is_lost = first == Decision::Deny && !abilities.deny
                || first == Decision::Ask && outcome.decision < Decision::Ask && abilities.ask == Asking::Cannot
                || stopped && outcome.stop.is_none();
            if is_lost {
                prop_assert!(!outcome.downgraded.is_empty(), "{} loses {:?} and does not report it", host, first);
            }
        }
    }
}
