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
/// What the file holds that is printed, and that the model must not see.
pub(crate) const SECRET: &str = "canary-seed-5d2e91bc";
/// What the model sees instead.
pub(crate) const REDACTED: &str = "[a hook took the seed away]";
/// What the model is told beside a call.
pub(crate) const CONTEXT: &str = "a hook says that the canary is yellow";

/// The file that holds [`SECRET`].
pub(crate) const SEED: &str = "seed.txt";

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Canary {
    Pass,
    Deny,
    Policy,
    Ask,
    Rewrite,
    Redact,
    Context,
    Hang,
    Missing,
}

impl Canary {
    pub(crate) const ABILITIES: [Self; 9] = [
        Self::Pass,
        Self::Deny,
        Self::Policy,
        Self::Ask,
        Self::Rewrite,
        Self::Redact,
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
            // The secret must not stand in the call itself, which the model knows.
            Self::Redact => agent.shell(&format!("cat {SEED} | tee {mark}")),
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
            (Self::Context, "PreToolUse") => json!({"context": CONTEXT}),
            (Self::Hang, "PreToolUse") => return None,
            (
                Self::Pass
                | Self::Deny
                | Self::Policy
                | Self::Ask
                | Self::Rewrite
                | Self::Redact
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
    let Some(canary) = Canary::of(event) else { return Reaction::Say(json!({})) };
    let name = event.get("hook_event_name").and_then(Value::as_str).unwrap_or_default();
    canary.answer(name).map_or(Reaction::Hang, Reaction::Say)
}

/// The scratch configuration: our hook before and after shell calls, and one that cannot be started before files are
/// written.
pub(crate) fn configuration(place: &Place) -> String {
    let program = json!([place.checkrein().to_string_lossy(), crate::ANSWER]);
    let nowhere = json!([place.folder().join("no-such-hook").to_string_lossy()]);
    let hook = |event: &str, name: &str, tool: &str, command: &Value| {
        format!(
            "[[hook]]\nevent = \"{event}\"\nname = \"{name}\"\nmatch = {{ tool = {tool} }}\ncommand = {command}\nrole = \"edit\"\n"
        )
    };
    [
        hook("PreToolUse", "canary", "\"kind:shell\"", &program),
        hook("PostToolUse", "canary", "\"kind:shell\"", &program),
        hook("PreToolUse", "nowhere", "[\"kind:write\", \"kind:edit\"]", &nowhere),
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
        assert_eq!(said("PreToolUse", "cat seed.txt | tee canary-redact.txt"), Some(json!({})));
        let redacted = said("PostToolUse", "cat seed.txt | tee canary-redact.txt");
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
                assert!(call.contains(canary.name()) && !call.contains(SECRET), "{call}");
            }
        }
    }
}
