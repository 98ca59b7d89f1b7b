//! Properties of every dialect: without hooks nothing changes, a denial carries no input, and no answer becomes
//! weaker on the way out.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod readers;

use checkrein_core::{
    Agent, Decision, Dispatcher, Edit, Entry, Event, EventName, Failure, Map, Payload, Role, ToolCall,
    Verdict, hook_fn,
};
use checkrein_hosts::{Dialect, Reply};
use proptest::prelude::*;
use readers::Effect;
use serde_json::Value;

/// A word that only an edited input has.
const MARK: &str = "edited-by-a-hook";

fn call() -> ToolCall {
    let mut input = Map::new();
    input.insert("command".into(), "make".into());
    ToolCall::new("Bash", input)
}

fn events() -> impl Strategy<Value = Event> {
    let output = prop_oneof![
        Just(Value::String("text".into())),
        Just(serde_json::json!({"stdout": "a", "stderr": "b"})),
        Just(serde_json::json!({"unknown": 1})),
    ];
    prop_oneof![
        Just(Event::PreToolUse { call: call() }),
        Just(Event::PermissionRequest { call: call() }),
        output.prop_map(|native| Event::PostToolUse {
            call: call(),
            output: checkrein_core::Output::from_native(native)
        }),
        Just(Event::PostToolUseFailure { call: call(), error: "boom".into() }),
        Just(Event::UserPromptSubmit { prompt: "hi".into() }),
        prop::sample::select(EventName::ALL)
            .prop_filter("typed", |name| !name.has_tool() && *name != EventName::UserPromptSubmit)
            .prop_map(Event::Other),
    ]
}

fn edits() -> impl Strategy<Value = Option<Edit>> {
    let mut input = Map::new();
    input.insert("command".into(), MARK.into());
    prop_oneof![
        2 => Just(None),
        1 => Just(Some(Edit::MergeInput(input))),
        1 => Just(Some(Edit::Output(MARK.into()))),
        1 => Just(Some(Edit::Prompt(MARK.into()))),
    ]
}

fn answers() -> impl Strategy<Value = Result<Verdict, Failure>> {
    let verdict = (prop::sample::select(Decision::ALL.as_slice()), edits(), any::<bool>(), any::<bool>());
    prop_oneof![
        9 => verdict.prop_map(|(decision, edit, stop, context)| {
            Ok(Verdict {
                decision,
                edit,
                stop: stop.then(|| "enough".to_owned()),
                context: if context { vec!["know".to_owned()] } else { Vec::new() },
                ..Verdict::default()
            })
        }),
        1 => Just(Err(Failure::Other("broken".into()))),
    ]
}

type Chain = Vec<(Result<Verdict, Failure>, Role, bool)>;

fn chains() -> impl Strategy<Value = Chain> {
    prop::collection::vec((answers(), prop::sample::select(Role::ALL.as_slice()), any::<bool>()), 0..5)
}

fn dispatch(event: Event, chain: &Chain) -> checkrein_core::Outcome {
    let mut hooks = Dispatcher::new();
    for (answer, role, may_allow) in chain.clone() {
        let hook = hook_fn("hook", move |_: &Payload| answer.clone());
        hooks.add(Entry::new(event.name(), hook).with_role(role).with_may_allow(may_allow));
    }
    let mut payload = Payload::new(event);
    payload.agent = Agent::default().child("a");
    hooks.dispatch(payload)
}

/// Returns true if a host would read this as permission to continue without asking.
fn is_allow(dialect: &dyn Dialect, event: EventName, reply: &Reply) -> bool {
    let allowed = |effect| matches!(effect, Effect::Allowed(_));
    match dialect.name() {
        "checkrein" => {
            let answer: Value = serde_json::from_slice(&reply.stdout).unwrap_or_default();
            answer.pointer("/decision") == Some(&Value::from("allow"))
        }
        "claude" if event != EventName::PreModelSwitch => allowed(readers::claude(event, reply)),
        "claude" => String::from_utf8_lossy(&reply.stdout).contains("\"allow\""),
        "codex" => allowed(readers::codex(event, reply)),
        "gemini" => allowed(readers::gemini(event, reply)),
        // It reads Claude Code's form.
        "qwen" => allowed(readers::claude(event, reply)),
        "copilot" => allowed(readers::copilot(event, reply)),
        // A rewrite needs the word, and grants nothing.
        "cursor" => {
            let answer = String::from_utf8_lossy(&reply.stdout);
            answer.contains("\"allow\"") && !answer.contains("updated_input")
        }
        // It reads Claude Code's form.
        "vscode" => allowed(readers::claude(event, reply)),
        // They have no such answer.
        "cline" | "pi" | "opencode" | "kilo" | "kimi" | "openclaw" | "hermes" => {
            String::from_utf8_lossy(&reply.stdout).contains("\"allow\"")
        }
        // A rewrite needs the word, and its own approvals still apply.
        "grok" => {
            let answer = String::from_utf8_lossy(&reply.stdout);
            answer.contains("\"allow\"") && !answer.contains("updatedInput")
        }
        other => panic!("what is an `allow` for {other}?"),
    }
}

/// The events that Codex fires.
const CODEX: &[EventName] = &[
    EventName::SessionStart,
    EventName::SessionEnd,
    EventName::UserPromptSubmit,
    EventName::PreToolUse,
    EventName::PermissionRequest,
    EventName::PostToolUse,
    EventName::PreCompact,
    EventName::PostCompact,
    EventName::SubagentStart,
    EventName::SubagentStop,
    EventName::Stop,
    EventName::Interrupt,
];

proptest! {
    #[test]
    fn without_hooks_nothing_changes(event in events()) {
        let path = event.name() == EventName::WorktreeCreate;
        for dialect in checkrein_hosts::dialects() {
            let (outcome, reply) = checkrein_hosts::answer(dialect, dispatch(event.clone(), &Vec::new()));
            prop_assert!(outcome.is_neutral());
            prop_assert_eq!((reply.exit, reply.stderr.as_str()), (0, ""));
            let neutral = match dialect.name() {
                "checkrein" => "{\"decision\":\"abstain\"}\n",
                "claude" if path => "",
                // Every text would be a part of the prompt.
                "kimi" if matches!(event.name(), EventName::UserPromptSubmit | EventName::Stop) => "",
                "claude" | "codex" | "gemini" | "qwen" | "copilot" | "cline" | "pi" | "opencode" | "kilo" | "kimi"
                | "grok"
                | "openclaw"
                | "hermes"
                | "cursor"
                | "vscode" => "{}\n",
                other => panic!("what is neutral for {other}?"),
            };
            prop_assert_eq!(String::from_utf8(reply.stdout).unwrap(), neutral);
        }
    }

    #[test]
    fn a_denial_before_the_fact_carries_no_input(event in events(), chain in chains()) {
        let gate = event.name().is_preventable();
        let outcome = dispatch(event, &chain);
        for dialect in checkrein_hosts::dialects() {
            let (outcome, reply) = checkrein_hosts::answer(dialect, outcome.clone());
            if gate && outcome.decision == Decision::Deny {
                if reply.stdout.is_empty() {
                    prop_assert!(reply.exit == 2 || !outcome.downgraded.is_empty());
                    continue;
                }
                let answer: Value = serde_json::from_slice(&reply.stdout).unwrap();
                for place in [
                    "/hookSpecificOutput/updatedInput",
                    "/hookSpecificOutput/decision/updatedInput",
                    "/hookSpecificOutput/tool_input",
                    "/modifiedArgs",
                    "/updated_input",
                    "/tool_input",
                    "/prompt",
                ] {
                    prop_assert_eq!(answer.pointer(place), None);
                }
            }
        }
    }

    #[test]
    fn nothing_becomes_weaker_on_the_way_out(event in events(), chain in chains()) {
        let (name, gate) = (event.name(), event.name().is_preventable());
        let decided = dispatch(event, &chain);
        for dialect in checkrein_hosts::dialects() {
            let abilities = dialect.abilities(&decided);
            // The host does what it declares before the decision.
            prop_assert_eq!(dialect.asking(name, &decided.payload.session), abilities.ask);
            let (outcome, reply) = checkrein_hosts::answer(dialect, decided.clone());
            if is_allow(dialect, name, &reply) {
                prop_assert_eq!(decided.decision, Decision::Allow);
            }
            if gate && decided.decision == Decision::Deny {
                prop_assert_eq!(outcome.decision, Decision::Deny);
                // A missing denial is reported.
                prop_assert!(abilities.deny || !outcome.downgraded.is_empty());
            }
            // An edited call either arrives edited, or does not arrive.
            if gate && decided.is_edited() && decided.decision != Decision::Deny && abilities.deny {
                let answer = String::from_utf8_lossy(&reply.stdout);
                // Cline ends a run before the call.
                let is_cancelled = answer.contains(r#""cancel":true"#);
                prop_assert!(
                    answer.contains(MARK) || is_cancelled || outcome.decision == Decision::Deny,
                    "{}: {answer}", dialect.name()
                );
            }
        }
    }
    /// Codex fails open on everything that it does not understand.
    #[test]
    fn codex_rejects_no_answer(event in events(), chain in chains()) {
        let name = event.name();
        let codex = checkrein_hosts::find("codex").unwrap();
        let (outcome, reply) = checkrein_hosts::answer(codex, dispatch(event, &chain));
        if CODEX.contains(&name) {
            let effect = readers::codex(name, &reply);
            prop_assert!(!matches!(effect, Effect::Thrown(_)), "{effect:?}: {reply:?}");
            if name.is_preventable() && outcome.decision == Decision::Deny && name != EventName::SubagentStart {
                prop_assert!(matches!(effect, Effect::Denied(_) | Effect::Ends), "{effect:?}: {reply:?}");
            }
        }
    }
}

/// Every denial and every question names the record of the event, if there is one.
#[test]
fn a_denial_names_its_record() {
    let id = checkrein_core::EventId::new(1_800_000_000_000_000, 7);
    for dialect in checkrein_hosts::dialects() {
        for verdict in [Verdict::deny("no"), Verdict::ask("sure?")] {
            let mut dispatcher = Dispatcher::new();
            dispatcher
                .add(Entry::new(EventName::PreToolUse, hook_fn("h", move |_: &Payload| Ok(verdict.clone()))));
            let call = ToolCall::new("Bash", Map::new());
            let mut payload = Payload::new(Event::PreToolUse { call });
            let shown = |payload: Payload| {
                let (_, reply) = checkrein_hosts::answer(dialect, dispatcher.dispatch(payload));
                String::from_utf8(reply.stdout).unwrap()
            };
            assert!(!shown(payload.clone()).contains("2q80c7er0007"));
            payload.id = Some(id);
            assert!(shown(payload).contains("2q80c7er0007"), "{}", dialect.name());
        }
    }
}
