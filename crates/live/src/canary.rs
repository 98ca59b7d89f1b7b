//! Harmless calls that leave a mark if they run, and what our hook says to each.

use crate::{Ability, Agent, Place};
use checkrein_model::Call;
use serde_json::{Value, json};

/// What the reason of our denials says, so that it is recognised wherever it turns up.
pub(crate) const REASON: &str = "the canary may not sing";
/// What our question says.
pub(crate) const QUESTION: &str = "a person should hear this canary first";
/// What a rewritten call writes.
pub(crate) const REWRITTEN: &str = "rewritten by a hook";
/// What the file holds that is printed and replaced. The model must not see it.
pub(crate) const REPLACED: &str = "canary-seed-5d2e91bc";
/// What the other file holds, which is printed and withheld. The model must not see it either.
pub(crate) const WITHHELD: &str = "canary-seed-7f3a08d4";
/// What the model sees instead of what is replaced.
pub(crate) const REDACTED: &str = "[a hook took the seed away]";
/// What the model is told beside a call.
pub(crate) const CONTEXT: &str = "a hook says that the canary is yellow";

/// Files in the project, and what they hold. What is printed must not stand in the call itself, which the model knows.
pub(crate) const SEEDS: [(&str, &str); 2] = [("seed-1.txt", REPLACED), ("seed-2.txt", WITHHELD)];

/// The word in a prompt that is to be refused.
pub(crate) const PROMPT: &str = "canary-prompt";

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Canary {
    Pass,
    Deny,
    Policy,
    Ask,
    Rewrite,
    Redact,
    Withhold,
    Context,
    Hang,
    Missing,
}

impl Canary {
    pub(crate) const ABILITIES: [Self; 10] = [
        Self::Pass,
        Self::Deny,
        Self::Policy,
        Self::Ask,
        Self::Rewrite,
        Self::Redact,
        Self::Withhold,
        Self::Context,
        Self::Hang,
        Self::Missing,
    ];

    /// What it shows.
    pub(crate) fn ability(self) -> Ability {
        match self {
            Self::Pass => Ability::Fired,
            Self::Deny => Ability::Denial,
            Self::Policy => Ability::Policy,
            Self::Ask => Ability::Question,
            Self::Rewrite => Ability::Rewrite,
            Self::Redact => Ability::Redaction,
            Self::Withhold => Ability::Withholding,
            Self::Context => Ability::Context,
            Self::Hang => Ability::HookHangs,
            Self::Missing => Ability::HookMissing,
        }
    }

    /// The name that the call carries, and the beginning of the name of its mark.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pass => "canary-pass",
            Self::Deny => "canary-deny",
            Self::Policy => "canary-policy",
            Self::Ask => "canary-ask",
            Self::Rewrite => "canary-rewrite",
            Self::Redact => "canary-redact",
            Self::Withhold => "canary-withhold",
            Self::Context => "canary-context",
            Self::Hang => "canary-hang",
            Self::Missing => "canary-missing",
        }
    }

    /// The file in the project that is there if the call ran.
    pub(crate) fn mark(self) -> String {
        format!("{}.txt", self.name())
    }

    /// The call, in the words of the agent.
    pub(crate) fn call(self, agent: &dyn Agent, place: &Place) -> Call {
        let (name, mark) = (self.name(), self.mark());
        match self {
            // There is no repository, no branch and no network, so that nothing is lost if it runs.
            Self::Policy => agent.shell(&format!("git push --force origin {name} > {mark}")),
            Self::Redact => agent.shell(&format!("cat seed-1.txt | tee {mark}")),
            Self::Withhold => agent.shell(&format!("cat seed-2.txt | tee {mark}")),
            Self::Missing => agent.write(&place.project().join(mark), "sung\n"),
            Self::Pass | Self::Deny | Self::Ask | Self::Rewrite | Self::Context | Self::Hang => {
                agent.shell(&format!("echo {name} > {mark}"))
            }
        }
    }

    /// The canary that an event is about, if it is about one.
    fn of(event: &Value) -> Option<Self> {
        let input = event.get("tool_input")?.to_string();
        Self::ABILITIES.into_iter().find(|canary| input.contains(canary.name()))
    }

    /// What our hook answers, or nothing if it never does.
    fn answer(self, event: &str) -> Option<Value> {
        Some(match (self, event) {
            (Self::Deny, "PreToolUse") => json!({"decision": "deny", "reason": REASON}),
            (Self::Ask, "PreToolUse") => json!({"decision": "ask", "reason": QUESTION}),
            (Self::Rewrite, "PreToolUse") => {
                let command = format!("echo {REWRITTEN} > {}", self.mark());
                json!({"rewrite_args": {"command": command}})
            }
            (Self::Redact, "PostToolUse") => json!({"rewrite_output": REDACTED}),
            (Self::Withhold, "PostToolUse") => json!({"decision": "deny", "reason": REASON}),
            (Self::Context, "PreToolUse") => json!({"context": CONTEXT}),
            (Self::Hang, "PreToolUse") => return None,
            (
                Self::Pass
                | Self::Deny
                | Self::Policy
                | Self::Ask
                | Self::Rewrite
                | Self::Redact
                | Self::Withhold
                | Self::Context
                | Self::Hang
                | Self::Missing,
                _,
            ) => json!({}),
        })
    }
}

/// What the hook of the scratch configuration is to do with an event.
pub(crate) enum Reaction {
    /// Say this.
    Say(Value),
    /// Never answer.
    Hang,
}

pub(crate) fn react(event: &Value) -> Reaction {
    if event.get("prompt").and_then(Value::as_str).is_some_and(|prompt| prompt.contains(PROMPT)) {
        return Reaction::Say(json!({"decision": "deny", "reason": REASON}));
    }
    let Some(canary) = Canary::of(event) else { return Reaction::Say(json!({})) };
    let name = event.get("hook_event_name").and_then(Value::as_str).unwrap_or_default();
    canary.answer(name).map_or(Reaction::Hang, Reaction::Say)
}

/// The scratch configuration: our hook at prompts, before and after shell calls, and one that cannot be started before
/// files are written.
pub(crate) fn configuration(place: &Place) -> String {
    let program = json!([place.checkrein().to_string_lossy(), crate::ANSWER]);
    let nowhere = json!([place.folder().join("no-such-hook").to_string_lossy()]);
    let shell = "match = { tool = \"kind:shell\" }\n";
    let files = "match = { tool = [\"kind:write\", \"kind:edit\"] }\n";
    let hook = |event: &str, name: &str, scope: &str, command: &Value| {
        format!(
            "[[hook]]\nevent = \"{event}\"\nname = \"{name}\"\n{scope}command = {command}\nrole = \"edit\"\n"
        )
    };
    [
        hook("UserPromptSubmit", "canary", "", &program),
        hook("PreToolUse", "canary", shell, &program),
        hook("PostToolUse", "canary", shell, &program),
        hook("PreToolUse", "nowhere", files, &nowhere),
    ]
    .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(event: &str, command: &str) -> Option<Value> {
        match react(&json!({"hook_event_name": event, "tool_input": {"command": command}})) {
            Reaction::Say(answer) => Some(answer),
            Reaction::Hang => None,
        }
    }

    #[test]
    fn each_canary_is_known_by_its_name_and_answered_on_its_event() {
        let denied = json!({"decision": "deny", "reason": REASON});
        assert_eq!(said("PreToolUse", "echo canary-deny > x"), Some(denied));
        assert_eq!(said("PostToolUse", "echo canary-deny > x"), Some(json!({})));
        assert_eq!(said("PreToolUse", "cat seed-1.txt | tee canary-redact.txt"), Some(json!({})));
        let redacted = said("PostToolUse", "cat seed-1.txt | tee canary-redact.txt");
        assert_eq!(redacted, Some(json!({"rewrite_output": REDACTED})));
        assert_eq!(said("PreToolUse", "echo canary-hang > x"), None);
        assert_eq!(said("PreToolUse", "ls"), Some(json!({})));
    }

    #[test]
    fn no_call_holds_the_secret_and_each_holds_its_name() {
        let place = Place::new("/place".into(), "/bin/checkrein".into());
        for agent in crate::ALL {
            for canary in Canary::ABILITIES {
                let call = canary.call(*agent, &place).input.to_string();
                assert!(
                    call.contains(canary.name()) && !SEEDS.iter().any(|(_, secret)| call.contains(secret)),
                    "{call}"
                );
            }
        }
    }
}
