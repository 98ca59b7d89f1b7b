//! What was found out, in words that a user and a table can use.

use serde_json::{Value, json};

/// Something that an agent can do with our answers, or that can happen to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ability {
    /// Our program is asked before a call and told after it.
    Fired,
    /// A call that a hook denies does not happen.
    Denial,
    /// A call that the built-in guard denies does not happen.
    Policy,
    /// A call under the user's own settings.
    Own,
    /// A call of an agent that the agent has started.
    Subagent,
    /// A tool that runs a command in the background and watches it.
    Monitor,
    /// A shell that is opened to be typed into.
    Typed,
    /// A skill that is written, with a command in it.
    SkillWritten,
    /// A skill that is used, with a command in it.
    Skill,
    /// A call that a user should be asked about does not happen when nobody can be asked.
    Question,
    /// A call happens as a hook rewrote it.
    Rewrite,
    /// The model sees what a hook made of an output.
    Redaction,
    /// The model does not see an output that a hook withholds.
    Withholding,
    /// The model is told what a hook adds.
    Context,
    /// A prompt that a hook refuses does not reach the model.
    Prompt,
    /// A call does not happen because a hook did not answer in time.
    HookHangs,
    /// A call does not happen because a hook could not be started.
    HookMissing,
    /// Our program does not answer.
    ProgramHangs,
    /// Our program makes a fault.
    ProgramCrashes,
    /// Our program is killed, and has no time for a last word.
    ProgramKilled,
    /// Our program is not there.
    ProgramMissing,
    /// The user has not yet told the agent that our hook may run.
    Untrusted,
}

impl Ability {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 22] = [
        Self::Fired,
        Self::Denial,
        Self::Policy,
        Self::Own,
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

    /// One word, for machines.
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
        }
    }

    /// What was tried, for a user.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Fired => "a call without objection",
            Self::Denial => "a hook denies a call",
            Self::Policy => "the built-in guard denies a call",
            Self::Question => "a hook wants a user to be asked, and nobody is there",
            Self::Rewrite => "a hook rewrites a call",
            Self::Redaction => "a hook replaces an output",
            Self::Withholding => "a hook withholds an output",
            Self::Context => "a hook tells the model something",
            Self::Prompt => "a hook refuses a prompt",
            Self::HookHangs => "a hook does not answer in time",
            Self::HookMissing => "the program of a hook is missing",
            Self::ProgramHangs => "`checkrein` itself does not answer",
            Self::ProgramCrashes => "`checkrein` itself crashes",
            Self::ProgramKilled => "`checkrein` itself is killed",
            Self::ProgramMissing => "`checkrein` itself is missing",
            Self::Untrusted => "the user has not trusted our entry",
            Self::Subagent => "the built-in guard denies a call of a subagent",
            Self::Monitor => "the built-in guard denies a command that is to be watched",
            Self::Typed => "a shell is opened to be typed into",
            Self::SkillWritten => "a skill with a denied command in it is written",
            Self::Skill => "a skill with a denied command in it is used",
            Self::Own => "a copy of the user's own settings: the built-in guard denies a call",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ability| ability.as_str() == word)
    }
}

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// As it must be.
    Held,
    /// The agent goes on without us. Nothing that we write can change that, so it must be known.
    Open,
    /// Not as it must be.
    Broken,
    /// The agent did not get that far.
    NotReached,
}

impl Seen {
    const ALL: [Self; 4] = [Self::Held, Self::Open, Self::Broken, Self::NotReached];

    /// One word, for machines.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Open => "open",
            Self::Broken => "broken",
            Self::NotReached => "not-reached",
        }
    }

    /// Whether the agent does what it must.
    #[must_use]
    pub fn is_fine(self) -> bool {
        match self {
            Self::Held | Self::Open => true,
            Self::Broken | Self::NotReached => false,
        }
    }
}

/// One thing that was found out about an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was tried.
    pub ability: Ability,
    /// How it went.
    pub seen: Seen,
    /// What happened, in the same words each time.
    pub words: String,
    /// What was on disk and what the model was told.
    pub evidence: Vec<String>,
}

impl Finding {
    /// As JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({
            "ability": self.ability.as_str(),
            "seen": self.seen.as_str(),
            "words": self.words,
            "evidence": self.evidence,
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let evidence = value.get("evidence")?.as_array()?.iter();
        Some(Self {
            ability: Ability::from_word(text("ability")?)?,
            seen: text("seen").and_then(|word| Seen::ALL.into_iter().find(|seen| seen.as_str() == word))?,
            words: text("words")?.to_owned(),
            evidence: evidence.map(|line| line.as_str().map(str::to_owned)).collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_survives_the_way_out_of_the_cage() {
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
