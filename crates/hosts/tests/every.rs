//! One call in the words of every host: the same payload, and the same decision up to the host's abilities.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod calls;

use calls::calls;
use checkrein_core::{
    Asking, Decision, Dispatcher, Edit, Editing, Entry, EventName, Map, Payload, Role, Verdict, hook_fn,
};
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
