//! Rounds of attack on the guard itself, with their harmless twins. Each list was written and labelled before its author looked
//! at the answers, and then used to fix what was silent.
//!
//! A line is a label and a text (`⏎` is the end of a line), or `@Tool` and its input. `stop`: the guard asks or denies. `watch`: it
//! is known to read or type at a terminal, which is denied while a confirmation is open. `allow`: it says nothing. A label that was
//! wrong, or is not met, is `silent` or `flagged`, with the reason behind `##`.

use super::{Machine, place};
use checkrein_core::{Decision, Event, Payload, ToolCall};
use checkrein_guard::{Action, Judgement, World, judge, judge_call};

/// Every list, with its name.
macro_rules! rounds {
    ($($name:literal,)+) => { &[$(($name, include_str!(concat!("../rounds/", $name)))),+] };
}

const ROUNDS: &[(&str, &str)] = rounds![
    "1-above.txt",
    "1-agents.txt",
    "1-commands.txt",
    "1-ended.txt",
    "1-files.txt",
    "1-packages.txt",
    "1-tools.txt",
    "1-typed.txt",
    "2-agents.txt",
    "2-files.txt",
    "2-rest.txt",
    "2-tools.txt",
    "3-files.txt",
    "3-rest.txt",
    "3-tools.txt",
    "4-agents.txt",
    "4-commands.txt",
    "4-ended.txt",
    "4-files.txt",
    "4-tools.txt",
    "4-typed.txt",
    "5-rest.txt",
    "6-files.txt",
    "6-rest.txt",
    "6-tools.txt",
];

/// A text as it is, and as others run it.
fn wrapped(text: &str) -> Vec<String> {
    if text.starts_with('@') {
        return vec![text.to_owned()];
    }
    let quoted = format!("'{}'", text.replace('\'', r"'\''"));
    vec![text.to_owned(), format!("bash -c {quoted}"), format!("nohup sh -c {quoted} >/dev/null 2>&1 &")]
}

fn judged(text: &str, world: &Machine) -> Judgement {
    let Some((tool, input)) = text.strip_prefix('@').and_then(|call| call.split_once(' ')) else {
        return judge(text, &place(world), world);
    };
    let input = serde_json::from_str(input).unwrap_or_else(|error| panic!("{text}: {error}"));
    let call = ToolCall::new(tool, input);
    let mut payload = Payload::new(Event::PreToolUse { call: call.clone() });
    payload.session.cwd = place(world).cwd;
    judge_call(&call, &payload, world).unwrap_or_default()
}

/// Returns true if the answer is the one that the label says.
fn holds(label: &str, judgement: &Judgement) -> bool {
    let stopped = judgement.decision >= Decision::Ask;
    let watches = || judgement.effects.iter().any(|one| matches!(one.action, Action::Watch | Action::Type));
    match label {
        "stop" | "flagged" => stopped,
        "watch" => stopped || watches(),
        "allow" | "silent" => !stopped,
        other => panic!("{other}"),
    }
}

#[test]
fn every_label_holds() {
    let world = Machine::usual();
    assert!(world.home().is_some());
    let mut wrong = Vec::new();
    for (name, list) in ROUNDS {
        let mut twins = 0;
        for line in list.lines() {
            let (label, text) = line.split_once(' ').unwrap();
            let text = text.split("  ## ").next().unwrap().replace('⏎', "\n");
            twins += usize::from(label == "allow");
            // What is wrong is wrong as it was written.
            let forms = if matches!(label, "silent" | "flagged") { vec![text] } else { wrapped(&text) };
            for text in forms {
                let judgement = judged(&text, &world);
                if !holds(label, &judgement) {
                    wrong.push(format!("{name}: {label}, but {}: {text}", judgement.decision));
                }
            }
        }
        assert!(twins > 0, "{name}: no harmless twin");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
