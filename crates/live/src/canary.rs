//! Harmless calls that leave a mark if they run, and our hook's answer to each.

use crate::{Ability, Agent, Scenario, Workdir};
use checkrein_hosts::install::quoted;
use checkrein_model::Call;
use serde_json::{Value, json};

/// The reason of our denials, by which they are recognised wherever they turn up.
pub(crate) const REASON: &str = "the canary may not sing";
/// The reason when our hook asks.
pub(crate) const QUESTION: &str = "a user should hear this canary first";
/// The text that a rewritten call writes.
pub(crate) const REWRITTEN: &str = "rewritten by a hook";
/// The content of the file whose output is replaced. The model must not see it.
pub(crate) const REPLACED: &str = "canary-seed-5d2e91bc";
/// The content of the file whose output is withheld. The model must not see it either.
pub(crate) const WITHHELD: &str = "canary-seed-7f3a08d4";
/// The text that the model sees instead of replaced output.
pub(crate) const REDACTED: &str = "[a hook took the seed away]";
/// The context that our hook adds to a call.
pub(crate) const CONTEXT: &str = "a hook says that the canary is yellow";

/// Files in the project with their content. The content must not be in the call itself, which the model
/// knows.
pub(crate) const SEEDS: [(&str, &str); 2] = [("seed-1.txt", REPLACED), ("seed-2.txt", WITHHELD)];

/// The word in a prompt that our hook refuses.
pub(crate) const PROMPT: &str = "canary-prompt";

/// One harmless call.
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
    Subagent,
    Monitor,
    Typed,
    SkillWritten,
    Skill,
    Own,
    Plugin,
}

impl Canary {
    /// The canaries that one start of an agent can try in sequence.
    pub(crate) const ABILITIES: [Self; 9] = [
        Self::Pass,
        Self::Deny,
        Self::Policy,
        Self::Ask,
        Self::Rewrite,
        Self::Redact,
        Self::Withhold,
        Self::Context,
        Self::Hang,
    ];

    /// Returns the ability that the canary shows.
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
            Self::Subagent => Ability::Subagent,
            Self::Monitor => Ability::Monitor,
            Self::Typed => Ability::Typed,
            Self::SkillWritten => Ability::SkillWritten,
            Self::Skill => Ability::Skill,
            Self::Own => Ability::Own,
            Self::Plugin => Ability::Plugin,
        }
    }

    /// Returns the name that the call carries, which also starts the name of its mark.
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
            Self::Subagent => "canary-subagent",
            Self::Monitor => "canary-monitor",
            Self::Typed => "canary-typed",
            Self::SkillWritten => "canary-skill-written",
            Self::Skill => "canary-skill",
            Self::Own => "canary-own",
            Self::Plugin => "canary-plugin",
        }
    }

    /// Returns the file in the project that exists if the call ran.
    pub(crate) fn mark(self) -> String {
        match self {
            Self::SkillWritten => skill_file(self.name()),
            _ => format!("{}.txt", self.name()),
        }
    }

    /// Returns a command that the built-in guard denies, with an absolute path because the agent may start
    /// elsewhere. There is no repository, no branch and no network, so nothing is lost if it runs.
    pub(crate) fn forced(self, workdir: &Workdir) -> String {
        let mark = workdir.project().join(format!("{}.txt", self.name()));
        format!("git push --force origin {} > {}", self.name(), quoted(&mark.to_string_lossy()))
    }

    /// Returns the agent's call for this canary.
    pub(crate) fn call(self, agent: &dyn Agent, workdir: &Workdir) -> Call {
        let (name, mark) = (self.name(), self.mark());
        match self {
            Self::Policy
            | Self::Own
            | Self::Plugin
            | Self::Subagent
            | Self::Monitor
            | Self::Typed
            | Self::SkillWritten
            | Self::Skill => agent.shell(&self.forced(workdir)),
            Self::Redact => agent.shell(&format!("cat seed-1.txt | tee {mark}")),
            Self::Withhold => agent.shell(&format!("cat seed-2.txt | tee {mark}")),
            Self::Hang => agent.write(&workdir.project().join(mark), "sung\n"),
            // Claude Code asks its own question about a background command, which would replace ours.
            Self::Ask => agent.shell(&format!("echo {name} > {mark} &")),
            Self::Pass | Self::Deny | Self::Rewrite | Self::Context | Self::Missing => {
                agent.shell(&format!("echo {name} > {mark}"))
            }
        }
    }

    /// Returns the canary that an event is about.
    fn of(event: &Value) -> Option<Self> {
        let input = event.get("tool_input")?.to_string();
        Self::ABILITIES.into_iter().find(|canary| input.contains(canary.name()))
    }

    /// Returns our hook's answer.
    fn answer(self, event: &str) -> Value {
        match (self, event) {
            (Self::Deny, "PreToolUse") => json!({"decision": "deny", "reason": REASON}),
            (Self::Ask, "PreToolUse") => json!({"decision": "ask", "reason": QUESTION}),
            (Self::Rewrite, "PreToolUse") => {
                let command = format!("echo {REWRITTEN} > {}", self.mark());
                json!({"rewrite_args": {"command": command}})
            }
            (Self::Redact, "PostToolUse") => json!({"rewrite_output": REDACTED}),
            (Self::Withhold, "PostToolUse") => json!({"decision": "deny", "reason": REASON}),
            (Self::Context, "PreToolUse") => json!({"context": CONTEXT}),
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
                | Self::Missing
                | Self::Subagent
                | Self::Monitor
                | Self::Typed
                | Self::SkillWritten
                | Self::Skill
                | Self::Own
                | Self::Plugin,
                _,
            ) => json!({}),
        }
    }
}

/// Returns the file of a skill, in the project.
pub(crate) fn skill_file(name: &str) -> String {
    format!(".claude/skills/{name}/SKILL.md")
}

/// Returns a skill that runs a command as soon as it is used.
pub(crate) fn skill(name: &str, command: &str) -> String {
    format!("---\nname: {name}\ndescription: a canary\n---\nIt says: !`{command}`\n")
}

/// Returns the answer of the scratch configuration's hook to an event.
pub(crate) fn react(event: &Value) -> Value {
    if event.get("prompt").and_then(Value::as_str).is_some_and(|prompt| prompt.contains(PROMPT)) {
        return json!({"decision": "deny", "reason": REASON});
    }
    let name = event.get("hook_event_name").and_then(Value::as_str).unwrap_or_default();
    Canary::of(event).map_or_else(|| json!({}), |canary| canary.answer(name))
}

/// Returns the scratch configuration: our hook on prompts and around shell calls, and one on file writes
/// that does not answer in time. In one scenario it is instead a single hook on shell calls that cannot
/// start.
pub(crate) fn configuration(workdir: &Workdir, scenario: Scenario) -> String {
    /// Enough for a machine that is busy with other things.
    const PATIENCE: u32 = 15;
    let hook = |event: &str, name: &str, tools: &[&str], command: &[&str], timeout: u32| {
        let scope =
            if tools.is_empty() { String::new() } else { format!("match = {{ tool = {} }}\n", json!(tools)) };
        let command = json!(command);
        format!(
            "[[hook]]\nevent = \"{event}\"\nname = \"{name}\"\n{scope}command = {command}\nrole = \"edit\"\ntimeout = {timeout}\n"
        )
    };
    let (program, nowhere) =
        (workdir.checkrein().to_string_lossy(), workdir.directory().join("no-such-hook"));
    let (ours, nowhere) = ([program.as_ref(), crate::ANSWER], nowhere.to_string_lossy());
    let hooks = match scenario {
        Scenario::HookMissing => {
            vec![hook("PreToolUse", "nowhere", &["kind:shell"], &[nowhere.as_ref()], PATIENCE)]
        }
        Scenario::Abilities
        | Scenario::Prompt
        | Scenario::ProgramHangs
        | Scenario::ProgramCrashes
        | Scenario::ProgramKilled
        | Scenario::ProgramMissing
        | Scenario::Untrusted => vec![
            hook("UserPromptSubmit", "canary", &[], &ours, PATIENCE),
            hook("PreToolUse", "canary", &["kind:shell"], &ours, PATIENCE),
            hook("PostToolUse", "canary", &["kind:shell"], &ours, PATIENCE),
            hook("PreToolUse", "late", &["kind:write", "kind:edit"], &["sleep", "600"], 1),
        ],
        // Only the guard.
        Scenario::Subagent
        | Scenario::Monitor
        | Scenario::Typed
        | Scenario::SkillWritten
        | Scenario::Skill
        | Scenario::Own
        | Scenario::Plugin => Vec::new(),
    };
    hooks.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_to(event: &str, command: &str) -> Value {
        react(&json!({"hook_event_name": event, "tool_input": {"command": command}}))
    }

    #[test]
    fn each_canary_is_recognised_by_its_name_and_answered_on_its_event() {
        let denied = json!({"decision": "deny", "reason": REASON});
        assert_eq!(answer_to("PreToolUse", "echo canary-deny > x"), denied);
        assert_eq!(answer_to("PostToolUse", "echo canary-deny > x"), json!({}));
        assert_eq!(answer_to("PreToolUse", "cat seed-1.txt | tee canary-redact.txt"), json!({}));
        let redacted = answer_to("PostToolUse", "cat seed-1.txt | tee canary-redact.txt");
        assert_eq!(redacted, json!({"rewrite_output": REDACTED}));
        assert_eq!(answer_to("PreToolUse", "ls"), json!({}));
        assert_eq!(react(&json!({"prompt": "Let canary-prompt sing."})), denied);
        assert_eq!(react(&json!({"prompt": "Let the canaries sing."})), json!({}));
    }

    #[test]
    fn no_call_contains_the_secret_and_each_contains_its_name() {
        let workdir = Workdir::new("/workdir".into(), "/bin/checkrein".into());
        for agent in crate::ALL {
            for canary in Canary::ABILITIES {
                let call = canary.call(*agent, &workdir).input.to_string();
                let leaks = SEEDS.iter().any(|(_, secret)| call.contains(secret));
                assert!(call.contains(canary.name()) && !leaks, "{call}");
            }
        }
    }
}
