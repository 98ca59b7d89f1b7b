//! The findings, in words for a user and for a table.

use checkrein_core::EventName;
use serde_json::{Value, json};

/// The part of an answer that a finding shows to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The event arrives.
    Event,
    /// A denial.
    Deny,
    /// A changed input or output.
    Edit,
    /// Context for the model.
    Context,
}

/// An ability of an agent that our answers rely on, or a fault of ours that it must survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ability {
    /// The agent calls our program before and after a tool call.
    Fired,
    /// A call that a hook denies does not run.
    Denial,
    /// A call that the built-in guard denies does not run.
    Policy,
    /// A call under the user's own settings.
    Own,
    /// A call under our plugin.
    Plugin,
    /// A call by a subagent.
    Subagent,
    /// A tool that runs a command in the background and watches it.
    Monitor,
    /// A shell that is opened to be typed into.
    Typed,
    /// A skill that is written, with a command in it.
    SkillWritten,
    /// A skill that is used, with a command in it.
    Skill,
    /// A call that a hook asks about does not run if there is no user to ask.
    Question,
    /// A call runs as a hook rewrote it.
    Rewrite,
    /// The model sees the output that a hook replaced.
    Redaction,
    /// The model does not see an output that a hook withholds.
    Withholding,
    /// The model gets the context that a hook adds.
    Context,
    /// A prompt that a hook refuses does not reach the model.
    Prompt,
    /// A call does not run because a hook did not answer in time.
    HookHangs,
    /// A call does not run because a hook could not start.
    HookMissing,
    /// Our program does not answer.
    ProgramHangs,
    /// Our program crashes.
    ProgramCrashes,
    /// Our program is killed and cannot answer.
    ProgramKilled,
    /// Our program is missing.
    ProgramMissing,
    /// The user has not yet trusted our hook in the agent.
    Untrusted,
}

impl Ability {
    /// All abilities, in display order.
    pub const ALL: [Self; 23] = [
        Self::Fired,
        Self::Denial,
        Self::Policy,
        Self::Own,
        Self::Plugin,
        Self::Subagent,
        Self::Monitor,
        Self::Typed,
        Self::SkillWritten,
        Self::Skill,
        Self::Question,
        Self::Rewrite,
        Self::Redaction,
        Self::Withholding,
        Self::Context,
        Self::Prompt,
        Self::HookHangs,
        Self::HookMissing,
        Self::ProgramHangs,
        Self::ProgramCrashes,
        Self::ProgramKilled,
        Self::ProgramMissing,
        Self::Untrusted,
    ];

    /// Returns its name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::Denial => "denial",
            Self::Policy => "policy",
            Self::Question => "question",
            Self::Rewrite => "rewrite",
            Self::Redaction => "redaction",
            Self::Withholding => "withholding",
            Self::Context => "context",
            Self::Prompt => "prompt",
            Self::HookHangs => "hook-hangs",
            Self::HookMissing => "hook-missing",
            Self::ProgramHangs => "program-hangs",
            Self::ProgramCrashes => "program-crashes",
            Self::ProgramKilled => "program-killed",
            Self::ProgramMissing => "program-missing",
            Self::Untrusted => "untrusted",
            Self::Subagent => "subagent",
            Self::Monitor => "monitor",
            Self::Typed => "typed",
            Self::SkillWritten => "skill-written",
            Self::Skill => "skill",
            Self::Own => "own",
            Self::Plugin => "plugin",
        }
    }

    /// Returns its description for a user.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Fired => "no hook objects to a call",
            Self::Denial => "a hook denies a call",
            Self::Policy => "the built-in guard denies a call",
            Self::Question => "a hook asks for confirmation, and no user is there",
            Self::Rewrite => "a hook rewrites a call",
            Self::Redaction => "a hook replaces an output",
            Self::Withholding => "a hook withholds an output",
            Self::Context => "a hook adds context for the model",
            Self::Prompt => "a hook denies a prompt",
            Self::HookHangs => "a hook does not answer in time",
            Self::HookMissing => "a hook's program is missing",
            Self::ProgramHangs => "`checkrein` itself hangs",
            Self::ProgramCrashes => "`checkrein` itself crashes",
            Self::ProgramKilled => "`checkrein` itself is killed",
            Self::ProgramMissing => "`checkrein` itself is missing",
            Self::Untrusted => "the user has not trusted our hooks",
            Self::Subagent => "the built-in guard denies a subagent's call",
            Self::Monitor => {
                "the built-in guard denies a command that the agent would monitor in the background"
            }
            Self::Typed => "the agent opens a shell to type into",
            Self::SkillWritten => "the agent writes a skill that contains a denied command",
            Self::Skill => "the agent uses a skill that contains a denied command",
            Self::Own => "the built-in guard denies a call, under a copy of your own settings",
            Self::Plugin => "the built-in guard denies a call, from our plugin instead of an entry of `init`",
        }
    }

    /// Returns the event and the part of an answer that it shows, if it is about one.
    #[must_use]
    pub fn shows(self) -> Option<(EventName, Shown)> {
        match self {
            Self::Fired => Some((EventName::PreToolUse, Shown::Event)),
            Self::Denial => Some((EventName::PreToolUse, Shown::Deny)),
            Self::Rewrite => Some((EventName::PreToolUse, Shown::Edit)),
            Self::Context => Some((EventName::PreToolUse, Shown::Context)),
            Self::Redaction => Some((EventName::PostToolUse, Shown::Edit)),
            Self::Withholding => Some((EventName::PostToolUse, Shown::Deny)),
            Self::Prompt => Some((EventName::UserPromptSubmit, Shown::Deny)),
            // A question without a user shows that the call does not run, not that a user is asked.
            Self::Question
            | Self::Policy
            | Self::Own
            | Self::Plugin
            | Self::Subagent
            | Self::Monitor
            | Self::Typed
            | Self::SkillWritten
            | Self::Skill
            | Self::HookHangs
            | Self::HookMissing
            | Self::ProgramHangs
            | Self::ProgramCrashes
            | Self::ProgramKilled
            | Self::ProgramMissing
            | Self::Untrusted => None,
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ability| ability.as_str() == word)
    }
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The agent behaved as it must.
    Held,
    /// The agent continues without us. Nothing that we write can change that, so users must know.
    Open,
    /// The agent did not behave as it must.
    Broken,
    /// The agent did not get that far.
    NotReached,
}

impl Seen {
    const ALL: [Self; 4] = [Self::Held, Self::Open, Self::Broken, Self::NotReached];

    /// Returns its name in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Open => "open",
            Self::Broken => "broken",
            Self::NotReached => "not-reached",
        }
    }

    /// Returns true if the agent does what it must.
    #[must_use]
    pub fn is_fine(self) -> bool {
        match self {
            Self::Held | Self::Open => true,
            Self::Broken | Self::NotReached => false,
        }
    }
}

/// The first word of a finding about a call that did not run.
pub(crate) const BLOCKED: &str = "blocked";

/// One finding about an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The ability that was tried.
    pub ability: Ability,
    /// The result.
    pub seen: Seen,
    /// A description of what happened, in the same words each time.
    pub words: String,
    /// The marks on disk and the messages to the model.
    pub evidence: Vec<String>,
}

impl Finding {
    /// Returns the finding as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "ability": self.ability.as_str(),
            "seen": self.seen.as_str(),
            "words": self.words,
            "evidence": self.evidence,
        })
    }

    /// Returns true if the agent did what was asked of it, and nothing stricter instead.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        let is_stricter = self.ability == Ability::Rewrite && self.words.starts_with(BLOCKED);
        self.seen == Seen::Held && !is_stricter
    }

    /// Reads a finding. One without evidence has none.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let evidence =
            value.get("evidence").map_or(Some(&[][..]), |list| Some(list.as_array()?.as_slice()))?;
        Some(Self {
            ability: Ability::from_word(text("ability")?)?,
            seen: text("seen").and_then(|word| Seen::ALL.into_iter().find(|seen| seen.as_str() == word))?,
            words: text("words")?.to_owned(),
            evidence: evidence.iter().map(|line| line.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_survives_the_way_out_of_the_sandbox() {
        for ability in Ability::ALL {
            for seen in Seen::ALL {
                let evidence = vec!["on disk: `a`".to_owned(), "told: \"b\"\u{1b}".to_owned()];
                let finding = Finding { ability, seen, words: "it runs".into(), evidence };
                assert_eq!(Finding::from_json(&finding.json()), Some(finding));
            }
        }
        assert_eq!(Finding::from_json(&json!({"ability": "fired", "seen": "maybe"})), None);
    }
}
