//! Compares one event in two dialects: the same payload, and the same decision up to the documented differences.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod readers;

use checkrein_core::{
    Decision, Dispatcher, Edit, Entry, Event, EventName, Map, Output, Payload, Role, Verdict, hook_fn,
};
use proptest::prelude::*;
use readers::Effect;
use serde_json::{Value, json};

/// An event in neutral form.
#[derive(Clone, Debug)]
enum Sent {
    Tool { event: EventName, tool: &'static str, input: Value, output: String },
    Prompt(String),
    Start,
    Stop { active: bool },
}

impl Sent {
    fn fields(&self) -> Map {
        let mut fields = json!({"session_id": "s", "cwd": "/home/dev/project", "transcript_path": "/t",
                                "permission_mode": "default"});
        let fields = fields.as_object_mut().unwrap();
        let mut set = |key: &str, value: Value| drop(fields.insert(key.into(), value));
        match self {
            Self::Tool { event, tool, input, .. } => {
                set("hook_event_name", event.as_str().into());
                set("tool_name", (*tool).into());
                set("tool_input", input.clone());
            }
            Self::Prompt(prompt) => {
                set("hook_event_name", "UserPromptSubmit".into());
                set("prompt", prompt.as_str().into());
            }
            Self::Start => {
                set("hook_event_name", "SessionStart".into());
                set("source", "startup".into());
            }
            Self::Stop { active } => {
                set("hook_event_name", "Stop".into());
                set("stop_hook_active", (*active).into());
                set("last_assistant_message", "done".into());
            }
        }
        fields.clone()
    }

    /// Writes the event as Claude Code.
    fn by_claude(&self) -> Vec<u8> {
        let mut fields = self.fields();
        fields.insert("prompt_id".into(), "p".into());
        if let Self::Tool { event: EventName::PostToolUse, output, .. } = self {
            let response = json!({"stdout": output, "stderr": "", "interrupted": false, "isImage": false});
            fields.insert("tool_response".into(), response);
        }
        Value::Object(fields).to_string().into_bytes()
    }

    /// Writes the event as Codex.
    fn by_codex(&self) -> Vec<u8> {
        let mut fields = self.fields();
        fields.insert("turn_id".into(), "t".into());
        fields.insert("model".into(), "m".into());
        if let Self::Tool { event: EventName::PostToolUse, output, .. } = self {
            fields.insert("tool_response".into(), output.as_str().into());
        }
        Value::Object(fields).to_string().into_bytes()
    }
}

fn sent() -> impl Strategy<Value = Sent> {
    let names = vec![EventName::PreToolUse, EventName::PermissionRequest, EventName::PostToolUse];
    let tool = (prop::sample::select(names), "[a-z ]{0,12}", "[a-z\n]{1,12}", any::<bool>()).prop_map(
        |(event, command, output, server)| {
            let (tool, input) = if server {
                ("mcp__notes__add", json!({"text": command, "many": 2}))
            } else {
                ("Bash", json!({"command": command}))
            };
            Sent::Tool { event, tool, input, output }
        },
    );
    prop_oneof![
        6 => tool,
        2 => "[a-z ]{0,12}".prop_map(Sent::Prompt),
        1 => Just(Sent::Start),
        2 => any::<bool>().prop_map(|active| Sent::Stop { active }),
    ]
}

fn verdicts() -> impl Strategy<Value = Verdict> {
    let edits = prop_oneof![
        3 => Just(None),
        1 => Just(Some(json!({"command": "true"}))),
        1 => Just(Some(json!({"command": "true", "timeout": 3}))),
    ];
    let decisions = prop::sample::select(Decision::ALL.as_slice());
    (decisions, edits, prop::option::of("[a-z]{1,8}"), any::<bool>(), any::<bool>()).prop_map(
        |(decision, input, output, stop, context)| {
            let input = input.and_then(|input| input.as_object().cloned()).map(Edit::MergeInput);
            Verdict {
                decision,
                edit: input.or(output.map(|text| Edit::Output(text.into()))),
                stop: stop.then(|| "enough".to_owned()),
                context: if context { vec!["know".to_owned()] } else { Vec::new() },
                ..Verdict::default()
            }
        },
    )
}

/// Returns the agent's reaction to this hook's answer.
fn effect(host: &str, bytes: Vec<u8>, verdict: &Verdict, role: Role) -> (Payload, Effect) {
    let dialect = checkrein_hosts::find(host).unwrap();
    let payload = dialect.decode(bytes, None).unwrap();
    let name = payload.name();
    let verdict = verdict.clone();
    let mut hooks = Dispatcher::new();
    hooks.add(
        Entry::new(name, hook_fn("h", move |_: &Payload| verdict.clone()))
            .with_role(role)
            .with_may_allow(true),
    );
    let (_, reply) = checkrein_hosts::answer(dialect, hooks.dispatch(payload.clone()));
    let read = if host == "codex" { readers::codex } else { readers::claude };
    (payload, read(name, &reply))
}

/// Returns the documented reaction of Codex where Claude Code's is `effect`.
fn by_codex_instead(sent: &Sent, effect: Effect, verdict: &Verdict) -> Effect {
    let denied = || Effect::Denied(String::new());
    match (sent, effect) {
        // A shell call takes no other argument.
        (
            Sent::Tool { event: EventName::PreToolUse, tool: "Bash", .. },
            Effect::GoesOnWith(input) | Effect::Allowed(Some(input)),
        ) if input.get("timeout").is_some() => denied(),
        // The user cannot be asked, and before a tool nothing is allowed.
        (Sent::Tool { event: EventName::PreToolUse, .. }, Effect::Asked(_)) => denied(),
        (Sent::Tool { event: EventName::PreToolUse, .. }, Effect::Allowed(Some(input))) => {
            Effect::GoesOnWith(input)
        }
        (Sent::Tool { event: EventName::PreToolUse, .. }, Effect::Allowed(None)) => Effect::GoesOn,
        // An approval is for the original input.
        (Sent::Tool { event: EventName::PermissionRequest, .. }, Effect::Allowed(Some(_))) => denied(),
        // A turn does not end after a tool.
        (Sent::Tool { event: EventName::PostToolUse, .. }, Effect::Ends) => Effect::GoesOn,
        // A session can be ended at its start (by a hook that does not fail, as one that edits there would).
        (Sent::Start, Effect::GoesOn) if verdict.stop.is_some() && verdict.edit.is_none() => Effect::Ends,
        // Codex has no limit of its own here.
        (Sent::Stop { active: true }, Effect::Denied(_)) => Effect::GoesOn,
        (_, same) => same,
    }
}

/// Reasons differ, since they say what the agent lacks.
fn without_words(effect: Effect) -> Effect {
    match effect {
        Effect::Denied(_) => Effect::Denied(String::new()),
        Effect::Replaced(text) if text.starts_with("[output withheld]") => {
            Effect::Replaced("withheld".into())
        }
        other => other,
    }
}

/// Returns the content of a payload, independent of the host.
fn content(payload: Payload) -> Payload {
    let mut payload = Payload { raw: Vec::new(), host: checkrein_core::Host::default(), ..payload };
    for own in ["prompt_id", "turn_id", "model"] {
        payload.extra.shift_remove(own);
    }
    if let Event::PostToolUse { output, .. } = &mut payload.event {
        *output = Output::from(output.text());
    }
    payload
}

proptest! {
    #[test]
    fn two_agents_under_one_policy_agree(sent in sent(), verdict in verdicts(), editor in any::<bool>()) {
        let role = if editor { Role::Edit } else { Role::Plain };
        let (one, by_claude) = effect("claude", sent.by_claude(), &verdict, role);
        let (other, by_codex) = effect("codex", sent.by_codex(), &verdict, role);
        prop_assert_eq!(content(one), content(other));
        let expected = by_codex_instead(&sent, by_claude, &verdict);
        prop_assert_eq!(without_words(by_codex), without_words(expected));
    }
}
